/** A limit within seconds, of each person: the gap between two calls that is the least. */
import { SECOND_MS } from "../model/calendar.ts"

export class CallsOfSeconds {
  readonly #gapMs: number
  readonly #nowMs: () => number
  readonly #last = new Map<number, number>()

  /** @param perSecond undefined for no limit */
  constructor(perSecond: number | undefined, nowMs: () => number) {
    this.#gapMs = perSecond === undefined ? 0 : SECOND_MS / perSecond
    this.#nowMs = nowMs
  }

  /** Counts a call. Returns false, uncounted, when it comes too soon after the one before. */
  take(userId: number): boolean {
    const nowMs = this.#nowMs()
    const last = this.#last.get(userId)
    if (last !== undefined && nowMs - last < this.#gapMs) return false
    this.#last.set(userId, nowMs)
    return true
  }
}
