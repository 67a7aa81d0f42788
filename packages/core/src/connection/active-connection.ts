import { type RawBuilder, sql } from "kysely"

/**
 * True of a connection `c` whose events may be read at a time. A hold further ahead than any is set was written by a clock that was wrong.
 */
export const isNotHeld = (at: Date): RawBuilder<boolean> =>
  sql<boolean>`(c.held_until is null or c.held_until <= ${at} or c.held_until > ${at}::timestamptz + interval '25 hours')`
