import type { IncomingMessage } from "node:http"

/** Nobody sends a body any more of which nothing arrives for this long. */
const LONGEST_SILENCE_MS = 30_000

/**
 * The pieces of a body as they arrive. A client that sends nothing for 30 seconds loses its connection. The time that the service takes
 * between two pieces, and after the last one, does not count.
 */
export async function* arrivingPieces<Piece>(
  request: IncomingMessage,
  pieces: AsyncIterable<Piece>,
): AsyncGenerator<Piece, void> {
  request.setTimeout(LONGEST_SILENCE_MS)
  try {
    for await (const piece of pieces) {
      request.setTimeout(0)
      yield piece
      request.setTimeout(LONGEST_SILENCE_MS)
    }
  } finally {
    request.setTimeout(0)
  }
}
