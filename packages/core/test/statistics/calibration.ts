import {
  askAllFactors,
  askAnswers,
  askCompare,
  askCorrelated,
  askRelate,
  askSources,
  askTrend,
  type Claim,
  type Habit,
  type Relate,
  type World,
} from "./questions.ts"
import { seededRandom } from "./random.ts"
import type { Tails } from "./worlds.ts"

/** Another number gives other worlds: `STATISTICS_SEED=7 npm run test:statistics`. */
const SEED = Number(process.env["STATISTICS_SEED"] ?? 2026)
const PAST_DATES = 120

/** Questions in worlds without any effect, by method. */
export const NULL_QUESTIONS: Readonly<Record<string, (world: World) => Claim>> = {
  trend: (world) => askTrend(world, 0),
  "compare, with a past": (world) => askCompare(world, 0, PAST_DATES),
  "compare, without a past": (world) => askCompare(world, 0, 0),
  "compare, two sources": (world) => askSources(world),
  relate: (world) => askRelate(world),
  "relate, yes or no": (world) => askAnswers(world, { habit: "in streaks" }),
}

type AskRelation = (world: World, how?: Relate) => Claim

/** Relations in worlds without any, where a week or a habit could feign one. */
export const NULL_RELATIONS: Readonly<Record<string, AskRelation>> = {
  "numbers, week of 1 sd on both": (world, how) => askRelate(world, { week: 1 }, how),
  "yes scattered": (world, how) => askAnswers(world, { habit: "scattered" }, how),
  "yes in streaks": (world, how) => askAnswers(world, { habit: "in streaks" }, how),
  "yes at weekends": (world, how) => askAnswers(world, { habit: "at weekends" }, how),
  "yes at weekends, which dip by 1 sd": (world, how) => askAnswers(world, { habit: "at weekends", dip: 1 }, how),
}
export const RELATION_SIZES = [60, 90, 180, 365] as const
export const RELATION_MEMORIES = [0, 0.3, 0.6] as const

export interface RelationCell {
  readonly name: string
  readonly habit: Habit
  readonly memory: number
  readonly fewestFound: number
}

/** A yes that goes with 0.5 sd, 180 nights. */
export const RELATION_EFFECT = { n: 180, effect: 0.5 } as const
export const RELATION_CELLS: readonly RelationCell[] = [
  { name: "0.5 sd, yes scattered, memory 0.3", habit: "scattered", memory: 0.3, fewestFound: 0.58 },
  { name: "0.5 sd, yes scattered, memory 0.6", habit: "scattered", memory: 0.6, fewestFound: 0.58 },
  { name: "0.5 sd, yes at weekends, memory 0.3", habit: "at weekends", memory: 0.3, fewestFound: 0.38 },
]
/** Intervals of an effect that is only on some weekdays vary more. */
export const RELATION_COVERAGE = { fewest: 0.91, most: 0.97 } as const

/** At most this part of worlds without an effect may get a verdict. */
export const MOST_FALSE_CLAIMS = 0.07
/** 95 % intervals contain the truth in this share of worlds. */
export const COVERAGE = { fewest: 0.93, most: 0.98 } as const

export const NULL_SIZES = [14, 28, 60, 90, 365] as const
export const MEMORIES = [0, 0.3, 0.5] as const
/** Values that are rounded to two standard deviations are three numbers: only the trend is held to its bound there. */
export const stepsOf = (name: string): readonly number[] =>
  name === "trend" ? STEPS : STEPS.filter((step) => step < 2)

/** Roundings to a part of the standard deviation and beyond it: resting heart rates, scores and counts are whole numbers. */
const STEPS = [0.5, 1, 2] as const
export const ALL_TAILS: readonly Tails[] = ["normal", "heavy"]

export interface EffectCell {
  readonly name: string
  readonly n: number
  readonly truth: number
  readonly fewestFound: number
  readonly ask: (world: World) => Claim
}

/** A drift in values that are rounded to `step`, memory 0.3, a tenth missing. Its interval may end at 0. */
export const ROUNDED_CELLS = [
  { name: "1 sd over 90 nights, rounded to 0.5 sd", n: 90, drift: 1, step: 0.5, fewestFound: 0.35 },
  { name: "1 sd over 365 nights, rounded to 0.5 sd", n: 365, drift: 1, step: 0.5, fewestFound: 0.9 },
  { name: "1 sd over 365 nights, rounded to 1 sd", n: 365, drift: 1, step: 1, fewestFound: 0.85 },
  { name: "1 sd over 365 nights, rounded to 2 sd", n: 365, drift: 1, step: 2, fewestFound: 0.7 },
  { name: "1 sd over 730 nights, rounded to 1 sd", n: 730, drift: 1, step: 1, fewestFound: 0.9 },
] as const

/** Worlds with an effect, memory 0.3, a tenth missing. */
export const EFFECT_CELLS: readonly EffectCell[] = [
  {
    name: "drift of 1.5 sd over 90 nights",
    n: 90,
    truth: 1.5 / 89,
    fewestFound: 0.7,
    ask: (world) => askTrend(world, 1.5),
  },
  {
    name: "drift of 1 sd over 365 nights",
    n: 365,
    truth: 1 / 364,
    fewestFound: 0.9,
    ask: (world) => askTrend(world, 1),
  },
  {
    name: "shift of 1 sd, 28 and 28 nights",
    n: 56,
    truth: 1,
    fewestFound: 0.68,
    ask: (world) => askCompare(world, 1, PAST_DATES),
  },
  {
    name: "rho of 0.5 over 90 nights",
    n: 90,
    truth: 0.5,
    fewestFound: 0.95,
    ask: (world) => askCorrelated(world, 0.5),
  },
]

export interface Rates {
  /** Parts of all worlds with a verdict upwards and downwards. */
  readonly up: number
  readonly down: number
  /** Part of the intervals that contain the truth. */
  readonly covered: number
}

export interface Cell extends Omit<World, "random"> {
  readonly name: string
  readonly ask: (world: World) => Claim
  readonly truth: number
}

/** Asks about a number of worlds of one kind. */
export function measure({ name, ask, truth, ...kind }: Cell, worlds: number): Rates {
  const random = seededRandom(`${name} ${Object.values(kind).join(" ")}`, SEED)
  let [up, down, intervals, covered] = [0, 0, 0, 0]
  for (let count = 0; count < worlds; count += 1) {
    const { sign, interval } = ask({ ...kind, random })
    if (sign > 0) up += 1
    if (sign < 0) down += 1
    if (!interval) continue
    intervals += 1
    if (interval.low <= truth && truth <= interval.high) covered += 1
  }
  return { up: up / worlds, down: down / worlds, covered: covered / intervals }
}

/** Part of worlds without any relation in which one of many factors is called clear. */
export function falseDiscoveries(kind: Omit<World, "random">, factors: number, worlds: number): number {
  const random = seededRandom(`factors ${Object.values(kind).join(" ")}`, SEED)
  let claimed = 0
  for (let count = 0; count < worlds; count += 1) if (askAllFactors({ ...kind, random }, factors) > 0) claimed += 1
  return claimed / worlds
}
