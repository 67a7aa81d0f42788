import type { Clock } from "@restwell/core"

/** A clock that stands still until it is moved, and whoever waits on it waits for that. */
export class MovedClock implements Clock {
  #nowMs = 0
  readonly #waiting = new Set<{ leftMs: number; resolve(): void }>()

  now = (): Date => new Date(this.#nowMs)

  /** How many waits have not ended. */
  get waits(): number {
    return this.#waiting.size
  }

  /** Set back, it makes nobody wait longer. */
  moveTo(nowMs: number): void {
    const passedMs = Math.max(0, nowMs - this.#nowMs)
    this.#nowMs = nowMs
    for (const waiting of this.#waiting) {
      waiting.leftMs -= passedMs
      if (waiting.leftMs <= 0) waiting.resolve()
    }
  }

  wait = (milliseconds: number, signal: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { leftMs: milliseconds, resolve }
    const abort = () => reject(signal.reason)
    signal.throwIfAborted()
    signal.addEventListener("abort", abort)
    this.#waiting.add(waiting)
    return promise.finally(() => {
      signal.removeEventListener("abort", abort)
      this.#waiting.delete(waiting)
    })
  }
}
