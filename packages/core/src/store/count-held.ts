import type { HealthType } from "@restwell/client"
import type { Pool } from "pg"
import type { Context } from "../context/context.ts"
import { againAfterDeadlock } from "./again-after-deadlock.ts"

/** A person's reads whose bodies are there already: what they were made under, and how many reads they are. */
export interface HeldReads {
  readonly user_id: string
  readonly key_hash: string
  readonly provider: string
  readonly data_version: string
  readonly utc_offset_minutes: number
  readonly times: number
}

/** What the access log says of one of these. */
export interface HeldLine {
  readonly user_id: string
  readonly type: HealthType
  readonly start_date: string | null
  readonly end_date: string | null
  readonly record_count: number
  readonly times: number
}

/** A person whose reads were counted. */
export interface CountedPerson {
  readonly user_id: string
  readonly monthly_limit: number
  /** The month's count before these reads. */
  readonly used: number
}

const COUNT_HELD = {
  name: "count_held",
  text: "select user_id, monthly_limit, used from restwell.count_held($1, $2, $3, $4)",
}

/**
 * Counts the reads of all people whose bodies still stand, and writes them to the access log.
 * @param held a person once, in the order of their ids by code unit: who locks the same people does it in the same order
 * @returns those who were counted; of the others something no longer stands, and nothing was done
 */
export async function countHeld(
  { pool, clock, plans }: Pick<Context, "clock" | "plans"> & { readonly pool: Pool },
  held: readonly HeldReads[],
  lines: readonly HeldLine[],
): Promise<CountedPerson[]> {
  const values = [JSON.stringify(held), JSON.stringify(lines), clock.now(), JSON.stringify(plans)]
  return (await againAfterDeadlock(() => pool.query<CountedPerson>({ ...COUNT_HELD, values }))).rows
}
