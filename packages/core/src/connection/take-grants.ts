import { sql, type Transaction } from "kysely"
import type { ConnectionId, Context } from "../context/context.ts"
import { UnreadableSecret } from "../crypto/token-cipher.ts"
import type { Database } from "../store/database.ts"
import { type Grant, isExpired, openAccessToken, openRefreshToken } from "./stored-grant.ts"

/** A refresh under the row lock takes less than this. */
const LONGEST_REFRESH = "60s"

/** What the end of a grant needs. */
export type GrantContext = Pick<Context, "database" | "clock" | "logger" | "cipher" | "adaptersFor">

/** A pair of tokens that is no longer stored, so nobody else uses it. */
export interface TakenGrant {
  readonly connection: ConnectionId
  /** The vendor's id of the person who gave it. Undefined until the profile has been read. */
  readonly memberId: string | undefined
  /** Undefined once it has expired. */
  readonly accessToken: string | undefined
  readonly refreshToken: string | undefined
}

/**
 * Deletes a person's grants, all or one provider's, and returns them for a last call to the vendors. Waits for a refresh in progress,
 * so the pair is the newest. A later refresh finds no grant. Grants that cannot be decrypted are left out.
 */
export async function takeGrants(
  transaction: Transaction<Database>,
  context: GrantContext,
  { userId, provider }: { readonly userId: string; readonly provider?: string },
): Promise<TakenGrant[]> {
  await sql`set local statement_timeout = ${sql.lit(LONGEST_REFRESH)}`.execute(transaction)
  const taking = transaction
    .deleteFrom("vendor_grant as g")
    .using("connection as c")
    .whereRef("c.user_id", "=", "g.user_id")
    .whereRef("c.provider", "=", "g.provider")
    .where("g.user_id", "=", userId)
  const grants = await (provider === undefined ? taking : taking.where("g.provider", "=", provider))
    .returningAll("g")
    .returning("c.member_id")
    .execute()
  return grants.flatMap(({ member_id: memberId, ...grant }) => openGrant(context, grant, memberId ?? undefined))
}

function openGrant(context: GrantContext, grant: Grant, memberId: string | undefined): TakenGrant[] {
  const connection = { userId: grant.user_id, provider: grant.provider }
  try {
    const accessToken = isExpired(context, grant.expires_at)
      ? undefined
      : openAccessToken(context, connection, grant).value
    return [{ connection, memberId, accessToken, refreshToken: openRefreshToken(context, connection, grant) }]
  } catch (err) {
    if (!(err instanceof UnreadableSecret)) throw err
    context.logger.warn({ ...connection, err }, "could not decrypt a vendor's tokens")
    return []
  }
}
