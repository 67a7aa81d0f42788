import fc from "fast-check"
import { expect, test } from "vitest"
import { METRIC_IDS } from "./metric.ts"
import { besideUsual } from "./usual.ts"

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
  expect(besideUsual("respiratory_rate", value, { low, high }).position).toBe(position)
})

test.each(["recovery_score", "hrv", "resting_heart_rate", "sleep_performance"])(
  "%s is compared in the whole numbers that people read",
  (metric) => {
    expect(
      [42.4, 43.4, 46.5, 47.4, 47.5].map((value) => besideUsual(metric, value, { low: 43.4, high: 46.6 })),
    ).toEqual([
      { value: 42, low: 43, high: 47, position: "below" },
      { value: 43, low: 43, high: 47, position: "within" },
      { value: 47, low: 43, high: 47, position: "within" },
      { value: 47, low: 43, high: 47, position: "within" },
      { value: 48, low: 43, high: 47, position: "above" },
    ])
  },
)

test("the word never contradicts the figures that are written beside it", () => {
  const figure = fc.integer({ min: -2000, max: 2000 }).map((tenths) => tenths / 10)
  fc.assert(
    fc.property(fc.constantFrom(...METRIC_IDS), figure, figure, figure, (metric, value, one, other) => {
      const shown = besideUsual(metric, value, { low: Math.min(one, other), high: Math.max(one, other) })
      const isBelow = Number(shown.value) < Number(shown.low)
      const isAbove = Number(shown.value) > Number(shown.high)
      expect(shown.position).toBe(isBelow ? "below" : isAbove ? "above" : "within")
      // Written once more, it is the same.
      expect(besideUsual(metric, shown.value, shown)).toEqual(shown)
    }),
  )
})
