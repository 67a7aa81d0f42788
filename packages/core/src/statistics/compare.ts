import type { DateRange } from "../base/calendar.ts"
import { lineFor, onLine, unwrap, type ValueKind } from "./clock-times.ts"
import { type Description, describe, GROUP_OF, type Group, type GroupingOfPerson } from "./describe.ts"
import {
  type Certainty,
  certaintyByPast,
  certaintyByWelch,
  type DifferenceVerdict,
  differenceVerdict,
  discoveryLimit,
  hasSpread,
  hedgesG,
  type Interval,
  intervalAround,
  isDiscovery,
  pastOf,
  probabilityOf,
} from "./difference.ts"
import { meanOf, pooledAutocorrelation } from "./moments.ts"
import { pairsOf } from "./pairs.ts"
import { between, countMissing, dayOf, inRange, type Series, valuesOf } from "./series.ts"

const FEWEST_VALUES = 5
/** Dates before the later period. */
const PAST_DATES = 120
const FEWEST_PAST_VALUES = 28

interface CompareQuestion {
  readonly kind: ValueKind
  /** All values of the metric, also those before both periods. */
  readonly history: Series
  readonly period: DateRange
  /** What the period is compared with. The two have no date in common. */
  readonly other: DateRange
}

export interface Side extends Description {
  readonly missing: number
}

export interface Comparison {
  readonly period: Side
  readonly other: Side
  /** Mean of the period minus mean of the other, of clock times minutes. Null where a side has no value. */
  readonly difference: number | null
  /** 95 %. Null without enough data. */
  readonly interval: Interval | null
  /** Hedges' g. Null without enough data, and where no value differs from its side's mean. */
  readonly effectSize: number | null
  readonly verdict: DifferenceVerdict
}

/** How the values of two periods differ. Nothing is rounded. */
export function comparePeriods({ kind, history, period, other }: CompareQuestion): Comparison {
  const sides = [inRange(history, period), inRange(history, other)] as const
  const toLine = lineFor(kind, sides.flat())
  const [one, two] = [toLine(sides[0]), toLine(sides[1])]
  const past = toLine(pastBefore(history, period, other))
  return {
    period: { ...describe(kind, sides[0]), missing: countMissing(history, period) },
    other: { ...describe(kind, sides[1]), missing: countMissing(history, other) },
    ...differenceOf(one, two, () => certaintyOf(one, two, past)),
  }
}

interface SourcesQuestion {
  readonly kind: ValueKind
  /** All values of the one source, and of the other. */
  readonly history: Series
  readonly other: Series
  readonly period: DateRange
}

/**
 * How two sources of one metric differ on the dates of a period that both have. What changes from date to date is in both, so the test is of
 * their differences: the mean with a spread and memory of its own. Nothing is rounded.
 * @see Student 1908, Biometrika 6:1, section VI, of pairs; Bartlett 1946 of the effective size
 */
export function compareOnSameDates({ kind, history, other, period }: SourcesQuestion): Comparison {
  const pairs = pairsOf(inRange(other, period), inRange(history, period), 0)
  const ones = pairs.map(({ day, outcome }) => ({ day, value: outcome }))
  const others = pairs.map(({ day, factor }) => ({ day, value: factor }))
  // Of two clock times the shortest way.
  const apart = (one: number, two: number): number => (kind === "clock" ? unwrap(one - two, 0) : one - two)
  const differences = pairs.map(({ day, outcome, factor }) => ({ day, value: apart(outcome, factor) }))
  const toLine = lineFor(kind, [...ones, ...others])
  return {
    period: { ...describe(kind, ones), missing: countMissing(history, period) },
    other: { ...describe(kind, others), missing: countMissing(other, period) },
    ...meanOfDifferences(differences, hedgesG(valuesOf(toLine(ones)), valuesOf(toLine(others)))),
  }
}

