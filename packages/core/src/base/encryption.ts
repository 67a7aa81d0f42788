import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto"

/** An encrypted secret: the id of its key, and nonce, authentication tag and ciphertext. */
export interface Sealed {
  readonly keyId: string
  readonly bytes: Buffer
}

/** Fewest characters of a secret. */
export const SECRET_LENGTH = 32

/** The operator's secrets, the current one first. Former ones only decrypt. */
export type Secrets = readonly [string, ...string[]]

/** Encrypts secrets with AES-256-GCM. `belongsTo` names the row and column; a value moved elsewhere does not open. */
export interface TokenCipher {
  /** The id of the key used by `seal`. */
  currentKeyId(): string
  seal(plain: string, belongsTo: string): Sealed
  /** @throws {UnreadableSecret} when the key is unknown, the bytes were changed, or they belong to something else */
  open(sealed: Sealed, belongsTo: string): string
}

/** A sealed value does not open. Retrying does not help: its key is missing, or the bytes are damaged. */
export class UnreadableSecret extends Error {
  override readonly name = "UnreadableSecret"
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

/** @param secrets a function is called before each `seal` and for each unknown key, so secrets may change while we run */
export function createTokenCipher(secrets: Secrets | (() => Secrets)): TokenCipher {
  const ring = createKeyRing(typeof secrets === "function" ? secrets : () => secrets)
  return {
    currentKeyId: () => ring.current().id,
    seal(plain, belongsTo) {
      const { id: keyId, bytes: key } = ring.current()
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv("aes-256-gcm", key, nonce)
      cipher.setAAD(Buffer.from(belongsTo))
      const ciphertext = Buffer.concat([cipher.update(plain, "utf8"), cipher.final()])
      return { keyId, bytes: Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]) }
    },
    open({ keyId, bytes }, belongsTo) {
      const key = ring.find(keyId)
      if (!key) throw new UnreadableSecret(`no key ${keyId}: this was encrypted with another RESTWELL_SECRET`)
      const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES))
      decipher.setAAD(Buffer.from(belongsTo))
      try {
        decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
        return decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8")
      } catch (cause) {
        throw new UnreadableSecret("the encrypted bytes were changed, or belong to another row", { cause })
      }
    },
  }
}

/** Keys of the current secrets and of all earlier ones: values sealed a moment ago must still open. */
function createKeyRing(read: () => Secrets): { current(): Key; find(keyId: string): Buffer | undefined } {
  const keys = new Map<string, Buffer>()
  let known: { readonly secrets: Secrets; readonly current: Key } | undefined
  const refresh = () => {
    const secrets = read()
    if (known?.secrets === secrets) return known
    for (const { id, bytes } of secrets.map(keyOf)) keys.set(id, bytes)
    known = { secrets, current: keyOf(secrets[0]) }
    return known
  }
  refresh()
  return {
    current: () => refresh().current,
    find(keyId) {
      if (!keys.has(keyId)) refresh()
      return keys.get(keyId)
    },
  }
}
