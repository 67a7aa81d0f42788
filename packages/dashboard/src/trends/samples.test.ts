import { expect, test } from "vitest"
import { lowestOf, meansByStep, samplesOf } from "./samples.ts"

const START = "2026-11-19T22:00:30.000Z"
const time = (minutes: number) => new Date(Date.parse(START) + minutes * 60_000).toISOString()
const value = (minutes: number, beats: number, duration?: number) => ({
  time: time(minutes),
  value: beats,
  ...(duration !== undefined && { duration_seconds: duration }),
})
const night = (minutes: number) => ({
  startMs: Date.parse(START),
  endMs: Date.parse(START) + minutes * 60_000,
  stepMs: 300_000,
})

test("values of a ring have one step each, also where the night began within a second of the first", () => {
  const samples = samplesOf([value(-0.01, 60, 300), value(4.99, 52, 300), value(14.99, 50, 300)])
  expect(meansByStep(samples, night(17))).toEqual([60, 52, null, 50])
})

test("moments of a step have their mean, and those before and after the night are left out", () => {
  const samples = samplesOf([value(-1, 90), value(0, 50), value(4.9, 54), value(5, 60), value(10, 99)])
  expect(meansByStep(samples, night(10))).toEqual([52, 60])
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
