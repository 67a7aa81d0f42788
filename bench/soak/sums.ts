import type { PoolConfig } from "pg"
import { z } from "zod"
import { withClient } from "../targets/database.ts"

/** For each person: counted requests of all months, reads in the access log, and the data version. */
export type Sums = ReadonlyMap<string, { readonly used: number; readonly logged: number; readonly version: number }>

const STATEMENT = `
select k.user_id,
  (select coalesce(sum(u.used), 0) from restwell.usage u where u.user_id = k.user_id)::int as used,
  (select coalesce(sum(l.reads), 0) from restwell.access_log l
   where l.user_id = k.user_id and l.outcome = 'answered')::int as logged,
  p.data_version::int as version
from restwell.api_key k join restwell.person p using (user_id)`

const RowsSchema = z.array(z.object({ user_id: z.string(), used: z.number(), logged: z.number(), version: z.number() }))

export async function readSums(database: PoolConfig): Promise<Sums> {
  const { rows } = await withClient(database, (client) => client.query(STATEMENT))
  return new Map(RowsSchema.parse(rows).map(({ user_id: userId, ...sums }) => [userId, sums]))
}

/** Descriptions of people whose counted or logged reads differ from their responses. */
export function sumFaults(before: Sums, after: Sums, answered: ReadonlyMap<string, number>): string[] {
  return [...after].flatMap(([userId, { used, logged }]) => {
    const start = before.get(userId) ?? { used: 0, logged: 0 }
    const reads = answered.get(userId) ?? 0
    const counted = used - start.used
    const inLog = logged - start.logged
    return counted === reads && inLog === reads
      ? []
      : [`${userId}: ${reads} reads, ${counted} counted, ${inLog} logged`]
  })
}
