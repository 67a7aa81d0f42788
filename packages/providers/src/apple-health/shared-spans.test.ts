import fc from "fast-check"
import { expect, test } from "vitest"
import { SharedSpans } from "./shared-spans.ts"

interface Span {
  readonly startMs: number
  readonly endMs: number
}

/** The rule as it reads, for two spans. */
function isSame(one: Span, other: Span, part: number): boolean {
  const sharedMs = Math.min(one.endMs, other.endMs) - Math.max(one.startMs, other.startMs)
  const shorterMs = Math.min(one.endMs - one.startMs, other.endMs - other.startMs)
  return sharedMs >= part * shorterMs && (sharedMs > 0 || one.startMs === other.startMs)
}

const span = fc
  .tuple(fc.nat({ max: 60 }), fc.oneof(fc.nat({ max: 5 }), fc.nat({ max: 60 })))
  .map(([start, length]) => ({ startMs: 1_795_000_000_000 + start, endMs: 1_795_000_000_000 + start + length }))

test.each([0.5, 0.6, 0.75, 1])("spans that share %d of the shorter one are found as by comparing each", (part) => {
  fc.assert(
    fc.property(fc.array(span, { maxLength: 40 }), (spans) => {
      const chosen: Span[] = []
      const shared = new SharedSpans(part, spans)
      for (const each of spans) {
        const expected = chosen.some((other) => isSame(each, other, part))
        expect(shared.has(each)).toBe(expected)
        if (expected) continue
        chosen.push(each)
        shared.add(each)
      }
    }),
    { numRuns: 2_000, seed: 7 },
  )
})
