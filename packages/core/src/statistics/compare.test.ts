import fc from "fast-check"
import { expect, test } from "vitest"
import type { ValueKind } from "./clock-times.ts"
import { comparePeriods } from "./compare.ts"
import { hedgesG } from "./difference.ts"
import { studentQuantile975 } from "./moments.ts"
import { dateOf, dayOf, type Series } from "./series.ts"
import { trendOf } from "./trend.ts"

const FIRST = dayOf("2026-01-01")
const range = (first: number, last: number) => ({ from: dateOf(FIRST + first), to: dateOf(FIRST + last) })
const nightly = (values: readonly number[], first = 0): Series =>
  values.map((value, index) => ({ day: FIRST + first + index, value }))
const compare = (history: Series, length: number, kind: ValueKind = "number") => {
  const last = (history.at(-1)?.day ?? 0) - FIRST
  const [period, other] = [range(last - length + 1, last), range(last - 2 * length + 1, last - length)]
  return comparePeriods({ kind, history, period, other })
}

/** Zero mean and memory, variance 1. */
const even = (length: number): number[] => Array.from({ length }, (_, index) => [1, -1, -1, 1][index % 4] ?? 0)

test("without a past: Welch's interval on the effective sizes", () => {
  // 8 and 8 nights have 14 pairs, 8 of opposite and 6 of equal neighbours: r is 0, and with seven pairs of 0.5 it is 1/6.
  const history = nightly([...even(8), ...even(8).map((value) => value + 10)])
  const { difference, interval, effectSize, verdict } = compare(history, 8)
  const effective = (8 * (1 - 1 / 6)) / (1 + 1 / 6)
  const part = 1 / (1 - 1 / effective) / effective
  const reach = studentQuantile975(2 * (effective - 1)) * Math.sqrt(2 * part)
  expect(difference).toBe(10)
  expect(interval?.low).toBeCloseTo(10 - reach, 10)
  expect(interval?.high).toBeCloseTo(10 + reach, 10)
  expect(verdict).toBe("higher")
  // The pooled deviation is the root of 16 / 14.
  expect(effectSize).toBeCloseTo((10 / Math.sqrt(16 / 14)) * (1 - 3 / 55), 10)
})

test("with 28 values before the later period: spread and memory of the past", () => {
  const history = nightly([...even(120).map((value) => 3 * value), ...even(8).map((value) => value + 10)])
  const { interval } = compare(history, 8)
  // The past has 120 nights without memory and variance 9.
  const reach = studentQuantile975(119) * Math.sqrt((9 / (1 - 1 / 120)) * (2 / 8))
  expect(interval?.low).toBeCloseTo(10 - reach, 10)
})

test("27 values are too short a past, and values before the 120 dates do not count", () => {
  const late = nightly(
    even(8).map((value) => value + 10),
    220,
  )
  const early = nightly(even(8), 212)
  const short = [
    ...nightly(
      even(19).map((value) => 100 * value),
      193,
    ),
    ...early,
    ...late,
  ]
  const enough = [
    ...nightly(
      even(20).map((value) => 100 * value),
      192,
    ),
    ...early,
    ...late,
  ]
  const old = [...nightly(even(90).map((value) => 100 * value)), ...early, ...late]
  const widthOf = (history: Series): number => {
    const { interval } = compare(history, 8)
    return (interval?.high ?? 0) - (interval?.low ?? 0)
  }
  const alone = widthOf([...early, ...late])
  expect(widthOf(short)).toBe(alone)
  expect(widthOf(old)).toBe(alone)
  expect(widthOf(enough)).toBeGreaterThan(10 * alone)
})

test("the past is that of the later period, whichever is asked about", () => {
  const history = nightly([...even(40).map((value) => 3 * value), ...even(8).map((value) => value + 10)])
  const [early, late] = [range(32, 39), range(40, 47)]
  const [one, other] = [
    comparePeriods({ kind: "number", history, period: late, other: early }),
    comparePeriods({ kind: "number", history, period: early, other: late }),
  ]
  expect(one.verdict).toBe("higher")
  expect(other.verdict).toBe("lower")
  expect(other.interval).toEqual({ low: 0 - (one.interval?.high ?? 0), high: 0 - (one.interval?.low ?? 0) })
  expect(other.effectSize).toBeCloseTo(-(one.effectSize ?? 0), 12)
})

