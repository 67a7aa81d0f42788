import { TooManyRequests } from "@restwell/core"
import type { SessionHandler } from "../plumbing/session.ts"

export interface ConcurrencyLimit {
  /** What is limited, in the plural. */
  readonly what: string
  /** Most requests of one person that run at a time in this process. */
  readonly most: number
  /** About how long one takes. */
  readonly retryAfterSeconds: number
}

/** Limits how many requests of one person run at a time. A request ends with its response, or when the client is gone. @throws {TooManyRequests} */
export function limitConcurrency(
  { what, most, retryAfterSeconds }: ConcurrencyLimit,
  handle: SessionHandler,
): SessionHandler {
  const running = new Map<string, number>()
  const end = (userId: string): void => {
    const left = (running.get(userId) ?? 0) - 1
    if (left > 0) running.set(userId, left)
    else running.delete(userId)
  }
  return async (session, reply, request) => {
    const { userId } = session
    const others = running.get(userId) ?? 0
    if (others >= most)
      throw new TooManyRequests(`at most ${most} ${what} at a time, try again when one has ended`, {
        limit: most,
        retryAfterSeconds,
      })
    // A client that is gone already gets no event.
    if (!reply.raw.closed) {
      running.set(userId, others + 1)
      reply.raw.once("close", () => end(userId))
    }
    return handle(session, reply, request)
  }
}
