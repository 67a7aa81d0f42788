import { expect, test } from "vitest"
import { signsOf, sleepDebt, strainLoad } from "./describe.ts"
import { dayOf, type Series } from "./series.ts"

const FIRST = dayOf("2026-11-01")
const nightly = (values: readonly number[]): Series => values.map((value, index) => ({ day: FIRST + index, value }))
/** Mean 50, deviation a little over 1. */
const calm = Array.from({ length: 30 }, (_, index) => (index % 2 === 0 ? 49 : 51))

test("signs are figures beyond two deviations, with the mornings in a row", () => {
  const signs = signsOf(
    {
      resting_heart_rate: nightly([...calm, 60, 61]),
      hrv: nightly([...calm, 50, 45]),
      respiratory_rate: nightly([...calm, 52, 52]),
    },
    FIRST + 31,
  )
  expect(signs).toMatchObject([
    { metric: "resting_heart_rate", value: 61, direction: "above", mornings: 2 },
    { metric: "hrv", value: 45, direction: "below", mornings: 1 },
  ])
})

test("a morning on the other side or without a value ends the row, and no value is no sign", () => {
  expect(signsOf({ hrv: nightly([...calm, 40, 70]) }, FIRST + 31)).toMatchObject([{ mornings: 1 }])
  const gap = nightly([...calm, 60, 60, 62]).filter(({ day }) => day !== FIRST + 31)
  expect(signsOf({ hrv: gap }, FIRST + 32)).toMatchObject([{ mornings: 1 }])
  expect(signsOf({ hrv: nightly(calm) }, FIRST + 30)).toEqual([])
  expect(signsOf({ hrv: nightly([1, 1, 1, 1, 9]) }, FIRST + 4)).toEqual([])
})

test.each([
  ["resting_heart_rate", 50, [0, 1, 2], [-3, 3]],
  ["hrv", 64.2, [0, 0.1, -0.2], [-0.4, 0.3]],
  ["respiratory_rate", 14.6, [0, -0.1, 0.2], [-0.3, 0.5]],
  ["skin_temp_deviation", -0.1, [0, 0.2], [0.3]],
] as const)("%s that is always the same is far only beyond two of its steps", (metric, value, near, far) => {
  const after = (difference: number) =>
    signsOf({ [metric]: nightly([...Array.from({ length: 30 }, () => value), value + difference]) }, FIRST + 30)
  for (const difference of near) expect(after(difference)).toEqual([])
  for (const difference of far)
    expect(after(difference)).toMatchObject([{ metric, direction: difference > 0 ? "above" : "below" }])
})

test("sleep debt is the sum over 14 dates of the nights with a need", () => {
  const debts = nightly(Array.from({ length: 20 }, () => 0.5)).filter(({ day }) => day !== FIRST + 10)
  expect(sleepDebt(debts, FIRST + 19)).toEqual({ hours: 6.5, n: 13 })
  expect(sleepDebt([], FIRST)).toBeNull()
})

test("strain over 7 and 28 dates", () => {
  const strain = nightly(Array.from({ length: 30 }, (_, index) => (index < 23 ? 10 : 14)))
  expect(strainLoad(strain, FIRST + 29)).toEqual({ week: { mean: 14, n: 7 }, fourWeeks: { mean: 11, n: 28 } })
  expect(strainLoad([], FIRST)).toEqual({ week: { mean: null, n: 0 }, fourWeeks: { mean: null, n: 0 } })
})
