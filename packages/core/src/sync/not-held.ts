import { type RawBuilder, sql } from "kysely"

/**
 * True of a connection `c` whose events may be read at a time. A hold further ahead than any is set was written by a clock that was wrong.
 */
export const isNotHeld = (at: Date): RawBuilder<boolean> =>
  sql<boolean>`(c.retry_after is null or c.retry_after <= ${at} or c.retry_after > ${at}::timestamptz + interval '25 hours')`
