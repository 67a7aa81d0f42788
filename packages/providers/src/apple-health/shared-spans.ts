// Which of many spans share their time with one that was chosen before, without comparing each with each: a push may have 20,000 of a day.

/** Epoch milliseconds, whole ones. */
interface Span {
  readonly startMs: number
  readonly endMs: number
}

/**
 * Chosen spans. Two spans are the same when they share a part of the shorter one, or when one is a moment and they begin together.
 *
 * With `need` as the shared part of a span's own length, two spans are the same if and only if one of them begins at the other's
 * `endMs - need` or before and ends at its `startMs + need` or later. So two trees of prefixes answer in logarithmic time.
 */
export class SharedSpans {
  readonly #part: number
  /** By `endMs - need`, from the last one: the earliest `startMs + need`, negated. */
  readonly #inner: PrefixMaximum
  /** By start: the latest end. */
  readonly #outer: PrefixMaximum
  readonly #moments = new Set<number>()
  readonly #starts = new Set<number>()

  /** @param part of the shorter span, 0.5 to 1 @param spans all that may be added */
  constructor(part: number, spans: readonly Span[]) {
    this.#part = part
    this.#inner = new PrefixMaximum(spans.map((span) => -this.#coreOf(span).lastStartMs))
    this.#outer = new PrefixMaximum(spans.map(({ startMs }) => startMs))
  }

  /** True if a chosen span is the same. */
  has(span: Span): boolean {
    const { startMs, endMs } = span
    if (startMs === endMs) return this.#starts.has(startMs)
    const { lastStartMs, firstEndMs } = this.#coreOf(span)
    return (
      this.#moments.has(startMs) || this.#inner.upTo(-startMs) >= -endMs || this.#outer.upTo(lastStartMs) >= firstEndMs
    )
  }

  add(span: Span): void {
    const { startMs, endMs } = span
    this.#starts.add(startMs)
    if (startMs === endMs) {
      this.#moments.add(startMs)
      return
    }
    const { lastStartMs, firstEndMs } = this.#coreOf(span)
    this.#inner.raise(-lastStartMs, -firstEndMs)
    this.#outer.raise(startMs, endMs)
  }

  /** A longer span shares enough of this one if it begins and ends there. */
  #coreOf({ startMs, endMs }: Span) {
    const needMs = Math.ceil(this.#part * (endMs - startMs))
    return { lastStartMs: endMs - needMs, firstEndMs: startMs + needMs }
  }
}

/** The greatest value up to a key. A Fenwick tree: https://doi.org/10.1002/spe.4380240306 */
export class PrefixMaximum {
  readonly #keys: Float64Array
  readonly #greatest: Float64Array

  /** @param keys all that will be raised */
  constructor(keys: readonly number[]) {
    this.#keys = Float64Array.from(keys).sort()
    this.#greatest = new Float64Array(this.#keys.length + 1).fill(Number.NEGATIVE_INFINITY)
  }

  raise(key: number, value: number): void {
    for (let index = this.#countUpTo(key); index < this.#greatest.length; index += index & -index)
      this.#greatest[index] = Math.max(this.#at(index), value)
  }

  upTo(key: number): number {
    let greatest = Number.NEGATIVE_INFINITY
    for (let index = this.#countUpTo(key); index > 0; index -= index & -index)
      greatest = Math.max(greatest, this.#at(index))
    return greatest
  }

  #at(index: number): number {
    return this.#greatest[index] ?? Number.NEGATIVE_INFINITY
  }

  #countUpTo(key: number): number {
    let [low, high] = [0, this.#keys.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#keys[middle] ?? 0) <= key) low = middle + 1
      else high = middle
    }
    return low
  }
}
