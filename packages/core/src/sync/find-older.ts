import { adapterOf } from "../connection/vendor-grant.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { allEnded } from "./all-ended.ts"
import { withAccessToken } from "./with-access-token.ts"

/** Kinds that have a time of their own; where none of them is older, nothing is. */
const TIMED_KINDS = ["cycle", "sleep", "workout"] as const

/**
 * Where the history goes on before `before`: just after the newest start, so that the next window takes that record in. A pause
 * without the strap may last months; undefined when the vendor has nothing older.
 */
export async function findOlder(context: Context, connection: ConnectionId, before: Date): Promise<Date | undefined> {
  const adapter = adapterOf(context, connection.provider)
  const pages = await allEnded(
    TIMED_KINDS.map((kind) =>
      withAccessToken(context, connection, (accessToken) =>
        adapter.fetchPage(accessToken, { kind, to: before, limit: 1 }),
      ),
    ),
  )
  const starts = pages
    .flatMap((page) => page.records)
    .flatMap((record) => (record.kind === "recovery" ? [] : [record.startedAt.getTime()]))
  return starts.length > 0 ? new Date(Math.max(...starts) + 1) : undefined
}
