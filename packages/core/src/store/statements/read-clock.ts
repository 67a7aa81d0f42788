import type { Pool } from "pg"
import { readStatement, runStatement } from "../pool.ts"

/** From this instant on, the person's clock has this offset. */
export interface ClockChange {
  /** Epoch milliseconds. */
  readonly atMs: number
  /** East of UTC. */
  readonly minutes: number
}

const READ_CLOCK = readStatement("read-clock")

/** The offsets of a person's clock in a time and at the last moment before it that is known, oldest first. */
export async function readClockChanges(pool: Pool, userId: string, from: Date, to: Date): Promise<ClockChange[]> {
  const { rows } = await runStatement<ClockChange>(pool, READ_CLOCK, [userId, from, to])
  return rows
}

const READ_VERSION = {
  name: "read-data-version",
  text: "select data_version from restwell.person where user_id = $1",
}

/** Whether the person's data still have this version. */
export async function isOfVersion(pool: Pool, userId: string, version: string): Promise<boolean> {
  const { rows } = await runStatement<{ data_version: string }>(pool, READ_VERSION, [userId])
  return rows[0]?.data_version === version
}
