/** The simulated time. It is constant until it is moved, or follows real time from where it was set. */

/** Interval between calls of the listeners of a running clock, real ms. */
const TICK_MS = 1000

export class SimulatedClock {
  readonly #isRunning: boolean
  readonly #listeners: (() => void)[] = []
  #baseMs: number
  #realBaseMs = Date.now()
  #ticker: NodeJS.Timeout | undefined

  /** @param start `"system"` follows real time; an instant is constant unless `isTicking`. */
  constructor(start: Date | "system", isTicking = false) {
    this.#isRunning = start === "system" || isTicking
    this.#baseMs = start === "system" ? this.#realBaseMs : start.getTime()
    if (this.#isRunning) this.#ticker = setInterval(() => this.#announce(), TICK_MS).unref()
  }

  nowMs(): number {
    return this.#isRunning ? this.#baseMs + (Date.now() - this.#realBaseMs) : this.#baseMs
  }

  now(): Date {
    return new Date(this.nowMs())
  }

  /** Moves the clock to an instant, also backwards. A running clock continues from there. */
  set(instant: Date): void {
    if (Number.isNaN(instant.getTime())) throw new RangeError("the clock needs a valid date")
    this.#baseMs = instant.getTime()
    this.#realBaseMs = Date.now()
    this.#announce()
  }

  /** Moves the clock forward by milliseconds and calls the listeners before it returns. */
  advance(durationMs: number): void {
    if (!Number.isFinite(durationMs) || durationMs < 0) throw new RangeError("advance needs milliseconds, 0 or more")
    this.set(new Date(this.nowMs() + durationMs))
  }

  /** Calls back after every move and every tick. */
  onMove(listener: () => void): void {
    this.#listeners.push(listener)
  }

  stop(): void {
    clearInterval(this.#ticker)
    this.#listeners.length = 0
  }

  #announce(): void {
    for (const listener of this.#listeners) listener()
  }
}
