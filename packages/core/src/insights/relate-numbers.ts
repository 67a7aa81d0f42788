import { columnAutocorrelation } from "./autocorrelation.ts"
import { centreOf } from "./describe.ts"
import { placed } from "./line.ts"
import { quantileOf } from "./moments.ts"
import { NORMAL_975, normalTwoSided } from "./normal.ts"
import { type Measured, type PairedSide, type Pairs, type Prepared, pairsOf } from "./pairs.ts"
import { rankCorrelation, ranksOf } from "./spearman.ts"
import { type Interval, type RelationVerdict, sideOf } from "./verdict.ts"

const FEWEST_PAIRS = 20

/** Dates on which the factor was low, middling or high. */
export interface Third {
  /** Lowest and highest value of the factor. */
  readonly from: number
  readonly to: number
  readonly n: number
  /** Mean outcome. */
  readonly mean: number
}

export interface NumberRelation {
  readonly kind: "number" | "clock"
  readonly n: number
  /** Spearman's. Null with fewer than two pairs, and where a side is constant. */
  readonly rho: number | null
  /** 95 %. Null without enough data. */
  readonly interval: Interval | null
  readonly verdict: RelationVerdict
  /** Probability of such a rho without a relation. Null without enough data. */
  readonly probability: number | null
}

export interface Sides {
  readonly factor: Measured & Prepared
  readonly outcome: Measured & Prepared
  readonly lag: number
}

/** How a number or a clock time goes with the outcome. */
export function relateNumbers({ factor, outcome, lag }: Sides): NumberRelation {
  const pairs = pairsOf(factor.detrended, outcome.detrended, lag)
  const kind = factor.kind === "clock" ? "clock" : "number"
  const n = pairs.days.length
  const rho = n < 2 ? null : rankCorrelation(ranksIn(pairs.factor, factor), ranksIn(pairs.outcome, outcome))
  const common = { kind, n, rho } as const
  if (n < FEWEST_PAIRS) return { ...common, interval: null, probability: null, verdict: "not_enough_data" }
  if (rho === null) return { ...common, interval: null, probability: 1, verdict: "no_clear_relation" }
  return { ...common, ...certaintyOf(rho, pairs) }
}

/** Ranks of one side of the pairs. The order of its values is known: only those without a pair are left out. */
function ranksIn({ values, places }: PairedSide, side: Prepared): Float64Array {
  // Which pair a value is in, counted from 1. Zero where it is in none.
  const pairOf = new Uint32Array(side.detrended.values.length)
  for (let index = 0; index < places.length; index += 1) pairOf[places[index] ?? 0] = index + 1
  const order = side.order()
  const ofPairs = new Uint32Array(places.length)
  let next = 0
  for (let index = 0; index < order.length; index += 1) {
    const pair = pairOf[order[index] ?? 0] ?? 0
    if (pair > 0) ofPairs[next++] = pair - 1
  }
  return ranksOf(values, ofPairs)
}

/**
 * Fisher's z with Bonett and Wright's variance on the effective size n (1 - a b) / (1 + a b).
 * @see Bonett and Wright 2000, Psychometrika 65:23; Pyper and Peterman 1998, Can. J. Fish. Aquat. Sci. 55:2127
 */
function certaintyOf(
  rho: number,
  { days, factor, outcome }: Pairs,
): Pick<NumberRelation, "interval" | "probability" | "verdict"> {
  const memory =
    columnAutocorrelation({ days, values: factor.values }) * columnAutocorrelation({ days, values: outcome.values })
  const effective = (days.length * (1 - memory)) / (1 + memory)
  const deviation = Math.sqrt((1 + rho ** 2 / 2) / (effective - 3))
  const z = Math.atanh(rho)
  const interval = { low: Math.tanh(z - NORMAL_975 * deviation), high: Math.tanh(z + NORMAL_975 * deviation) }
  return { interval, probability: normalTwoSided(z / deviation), verdict: verdictOf(interval) }
}

function verdictOf(interval: Interval): RelationVerdict {
  const side = sideOf(interval)
  if (side === null) return "no_clear_relation"
  return side === "above" ? "positive" : "negative"
}

/**
 * The outcome by thirds of the factor, both as they were measured. Cut at the factor's tertiles (type 7). Equal values stay together, so
 * the thirds may differ in size. A third without values is left out.
 */
export function thirdsOf({ factor, outcome, lag }: Sides): Third[] {
  const pairs = pairsOf(factor.values, outcome.values, lag)
  const sorted = pairs.factor.values.toSorted()
  const [low, high] = [quantileOf(sorted, 1 / 3), quantileOf(sorted, 2 / 3)]
  const both = Array.from(pairs.factor.values, (value, index) => ({ value, result: pairs.outcome.values[index] ?? 0 }))
  const thirds = Map.groupBy(both, ({ value }): number => (value <= low ? 0 : value <= high ? 1 : 2))
  return [0, 1, 2].flatMap((index) => {
    const third = thirds.get(index)
    if (!third) return []
    const values = third.map(({ value }) => value)
    const { mean } = centreOf(
      outcome.kind,
      third.map(({ result }) => result),
    )
    const [from, to] = [placed(factor.kind, Math.min(...values)), placed(factor.kind, Math.max(...values))]
    return [{ from, to, n: third.length, mean }]
  })
}
