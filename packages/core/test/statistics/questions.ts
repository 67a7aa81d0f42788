import { compareOnSameDates, comparePeriods } from "../../src/statistics/compare.ts"
import type { Interval } from "../../src/statistics/difference.ts"
import type { Measured } from "../../src/statistics/pairs.ts"
import { relate, relateAll } from "../../src/statistics/relate.ts"
import { dateOf, type Series } from "../../src/statistics/series.ts"
import { slopeOf } from "../../src/statistics/trend.ts"
import type { Random } from "./random.ts"
import { autoregressive, correlated, DAY_ZERO, TAILS, type Tails, withGaps } from "./worlds.ts"

/** What a question claims about one random world. */
export interface Claim {
  readonly sign: -1 | 0 | 1
  readonly interval: Interval | null
}

export interface World {
  readonly n: number
  readonly memory: number
  readonly tails: Tails
  readonly random: Random
  /** What a device rounds its values to, standard deviations. Values are whole numbers of it then. @default 0: to nothing */
  readonly step?: number
}

const SIGNS: Readonly<Record<string, -1 | 1>> = {
  rising: 1,
  higher: 1,
  positive: 1,
  falling: -1,
  lower: -1,
  negative: -1,
}

const claimOf = ({ verdict, interval }: { readonly verdict: string; readonly interval: Interval | null }): Claim => ({
  sign: SIGNS[verdict] ?? 0,
  interval,
})

const range = (first: number, last: number) => ({ from: dateOf(DAY_ZERO + first), to: dateOf(DAY_ZERO + last) })

function plainValues({ n, memory, tails, random }: World, extra = 0): number[] {
  return autoregressive(n + extra, memory, () => TAILS[tails](random))
}

/** The trend of n nights. @param drift standard deviations from the first to the last night */
export function askTrend(world: World, drift: number): Claim {
  const { n } = world
  const values = plainValues(world).map((value, index) => value + (drift * index) / (n - 1))
  const history = withGaps(values, DAY_ZERO + 1, world)
  return claimOf(slopeOf({ kind: "number", history, period: range(1, n) }))
}

/** Half of the variance wanders over weeks, and half is new every night. */
export function askWander({ n, random }: World): Claim {
  const slow = autoregressive(n, 0.97, () => TAILS.normal(random))
  const values = slow.map((value) => Math.SQRT1_2 * value + Math.SQRT1_2 * TAILS.normal(random))
  return claimOf(slopeOf({ kind: "number", history: withGaps(values, DAY_ZERO + 1, { random }), period: range(1, n) }))
}

/** The newer half of n nights compared with the older. @param pastDates dates on record before them */
export function askCompare(world: World, shift: number, pastDates: number): Claim {
  const { n } = world
  const half = Math.floor(n / 2)
  const values = plainValues(world, pastDates).map((value, index) =>
    index >= pastDates + half ? value + shift : value,
  )
  const history = withGaps(values, DAY_ZERO + 1 - pastDates, world)
  return claimOf(comparePeriods({ kind: "number", history, period: range(half + 1, n), other: range(1, half) }))
}

/** Two devices of n nights, whose differences are the values of the world. */
export function askSources(world: World): Claim {
  const history = withGaps(plainValues(world, 0), DAY_ZERO + 1, world)
  const other = history.map(({ day }) => ({ day, value: 0 }))
  return claimOf(compareOnSameDates({ kind: "number", history, other, period: range(1, world.n) }))
}

export interface RelateQuestion {
  readonly factor: Measured
  readonly outcome: Measured
  readonly lag: 0
  readonly period: ReturnType<typeof range>
}

/** How relations are computed: as they are answered, or with the former method beside it. */
export type Relate = (question: RelateQuestion) => { readonly verdict: string; readonly interval: Interval | null }

const measured = (id: string, kind: Measured["kind"], history: Series): Measured => ({ id, kind, history })

