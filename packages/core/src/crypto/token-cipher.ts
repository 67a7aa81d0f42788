import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto"

/** A secret at rest: which key sealed it, and the sealed bytes (nonce, authentication tag, ciphertext). */
export interface Sealed {
  readonly keyId: string
  readonly bytes: Buffer
}

/** Seals secrets with AES-256-GCM. What a secret belongs to is authenticated with it, so that it opens nowhere else. */
export interface TokenCipher {
  seal(plain: string, belongsTo: string): Sealed
  /** @throws {Error} when the key is unknown, the bytes were changed, or they belong to something else. */
  open(sealed: Sealed, belongsTo: string): string
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

interface Key {
  readonly id: string
  readonly bytes: Buffer
}

/** HKDF (RFC 5869) gives each purpose its own key, so the operator keeps one secret. */
export const deriveKey = (secret: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, "restwell", purpose, 32))

const keyOf = (secret: string): Key => {
  const bytes = deriveKey(secret, "vendor-tokens")
  return { id: createHash("sha256").update(bytes).digest("hex").slice(0, 16), bytes }
}

/** @param secrets the current secret first; former ones still open what they sealed */
export function createTokenCipher(secrets: readonly [string, ...string[]]): TokenCipher {
  const current = keyOf(secrets[0])
  const keys = new Map(secrets.map((secret) => keyOf(secret)).map((key) => [key.id, key.bytes]))
  return {
    seal(plain, belongsTo) {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv("aes-256-gcm", current.bytes, nonce)
      cipher.setAAD(Buffer.from(belongsTo))
      const ciphertext = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()])
      return { keyId: current.id, bytes: Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]) }
    },
    open({ keyId, bytes }, belongsTo) {
      const key = keys.get(keyId)
      if (!key) throw new Error(`no key ${keyId}: this was sealed under another RESTWELL_SECRET`)
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES))
      decipher.setAAD(Buffer.from(belongsTo))
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
      return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8")
    },
  }
}
