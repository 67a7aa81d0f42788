import fc from "fast-check"
import { expect, test } from "vitest"
import { bareText, usualRangeText } from "./figure-text.ts"
import { metricNamed } from "./metric-table.ts"
import { besideUsual } from "./usual.ts"

test.each([
  ["recovery_score", 71.4, 80.2, "72–80"],
  ["recovery_score", 52.2, 82.4, "53–82"],
  // No whole score is between them.
  ["recovery_score", 52.2, 52.8, "52.2–52.8"],
  ["resting_heart_rate", 45.1, 47.5, "45.1–47.5"],
  ["respiratory_rate", 14, 14.3, "14.0–14.3"],
  ["strain", 8.7, 16, "8.7–16.0"],
  ["times_awake", 3, 5.5, "3–5.5"],
  ["steps", 6086, 12395, "6,086–12,395"],
  ["skin_temp_deviation", -0.3, 0.1, "\u22120.3 to +0.1"],
] as const)("a usual %s of %d to %d is written %s", (id, low, high, text) => {
  expect(usualRangeText(metricNamed(id), { low, high }).replaceAll("\u2060", "")).toBe(text)
})

test("a value has the decimals of the range beside it", () => {
  expect(bareText(metricNamed("respiratory_rate"), 14)).toBe("14.0")
  expect(bareText(metricNamed("weight"), 61)).toBe("61.0")
  expect(bareText(metricNamed("weight"), 61.35)).toBe("61.35")
  expect(bareText(metricNamed("resting_heart_rate"), 47)).toBe("47")
  expect(bareText(metricNamed("workout_count"), 2)).toBe("2")
})

test("a whole score is within the scores that are written exactly if it is within the range", () => {
  const tenths = fc.integer({ min: 0, max: 1000 }).map((value) => value / 10)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 100 }), tenths, tenths, (score, one, other) => {
      const range = { low: Math.min(one, other), high: Math.max(one, other) }
      const [low = 0, high = 0] = usualRangeText(metricNamed("recovery_score"), range).split("\u2013\u2060").map(Number)
      expect(besideUsual(score, { low, high })).toBe(besideUsual(score, range))
    }),
  )
})