/** Two series of n nights that have nothing to do with each other. @param week standard deviation of a pattern of the week that both have */
export function askRelate(world: World, { week = 0 }: { readonly week?: number } = {}, how: Relate = relate): Claim {
  const pattern = [0, 1, 2, 3, 4, 5, 6].map(() => week * TAILS.normal(world.random))
  const weekly = (values: readonly number[]) => values.map((value, index) => value + (pattern[index % 7] ?? 0))
  const [factor, outcome] = [0, 1].map((index) =>
    measured(`series-${index}`, "number", withGaps(weekly(plainValues(world)), DAY_ZERO + 1, world)),
  )
  if (!factor || !outcome) throw new Error("two series are needed")
  return claimOf(how({ factor, outcome, lag: 0, period: range(1, world.n) }))
}

/** Two series with Spearman's rho. Of normal values, Pearson's correlation is 2 sin(pi rho / 6). */
export function askCorrelated({ n, memory, random }: World, rho: number): Claim {
  const [one, other] = correlated(n, memory, 2 * Math.sin((Math.PI * rho) / 6), random)
  const factor = measured("factor", "number", withGaps(one, DAY_ZERO + 1, { random }))
  const outcome = measured("outcome", "number", withGaps(other, DAY_ZERO + 1, { random }))
  return claimOf(relate({ factor, outcome, lag: 0, period: range(1, n) }))
}

/** When yes is answered. Each has dates with both answers on every weekday, or on those of the weekend. */
export const HABITS = {
  /** On about a third of the nights, whatever the night before. */
  scattered: ({ n, random }: World) => Array.from({ length: n }, () => (random() < 1 / 3 ? 1 : 0)),
  /** On about a third of the nights, in runs of some nights. */
  "in streaks": ({ n, random }: World) =>
    autoregressive(n, 0.7, () => TAILS.normal(random)).map((value) => (value > 0.43 ? 1 : 0)),
  /** On four of five nights of weekends, and on one of ten others. */
  "at weekends": ({ n, random }: World) =>
    Array.from({ length: n }, (_, index) => (random() < (isWeekend(index) ? 0.8 : 0.1) ? 1 : 0)),
} as const
export type Habit = keyof typeof HABITS

/** Of the index of a world's night. */
const isWeekend = (index: number): boolean => (DAY_ZERO + 1 + index) % 7 < 2

export interface AnswersWorld {
  readonly habit: Habit
  /** Of a yes, standard deviations. */
  readonly effect?: number
  /** Of weekends on the outcome, for another reason, standard deviations. */
  readonly dip?: number
}

/** Answers of yes and no, and an outcome. */
export function askAnswers(world: World, { habit, effect = 0, dip = 0 }: AnswersWorld, how: Relate = relate): Claim {
  const { n, random } = world
  const answers = HABITS[habit](world)
  const values = plainValues(world).map(
    (value, index) => value + effect * (answers[index] ?? 0) - (isWeekend(index) ? dip : 0),
  )
  const factor = measured("answers", "yes_no", withGaps(answers, DAY_ZERO + 1, { random }))
  const outcome = measured("outcome", "number", withGaps(values, DAY_ZERO + 1, world))
  return claimOf(how({ factor, outcome, lag: 0, period: range(1, n) }))
}

/** How many of many factors are called clear. None has anything to do with the outcome, and each resembles the one before. */
export function askAllFactors(world: World, factors: number): number {
  const series: number[][] = []
  for (let index = 0; index < factors; index += 1) {
    const before = series.at(-1)
    series.push(plainValues(world).map((value, day) => (before ? 0.6 * (before[day] ?? 0) + 0.8 * value : value)))
  }
  const gappy = (id: string, values: readonly number[]) => measured(id, "number", withGaps(values, DAY_ZERO + 1, world))
  const { relations } = relateAll({
    outcome: gappy("outcome", plainValues(world)),
    factors: series.map((values, index) => gappy(`factor-${index}`, values)),
    lag: 0,
    period: range(1, world.n),
  })
  return relations.filter(({ relation }) => SIGNS[relation.verdict] !== undefined).length
}
