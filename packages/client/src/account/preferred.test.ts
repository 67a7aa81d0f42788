import { expect, test } from "vitest"
import { clockText, fahrenheitOf, preferredUnit } from "./preferred-answers.ts"

test.each([
  ["00:05", "12:05 AM"],
  ["07:30", "7:30 AM"],
  ["12:00", "12:00 PM"],
  ["23:41", "11:41 PM"],
  ["2026-11-19T07:30:44+01:00", "7:30 AM"],
])("%s is %s on a clock of 12 hours", (time, text) => {
  expect(clockText(time, "12h")).toBe(text)
})

test("a clock of 24 hours shows the time as it is", () => {
  expect([clockText("07:30", "24h"), clockText("2026-11-19T23:31:05+01:00", "24h")]).toEqual(["07:30", "23:31"])
})

test("metres, kilograms and degrees have imperial units, others have none", () => {
  const imperial = (value: number, unit: string) => {
    const { factor, unit: written } = preferredUnit(unit, "imperial")
    return [Number((value * factor).toFixed(4)), written]
  }
  expect(imperial(1609.344, "m")).toEqual([1, "mi"])
  expect(imperial(66.5, "kg")).toEqual([146.6074, "lb"])
  expect(imperial(0.5, "C")).toEqual([0.9, "F"])
  expect(imperial(64, "ms")).toEqual([64, "ms"])
  expect(preferredUnit("m", "metric")).toEqual({ unit: "m", factor: 1 })
  expect(fahrenheitOf(36.6)).toBeCloseTo(97.88, 10)
})
