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

/** Result for all values of one kind. */
export interface ReencryptCount {
  readonly reencrypted: number
  /** Values that were under a former key in the last pass too: some process still seals with it. */
  readonly left: number
  /** Values under an unknown key, or damaged. They are left as they are. */
  readonly unreadable: number
}

/** Rows with sealed values, and how to re-encrypt one of them. */
export interface SealedRows<Id> {
  /** Ids of the rows with a value that the current key did not seal. */
  find(): Promise<Id[]>
  /** Re-encrypts one row under a row lock, in its own transaction. Returns nothing for a row that is gone. */
  reencrypt(id: Id): Promise<readonly Reencrypted[]>
}

interface Reencrypted {
  readonly outcome: "current" | "reencrypted" | "unreadable"
  /** The value to store: unchanged unless `outcome` is `reencrypted`. */
  readonly sealed: Sealed
}

/** A running service may seal with a former key meanwhile. After this many passes, something does so permanently. */
const MAX_PASSES = 3

/** Gets the share of the rows that is done, 0 to 1. Each pass begins at 0. */
type OnShare = (share: number) => void

/** Re-encrypts rows one by one until none is left. May be interrupted and run again at any time. */
export async function reencryptRows<Id>(rows: SealedRows<Id>, onShare: OnShare = () => {}): Promise<ReencryptCount> {
  let total = 0
  for (let pass = 1; ; pass += 1) {
    const { reencrypted, unreadable } = await reencryptOnce(rows, onShare)
    total += reencrypted
    if (reencrypted === 0 || pass === MAX_PASSES) return { reencrypted: total, left: reencrypted, unreadable }
  }
}

async function reencryptOnce<Id>(
  rows: SealedRows<Id>,
  onShare: OnShare,
): Promise<Record<Reencrypted["outcome"], number>> {
  const count = { current: 0, reencrypted: 0, unreadable: 0 }
  const ids = await rows.find()
  for (const [index, id] of ids.entries()) {
    for (const { outcome } of await rows.reencrypt(id)) count[outcome] += 1
    onShare((index + 1) / ids.length)
  }
  return count
}

/** Seals one value with the current key. */
export function reencryptValue(cipher: TokenCipher, sealed: Sealed, belongsTo: string): Reencrypted {
  if (sealed.keyId === cipher.currentKeyId()) return { outcome: "current", sealed }
  try {
    return { outcome: "reencrypted", sealed: cipher.seal(cipher.open(sealed, belongsTo), belongsTo) }
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error
    return { outcome: "unreadable", sealed }
  }
}
