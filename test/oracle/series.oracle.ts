import { expect, test } from "vitest"
import { compareSeries, WHOLE_YEAR } from "./series/compare-series.ts"

const { SERIES_PEOPLE = "60" } = process.env

test("points of random people over a year equal those that are computed step by step", async () => {
  expect(await compareSeries(Number(SERIES_PEOPLE), WHOLE_YEAR)).toEqual([])
})
