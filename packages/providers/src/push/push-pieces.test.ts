import { DAY_MS } from "@restwell/client/time-units"
import fc from "fast-check"
import { expect, test } from "vitest"
import { piecesOf } from "./push-pieces.ts"

const MOST_ROWS = 20_000

/** The rows of each piece. */
const rowsOf = (times: readonly number[]): number[][] => {
  const { order, spans } = piecesOf(Float64Array.from(times))
  return spans.map(({ from, to }) => [...order.subarray(from, to)])
}

/** Rows of a few times of a few days, some of them many. */
const rows = fc
  .array(
    fc.record({
      day: fc.integer({ min: 0, max: 80 }),
      time: fc.integer({ min: 0, max: 3 }),
      count: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 19_000 })),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((groups) => groups.flatMap(({ day, time, count }) => new Array<number>(count).fill(day * DAY_MS + time)))

test("each row is in one piece, or is one of too many that begin together", () => {
  fc.assert(
    fc.property(rows, (times) => {
      const pieces = rowsOf(times)
      const { dropped } = piecesOf(Float64Array.from(times))
      expect(new Set(pieces.flat()).size).toBe(times.length - dropped)
      expect(pieces.flat()).toHaveLength(times.length - dropped)
      const most = Math.max(
        ...Map.groupBy(times, (time) => time)
          .values()
          .map((all) => all.length),
      )
      if (most <= MOST_ROWS) expect(dropped).toBe(0)
    }),
    { numRuns: 60, seed: 5 },
  )
})

test("rows that begin together are in one piece, in the order in which they came, and pieces are bounded", () => {
  fc.assert(
    fc.property(rows, (times) => {
      const pieces = rowsOf(times)
      const seen = new Set<number>()
      for (const piece of pieces) {
        expect(piece.length).toBeGreaterThan(0)
        expect(piece.length).toBeLessThanOrEqual(MOST_ROWS)
        const ofPiece = Map.groupBy(piece, (row) => times[row] ?? 0)
        expect(new Set(piece.map((row) => Math.floor((times[row] ?? 0) / DAY_MS))).size).toBeLessThanOrEqual(30)
        for (const [time, together] of ofPiece) {
          expect(seen.has(time)).toBe(false)
          seen.add(time)
          expect(together).toEqual(together.toSorted((one, other) => one - other))
        }
      }
    }),
    { numRuns: 60, seed: 6 },
  )
})

test("more rows of one time than a piece holds are counted, and those of other times are all there", () => {
  const times = [...new Array<number>(25_000).fill(5), 4, 6]
  const pieces = rowsOf(times)
  expect(piecesOf(Float64Array.from(times)).dropped).toBe(5_000)
  expect(pieces.map((piece) => piece.length)).toEqual([1, 20_000, 1])
})

test("a push without rows has no piece", () => {
  expect(piecesOf(new Float64Array())).toMatchObject({ spans: [], dropped: 0 })
})
