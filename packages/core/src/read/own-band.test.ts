import type { MetricId } from "@restwell/client"
import { expect, test } from "vitest"
import { ownBand } from "./usual-ranges.ts"

/** The range on the day after these nights. */
const bandAfter = (metric: MetricId, values: readonly number[]) =>
  ownBand(
    metric,
    values.map((value, day) => ({ day, value })),
    values.length,
  )

test("is the mean, one sample standard deviation to both sides", () => {
  // Mean 60; squares 100, 25, 0, 25, 100: 250 / 4 is 62.5, its root 7.905...
  expect(bandAfter("hrv", [50, 55, 60, 65, 70])).toEqual({ low: 52.1, high: 67.9 })
})

test("is not known before five nights", () => {
  expect(bandAfter("hrv", [])).toBeNull()
  expect(bandAfter("hrv", [60, 61, 62, 63])).toBeNull()
})

test("knows the last thirty nights and no more", () => {
  const old = Array.from({ length: 40 }, () => 500)
  const nights = Array.from({ length: 30 }, (_, index) => 60 + (index % 2))
  expect(bandAfter("hrv", [...old, ...nights])).toEqual(bandAfter("hrv", nights))
})

test("a value that is always the same is a band without width", () => {
  expect(bandAfter("hrv", [60, 60, 60, 60, 60])).toEqual({ low: 60, high: 60 })
})

test("has the decimals of its metric, and stays within what is possible", () => {
  expect(bandAfter("asleep", [7.01, 7.02, 7.03, 7.04, 7.05])).toEqual({ low: 7.01, high: 7.05 })
  expect(bandAfter("spo2", [99, 100, 100, 100, 100])).toEqual({ low: 99.4, high: 100 })
})
