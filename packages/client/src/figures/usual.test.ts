import fc from "fast-check"
import { expect, test } from "vitest"
import { answerWriter } from "./answer-writer.ts"
import { METRICS } from "./metric-table.ts"
import { besideUsual, differentFromUsual } from "./usual.ts"

test.each([
  [52, 48, 55, "within"],
  [48, 48, 55, "within"],
  [47, 48, 55, "below"],
  [55.1, 48, 55, "above"],
  ["23:30", "23:00", "23:50", "within"],
  ["00:10", "23:00", "23:50", "above"],
  ["22:10", "23:00", "23:50", "below"],
  ["00:10", "23:30", "00:30", "within"],
  ["01:10", "23:30", "00:30", "above"],
  ["22:30", "23:30", "00:30", "below"],
  ["12:01", "23:30", "00:30", "below"],
  ["11:59", "23:30", "00:30", "above"],
])("%s is %s to %s: %s", (value, low, high, position) => {
  expect(besideUsual(value, { low, high })).toBe(position)
})

test("the word never contradicts the figures that are written beside it, on the page and for an assistant", () => {
  const preferences = fc.record({
    units: fc.constantFrom("metric" as const, "imperial" as const),
    clock: fc.constantFrom("24h" as const, "12h" as const),
  })
  const tenths = fc.integer({ min: -2000, max: 2000 }).map((value) => value / 10)
  const numbers = METRICS.filter(({ kind }) => kind === "number")
  fc.assert(
    fc.property(
      fc.constantFrom(...numbers),
      preferences,
      tenths,
      tenths,
      tenths,
      (metric, preferred, value, one, other) => {
        const range = { low: Math.min(one, other), high: Math.max(one, other) }
        const position = besideUsual(value, range)
        const { figure } = answerWriter(metric, preferred)
        const said = [value, range.low, range.high].map((each) => Number(figure(each)))
        const [written = 0, low = 0, high = 0] = said
        if (position === "below") expect(written).toBeLessThanOrEqual(low)
        if (position === "above") expect(written).toBeGreaterThanOrEqual(high)
        if (position === "within") expect(written >= low && written <= high).toBe(true)
      },
    ),
  )
})

test("different from usual are the signs, and two or more figures of a morning that are outside together", () => {
  const beside = (positions: Record<string, "below" | "within" | "above" | null>) =>
    Object.entries(positions).map(([metric, position]) => ({ metric, position }))
  expect(differentFromUsual(beside({ hrv: "below", resting_heart_rate: "within" }), [])).toEqual([])
  expect(
    differentFromUsual(beside({ hrv: "below", resting_heart_rate: "above", respiratory_rate: "within" }), []),
  ).toEqual(["hrv", "resting_heart_rate"])
  expect(differentFromUsual(beside({ hrv: "below", resting_heart_rate: "within" }), [{ metric: "hrv" }])).toEqual([
    "hrv",
  ])
  expect(differentFromUsual(beside({ hrv: null, resting_heart_rate: "above" }), [])).toEqual([])
  // Scores, sleep and blood oxygen are no signs.
  expect(
    differentFromUsual(beside({ spo2: "below", recovery_score: "below", asleep: "below", hrv: "above" }), []),
  ).toEqual([])
})
