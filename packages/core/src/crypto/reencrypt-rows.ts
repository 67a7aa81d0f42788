import { type Sealed, type TokenCipher, UnreadableSecret } from "./token-cipher.ts"

/** How the values of one kind came off. */
export interface ResealCount {
  readonly resealed: number
  /** Turned up under a former key in the last look too: something still seals with that one. */
  readonly left: number
  /** Sealed under a key that is not known, or damaged; left as they are. */
  readonly unreadable: number
}

/** Rows that hold sealed values, and the way to seal one row's anew. */
export interface SealedRows<Id> {
  /** Those that hold a value which the key of the moment did not seal. */
  find(): Promise<Id[]>
  /** Seals one row's values anew, in a transaction of its own that holds the row; a row that is gone counts nothing. */
  reseal(id: Id): Promise<readonly Resealed[]>
}

export interface Resealed {
  readonly outcome: "current" | "resealed" | "unreadable"
  /** What the row is to hold: as it was, unless it was resealed. */
  readonly sealed: Sealed
}

/** While the service runs it seals too; a value that comes back as often as this is sealed so on purpose. */
const MOST_LOOKS = 3

/** Seals rows anew, one by one, and looks again until there is none left. It may be cut off anywhere and begun anew. */
export async function resealRows<Id>(rows: SealedRows<Id>): Promise<ResealCount> {
  let before = 0
  for (let look = 1; ; look += 1) {
    const { resealed, unreadable } = await resealOnce(rows)
    if (resealed === 0 || look === MOST_LOOKS) return { resealed: before + resealed, left: resealed, unreadable }
    before += resealed
  }
}

async function resealOnce<Id>(rows: SealedRows<Id>): Promise<{ resealed: number; unreadable: number }> {
  const count = { current: 0, resealed: 0, unreadable: 0 }
  for (const id of await rows.find()) for (const { outcome } of await rows.reseal(id)) count[outcome] += 1
  return count
}

/** One value under the key of the moment. */
export function resealValue(cipher: TokenCipher, sealed: Sealed, belongsTo: string): Resealed {
  if (sealed.keyId === cipher.currentKeyId()) return { outcome: "current", sealed }
  try {
    return { outcome: "resealed", sealed: cipher.seal(cipher.open(sealed, belongsTo), belongsTo) }
  } catch (error) {
    if (!(error instanceof UnreadableSecret)) throw error
    return { outcome: "unreadable", sealed }
  }
}