test("five values on each side are enough, and missing dates are counted for each", () => {
  const values = nightly([...even(8), ...even(8)])
  const few = values.filter(({ day }) => day < FIRST + 5 || day > FIRST + 7)
  expect(compare(few, 8)).toMatchObject({ other: { n: 5, missing: 3 }, period: { n: 8, missing: 0 } })
  expect(compare(few, 8).verdict).toBe("no_clear_difference")
  expect(
    compare(
      few.filter(({ day }) => day !== FIRST + 4),
      8,
    ),
  ).toMatchObject({
    other: { n: 4, missing: 4 },
    interval: null,
    effectSize: null,
    verdict: "not_enough_data",
  })
  expect(compare(values.slice(8), 8)).toMatchObject({ other: { n: 0, mean: null }, difference: null })
})

test("equal values on both sides differ by nothing that is known", () => {
  const same = compare(nightly(Array.from({ length: 16 }, () => 0.1)), 8)
  expect(same).toMatchObject({ difference: 0, interval: null, effectSize: null, verdict: "not_enough_data" })
})

test("bedtimes of both sides of midnight are minutes apart", () => {
  const bedtimes = [...even(8).map((value) => 1430 + value), ...even(8).map((value) => 20 + value)]
  const { difference, verdict, period, other } = compare(nightly(bedtimes), 8, "clock")
  expect(difference).toBeCloseTo(30, 9)
  expect(verdict).toBe("higher")
  expect([period.mean, other.mean].map((mean) => Math.round(mean ?? -1))).toEqual([20, 1430])
})

test("Hedges' g: difference by the pooled deviation, times 1 - 3 / (4 df - 1)", () => {
  // Deviations 2 and 2, means 6 and 4, 10 values: 1 * (1 - 3 / 31).
  const [one, other] = [
    [4, 4, 6, 8, 8],
    [2, 2, 4, 6, 6],
  ]
  expect(hedgesG(one, other)).toBeCloseTo(1 - 3 / 31, 12)
  expect(hedgesG([1, 1], [2, 2])).toBeNull()
})

test("HRV + 10 changes no figure of the difference, and another unit scales it", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 10, maxLength: 80 }), (list) => {
      const ask = (change: (value: number) => number) => compare(nightly(list.map(change)), 5)
      const plain = ask((value) => value)
      for (const [changed, factor] of [
        [ask((value) => value + 10), 1],
        [ask((value) => value * 64), 64],
      ] as const) {
        expect(changed.verdict).toBe(plain.verdict)
        expect(changed.difference).toBeCloseTo((plain.difference ?? 0) * factor, 8)
        expect(changed.interval?.low).toBeCloseTo((plain.interval?.low ?? 0) * factor, 6)
        expect(changed.effectSize ?? 0).toBeCloseTo(plain.effectSize ?? 0, 8)
      }
    }),
  )
})

test.each([
  ["the first yes after 57 times no", "yes_no", [...Array.from({ length: 57 }, () => 0), 0, 0, 1, 0, 0, 0, 0], 7],
  [
    "a value that is always the same, and once another one",
    "number",
    [...Array.from({ length: 40 }, () => 97), 97, 97, 98, 97, 97],
    5,
  ],
  [
    "two short periods of equal values",
    "number",
    [...Array.from({ length: 6 }, () => 3), ...Array.from({ length: 6 }, () => 4)],
    6,
  ],
  [
    "bedtimes to the minute",
    "clock",
    [...Array.from({ length: 40 }, () => 1_380), 1_381, 1_381, 1_381, 1_381, 1_381],
    5,
  ],
] as const)("nothing can be said where what the test rests on does not vary: %s", (_, kind, values, days) => {
  const history = values.map((value, index) => ({ day: 20_000 + index, value }))
  const end = 20_000 + values.length - 1
  const found = comparePeriods({
    kind,
    history,
    period: { from: dateOf(end - days + 1), to: dateOf(end) },
    other: { from: dateOf(end - 2 * days + 1), to: dateOf(end - days) },
  })
  expect(found).toMatchObject({ interval: null, effectSize: null, verdict: "not_enough_data" })
  expect(found.difference).not.toBe(0)
})

test("a weekday and the other days that are each always the same are no difference that is known", () => {
  const monday = dayOf("2026-01-05")
  const history = Array.from({ length: 84 }, (_, index) => ({ day: monday + index, value: index % 7 === 5 ? 1 : 0 }))
  const { groups } = trendOf({
    kind: "number",
    history,
    period: { from: dateOf(monday), to: dateOf(monday + 83) },
    by: "weekday",
    top: 1,
  })
  expect(groups?.find(({ group }) => group === "saturday")).toMatchObject({
    difference: 1,
    interval: null,
    verdict: "not_enough_data",
  })
})
