/* What follows from the truth for every query, kept until the truth changes. */

import type { SeenClock } from "../days.ts"
import { type Chosen, chooseAll, isPartOf, preferencesOf } from "./choice.ts"
import { type Measured, measuredBy, offsetText } from "./measured.ts"
import { wholeNights } from "./nights.ts"
import type { Truth } from "./truth.ts"

export class Ledger {
  readonly truth: Truth
  #revision = -1
  #measured = new Map<string, Measured>()
  #all: Measured = NOTHING
  #chosen: Chosen = new Map()

  constructor(truth: Truth) {
    this.truth = truth
  }

  #refresh(): void {
    if (this.#revision === this.truth.revision) return
    this.#revision = this.truth.revision
    this.#measured = new Map(this.truth.sources.map((source) => [source.provider, measuredBy(source, wholeNights)]))
    this.#all = together(this.truth.candidates().map(({ provider }) => this.#measured.get(provider) ?? NOTHING))
    this.#chosen = chooseAll(preferencesOf(this.truth), this.#all)
  }

  /** The records of one source, or those of all candidates. */
  measured(provider?: string): Measured {
    this.#refresh()
    return provider === undefined ? this.#all : (this.#measured.get(provider) ?? NOTHING)
  }

  chosen(): Chosen {
    this.#refresh()
    return this.#chosen
  }

  /** Whether a record answers: one that is chosen, or any of the only source that is asked for but naps that are parts of its nights. */
  answers(only: string | undefined): (item: Measured[keyof Measured][number]) => boolean {
    if (only === undefined) return (item) => this.chosen().has(item)
    const { sleep } = this.measured(only)
    const nights = sleep.filter(({ record }) => !record.isNap)
    const parts = new Set<unknown>(sleep.filter((nap) => isPartOf(nights, nap)))
    return (item) => !parts.has(item)
  }

  /** The offset of the record that started last, of every source. At equal starts a sleep's counts before a cycle's. */
  newestOffset(): number {
    this.#refresh()
    const { sleep, workout, cycle } = together([...this.#measured.values()])
    let newest: { startMs: number; record: { utcOffsetMinutes: number } } | undefined
    for (const each of [...sleep, ...workout, ...cycle]) if (!newest || each.startMs > newest.startMs) newest = each
    return newest?.record.utcOffsetMinutes ?? 0
  }

  /** The clocks where sleeps ended and workouts began, of every source, or without any where cycles began. */
  clocks(): SeenClock[] {
    this.#refresh()
    const { sleep, workout, cycle } = together([...this.#measured.values()])
    const begun = sleep.length + workout.length > 0 ? workout : cycle
    const seen = (atMs: number, { utcOffsetMinutes }: { readonly utcOffsetMinutes: number }) => ({
      atMs,
      offset: offsetText(utcOffsetMinutes),
    })
    return [
      ...sleep.map(({ record }) => seen(record.endMs, record)),
      ...begun.map(({ record }) => seen(record.startMs, record)),
    ]
  }
}

const NOTHING: Measured = { sleep: [], recovery: [], workout: [], cycle: [] }

const together = (parts: readonly Measured[]): Measured => ({
  sleep: parts.flatMap(({ sleep }) => sleep),
  recovery: parts.flatMap(({ recovery }) => recovery),
  workout: parts.flatMap(({ workout }) => workout),
  cycle: parts.flatMap(({ cycle }) => cycle),
})
