import { sql } from "kysely"
import type { Context } from "../context/context.ts"

/** Both logs keep their entries for 90 days. The database refuses to delete younger ones, by its own clock. */
const RETENTION_DAYS = 90
/** Rows per statement, so that none takes long. */
const BATCH = 10_000

/** Deletes expired entries of both logs. Skips rows that another process is deleting. */
export async function sweepAudit({ database, clock }: Pick<Context, "database" | "clock">): Promise<void> {
  const cutoff = new Date(clock.now().getTime() - RETENTION_DAYS * 86_400_000)
  for (const log of ["access_log", "security_event"] as const) {
    for (let deleted = BATCH; deleted === BATCH; ) {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(`restwell.${log}`)} where (user_id, id) in (
          select user_id, id from ${sql.table(`restwell.${log}`)}
          where at < least(${cutoff}, now() - make_interval(days => ${RETENTION_DAYS}))
          order by at, id limit ${BATCH} for update skip locked)
      `.execute(database)
      deleted = Number(numAffectedRows)
    }
  }
}
