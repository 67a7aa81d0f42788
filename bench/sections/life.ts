import { z } from "zod"
import { metricsOf } from "../measuring/metrics.ts"
import { openTable, perSecond } from "../measuring/table.ts"
import type { Bench } from "../targets/bench.ts"
import { withClient } from "../targets/database.ts"

const CountSchema = z.tuple([z.object({ count: z.coerce.number() })])
const BYTES_PER_MB = 1_000_000

/** Prints the start times, the speed of a first sync, and the memory after the load. */
export async function life({ service, person, postgres }: Bench, days: number): Promise<void> {
  const { residentBytes, heapBytes } = await metricsOf(service.url)
  const records = await recordsOf(service.database, person.userId)
  const existingMs = await service.restart()
  const row = openTable(`Start, first sync and memory, ${postgres} PostgreSQL`, ["what", "figure", "unit"])
  row(["start to first answer, empty DATA_DIR", service.startMs.toFixed(0), "ms"])
  row([`start to first answer, ${records} records there`, existingMs.toFixed(0), "ms"])
  row([`first sync of ${days} days, stored`, perSecond((1000 * records) / service.historyMs), "records/s"])
  row(["memory after all of this (RSS)", (residentBytes / BYTES_PER_MB).toFixed(0), "MB"])
  row(["of it JavaScript's heap in use", (heapBytes / BYTES_PER_MB).toFixed(0), "MB"])
}

async function recordsOf(database: Bench["service"]["database"], userId: string): Promise<number> {
  const statement = "select count(*) from restwell.record where user_id = $1"
  const { rows } = await withClient(database, (client) => client.query(statement, [userId]))
  return CountSchema.parse(rows)[0].count
}
