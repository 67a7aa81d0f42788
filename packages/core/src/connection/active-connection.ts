import { type RawBuilder, sql } from "kysely"
import type { ConnectionStatus } from "../store/connection.ts"

/** Connections with these statuses are not synced: they ended, wait for the person, or are archives. */
export const INACTIVE: ConnectionStatus[] = ["disconnected", "archive", "reauthorization_required"]

/** SQL: true if the connection `c` is synced. */
export const isActive = sql<boolean>`c.status not in (${sql.join(INACTIVE.map((status) => sql.lit(status)))})`

/** SQL: true if the connection `c` has no retry time after `at`. Times more than a day ahead come from a wrong clock and are ignored. */
export const isRetryDue = (at: Date): RawBuilder<boolean> =>
  sql<boolean>`(c.retry_after is null or c.retry_after <= ${at} or c.retry_after > ${at}::timestamptz + interval '25 hours')`
