import type { Pool } from "pg"
import { runStatement } from "../pool.ts"
import { parseStored, type SleepCandidate } from "../stored-record.ts"

/** $1 person, $2 and $3 the first and the last start */
const READ_SLEEPS = {
  name: "read-sleeps",
  text: `select restwell.stored_record(r, r.candidate) as sleep from restwell.record r
    where user_id = $1 and kind = 'sleep' and started_at between $2 and $3`,
}

/** The nights and naps of a person that begin in a time, as sources are chosen by. */
export async function readSleeps(pool: Pool, userId: string, from: Date, to: Date): Promise<SleepCandidate[]> {
  const { rows } = await runStatement<{ sleep: string }>(pool, READ_SLEEPS, [userId, from, to])
  return parseStored(`[${rows.map(({ sleep }) => sleep).join()}]`)
}
