import { expect, test } from "vitest"
import { stretchesOf } from "./phases.ts"

test("neighbouring intervals of a phase are one stretch, and the last ends with the night", () => {
  const course = { interval_minutes: 5, phases: ["light", "light", "deep", "rem"] as const }
  expect(stretchesOf({ ...course, phases: [...course.phases] }, -12, 6)).toEqual([
    { phase: "light", from: -12, to: -2 },
    { phase: "deep", from: -2, to: 3 },
    { phase: "rem", from: 3, to: 6 },
  ])
})

test("an interval without a phase is a gap, also between two of the same phase", () => {
  expect(stretchesOf({ interval_minutes: 5, phases: [null, "light", null, "light", "deep", null] }, 0, 30)).toEqual([
    { phase: "light", from: 5, to: 10 },
    { phase: "light", from: 15, to: 20 },
    { phase: "deep", from: 20, to: 25 },
  ])
})

test("intervals after the end of the night are left out", () => {
  expect(stretchesOf({ interval_minutes: 5, phases: ["light", "deep", "rem"] }, 0, 5)).toEqual([
    { phase: "light", from: 0, to: 5 },
  ])
})
