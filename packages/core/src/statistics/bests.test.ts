import fc from "fast-check"
import { expect, test } from "vitest"
import { type BestMetric, bestAt as bestOf } from "./bests.ts"
import type { Series } from "./series.ts"

const NONE: Series = []
/** Of one device, whose nights are all nights. */
const bestAt = (historyOf: (metric: BestMetric) => Series, day: number) => bestOf(historyOf, historyOf("asleep"), day)
const seriesOf = (values: readonly number[], first = 0): Series =>
  values.map((value, index) => ({ day: first + index, value }))

/** Values with ties, and days without one. */
const HISTORY = fc
  .array(fc.record({ gap: fc.integer({ min: 1, max: 9 }), value: fc.integer({ min: 40, max: 70 }) }), {
    maxLength: 300,
  })
  .map((steps) => {
    let day = 0
    return steps.map(({ gap, value }) => {
      day += gap
      return { day, value }
    })
  })

test("a resting heart rate is a best if and only if it is lower than each of 90 or more before, with the newest lowest of them", () => {
  fc.assert(
    fc.property(HISTORY, (history) => {
      for (const [index, { day, value }] of history.entries()) {
        const before = history.slice(0, index)
        const best = bestAt((metric) => (metric === "resting_heart_rate" ? history.slice(0, index + 1) : NONE), day)
        const isBest = before.length >= 90 && before.every((each) => each.value > value)
        expect(best !== null).toBe(isBest)
        if (best === null || best.kind === "count") continue
        const lowest = Math.min(...before.map((each) => each.value))
        expect(best).toEqual({
          metric: "resting_heart_rate",
          kind: "lowest",
          span: "ever",
          value,
          former: before.findLast((each) => each.value === lowest),
        })
      }
    }),
  )
})

test("a sleep is the longest in a year if no night of the 365 days before was as long, and one before them was", () => {
  fc.assert(
    fc.property(HISTORY, (minutes) => {
      const history = minutes.map(({ day, value }) => ({ day: day * 3, value: 5 + value / 10 }))
      for (const [index, { day, value }] of history.entries()) {
        const best = bestAt((metric) => (metric === "asleep" ? history.slice(0, index + 1) : NONE), day)
        if (best === null || best.kind === "count" || best.span === "ever") continue
        const before = history.slice(0, index)
        expect(best.former).toEqual(before.findLast((each) => each.value >= value))
        expect(before.filter((each) => each.day > day - 365 && each.value >= value)).toEqual([])
        expect(before.filter((each) => each.day > day - 365).length).toBeGreaterThanOrEqual(90)
      }
    }),
  )
})

test("values that read the same are no best", () => {
  const flat = Array.from({ length: 120 }, () => 52.4)
  const at = (last: number) =>
    bestAt((metric) => (metric === "resting_heart_rate" ? seriesOf([...flat, last]) : NONE), 120)
  expect(at(51.6)).toBeNull()
  expect(at(51.4)).toMatchObject({ value: 51.4, former: { day: 119, value: 52.4 } })
})

test("of several bests the heart rate is named, and a round number of nights only where there is none", () => {
  const rates = seriesOf([...Array.from({ length: 99 }, () => 50), 45])
  const nights = seriesOf([...Array.from({ length: 99 }, () => 7), 9])
  const all = { resting_heart_rate: rates, hrv: NONE, asleep: nights }
  expect(bestAt((metric) => all[metric], 99)).toMatchObject({ metric: "resting_heart_rate" })
  expect(bestAt((metric) => (metric === "asleep" ? nights : NONE), 99)).toMatchObject({
    metric: "asleep",
    span: "ever",
  })
  const usual = seriesOf(Array.from({ length: 100 }, () => 7))
  expect(bestAt((metric) => (metric === "asleep" ? usual : NONE), 99)).toEqual({
    metric: "asleep",
    kind: "count",
    value: 100,
  })
  expect(bestAt((metric) => (metric === "asleep" ? usual : NONE), 100)).toBeNull()
})

test("a round number of nights is that of all devices", () => {
  const nights = seriesOf(Array.from({ length: 100 }, () => 7))
  expect(bestOf(() => nights.slice(-20), nights, 99)).toEqual({ metric: "asleep", kind: "count", value: 100 })
  expect(bestOf(() => nights.slice(-20), nights.slice(1), 99)).toBeNull()
  expect(bestOf(() => nights.slice(-20), nights, 100)).toBeNull()
})
