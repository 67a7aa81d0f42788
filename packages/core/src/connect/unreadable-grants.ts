import { UnreadableSecret } from "../base/encryption.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { personTransaction } from "../store/database.ts"
import { applyEvent } from "./connection-status.ts"
import { type Grant, openAccessToken, openRefreshToken, readGrant } from "./grants.ts"
import { findOtherConnections } from "./shared-member.ts"

/** Why the status of such a connection is `reauthorization_required`. */
export const UNREADABLE_REASON = "the stored tokens cannot be decrypted with this server's secret, connect again"

/**
 * Asks the person to connect again, unless a new connect has replaced the tokens meanwhile. Returns whether it did. The tokens stay: the
 * operator may find the secret.
 */
export const markUnreadable = (context: Context, connection: ConnectionId): Promise<boolean> =>
  personTransaction(context.database, connection.userId, async (transaction) => {
    const grant = await readGrant(transaction, connection, "lock")
    if (!grant || isReadable(context, connection, grant)) return false
    await applyEvent(transaction, context, connection, { type: "authorization_revoked", reason: UNREADABLE_REASON })
    return true
  })

/**
 * Resumes connections whose tokens can be decrypted again, because the operator has restored the secret. A connection whose
 * member another account has connected meanwhile stays as it is.
 */
export async function recoverUnreadableGrants(context: Context): Promise<void> {
  const rows = await context.database
    .selectFrom("connection")
    .select(["user_id", "provider", "member_id"])
    .where("status", "=", "reauthorization_required")
    .where("status_reason", "=", UNREADABLE_REASON)
    .execute()
  for (const { user_id: userId, provider, member_id: memberId } of rows)
    await recover(context, { userId, provider }, memberId)
}

const recover = (context: Context, connection: ConnectionId, memberId: string | null): Promise<void> =>
  personTransaction(context.database, connection.userId, async (transaction) => {
    const others = memberId === null ? [] : await findOtherConnections(transaction, context, connection, memberId)
    if (others.length > 0) return
    const grant = await readGrant(transaction, connection, "lock")
    if (!grant || !isReadable(context, connection, grant)) return
    await applyEvent(transaction, context, connection, { type: "authorization_recovered" })
  })

function isReadable(context: Context, connection: ConnectionId, grant: Grant): boolean {
  try {
    openAccessToken(context, connection, grant)
    openRefreshToken(context, connection, grant)
    return true
  } catch (error) {
    if (error instanceof UnreadableSecret) return false
    throw error
  }
}
