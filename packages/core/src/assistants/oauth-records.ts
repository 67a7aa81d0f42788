import { AsyncLocalStorage } from "node:async_hooks"
import { createHash } from "node:crypto"
import { HOUR_MS } from "@restwell/client/time-units"
import { type ControlledTransaction, type Kysely, sql } from "kysely"
import { createTokenCipher } from "../base/encryption.ts"
import type { Clock, Context } from "../context/context.ts"
import type { Database } from "../store/database.ts"

/** The hash that a code, token or grant is stored under. Its id is the secret, so the id itself is never stored. */
export const hashOfOauthId = (kind: string, id: string): Buffer => createHash("sha256").update(`${kind}:${id}`).digest()

/** Another request has used this code or token. */
export class AlreadyUsed extends Error {
  override readonly name = "AlreadyUsed"
}

/** An exchange of a code or refresh token for new tokens. */
interface Exchange {
  /** True once another request turned out to have used the code or token first. */
  isLost: boolean
  transaction?: ControlledTransaction<Database> | undefined
}

/**
 * Runs each exchange in one transaction. The current exchange follows the request (AsyncLocalStorage), because oidc-provider cannot
 * pass it to its adapter.
 */
function createExchanges({ database, clock }: Pick<Context, "database" | "clock">) {
  const current = new AsyncLocalStorage<Exchange>()
  return {
    /** The transaction of the current exchange, or the database outside of one. */
    database: (): Kysely<Database> => current.getStore()?.transaction ?? database,
    /** Commits what the exchange consumed and issued if `run` returns true, else rolls back. */
    async run(run: (exchange: Pick<Exchange, "isLost">) => Promise<boolean>): Promise<void> {
      const exchange: Exchange = { isLost: false }
      try {
        const isDone = await current.run(exchange, () => run(exchange))
        if (isDone) await exchange.transaction?.commit().execute()
      } finally {
        if (exchange.transaction && !exchange.transaction.isCommitted) await exchange.transaction.rollback().execute()
      }
    },
    /** Marks a code or refresh token as used, in the current exchange. @throws {AlreadyUsed} */
    async consume(kind: string, id: string): Promise<void> {
      const exchange = current.getStore()
      if (!exchange) throw new Error(`${kind} consumed outside an exchange`)
      exchange.transaction ??= await database.startTransaction().execute()
      const hash = hashOfOauthId(kind, id)
      // Before the record, as the deletion of an account locks them.
      await sql`
        select from restwell."user" where id = (select user_id from restwell.oauth_record where id_hash = ${hash}) for key share
      `.execute(exchange.transaction)
      const { numUpdatedRows } = await exchange.transaction
        .updateTable("oauth_record")
        .set({ consumed_at: clock.now() })
        .where("id_hash", "=", hash)
        .where("consumed_at", "is", null)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) {
        exchange.isLost = true
        // Roll back now: the next query of this request must not wait for a second connection while this one is open.
        await exchange.transaction.rollback().execute()
        exchange.transaction = undefined
        throw new AlreadyUsed(`${kind} was used before`)
      }
      // A client that uses the successor has received the reply.
      await exchange.transaction.deleteFrom("refresh_reply").where("successor_hash", "=", hash).execute()
    },
  }
}

/** The answer to a refresh request. */
interface RefreshReply {
  /** The refresh token that was presented. */
  readonly token: string
  /** The refresh token that replaced it. */
  readonly successor: string
  /** The response body. */
  readonly reply: string
}

/**
 * How long the previous refresh token still gets the same reply: clients refresh twice at once, and lose responses. RFC 9700
 * 4.14.2 requires rotation; other authorization servers allow 30 seconds as well.
 */
const GRACE_SECONDS = 30
const REFRESH_TOKEN = "RefreshToken"
const BELONGS_TO = "refresh-reply"

/** True in SQL while a stored reply may be repeated. A reply dated in the future comes from a wrong clock and is not repeated. */
function isRepeatable(clock: Clock) {
  const now = clock.now().getTime()
  const [earliest, latest] = [new Date(now - GRACE_SECONDS * 1000), new Date(now + GRACE_SECONDS * 1000)]
  return sql<boolean>`(replied_at > ${earliest} and replied_at < ${latest})`
}

/** Stores a reply, encrypted with a key made from the presented token, so that only the token's owner can read it. */
async function storeReply(
  database: Kysely<Database>,
  clock: Clock,
  { token, successor, reply }: RefreshReply,
): Promise<void> {
  const sealed = createTokenCipher([token]).seal(reply, BELONGS_TO)
  await database
    .insertInto("refresh_reply")
    .values({
      token_hash: hashOfOauthId(REFRESH_TOKEN, token),
      successor_hash: hashOfOauthId(REFRESH_TOKEN, successor),
      reply: sealed.bytes,
      reply_key_id: sealed.keyId,
      replied_at: clock.now(),
    })
    .execute()
}

/** The reply this refresh token got before. Undefined if there is none, or it can no longer be repeated. */
async function findReply(database: Kysely<Database>, clock: Clock, token: string) {
  const row = await database
    .selectFrom("refresh_reply")
    .select(["reply_key_id as keyId", "reply as bytes", "replied_at"])
    .where("token_hash", "=", hashOfOauthId(REFRESH_TOKEN, token))
    .where(isRepeatable(clock))
    .executeTakeFirst()
  if (!row) return undefined
  const ageSeconds = Math.floor((clock.now().getTime() - row.replied_at.getTime()) / 1000)
  return { reply: createTokenCipher([token]).open(row, BELONGS_TO), ageSeconds }
}

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

/** Longer than any refresh reply may be repeated. */
const REPLY_HOURS = 1
const UNUSED_CLIENT_HOURS = 24
const IDLE_CLIENT_HOURS = 180 * 24

/** Deletes expired records, old refresh replies, and clients that were never used for a day or not used for half a year. */
export async function sweepOauthRecords({ database, clock }: Pick<Context, "database" | "clock">): Promise<void> {
  const now = clock.now()
  const before = (hours: number): Date => new Date(now.getTime() - hours * HOUR_MS)
  await database.deleteFrom("oauth_record").where("expires_at", "<", now).execute()
  await database.deleteFrom("refresh_reply").where("replied_at", "<", before(REPLY_HOURS)).execute()
  await sql`
    delete from restwell.oauth_client c
    where (c.last_used_at is null and c.created_at < ${before(UNUSED_CLIENT_HOURS)})
       or (c.last_used_at < ${before(IDLE_CLIENT_HOURS)}
           and not exists (select from restwell.assistant a where a.client_id = c.client_id))
  `.execute(database)
}
