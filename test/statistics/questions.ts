import { comparePeriods } from "../../packages/core/src/insights/compare.ts"
import { dateOf } from "../../packages/core/src/insights/day.ts"
import type { Measured } from "../../packages/core/src/insights/pairs.ts"
import { relate, relateAll } from "../../packages/core/src/insights/relate.ts"
import type { Series } from "../../packages/core/src/insights/series.ts"
import { slopeOf } from "../../packages/core/src/insights/trend.ts"
import type { Interval } from "../../packages/core/src/insights/verdict.ts"
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
  const { n, random } = world
  const values = plainValues(world).map((value, index) => value + (drift * index) / (n - 1))
  const history = withGaps(values, DAY_ZERO + 1, random)
  return claimOf(slopeOf({ kind: "number", history, period: range(1, n) }))
}

/** The newer half of n nights compared with the older. @param pastDates dates on record before them */
export function askCompare(world: World, shift: number, pastDates: number): Claim {
  const { n, random } = world
  const half = Math.floor(n / 2)
  const values = plainValues(world, pastDates).map((value, index) =>
    index >= pastDates + half ? value + shift : value,
  )
  const history = withGaps(values, DAY_ZERO + 1 - pastDates, random)
  return claimOf(comparePeriods({ kind: "number", history, period: range(half + 1, n), other: range(1, half) }))
}

const measured = (id: string, kind: Measured["kind"], history: Series): Measured => ({ id, kind, history })

/** Two series of n nights that have nothing to do with each other. */
export function askRelate(world: World): Claim {
  const [factor, outcome] = [0, 1].map((index) =>
    measured(`series-${index}`, "number", withGaps(plainValues(world), DAY_ZERO + 1, world.random)),
  )
  if (!factor || !outcome) throw new Error("two series are needed")
  return claimOf(relate({ factor, outcome, lag: 0, period: range(1, world.n) }))
}

/** Two series with Spearman's rho. Of normal values, Pearson's correlation is 2 sin(pi rho / 6). */
export function askCorrelated({ n, memory, random }: World, rho: number): Claim {
  const [one, other] = correlated(n, memory, 2 * Math.sin((Math.PI * rho) / 6), random)
  const factor = measured("factor", "number", withGaps(one, DAY_ZERO + 1, random))
  const outcome = measured("outcome", "number", withGaps(other, DAY_ZERO + 1, random))
  return claimOf(relate({ factor, outcome, lag: 0, period: range(1, n) }))
}

/** Answers of yes on about a third of the nights, which also have memory, and an outcome. @param effect of a yes */
export function askAnswers(world: World, effect: number): Claim {
  const { n, memory, random } = world
  const answers = autoregressive(n, memory, () => TAILS.normal(random)).map((value) => (value > 0.43 ? 1 : 0))
  const values = plainValues(world).map((value, index) => value + effect * (answers[index] ?? 0))
  const factor = measured("answers", "yes_no", withGaps(answers, DAY_ZERO + 1, random))
  const outcome = measured("outcome", "number", withGaps(values, DAY_ZERO + 1, random))
  return claimOf(relate({ factor, outcome, lag: 0, period: range(1, n) }))
}

/** How many of many factors are called clear. None has anything to do with the outcome, and each resembles the one before. */
export function askAllFactors(world: World, factors: number): number {
  const series: number[][] = []
  for (let index = 0; index < factors; index += 1) {
    const before = series.at(-1)
    series.push(plainValues(world).map((value, day) => (before ? 0.6 * (before[day] ?? 0) + 0.8 * value : value)))
  }
  const gappy = (id: string, values: readonly number[]) =>
    measured(id, "number", withGaps(values, DAY_ZERO + 1, world.random))
  const { relations } = relateAll({
    outcome: gappy("outcome", plainValues(world)),
    factors: series.map((values, index) => gappy(`factor-${index}`, values)),
    lag: 0,
    period: range(1, world.n),
  })
  return relations.filter(({ relation }) => SIGNS[relation.verdict] !== undefined).length
}
