import { AsyncLocalStorage } from "node:async_hooks"
import { createHash } from "node:crypto"
import type { Json } from "@restwell/providers"
import { type ControlledTransaction, type Kysely, sql } from "kysely"
import type { Context } from "../context/context.ts"
import { createTokenCipher } from "../crypto/token-cipher.ts"
import type { Database } from "../store/database.ts"

/**
 * What the authorization server remembers: requests under way, codes, tokens, grants. Their ids, which are the secrets, are kept as hashes.
 *
 * A code or refresh token is used up in one transaction with everything that is issued for it: of any number of users at once one wins, the
 * others wait for it and lose, and a crash in between uses nothing up.
 */
export interface OauthRecords {
  put(kind: string, id: string, payload: OauthPayload, expiresAt: Date): Promise<void>
  find(kind: string, id: string): Promise<OauthRecord | undefined>
  /** Uses a code or refresh token up. @throws {AlreadyUsed} when somebody else did */
  consume(kind: string, id: string): Promise<void>
  remove(kind: string, id: string): Promise<void>
  /** Ends a grant with all that was issued from it. */
  removeGrant(grantId: string): Promise<void>
  /** Runs an exchange; what it consumed and issued is kept when `run` gives true, else undone. */
  exchange(run: (exchange: Exchange) => Promise<boolean>): Promise<void>
  /** Whether there still is such a person. */
  hasPerson(userId: string): Promise<boolean>
  /** Keeps what a refresh token was answered with, sealed under a key that is made of the token, for who lost that answer. */
  keepReply(reply: RefreshReply): Promise<void>
  replyTo(token: string): Promise<{ readonly reply: string; readonly ageSeconds: number } | undefined>
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
  /** True while its answer can be given once more. */
  readonly hasReply: boolean
}

export interface RefreshReply {
  readonly token: string
  readonly successor: string
  readonly reply: string
}

/** Somebody else has used it, a moment ago or long before. */
export class AlreadyUsed extends Error {
  override readonly name = "AlreadyUsed"
}

/**
 * How long the immediately previous refresh token is still answered, with the same successor: clients refresh twice at once, and lose
 * answers. RFC 9700 4.14.2 asks for rotation, the field's grace is 30 seconds.
 */
const GRACE_SECONDS = 30
const REFRESH_TOKEN = "RefreshToken"
const REPLY = "refresh-reply"

export const hashOfOauthId = (kind: string, id: string): Buffer => createHash("sha256").update(`${kind}:${id}`).digest()

export interface Exchange {
  /** True once somebody else turned out to have been faster. */
  readonly isLost: boolean
}

interface OpenExchange {
  isLost: boolean
  transaction?: ControlledTransaction<Database> | undefined
}

