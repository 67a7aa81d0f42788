import type { Context } from "../context/context.ts"
import { createExchanges } from "./exchanges.ts"
import { hashOfOauthId } from "./oauth-id.ts"
import { findReply, isRepeatable, type RefreshReply, storeReply } from "./refresh-replies.ts"

interface OauthPayload {
  readonly accountId?: string | undefined
  readonly clientId?: string | undefined
  readonly grantId?: string | undefined
  readonly [field: string]: unknown
}

export type OauthRecords = ReturnType<typeof createOauthRecords>

/**
 * The authorization server's store of pending requests, codes, tokens and grants, by hashed id.
 *
 * A code or refresh token is consumed in the same transaction that stores the new tokens. Of several concurrent requests one
 * wins, and the others wait for it and fail. A crash in between consumes nothing.
 */
export function createOauthRecords({ database, clock }: Pick<Context, "database" | "clock">) {
  const exchanges = createExchanges({ database, clock })
  return {
    exchange: exchanges.run,
    consume: exchanges.consume,
    async put(kind: string, id: string, payload: OauthPayload, expiresAt: Date): Promise<void> {
      const row = rowOf(payload, expiresAt)
      await exchanges
        .database()
        .insertInto("oauth_record")
        .values({ id_hash: hashOfOauthId(kind, id), kind, ...row })
        .onConflict((conflict) => conflict.column("id_hash").doUpdateSet(row))
        .execute()
    },
    /** `hasReply` is true while the reply to this refresh token can be repeated. */
    async find(kind: string, id: string) {
      const row = await exchanges
        .database()
        .selectFrom("oauth_record")
        .leftJoin("refresh_reply", (join) =>
          join.onRef("refresh_reply.token_hash", "=", "oauth_record.id_hash").on(isRepeatable(clock)),
        )
        .select(["payload", "consumed_at", "replied_at"])
        .where("id_hash", "=", hashOfOauthId(kind, id))
        .executeTakeFirst()
      return row && { payload: row.payload, consumedAt: row.consumed_at, hasReply: row.replied_at !== null }
    },
    async remove(kind: string, id: string): Promise<void> {
      await exchanges.database().deleteFrom("oauth_record").where("id_hash", "=", hashOfOauthId(kind, id)).execute()
    },
    /** Removes a grant with every code and token issued from it. */
    async removeGrant(grantId: string): Promise<void> {
      const hash = hashOfOauthId("Grant", grantId)
      await exchanges
        .database()
        .deleteFrom("oauth_record")
        .where((where) => where.or([where("grant_hash", "=", hash), where("id_hash", "=", hash)]))
        .execute()
    },
    async hasPerson(userId: string): Promise<boolean> {
      const people = exchanges.database().selectFrom("person").select("user_id")
      return (await people.where("user_id", "=", userId).executeTakeFirst()) !== undefined
    },
    /** Stores the reply to a refresh, for a client that lost the response. */
    storeReply: (reply: RefreshReply) => storeReply(exchanges.database(), clock, reply),
    /** The reply this refresh token got before, while it may be repeated. */
    findReply: (token: string) => findReply(database, clock, token),
  }
}

const rowOf = (payload: OauthPayload, expiresAt: Date) => ({
  payload: JSON.stringify(payload),
  grant_hash: payload.grantId === undefined ? null : hashOfOauthId("Grant", payload.grantId),
  user_id: payload.accountId ?? null,
  client_id: payload.clientId ?? null,
  expires_at: expiresAt,
})
