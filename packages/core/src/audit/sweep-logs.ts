import { sql } from "kysely"
import type { Context } from "../context/context.ts"

/** How long both logs are kept. The database refuses to delete what is younger by its own clock. */
const KEPT_DAYS = 90
/** Rows at a time: no statement of a sweep is long. */
const BATCH = 10_000

/** Deletes what is too old of both logs. What another process deletes at the same moment is left to it. */
export async function sweepAudit({ database, clock }: Pick<Context, "database" | "clock">): Promise<void> {
  const cutoff = new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000)
  for (const log of ["access_log", "security_event"] as const) {
    for (let deleted = BATCH; deleted === BATCH; ) {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(`restwell.${log}`)} where (user_id, id) in (
          select user_id, id from ${sql.table(`restwell.${log}`)}
          where at < least(${cutoff}, now() - make_interval(days => ${KEPT_DAYS}))
          order by at, id limit ${BATCH} for update skip locked)
      `.execute(database)
      deleted = Number(numAffectedRows)
    }
  }
}
