import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { dependentDiscoveryLimit, discoveryLimit } from "./difference.ts"
import type { Measured } from "./pairs.ts"
import { type Relation, relate, relateAll } from "./relate.ts"
import { dateOf, dayOf, type Series } from "./series.ts"

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
        { from: 1, to: 3, n: 3, mean: 20, sd: 10 },
        { from: 4, to: 6, n: 3, mean: 50, sd: 10 },
        { from: 7, to: 9, n: 3, mean: 80, sd: 10 },
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
        answers.map((_, index) => (index % 6 === 0 && index < 6 * count ? 1 : 0)),
        "yes_no",
      )
    expect(ask(yes(8), outcome, 60).verdict).not.toBe("not_enough_data")
    expect(ask(yes(7), outcome, 60)).toMatchObject({ interval: null, verdict: "not_enough_data" })
    expect(ask(yes(0), outcome, 60)).toMatchObject({ yes: { n: 0, mean: null, sd: null }, difference: null })
  })

  test("an answer that follows from the weekday cannot be separated from it", () => {
    const weekly = measured(
      "x",
      Array.from({ length: 84 }, (_, index) => (index % 7 === 0 ? 1 : 0)),
      "yes_no",
    )
    expect(ask(weekly, measured("hrv", jumps(84, 17)), 84)).toMatchObject({
      yes: { n: 12 },
      difference: null,
      interval: null,
      verdict: "not_enough_data",
      isOfWeekday: true,
    })
  })

  test("a weekend drinker whose outcome dips at weekends anyway is not shown that drinking goes with it", () => {
    const isWeekend = (index: number) => index % 7 > 4
    const drinks = measured(
      "journal:alcohol",
      Array.from({ length: 180 }, (_, index) => (isWeekend(index) && (index * 29) % 10 < 8 ? 1 : 0)),
      "yes_no",
    )
    const dips = measured(
      "hrv",
      jumps(180, 17).map((value, index) => value / 10 - (isWeekend(index) ? 20 : 0)),
    )
    expect(ask(drinks, dips, 180)).toMatchObject({ verdict: "no_clear_difference", isWeekless: true, n: 180 })
  })
})

test("two numbers with the same weekends are not related by them", () => {
  const weekly = (multiplier: number) => jumps(180, multiplier).map((value, index) => value + (index % 7 > 4 ? 300 : 0))
  const relation = ask(measured("one", weekly(37)), measured("other", weekly(17)), 180)
  expect(relation).toMatchObject({ verdict: "no_clear_relation", isWeekless: true })
  expect(ask(measured("one", weekly(37)), measured("other", weekly(17)), 27)).toMatchObject({ isWeekless: false })
})

test("memory is that of the whole series, also of days without the other", () => {
  const [factor, outcome] = [measured("a", jumps(120, 37)), measured("b", jumps(120, 17))]
  const everySecond = { ...factor, history: factor.history.filter(({ day }) => day % 2 === 0) }
  const alone = ask(everySecond, { ...outcome, history: outcome.history.filter(({ day }) => day % 2 === 0) }, 120)
  const beside = ask(everySecond, outcome, 120)
  const widthOf = ({ interval }: Relation) => (interval?.high ?? 0) - (interval?.low ?? 0)
  expect(widthOf(beside)).toBeLessThan(widthOf(alone))
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

  test("what the person does comes first, parts of the outcome last, and parts are not counted", () => {
    const copy = (id: string, kind: Measured["kind"] = "number") => measured(id, jumps(60, 37), kind)
    const answers = measured(
      "journal:x",
      jumps(60, 37).map((value) => (value > 50 ? 1 : 0)),
      "yes_no",
    )
    const { tried, relations } = relateAll({
      outcome: copy("recovery_score"),
      factors: [copy("hrv"), copy("sleep_performance"), copy("spo2"), copy("strain"), answers],
      lag: 0,
      period: period(60),
    })
    expect(tried).toBe(3)
    expect(relations.map(({ factor, isPart }) => [factor, isPart])).toEqual([
      ["strain", false],
      ["journal:x", false],
      ["spo2", false],
      ["hrv", true],
      ["sleep_performance", true],
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

  test("Benjamini and Yekutieli's limit, as R's p.adjust with method BY", () => {
    // p.adjust(c(0.001, 0.008, 0.039, 0.041, 0.3), "BY") is 0.0114, 0.0457, 0.1170, 0.1170, 0.685: two are at most 0.1.
    expect(dependentDiscoveryLimit([0.3, 0.039, 0.001, 0.041, 0.008])).toBe(0.008)
    // The limits of two are 0.1 / 1.5 / 2 and 0.1 / 1.5: 0.06 is below the second one.
    expect(dependentDiscoveryLimit([0.06, 0.03])).toBe(0.06)
    expect(dependentDiscoveryLimit([0.5, 0.9])).toBeNull()
    expect(dependentDiscoveryLimit([])).toBeNull()
  })

  test("Benjamini and Hochberg's limit, as R's p.adjust with method BH", () => {
    // p.adjust(c(0.001, 0.008, 0.039, 0.041, 0.3), "BH") is 0.005, 0.02, 0.05125, 0.05125, 0.3: four are at most 0.1.
    expect(discoveryLimit([0.3, 0.039, 0.001, 0.041, 0.008])).toBe(0.041)
    expect(discoveryLimit([])).toBeNull()
  })
})
