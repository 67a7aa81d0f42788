import { expect, test } from "vitest"
import { recoveryScale, scoreAndBand, scoreBand } from "./recovery-band.ts"

test.each([
  [100, "whoop", "good", "100 %, good"],
  [66.5, "whoop", "good", "67 %, good"],
  [66.4, "whoop", "fair", "66 %, fair"],
  [33, "whoop", "poor", "33 %, poor"],
  [85, "oura", "best", "85, optimal"],
  [84, "oura", "good", "84, good"],
  [69, "oura", "fair", "69, fair"],
  [59, "oura", "poor", "59, poor"],
  [70, "polar", undefined, "70"],
] as const)("%d of %s is %s: %s", (score, source, band, text) => {
  expect(scoreBand(score, source)).toBe(band)
  expect(scoreAndBand(score, source)).toBe(text)
})

test("the legend has the limits of one vendor, and the colours alone of two", () => {
  expect(recoveryScale(["whoop", null]).legend.map(({ label }) => label)).toEqual([
    "67 to 100, good",
    "34 to 66, fair",
    "0 to 33, poor",
  ])
  expect(recoveryScale(["oura"]).ticks).toEqual([0, 60, 70, 85, 100])
  expect(recoveryScale(["oura", "whoop", "polar"]).legend.map(({ label }) => label)).toEqual([
    "optimal",
    "good",
    "fair",
    "poor",
    "score without bands",
  ])
  expect(recoveryScale(["polar"]).legend.map(({ label }) => label)).toEqual(["recovery score"])
})

test("a chart without a score has no vendor's bands", () => {
  expect(recoveryScale([null])).toEqual({ unit: "", ticks: [0, 25, 50, 75, 100], legend: [] })
})

test("a score of points has no % on the axis, alone or beside a percentage", () => {
  expect(recoveryScale(["whoop", null]).unit).toBe("%")
  expect(recoveryScale(["oura"]).unit).toBe("")
  expect(recoveryScale(["oura", "whoop"]).unit).toBe("")
})

test("no two bands of a legend have one colour", () => {
  for (const sources of [["oura"], ["whoop"], ["oura", "whoop"]]) {
    const colors = recoveryScale(sources).legend.map(({ color }) => color)
    expect(new Set(colors).size).toBe(colors.length)
  }
})
