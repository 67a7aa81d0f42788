import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { dateOf, dayOf } from "./day.ts"
import type { Measured } from "./pairs.ts"
import { type Relation, relate, relateAll } from "./relate.ts"
import type { Series } from "./series.ts"

const FIRST = dayOf("2026-01-01")
const period = (length: number, first = 0) => ({ from: dateOf(FIRST + first), to: dateOf(FIRST + first + length - 1) })
const nightly = (values: readonly number[], first = 0): Series =>
  values.map((value, index) => ({ day: FIRST + first + index, value }))
const measured = (id: string, values: readonly number[] | Series, kind: Measured["kind"] = "number"): Measured => ({
  id,
  kind,
  history: values.flatMap((value, index) => (typeof value === "number" ? { day: FIRST + index, value } : value)),
})

/** Values that jump about, each multiplier differently. */
const jumps = (length: number, multiplier: number): number[] =>
  Array.from({ length }, (_, index) => ((index + 1) * multiplier) % 101)
const ask = (factor: Measured, outcome: Measured, length: number, lag: 0 | 1 = 0): Relation =>
  relate({ factor, outcome, lag, period: period(length) })

describe("numbers", () => {
  const factor = measured("strain", jumps(60, 37))

  test("a factor that the outcome follows is positive, against it negative", () => {
    const [same, against] = [1, -1].map((sign) =>
      ask(
        factor,
        measured(
          "hrv",
          jumps(60, 37).map((value, index) => sign * value + (index % 7)),
        ),
        60,
      ),
    )
    expect(same).toMatchObject({ verdict: "positive", n: 60 })
    expect(against).toMatchObject({ verdict: "negative", n: 60 })
  })

  test("equal series have rho 1 and no doubt", () => {
    expect(ask(factor, measured("copy", jumps(60, 37)), 60)).toMatchObject({
      rho: 1,
      interval: { low: 1, high: 1 },
      probability: 0,
    })
  })

  test("with lag 1 the factor of a date goes with the outcome of the next", () => {
    const late = measured("late", nightly(jumps(60, 37), 1))
    expect(relate({ factor, outcome: late, lag: 1, period: period(60, 1) })).toMatchObject({ rho: 1, n: 60 })
    // The first outcome of the period goes with a factor of the day before the period.
    expect(relate({ factor, outcome: late, lag: 1, period: period(30, 20) })).toMatchObject({ n: 30 })
    expect(ask(factor, late, 60)).not.toMatchObject({ rho: 1 })
  })

  test("two series that drift are not related by their drift", () => {
    const drifting = (multiplier: number) => jumps(90, multiplier).map((value, index) => 10 * index + value)
    const relation = ask(measured("one", drifting(37)), measured("other", drifting(17)), 90)
    expect(relation).toMatchObject({ verdict: "no_clear_relation" })
  })

  test("the running median looks beyond the range", () => {
    const outcome = measured("hrv", jumps(100, 17))
    const [whole, cut] = [measured("whole", jumps(100, 37)), measured("cut", nightly(jumps(100, 37).slice(30, 60), 30))]
    const [one, other] = [whole, cut].map((each) => relate({ factor: each, outcome, lag: 0, period: period(30, 30) }))
    expect(one).toMatchObject({ n: 30 })
    expect(other).toMatchObject({ n: 30 })
    expect(one).not.toEqual(other)
  })

  test("20 pairs are enough, and a constant has no rho", () => {
    const outcome = measured("hrv", jumps(60, 17))
    expect(ask(measured("few", jumps(20, 37)), outcome, 60).verdict).not.toBe("not_enough_data")
    expect(ask(measured("few", jumps(19, 37)), outcome, 60)).toMatchObject({
      n: 19,
      interval: null,
      verdict: "not_enough_data",
    })
    const constant = measured(
      "constant",
      Array.from({ length: 60 }, () => 0.1),
    )
    expect(ask(constant, outcome, 60)).toMatchObject({ rho: null, interval: null, verdict: "no_clear_relation" })
  })
})