function meanOfDifferences(
  differences: Series,
  effectSize: number | null,
): Pick<Comparison, "difference" | "interval" | "effectSize" | "verdict"> {
  const difference = differences.length === 0 ? null : meanOf(valuesOf(differences))
  const unknown = { difference, interval: null, effectSize: null, verdict: "not_enough_data" } as const
  if (difference === null || differences.length < FEWEST_VALUES) return unknown
  const { variance, effective } = pastOf(differences)
  const certainty = { standardError: Math.sqrt(variance / effective), degrees: Math.max(1, effective - 1) }
  if (!hasSpread(certainty)) return unknown
  const interval = intervalAround(difference, certainty)
  return { difference, interval, effectSize, verdict: differenceVerdict(interval) }
}

/** Whether there are enough values and no verdict, because those that say how much they vary are equal. */
export const isWithoutSpread = ({ period, other, verdict }: Comparison): boolean =>
  verdict === "not_enough_data" && Math.min(period.n, other.n) >= FEWEST_VALUES

/** Values of the up to 120 dates that end where the later period begins. */
function pastBefore(history: Series, { from }: DateRange, other: DateRange): Series {
  const later = dayOf(from > other.from ? from : other.from)
  return between(history, later - PAST_DATES, later - 1)
}

/** By the person's own past, or where that is too short by the two periods alone. */
function certaintyOf(one: Series, two: Series, past: Series): Certainty {
  return past.length >= FEWEST_PAST_VALUES
    ? certaintyByPast([one.length, two.length], pastOf(past))
    : certaintyByWelch(one, two, pooledAutocorrelation([one, two]))
}

function differenceOf(
  one: Series,
  two: Series,
  certainty: () => Certainty,
): Pick<Comparison, "difference" | "interval" | "effectSize" | "verdict"> {
  const [values, others] = [valuesOf(one), valuesOf(two)]
  const difference = one.length === 0 || two.length === 0 ? null : meanOf(values) - meanOf(others)
  const unknown = { difference, interval: null, effectSize: null, verdict: "not_enough_data" } as const
  if (difference === null || one.length < FEWEST_VALUES || two.length < FEWEST_VALUES) return unknown
  const found = certainty()
  if (!hasSpread(found)) return unknown
  const interval = intervalAround(difference, found)
  return { difference, interval, effectSize: hedgesG(values, others), verdict: differenceVerdict(interval) }
}

/** How a weekday, or the days off, differ from the other days. */
export interface WeekdayDifference {
  /** Mean of the group minus mean of the other days, of clock times minutes. Null without other days. */
  readonly difference: number | null
  /** 95 %. Null without enough data. */
  readonly interval: Interval | null
  readonly verdict: DifferenceVerdict
}

interface Tested extends WeekdayDifference {
  /** Null without enough data. */
  readonly probability: number | null
}

/** Groups of days, each beside the other days. The verdicts together keep a false discovery rate of 10 %. @param r memory */
export function besideOtherDays(
  kind: ValueKind,
  series: Series,
  { groups, by, daysOff, r }: GroupingOfPerson & { readonly groups: readonly Group[]; readonly r: number },
): (Group & WeekdayDifference)[] {
  const line = onLine(kind, series)
  const tested = groups.map((group) => ({
    group,
    ...differenceOfGroup(line, (day) => GROUP_OF[by](day, daysOff) === group.group, r),
  }))
  const limit = discoveryLimit(tested.flatMap(({ probability }) => probability ?? []))
  return tested.map(({ group, difference, interval, verdict, probability }) => {
    const isHeld = probability !== null && !isDiscovery(probability, limit)
    return { ...group, difference, interval, verdict: isHeld ? "no_clear_difference" : verdict }
  })
}

function differenceOfGroup(line: Series, isOwn: (day: number) => boolean, r: number): Tested {
  const own = line.filter(({ day }) => isOwn(day))
  const others = line.filter(({ day }) => !isOwn(day))
  const difference = others.length === 0 ? null : meanOf(valuesOf(own)) - meanOf(valuesOf(others))
  if (difference === null || Math.min(own.length, others.length) < FEWEST_VALUES)
    return { difference, interval: null, verdict: "not_enough_data", probability: null }
  const certainty = certaintyByWelch(own, others, r)
  if (!hasSpread(certainty)) return { difference, interval: null, verdict: "not_enough_data", probability: null }
  const interval = intervalAround(difference, certainty)
  return {
    difference,
    interval,
    verdict: differenceVerdict(interval),
    probability: probabilityOf(difference, certainty),
  }
}
