import { describe, expect, test } from "vitest"
import { drawTraits, enduranceAthlete, officeWorker } from "./archetypes.ts"
import { HOUR_MS, mean, standardDeviation } from "./calendar.ts"
import { strainOf } from "./effort.ts"
import { createLife, type Life } from "./life.ts"
import { asleepMs } from "./night.ts"

const FIRST_DAY = 20_300
const year = Array.from({ length: 365 }, (_, index) => FIRST_DAY + index)

const lives: [string, Life][] = [
  ["endurance athlete", createLife("a", enduranceAthlete)],
  ["office worker", createLife("b", officeWorker)],
  ["first drawn person", createLife("c", drawTraits("c", "first"))],
  ["second drawn person", createLife("d", drawTraits("d", "second"))],
  ["third drawn person", createLife("e", drawTraits("e", "third"))],
]

function correlation(left: readonly number[], right: readonly number[]): number {
  const leftMean = mean(left)
  const rightMean = mean(right)
  const covariance = mean(left.map((value, index) => (value - leftMean) * ((right[index] ?? Number.NaN) - rightMean)))
  return covariance / (standardDeviation(left) * standardDeviation(right))
}

describe.each(lives)("a year of the %s", (_name, life) => {
  test("recovers to a mean between 50 and 70, with bad and good days", () => {
    const scores = year.map(life.recovery)
    expect(mean(scores)).toBeGreaterThan(50)
    expect(mean(scores)).toBeLessThan(70)
    expect(Math.min(...scores)).toBeLessThan(34)
    expect(Math.max(...scores)).toBeGreaterThan(85)
    expect(scores.every((score) => Number.isInteger(score) && score >= 1 && score <= 99)).toBe(true)
  })

  test("sleeps 6 to 9 hours on average and 3 to 11 hours always", () => {
    const hours = year.map((day) => asleepMs(life.night(day).stages) / HOUR_MS)
    expect(mean(hours)).toBeGreaterThan(6)
    expect(mean(hours)).toBeLessThan(9)
    expect(Math.min(...hours)).toBeGreaterThan(2.5)
    expect(Math.max(...hours)).toBeLessThan(11)
  })

  test("keeps strain within 0 and 21", () => {
    const strains = year.map((day) => strainOf(life.load(day)))
    expect(Math.min(...strains)).toBeGreaterThan(0)
    expect(Math.max(...strains)).toBeLessThanOrEqual(21)
  })

  test("has a lower HRV after its hardest days than after its easiest", () => {
    const byLoad = year.toSorted((left, right) => life.load(left) - life.load(right))
    const nextHrv = (days: readonly number[]) => mean(days.map((day) => life.vitals(day + 1).hrvRmssdMs))
    expect(nextHrv(byLoad.slice(-90))).toBeLessThan(nextHrv(byLoad.slice(0, 90)))
  })

  test("has a slower pulse the fitter it is", () => {
    const fitness = year.map((day) => life.form(day).fitness)
    const pulse = year.map((day) => life.vitals(day).restingHeartRate)
    expect(correlation(fitness, pulse)).toBeLessThan(-0.05)
  })

  test("goes to bed before getting up, and gets up before the next bedtime", () => {
    for (const day of year) {
      expect(life.bedtime(day).endMs).toBeGreaterThan(life.bedtime(day).startMs)
      expect(life.bedtime(day + 1).startMs).toBeGreaterThan(life.bedtime(day).endMs)
    }
  })
})

test("illness raises skin temperature and pulse and lowers recovery", () => {
  const [, life] = lives[1] ?? lives[0] ?? ["", createLife("b", officeWorker)]
  const days = Array.from({ length: 1500 }, (_, index) => FIRST_DAY + index)
  const ill = days.filter((day) => life.plan(day).illness > 0.6)
  const well = days.filter((day) => life.plan(day).illness === 0)
  const average = (some: readonly number[], of: (day: number) => number) => mean(some.map(of))
  expect(ill.length).toBeGreaterThan(5)
  expect(average(ill, (day) => life.vitals(day).skinTempCelsius)).toBeGreaterThan(
    average(well, (day) => life.vitals(day).skinTempCelsius) + 0.4,
  )
  expect(average(ill, (day) => life.vitals(day).restingHeartRate)).toBeGreaterThan(
    average(well, (day) => life.vitals(day).restingHeartRate) + 3,
  )
  expect(average(ill, life.recovery)).toBeLessThan(average(well, life.recovery) - 20)
})

test("alcohol lowers the HRV of the night after it", () => {
  const life = createLife("drinks", officeWorker)
  const hrvAfter = (drank: boolean) =>
    mean(
      year
        .filter((day) => (life.plan(day - 1).eveningOut?.drinks ?? -1) > 2 === drank)
        .map((day) => life.vitals(day).hrvRmssdMs),
    )
  expect(hrvAfter(true)).toBeLessThan(hrvAfter(false))
})

test("computes the same day in any order", () => {
  const forwards = createLife("same", enduranceAthlete)
  const backwards = createLife("same", enduranceAthlete)
  const days = year.slice(0, 60)
  const look = (life: Life, day: number) => [life.recovery(day), life.vitals(day), life.night(day), life.sessions(day)]
  const seen = new Map(days.toReversed().map((day) => [day, look(backwards, day)]))
  for (const day of days) expect(look(forwards, day)).toEqual(seen.get(day))
})
