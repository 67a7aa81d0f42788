import type { Grouping } from "@restwell/client"
import { countDates, type DateRange } from "../calendar/date-range.ts"
import { dateOf } from "./day.ts"
import { type Description, describe } from "./describe.ts"
import { type Extremes, extremesOf } from "./extremes.ts"
import { type Group, groupsOf } from "./groups.ts"
import { onLine, type ValueKind } from "./line.ts"
import { sampleDeviation } from "./moments.ts"
import { countMissing, type DatedValue, datedOf, inRange, type Series, valuesOf } from "./series.ts"
import { theilSen } from "./theil-sen.ts"
import { type Usual, usualBefore } from "./usual-range.ts"
import { type Interval, sideOf, type TrendVerdict } from "./verdict.ts"
import { weeklyMedians } from "./weekly-medians.ts"

const FEWEST_VALUES = 14
/** Of the period's dates since the first value. */
const FEWEST_SHARE = 0.5
/** A change over the period below this part of the values' standard deviation is none. */
const SMALLEST_CHANGE = 0.2
/** More values become medians of weeks, because the number of pairs grows with the square. */
const MOST_DAILY_VALUES = 400
const DAYS_PER_WEEK = 7

export interface TrendQuestion {
  readonly kind: ValueKind
  /** All values of the metric. Those beyond the period give its usual range and the dates since the first value. */
  readonly history: Series
  readonly period: DateRange
  readonly by?: Grouping
  /** How many of the highest and lowest values. */
  readonly top: number
}

export interface Slope {
  /** Per day. Null with fewer than two values. */
  readonly slope: number | null
  /** Of the slope, 95 %. Null where nothing can be claimed. */
  readonly interval: Interval | null
  readonly verdict: TrendVerdict
}

export interface Trend extends Description, Extremes, Slope {
  readonly missing: number
  readonly latest: DatedValue | null
  readonly usual: Usual | null
  /** The oldest and the newest third of the values. */
  readonly firstThird: Description
  readonly lastThird: Description
  readonly groups: readonly Group[] | null
  readonly points: readonly DatedValue[]
}

/** How a metric went over a period. Nothing is rounded. */
export function trendOf({ kind, history, period, by, top }: TrendQuestion): Trend {
  const series = inRange(history, period)
  const latest = series.at(-1)
  const third = Math.floor(series.length / 3)
  return {
    ...describe(kind, series),
    ...extremesOf(kind, series, top),
    ...slopeOf({ kind, history, period }),
    missing: countMissing(history, period),
    latest: latest ? datedOf(latest) : null,
    usual: latest ? usualBefore(kind, history, latest.day) : null,
    firstThird: describe(kind, series.slice(0, third)),
    lastThird: describe(kind, series.slice(series.length - third)),
    groups: by ? groupsOf(kind, series, by) : null,
    points: series.map(datedOf),
  }
}

/** The slope alone, and what can be said about it. */
export function slopeOf({ kind, history, period }: Pick<TrendQuestion, "kind" | "history" | "period">): Slope {
  const series = onLine(kind, inRange(history, period))
  const isLong = series.length > MOST_DAILY_VALUES
  const points = isLong ? weeklyMedians(series) : series
  if (points.length < 2) return { slope: null, interval: null, verdict: "not_enough_data" }
  const { slope, interval } = theilSen(points, isLong ? DAYS_PER_WEEK : 1)
  if (Math.min(series.length, points.length) < FEWEST_VALUES || series.length < FEWEST_SHARE * datesOf(history, period))
    return { slope, interval: null, verdict: "not_enough_data" }
  return { slope, interval, verdict: isLarge(series, slope) ? verdictOf(interval) : "no_clear_change" }
}

/** The dates of the period since the metric's first value. */
function datesOf([first]: Series, { from, to }: DateRange): number {
  const firstDate = first ? dateOf(first.day) : from
  return countDates({ from: firstDate > from ? firstDate : from, to })
}

/** The change from the first to the last value's date is large enough to be one. */
function isLarge(series: Series, slope: number): boolean {
  const days = (series.at(-1)?.day ?? 0) - (series[0]?.day ?? 0)
  return Math.abs(slope) * days >= SMALLEST_CHANGE * (sampleDeviation(valuesOf(series)) ?? 0)
}

function verdictOf(interval: Interval | null): TrendVerdict {
  const side = sideOf(interval)
  if (side === null) return "no_clear_change"
  return side === "above" ? "rising" : "falling"
}