export function createOauthRecords({ database, clock }: Pick<Context, "database" | "clock">): OauthRecords {
  const exchanges = new AsyncLocalStorage<OpenExchange>()
  const store = (): Kysely<Database> => exchanges.getStore()?.transaction ?? database
  const graceBegan = () => new Date(clock.now().getTime() - GRACE_SECONDS * 1000)
  // A reply of the future is of a clock that was wrong: its grace would last until then.
  const graceEnds = () => new Date(clock.now().getTime() + GRACE_SECONDS * 1000)
  return {
    async put(kind, id, payload, expiresAt) {
      const row = rowOf(payload, expiresAt)
      await store()
        .insertInto("oauth_record")
        .values({ id_hash: hashOfOauthId(kind, id), kind, ...row })
        .onConflict((conflict) => conflict.column("id_hash").doUpdateSet(row))
        .execute()
    },
    async find(kind, id) {
      const row = await store()
        .selectFrom("oauth_record")
        .leftJoin("refresh_reply", (join) =>
          join
            .onRef("refresh_reply.token_hash", "=", "oauth_record.id_hash")
            .on("refresh_reply.replied_at", ">", graceBegan())
            .on("refresh_reply.replied_at", "<", graceEnds()),
        )
        .select(["payload", "consumed_at", "replied_at"])
        .where("id_hash", "=", hashOfOauthId(kind, id))
        .executeTakeFirst()
      return row && { payload: row.payload, consumedAt: row.consumed_at, hasReply: row.replied_at !== null }
    },
    async consume(kind, id) {
      const exchange = exchanges.getStore()
      if (!exchange) throw new Error(`a ${kind} was used outside an exchange`)
      exchange.transaction ??= await database.startTransaction().execute()
      const hash = hashOfOauthId(kind, id)
      const { numUpdatedRows } = await exchange.transaction
        .updateTable("oauth_record")
        .set({ consumed_at: clock.now() })
        .where("id_hash", "=", hash)
        .where("consumed_at", "is", null)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) {
        exchange.isLost = true
        // At once: what comes next must not wait for a second connection while it holds this one.
        await exchange.transaction.rollback().execute()
        exchange.transaction = undefined
        throw new AlreadyUsed(`this ${kind} was used before`)
      }
      // Who has the successor has had the answer.
      await exchange.transaction.deleteFrom("refresh_reply").where("successor_hash", "=", hash).execute()
    },
    async remove(kind, id) {
      await store().deleteFrom("oauth_record").where("id_hash", "=", hashOfOauthId(kind, id)).execute()
    },
    async removeGrant(grantId) {
      const hash = hashOfOauthId("Grant", grantId)
      await store()
        .deleteFrom("oauth_record")
        .where((where) => where.or([where("grant_hash", "=", hash), where("id_hash", "=", hash)]))
        .execute()
    },
    async exchange(run) {
      const exchange: OpenExchange = { isLost: false }
      try {
        const isKept = await exchanges.run(exchange, () => run(exchange))
        if (isKept) await exchange.transaction?.commit().execute()
      } finally {
        if (exchange.transaction && !exchange.transaction.isCommitted) await exchange.transaction.rollback().execute()
      }
    },
    async hasPerson(userId) {
      const row = await store().selectFrom("person").select("user_id").where("user_id", "=", userId).executeTakeFirst()
      return row !== undefined
    },
    async keepReply({ token, successor, reply }) {
      const sealed = createTokenCipher([token]).seal(reply, REPLY)
      await store()
        .insertInto("refresh_reply")
        .values({
          token_hash: hashOfOauthId(REFRESH_TOKEN, token),
          successor_hash: hashOfOauthId(REFRESH_TOKEN, successor),
          reply: sealed.bytes,
          reply_key_id: sealed.keyId,
          replied_at: clock.now(),
        })
        .execute()
    },
    async replyTo(token) {
      const row = await database
        .selectFrom("refresh_reply")
        .selectAll()
        .where("token_hash", "=", hashOfOauthId(REFRESH_TOKEN, token))
        .where("replied_at", ">", graceBegan())
        .where("replied_at", "<", graceEnds())
        .executeTakeFirst()
      if (!row) return undefined
      const sealed = { keyId: row.reply_key_id, bytes: row.reply }
      const ageSeconds = Math.floor((clock.now().getTime() - row.replied_at.getTime()) / 1000)
      return { reply: createTokenCipher([token]).open(sealed, REPLY), ageSeconds }
    },
  }
}

const rowOf = (payload: OauthPayload, expiresAt: Date) => ({
  payload: JSON.stringify(payload),
  grant_hash: payload.grantId === undefined ? null : hashOfOauthId("Grant", payload.grantId),
  user_id: payload.accountId ?? null,
  client_id: payload.clientId ?? null,
  expires_at: expiresAt,
})

/** Deletes what has ended: records, clients that registered and never came back, and clients that nobody used for half a year. */
export async function sweepOauthRecords({ database, clock }: Pick<Context, "database" | "clock">): Promise<void> {
  const now = clock.now()
  const before = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000)
  await database.deleteFrom("oauth_record").where("expires_at", "<", now).execute()
  await database.deleteFrom("refresh_reply").where("replied_at", "<", before(1)).execute()
  await sql`
    delete from restwell.oauth_client c
    where (c.last_used_at is null and c.created_at < ${before(UNUSED_CLIENT_HOURS)})
       or (c.last_used_at < ${before(IDLE_CLIENT_HOURS)}
           and not exists (select from restwell.assistant a where a.client_id = c.client_id))
  `.execute(database)
}

const UNUSED_CLIENT_HOURS = 24
const IDLE_CLIENT_HOURS = 180 * 24
