import { onLine, type ValueKind } from "./clock-times.ts"
import type { Group } from "./describe.ts"
import {
  certaintyByWelch,
  type DifferenceVerdict,
  differenceVerdict,
  type Interval,
  intervalAround,
  probabilityOf,
} from "./difference.ts"
import { discoveryLimit, isDiscovery } from "./discoveries.ts"
import { meanOf } from "./moments.ts"
import { type Series, valuesOf, weekdayOf } from "./series.ts"

/** Fewer values of a weekday, or of the others, are too few for an interval. */
const FEWEST_VALUES = 5

/** How a weekday differs from the other days. */
export interface WeekdayDifference {
  /** Mean of the weekday minus mean of the other days, of clock times minutes. Null without other days. */
  readonly difference: number | null
  /** 95 %. Null without enough data. */
  readonly interval: Interval | null
  readonly verdict: DifferenceVerdict
}

interface Tested extends WeekdayDifference {
  /** Null without enough data. */
  readonly probability: number | null
}

/** The groups of weekdays, each beside the other days. The verdicts of the seven keep a false discovery rate of 10 %. @param r memory */
export function besideOtherDays(
  kind: ValueKind,
  series: Series,
  { groups, r }: { readonly groups: readonly Group[]; readonly r: number },
): (Group & WeekdayDifference)[] {
  const line = onLine(kind, series)
  const tested = groups.map((group) => ({ group, ...differenceOf(line, group.group, r) }))
  const limit = discoveryLimit(tested.flatMap(({ probability }) => probability ?? []))
  return tested.map(({ group, difference, interval, verdict, probability }) => {
    const isHeld = probability !== null && !isDiscovery(probability, limit)
    return { ...group, difference, interval, verdict: isHeld ? "no_clear_difference" : verdict }
  })
}

function differenceOf(line: Series, weekday: string, r: number): Tested {
  const own = line.filter(({ day }) => weekdayOf(day) === weekday)
  const others = line.filter(({ day }) => weekdayOf(day) !== weekday)
  const difference = others.length === 0 ? null : meanOf(valuesOf(own)) - meanOf(valuesOf(others))
  if (difference === null || Math.min(own.length, others.length) < FEWEST_VALUES)
    return { difference, interval: null, verdict: "not_enough_data", probability: null }
  const certainty = certaintyByWelch(own, others, r)
  const interval = intervalAround(difference, certainty)
  return {
    difference,
    interval,
    verdict: differenceVerdict(interval),
    probability: probabilityOf(difference, certainty),
  }
}
