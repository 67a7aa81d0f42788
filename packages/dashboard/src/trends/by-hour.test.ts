import { expect, test } from "vitest"
import { meansByHour } from "./by-hour.ts"
import { samplesOf } from "./samples.ts"

const sum = (start: string, steps: number, date?: string) => ({
  start: `${start}:00Z`,
  n: 1,
  sum: steps,
  ...(date !== undefined && { date }),
})

test("an hour of the week has the mean of the dates with values, on the clock of each date", () => {
  // Two Mondays in Berlin: the first in winter, the second in summer.
  const days = samplesOf([sum("2026-03-22T23:00", 900, "2026-03-23"), sum("2026-03-29T22:00", 400, "2026-03-30")])
  const hours = samplesOf([sum("2026-03-23T07:00", 600), sum("2026-03-23T22:00", 300), sum("2026-03-30T06:00", 400)])
  const means = meansByHour(hours, days)
  expect(means).toHaveLength(7 * 24)
  expect(means.filter(({ mean }) => mean !== null && mean > 0)).toEqual([
    { weekday: 0, hour: 8, mean: 500, dates: 2 },
    { weekday: 0, hour: 23, mean: 150, dates: 2 },
  ])
})

test("a weekday without values has none, and an hour without values beside others is zero", () => {
  const means = meansByHour(
    samplesOf([sum("2026-03-24T07:00", 600)]),
    samplesOf([sum("2026-03-23T23:00", 600, "2026-03-24")]),
  )
  expect(means[24]).toEqual({ weekday: 1, hour: 0, mean: 0, dates: 1 })
  expect(means[0]).toEqual({ weekday: 0, hour: 0, mean: null, dates: 0 })
})
