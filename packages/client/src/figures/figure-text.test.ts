import fc from "fast-check"
import { expect, test } from "vitest"
import { bareText, shortText, tickTextOf, usualRangeText } from "./figure-text.ts"
import { metricNamed } from "./metric-table.ts"
import { markText } from "./numbers.ts"
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

test.each([
  ["weight", [60.8, 61, 61.2], ["60.8", "61.0", "61.2"]],
  ["weight", [60, 61, 62], ["60", "61", "62"]],
  ["hrv", [61, 61.25, 61.5], ["61.00", "61.25", "61.50"]],
  ["skin_temp_deviation", [-0.5, 0, 0.5], ["\u22120.5", "0.0", "+0.5"]],
  ["steps", [0, 2500, 5000], ["0", "2,500", "5,000"]],
  ["asleep", [7, 7.5, 8], ["7.0 h", "7.5 h", "8.0 h"]],
] as const)("the marks of an axis of %s at %j are %j", (id, marks, texts) => {
  expect(marks.map((mark) => tickTextOf(metricNamed(id))(mark, marks))).toEqual(texts)
})

test("different marks of an axis are different texts with equally many decimals", () => {
  const axis = fc.tuple(
    fc.integer({ min: -2000, max: 2000 }),
    fc.constantFrom(1, 2, 2.5, 5),
    fc.constantFrom(0.01, 0.1, 1),
  )
  fc.assert(
    fc.property(axis, ([from, step, power]) => {
      const marks = [0, 1, 2, 3].map((index) => (from + index * step) * power)
      const texts = marks.map((mark) => markText(mark, marks))
      expect(new Set(texts).size).toBe(marks.length)
      expect(new Set(texts.map((text) => text.split(".")[1]?.length)).size).toBe(1)
    }),
  )
})

test.each([
  ["recovery_score", 60.52, "61"],
  ["spo2", 95.44, "95.4"],
  ["asleep", 7.48, "7:29"],
] as const)("below a bar of %s, %d is written %s", (id, value, text) => {
  expect(shortText(metricNamed(id), value)).toBe(text)
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
