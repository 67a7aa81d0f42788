import type { Json } from "@restwell/providers"
import type { Context } from "../context/context.ts"
import { createExchanges, type Exchange } from "./exchanges.ts"
import { hashOfOauthId } from "./oauth-id.ts"
import { findReply, isRepeatable, type RefreshReply, storeReply } from "./refresh-replies.ts"

/**
 * The authorization server's store of pending requests, codes, tokens and grants, by hashed id.
 *
 * A code or refresh token is consumed in the same transaction that stores the new tokens. Of several concurrent requests one
 * wins, and the others wait for it and fail. A crash in between consumes nothing.
 */
export interface OauthRecords {
  put(kind: string, id: string, payload: OauthPayload, expiresAt: Date): Promise<void>
  find(kind: string, id: string): Promise<OauthRecord | undefined>
  /** Marks a code or refresh token as used. Call within `exchange`. @throws {AlreadyUsed} */
  consume(kind: string, id: string): Promise<void>
  remove(kind: string, id: string): Promise<void>
  /** Removes a grant with every code and token issued from it. */
  removeGrant(grantId: string): Promise<void>
  /** Runs an exchange. Commits what it consumed and issued if `run` returns true, else rolls back. */
  exchange(run: (exchange: Exchange) => Promise<boolean>): Promise<void>
  hasPerson(userId: string): Promise<boolean>
  /** Stores the reply to a refresh, for a client that lost the response. */
  storeReply(reply: RefreshReply): Promise<void>
  /** The reply this refresh token got before, while it may be repeated. */
  findReply(token: string): Promise<{ readonly reply: string; readonly ageSeconds: number } | undefined>
}

export interface OauthPayload {
  readonly accountId?: string | undefined
  readonly clientId?: string | undefined
  readonly grantId?: string | undefined
  readonly [field: string]: unknown
}

export interface OauthRecord {
  readonly payload: Json
  readonly consumedAt: Date | null
  /** True while the reply to this refresh token can be repeated. */
  readonly hasReply: boolean
}

export function createOauthRecords(context: Pick<Context, "database" | "clock">): OauthRecords {
  const { database, clock } = context
  const exchanges = createExchanges(context)
  return {
    async put(kind, id, payload, expiresAt) {
      const row = rowOf(payload, expiresAt)
      await exchanges
        .database()
        .insertInto("oauth_record")
        .values({ id_hash: hashOfOauthId(kind, id), kind, ...row })
        .onConflict((conflict) => conflict.column("id_hash").doUpdateSet(row))
        .execute()
    },
    async find(kind, id) {
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
    consume: exchanges.consume,
    async remove(kind, id) {
      await exchanges.database().deleteFrom("oauth_record").where("id_hash", "=", hashOfOauthId(kind, id)).execute()
    },
    async removeGrant(grantId) {
      const hash = hashOfOauthId("Grant", grantId)
      await exchanges
        .database()
        .deleteFrom("oauth_record")
        .where((where) => where.or([where("grant_hash", "=", hash), where("id_hash", "=", hash)]))
        .execute()
    },
    exchange: exchanges.run,
    async hasPerson(userId) {
      const people = exchanges.database().selectFrom("person").select("user_id")
      return (await people.where("user_id", "=", userId).executeTakeFirst()) !== undefined
    },
    storeReply: (reply) => storeReply(exchanges.database(), clock, reply),
    findReply: (token) => findReply(database, clock, token),
  }
}

const rowOf = (payload: OauthPayload, expiresAt: Date) => ({
  payload: JSON.stringify(payload),
  grant_hash: payload.grantId === undefined ? null : hashOfOauthId("Grant", payload.grantId),
  user_id: payload.accountId ?? null,
  client_id: payload.clientId ?? null,
  expires_at: expiresAt,
})