describe("groups and kinds", () => {
  test("thirds are of the values themselves, and equal values stay together", () => {
    const factorOf = (values: readonly number[]) => measured("workouts", values)
    const outcome = measured("hrv", [10, 20, 30, 40, 50, 60, 70, 80, 90])
    expect(ask(factorOf([1, 2, 3, 4, 5, 6, 7, 8, 9]), outcome, 9)).toMatchObject({
      groups: [
        { from: 1, to: 3, n: 3, mean: 20 },
        { from: 4, to: 6, n: 3, mean: 50 },
        { from: 7, to: 9, n: 3, mean: 80 },
      ],
    })
    expect(ask(factorOf([0, 0, 0, 0, 0, 0, 0, 2, 1]), outcome, 9)).toMatchObject({
      groups: [
        { from: 0, to: 0, n: 7, mean: 40 },
        { from: 1, to: 2, n: 2, mean: 85 },
      ],
    })
  })

  test("bedtimes around midnight are ordered around midnight", () => {
    const minutes = jumps(60, 37).map((value) => (1390 + value) % 1440)
    const outcome = measured(
      "asleep",
      jumps(60, 37).map((value) => -value),
    )
    const relation = ask(measured("bedtime", minutes, "clock"), outcome, 60)
    expect(relation).toMatchObject({ kind: "clock", rho: -1 })
    expect(relation.kind === "clock" && relation.groups.map(({ from }) => Math.round(from) > 1300)).toEqual([
      true,
      true,
      false,
    ])
  })

  test("a constant added, another unit and a turned sign", () => {
    const list = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 25, maxLength: 60 })
    fc.assert(
      fc.property(list, (values) => {
        const outcome = measured("hrv", jumps(60, 17))
        const rhoOf = (change: (value: number) => number): number | null => {
          const relation = ask(measured("factor", values.map(change)), outcome, 60)
          return relation.kind === "yes_no" ? null : relation.rho
        }
        const plain = rhoOf((value) => value / 10)
        expect(rhoOf((value) => value / 10 + 10)).toBe(plain)
        expect(rhoOf((value) => value * 6)).toBe(plain)
        expect(rhoOf((value) => value / -10)).toBeCloseTo(0 - (plain ?? 0), 12)
      }),
    )
  })
})

describe("yes or no", () => {
  const answers = Array.from({ length: 60 }, (_, index) => (index % 3 === 0 ? 1 : 0))
  const outcome = measured(
    "hrv",
    jumps(60, 17).map((value, index) => value / 10 - 20 * (answers[index] ?? 0)),
  )

  test("dates with yes are compared with dates with no, the others are counted", () => {
    const some = measured(
      "journal:alcohol",
      nightly(answers).filter(({ day }) => day % 4 !== 0),
      "yes_no",
    )
    expect(ask(some, outcome, 60)).toMatchObject({
      n: 45,
      unanswered: 15,
      yes: { n: 15 },
      no: { n: 30 },
      verdict: "lower",
    })
  })

  test("the means are of the values themselves, the difference without a drift", () => {
    const drifting = measured(
      "hrv",
      jumps(90, 17).map((value, index) => value + index / 2),
    )
    const later = measured(
      "journal:travel",
      Array.from({ length: 90 }, (_, index) => (index < 45 ? 0 : 1)),
      "yes_no",
    )
    const relation = ask(later, drifting, 90)
    expect(relation).toMatchObject({ verdict: "no_clear_difference" })
    expect(relation.kind === "yes_no" && (relation.yes.mean ?? 0) - (relation.no.mean ?? 0)).toBeGreaterThan(20)
  })

  test("eight answers on each side are enough", () => {
    const yes = (count: number) =>
      measured(
        "x",
        answers.map((_, index) => (index % 7 === 0 && index < 7 * count ? 1 : 0)),
        "yes_no",
      )
    expect(ask(yes(8), outcome, 60).verdict).not.toBe("not_enough_data")
    expect(ask(yes(7), outcome, 60)).toMatchObject({ interval: null, verdict: "not_enough_data" })
    expect(ask(yes(0), outcome, 60)).toMatchObject({ yes: { n: 0, mean: null }, difference: null })
  })
})

describe("all factors", () => {
  const outcome = measured("hrv", jumps(60, 37))
  const clear = measured(
    "clear",
    jumps(60, 37).map((value, index) => value + (index % 13)),
  )
  const few = measured("few", jumps(10, 37))

  test("the clear ones come first, the outcome itself and tests that were not made do not count", () => {
    const unclear = measured("unclear", jumps(60, 17))
    const { tried, relations } = relateAll({
      outcome,
      factors: [few, unclear, outcome, clear],
      lag: 0,
      period: period(60),
    })
    expect(tried).toBe(2)
    expect(relations.map(({ factor, relation }) => [factor, relation.verdict])).toEqual([
      ["clear", "positive"],
      ["unclear", "no_clear_relation"],
      ["few", "not_enough_data"],
    ])
  })

  test("a relation that is clear alone may not be among many", () => {
    // A weak relation: its own interval leaves zero out, and with many others tried it is not sure enough.
    const weak = measured(
      "weak",
      jumps(60, 37).map((value, index) => value + 2.5 * ((index * 29) % 97)),
    )
    const factors = [
      weak,
      ...[3, 5, 7, 11, 13, 19, 23, 29, 31, 41, 43, 47, 53].map((each) => measured(`m${each}`, jumps(60, each))),
    ]
    const alone = ask(weak, outcome, 60)
    expect(alone.verdict).toBe("positive")
    const { relations } = relateAll({ outcome, factors, lag: 0, period: period(60) })
    expect(relations.find(({ factor }) => factor === "weak")?.relation.verdict).toBe("no_clear_relation")
  })
})
