import { expect, test } from "vitest"
import { skinTempDeviation } from "./derive.ts"

test("says nothing before five nights", () => {
  expect(skinTempDeviation(34, [33, 33, 33, 33])).toBeUndefined()
  expect(skinTempDeviation(34, [33, 33, 33, 33, 33])).toBe(1)
})

test("takes the thirty newest nights and leaves older ones out", () => {
  const thirty = Array.from({ length: 30 }, () => 33.5)
  expect(skinTempDeviation(33, [...thirty, 99, 99])).toBeCloseTo(-0.5, 10)
})
