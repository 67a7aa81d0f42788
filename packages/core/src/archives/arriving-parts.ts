// The body of an upload or a push while it arrives: it is stored in parts, and what broke off is removed.
import { databaseTrouble } from "../store/database-trouble.ts"

/** A body is stored in parts of this size, which any process can read. */
export const PART_BYTES = 1_048_576
/** An arriving body shows at most this often that somebody sends it. */
const NOTE_EVERY_MS = 5_000

/** Pieces of equal size. Only the last one is shorter. */
export async function* partsOf(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer, void> {
  let waiting: Uint8Array[] = []
  let length = 0
  for await (const piece of content) {
    waiting.push(piece)
    length += piece.length
    if (length < PART_BYTES) continue
    const all = Buffer.concat(waiting)
    let start = 0
    for (; all.length - start >= PART_BYTES; start += PART_BYTES) yield all.subarray(start, start + PART_BYTES)
    waiting = [all.subarray(start)]
    length = all.length - start
  }
  if (length > 0) yield Buffer.concat(waiting)
}

/** Passes pieces on, and notes that somebody still sends them: a slow line takes minutes for a part. */
export async function* noteWhileArriving(
  content: AsyncIterable<Uint8Array>,
  note: () => Promise<void>,
): AsyncGenerator<Uint8Array, void> {
  let notedMs = performance.now()
  for await (const piece of content) {
    yield piece
    if (performance.now() - notedMs < NOTE_EVERY_MS) continue
    await note()
    notedMs = performance.now()
  }
}

/**
 * Deletes what has arrived. A database that fails cannot do it: then the body is noticed by its silence.
 * @param failed what to say if it was not removed @param cause why it is removed
 */
export async function removeArrived(
  removal: { execute(): Promise<unknown> },
  failed: string,
  cause: unknown,
): Promise<void> {
  await removal.execute().catch((failure: unknown) => {
    if (databaseTrouble(failure) === undefined) throw new AggregateError([cause, failure], failed)
  })
}
