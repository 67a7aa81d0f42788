/** Random numbers that are the same for the same seed. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** From 0 to below 1 (mulberry32). */
  #next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = this.#state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  /** A whole number from 0 to below the bound. */
  below(bound: number): number {
    return Math.floor(this.#next() * bound)
  }

  /** A multiple of the step between two numbers, both included. */
  between(low: number, high: number, step = 1): number {
    const steps = Math.round((high - low) / step)
    return Number((low + this.below(steps + 1) * step).toFixed(3))
  }

  /** True in a number of 100 cases. */
  percent(chance: number): boolean {
    return this.below(100) < chance
  }

  /** The value in a number of 100 cases. */
  maybe<Value>(chance: number, value: () => Value): Value | undefined {
    return this.percent(chance) ? value() : undefined
  }

  pick<Item>(items: readonly Item[]): Item {
    const item = items[this.below(items.length)]
    if (item === undefined) throw new Error("there is nothing to pick from")
    return item
  }

  shuffled<Item>(items: readonly Item[]): Item[] {
    return items
      .map((item) => ({ item, place: this.#next() }))
      .sort((one, other) => one.place - other.place)
      .map(({ item }) => item)
  }
}
