// Which device counts at each moment, and which stage: what comes first covers its time, and later ones fill what is left.
import type { ValueSpan } from "./rows.ts"

/** The part of a span that counts. */
export interface Piece extends ValueSpan {
  /** Length of the whole span, milliseconds. */
  readonly wholeMs: number
}

/** Time that is covered already. */
export class Cover {
  #covered: Piece[] = []

  /** Everything that was taken, oldest first. */
  get pieces(): readonly Piece[] {
    return this.#covered
  }

  /**
   * Covers the time of some spans, and returns the parts of them that were free. Of overlapping ones the earlier counts. A moment counts if
   * nothing covers it.
   * @param spans by their start
   */
  take(spans: Iterable<ValueSpan>): readonly Piece[] {
    const covered = this.#covered
    const taken: Piece[] = []
    let [next, reach] = [0, Number.NEGATIVE_INFINITY]
    for (const { startMs, endMs, value } of spans) {
      const wholeMs = endMs - startMs
      let from = Math.max(startMs, reach)
      while (isBefore(covered[next], from)) next += 1
      if (wholeMs === 0) {
        const isFree = startMs >= reach && !((covered[next]?.startMs ?? Number.POSITIVE_INFINITY) <= startMs)
        if (isFree) taken.push({ startMs, endMs, value, wholeMs })
        continue
      }
      for (let index = next; from < endMs; index += 1) {
        const { startMs: gapEnd, endMs: gapStart } = covered[index] ?? NEVER
        if (Math.min(gapEnd, endMs) > from)
          taken.push({ startMs: from, endMs: Math.min(gapEnd, endMs), value, wholeMs })
        from = Math.max(from, gapStart)
      }
      reach = Math.max(reach, endMs)
    }
    this.#covered = merged(covered, taken)
    return taken
  }
}

const NEVER = { startMs: Number.POSITIVE_INFINITY, endMs: Number.POSITIVE_INFINITY }

const isBefore = (piece: Piece | undefined, ms: number): boolean => piece !== undefined && piece.endMs <= ms

/** Both are in order. */
function merged(one: readonly Piece[], other: readonly Piece[]): Piece[] {
  const all: Piece[] = []
  let [left, right] = [0, 0]
  for (;;) {
    const [a, b] = [one[left], other[right]]
    if (!a || !b) return [...all, ...one.slice(left), ...other.slice(right)]
    all.push(a.startMs <= b.startMs ? a : b)
    if (a.startMs <= b.startMs) left += 1
    else right += 1
  }
}
