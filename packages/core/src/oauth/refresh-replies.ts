import { type Kysely, sql } from "kysely"
import type { Clock } from "../context/context.ts"
import { createTokenCipher } from "../crypto/token-cipher.ts"
import type { Database } from "../store/database.ts"
import { hashOfOauthId } from "./oauth-id.ts"

/** The answer to a refresh request. */
export interface RefreshReply {
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
export function isRepeatable(clock: Clock) {
  const now = clock.now().getTime()
  const [earliest, latest] = [new Date(now - GRACE_SECONDS * 1000), new Date(now + GRACE_SECONDS * 1000)]
  return sql<boolean>`(replied_at > ${earliest} and replied_at < ${latest})`
}

/** Stores a reply, encrypted with a key made from the presented token, so that only the token's owner can read it. */
export async function storeReply(
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
export async function findReply(database: Kysely<Database>, clock: Clock, token: string) {
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
