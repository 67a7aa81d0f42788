import { expect, test } from "vitest"
import { AROUND_CHANGES, compareSeries } from "./series/compare-series.ts"

// The short form. `npm run test:insights-oracle` asks about 60 people, and a year of each.
const PEOPLE = 4

test("points of random people equal those that are computed step by step, also where clocks change", async () => {
  expect(await compareSeries(PEOPLE, AROUND_CHANGES)).toEqual([])
})
