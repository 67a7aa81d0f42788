import type { Clock } from "@restwell/core"

/** A clock that only moves when it is set. Waits on it end when it has moved far enough. */
export class ManualClock implements Clock {
  #nowMs = 0
  readonly #waits = new Set<{ leftMs: number; resolve(): void }>()

  now = (): Date => new Date(this.#nowMs)

  /** How many waits have not ended. */
  get waits(): number {
    return this.#waits.size
  }

  /** Sets the time. Setting it back prolongs no wait. */
  set(nowMs: number): void {
    const passedMs = Math.max(0, nowMs - this.#nowMs)
    this.#nowMs = nowMs
    for (const each of this.#waits) {
      each.leftMs -= passedMs
      if (each.leftMs <= 0) each.resolve()
    }
  }

  wait = (milliseconds: number, signal: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const waiting = { leftMs: milliseconds, resolve }
    const abort = () => reject(signal.reason)
    signal.throwIfAborted()
    signal.addEventListener("abort", abort)
    this.#waits.add(waiting)
    return promise.finally(() => {
      signal.removeEventListener("abort", abort)
      this.#waits.delete(waiting)
    })
  }
}
