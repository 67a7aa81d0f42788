import { type Sealed, type TokenCipher, UnreadableSecret } from "./token-cipher.ts"

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

export interface Reencrypted {
  readonly outcome: "current" | "reencrypted" | "unreadable"
  /** The value to store: unchanged unless `outcome` is `reencrypted`. */
  readonly sealed: Sealed
}

/** A running service may seal with a former key meanwhile. After this many passes, something does so permanently. */
const MAX_PASSES = 3

/** Gets the share of the rows that is done, 0 to 1. Each pass begins at 0. */
export type OnShare = (share: number) => void

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
