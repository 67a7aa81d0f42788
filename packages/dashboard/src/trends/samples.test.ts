import { MINUTE_MS } from "@restwell/client/time-units"
import { expect, test } from "vitest"
import { lowestOf, meansByHour, meansByStep, middleOf, samplesOf } from "./samples.ts"

const START = "2026-11-19T22:00:30.000Z"
const time = (minutes: number) => new Date(Date.parse(START) + minutes * MINUTE_MS).toISOString()
const value = (minutes: number, beats: number, duration?: number) => ({
  time: time(minutes),
  value: beats,
  ...(duration !== undefined && { duration_seconds: duration }),
})
const night = (minutes: number) => ({
  startMs: Date.parse(START),
  endMs: Date.parse(START) + minutes * MINUTE_MS,
  stepMs: 300_000,
})

test("values of a ring have one step each, also where the night began within a second of the first", () => {
  const samples = samplesOf([value(-0.01, 60, 300), value(4.99, 52, 300), value(14.99, 50, 300)])
  expect(meansByStep(samples, night(17))).toEqual([60, 52, null, 50])
})

test("the lowest stands in the step that has its value", () => {
  const [sample] = samplesOf([value(4, 45, 300)])
  if (!sample) throw new Error("no sample")
  expect(meansByStep([sample], night(10))).toEqual([null, 45])
  expect(Math.floor((middleOf(sample) - night(10).startMs) / night(10).stepMs)).toBe(1)
})

test("moments of a step have their mean over time, and those before and after the night are left out", () => {
  const samples = samplesOf([value(-1, 90), value(0, 50), value(4, 55), value(5, 60), value(10, 99)])
  expect(meansByStep(samples, night(10))).toEqual([51, 60])
})

test("the lowest is the first of several, and that of a bucket is its least value", () => {
  expect(lowestOf(samplesOf([value(0, 50), value(5, 44), value(10, 44)]))).toMatchObject({
    atMs: Date.parse(time(5)),
    low: 44,
  })
  const buckets = [
    { start: time(0), n: 2, mean: 48, min: 40, max: 56 },
    { start: time(5), n: 1, mean: 44, min: 44, max: 44 },
  ]
  expect(lowestOf(samplesOf(buckets))).toMatchObject({ atMs: Date.parse(START), value: 48, low: 40 })
  expect(lowestOf([])).toBeUndefined()
})

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
