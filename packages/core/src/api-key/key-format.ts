import { hash, randomInt } from "node:crypto"
import { crc32 } from "node:zlib"

/**
 * An API key: `rw_`, 32 random base62 characters (190 bits), and their CRC-32 as 6 base62 characters. The checksum detects a
 * mistyped key without the database. DESIGN: Keys and quota. The idea is GitHub's token format.
 */
const PREFIX = "rw_"
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const SHAPE = new RegExp(`^${PREFIX}([0-9A-Za-z]{${RANDOM_LENGTH}})([0-9A-Za-z]{${CHECKSUM_LENGTH}})$`)
/** The account page displays these characters to identify the key. They do not help to guess the rest. */
const DISPLAYED_LENGTH = PREFIX.length + 5

export interface ApiKey {
  readonly text: string
  /** SHA-256 in hex. */
  readonly keyHash: string
  /** The first characters, to recognise the key by. */
  readonly prefix: string
}

/** A new key, from the operating system's random generator. */
export function generateApiKey(): ApiKey {
  return apiKeyOf(Array.from({ length: RANDOM_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join(""))
}

/** The key made of these 32 base62 characters, which must be random. */
export function apiKeyOf(random: string): ApiKey {
  const text = `${PREFIX}${random}${checksumOf(random)}`
  return { text, keyHash: hashOf(text), prefix: text.slice(0, DISPLAYED_LENGTH) }
}

/** The hash that a key is stored under. Undefined if the text cannot be a key. */
export function parseApiKey(text: string): { readonly keyHash: string } | undefined {
  const [, random, checksum] = SHAPE.exec(text) ?? []
  if (random === undefined || checksumOf(random) !== checksum) return undefined
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
