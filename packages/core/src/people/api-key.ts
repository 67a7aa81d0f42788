import { hash, randomInt } from "node:crypto"
import { crc32 } from "node:zlib"
import { type Context, recordSecurityEvent } from "../context/context.ts"
import { personTransaction } from "../store/database.ts"

/**
 * A key: a prefix that says its kind, 32 random base62 characters (190 bits), and their CRC-32 as 6 base62 characters. The checksum
 * detects a mistyped key without the database. The idea is GitHub's token format. An API key (`rw_`) reads, an ingest token (`rwi_`)
 * writes, and the token of a share (`rws_`) opens a report.
 */
type Prefix = "rw_" | "rwi_" | "rws_"
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const SHAPE = new RegExp(`^(rw[is]?_)([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`)
/** The page displays these characters behind the prefix to identify the key. They do not help to guess the rest. */
const DISPLAYED_LENGTH = 5

export interface ApiKey {
  readonly text: string
  /** SHA-256 in hex. */
  readonly keyHash: string
  /** The first characters, to recognise the key by. */
  readonly prefix: string
}

/** A new key, from the operating system's random generator. */
export function generateApiKey(prefix: Prefix = "rw_"): ApiKey {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join("")
  return apiKeyOf(random, prefix)
}

/** The key made of these 32 base62 characters, which must be random. */
export function apiKeyOf(random: string, prefix: Prefix = "rw_"): ApiKey {
  const text = `${prefix}${random}${checksumOf(random)}`
  return { text, keyHash: hashOf(text), prefix: text.slice(0, prefix.length + DISPLAYED_LENGTH) }
}

/** The hash that a key is stored under. Undefined if the text cannot be a key of this kind. */
export function parseApiKey(text: string, prefix: Prefix = "rw_"): { readonly keyHash: string } | undefined {
  const [, kind, random, checksum] = SHAPE.exec(text) ?? []
  if (kind !== prefix || random === undefined || checksumOf(random) !== checksum) return undefined
  return { keyHash: hashOf(text) }
}

/** A fast hash is enough for 190 random bits. */
const hashOf = (text: string): string => hash("sha256", text, "hex")

function checksumOf(random: string): string {
  let rest = crc32(random)
  let digits = ""
  for (let position = 0; position < CHECKSUM_LENGTH; position += 1) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits
    rest = Math.floor(rest / ALPHABET.length)
  }
  return digits
}

/**
 * Replaces the person's API key. Returns the new key, which is not stored readable. The former key stops working with the commit,
 * on every replica, because each read looks the key up.
 * @param network the visitor's network, for the security log
 */
export async function rotateApiKey(
  context: Context,
  userId: string,
  network?: string,
): Promise<{ readonly apiKey: string; readonly prefix: string; readonly createdAt: Date }> {
  const { text, keyHash, prefix } = generateApiKey()
  const values = { key_hash: Buffer.from(keyHash, "hex"), prefix, created_at: context.clock.now(), last_used_at: null }
  await personTransaction(context.database, userId, async (transaction) => {
    const { numInsertedOrUpdatedRows: created = 0n } = await transaction
      .insertInto("api_key")
      .values({ user_id: userId, name: null, types: null, days: null, expires_at: null, ...values })
      .onConflict((conflict) => conflict.column("user_id").where("name", "is", null).doNothing())
      .executeTakeFirstOrThrow()
    if (created === 0n)
      await transaction
        .updateTable("api_key")
        .set(values)
        .where("user_id", "=", userId)
        .where("name", "is", null)
        .execute()
    const type = created === 0n ? "api_key_regenerated" : "api_key_created"
    await recordSecurityEvent({ database: transaction, clock: context.clock }, userId, {
      type,
      detail: prefix,
      network,
    })
  })
  return { apiKey: text, prefix, createdAt: values.created_at }
}
