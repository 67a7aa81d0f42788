import type { ConnectionId, Context } from "../context/context.ts"
import { adapterOf } from "./adapter-of.ts"

/** Time for the person at the vendor's page. */
const REQUEST_LIFETIME_MS = 10 * 60_000

export interface ConnectionAttempt extends ConnectionId {
  /** The sign-in that began the attempt. Only the same one may complete it. */
  readonly sessionId: string
  /** Where the vendor sends the person back. The same in both requests. */
  readonly redirectUri: string
}

/** Returns the vendor's consent page. Its `state` is valid once, for ten minutes, in this session. RFC 6749 10.12. @throws {NotFound} */
export async function beginConnection(context: Context, attempt: ConnectionAttempt): Promise<URL> {
  const adapter = adapterOf(context, attempt.provider)
  const state = adapter.createState()
  const now = context.clock.now()
  await context.database
    .deleteFrom("authorization_request")
    .where("user_id", "=", attempt.userId)
    .where("expires_at", "<", now)
    .execute()
  await context.database
    .insertInto("authorization_request")
    .values({
      user_id: attempt.userId,
      provider: attempt.provider,
      state,
      session_id: attempt.sessionId,
      expires_at: new Date(now.getTime() + REQUEST_LIFETIME_MS),
    })
    .execute()
  return adapter.authorizeUrl({ state, redirectUri: attempt.redirectUri })
}
