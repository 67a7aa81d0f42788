// How many things of one kind a person may have at a time, in this process.
import { SECOND_MS } from "@restwell/client/time-units"
import type { Clock } from "../base/calendar.ts"
import { TooManyRequests } from "./errors.ts"

interface LimitAtATimeOptions {
  /** What is limited, in the plural. */
  readonly what: string
  /** Most of one person at a time, in this process. */
  readonly most: number
  /** About how long one takes. */
  readonly retryAfterSeconds: number
  readonly clock: Clock
}

/** Limits how many things of one person run or wait at a time. */
export interface LimitAtATime {
  /** Begins one. Returns what ends it. @throws {TooManyRequests} above the limit */
  begin(userId: string): () => void
}

/** What a person is told who has too many at a time. */
export const tooManyAtATime = ({ what, most, retryAfterSeconds, clock }: LimitAtATimeOptions): TooManyRequests =>
  new TooManyRequests(`at most ${most} ${what} at a time, try again when one has ended`, {
    limit: most,
    retryAfterSeconds,
    reset: new Date(clock.now().getTime() + retryAfterSeconds * SECOND_MS),
  })

export function limitAtATime(options: LimitAtATimeOptions): LimitAtATime {
  const { most } = options
  const running = new Map<string, number>()
  return {
    begin(userId) {
      const others = running.get(userId) ?? 0
      if (others >= most) throw tooManyAtATime(options)
      running.set(userId, others + 1)
      let isRunning = true
      return () => {
        if (!isRunning) return
        isRunning = false
        const left = (running.get(userId) ?? 0) - 1
        if (left > 0) running.set(userId, left)
        else running.delete(userId)
      }
    },
  }
}
