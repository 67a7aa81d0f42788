import { DEFAULT_DAYS_OFF, type Grouping } from "@restwell/client"
import { addDays, type Weekday } from "@restwell/client/calendar-dates"
import { countDates, type DateRange } from "../base/calendar.ts"
import { lineFor, onLine, type ValueKind } from "./clock-times.ts"
import { besideOtherDays, type WeekdayDifference } from "./compare.ts"
import {
  type Description,
  describe,
  type Extremes,
  extremesOf,
  type Group,
  type GroupingOfPerson,
  groupsOf,
  type Usual,
  usualBefore,
} from "./describe.ts"
import { certaintyByWelch, hasSpread, type Interval, intervalAround, sideOf, type TrendVerdict } from "./difference.ts"
import { autocorrelationOf, meanOf, medianOf, pooledAutocorrelation, sampleDeviation, sumOf } from "./moments.ts"
import {
  countMissing,
  type DatedValue,
  datedOf,
  dateOf,
  dayOf,
  inRange,
  type Series,
  thursdayOf,
  valuesOf,
} from "./series.ts"
import { type Direction, slopeOfPoints, withoutSlope } from "./slope.ts"

const FEWEST_VALUES_A_WEEK = 3

/** The middle of each ISO week with enough values, on its Thursday: the median, of whole numbers the mean, since their medians are mostly equal. */
function weeklyMiddles(series: Series, fewest = FEWEST_VALUES_A_WEEK): Series {
  const middle = series.every(({ value }) => Number.isInteger(value)) ? meanOf : medianOf
  return [...Map.groupBy(series, ({ day }) => thursdayOf(day))]
    .filter(([, week]) => week.length >= fewest)
    .map(([day, week]) => ({ day, value: middle(valuesOf(week)) }))
}

const FEWEST_VALUES = 14
/** Of the period's dates since the first value. */
const FEWEST_SHARE = 0.5
/** A change over the period below this part of the values' standard deviation is none. */
const SMALLEST_CHANGE = 0.2
/** More values become weeks, because the number of pairs grows with the square. */
const MOST_DAILY_VALUES = 400
const DAYS_PER_WEEK = 7

interface TrendQuestion {
  readonly kind: ValueKind
  /** All values of the metric. Those beyond the period give its usual range and the dates since the first value. */
  readonly history: Series
  readonly period: DateRange
  /** Measured when the person wants to, as a weight: a date without a value is no gap. */
  readonly isOccasional?: boolean
  readonly by?: Grouping
  /** @default Saturday and Sunday */
  readonly daysOff?: readonly Weekday[]
  /** How many of the highest and lowest values. */
  readonly top: number
  /** Values above and below which are counted. Clock times in minutes. */
  readonly above?: number
  readonly below?: number
}

interface Slope {
  /** Per day. Null without enough data. */
  readonly slope: number | null
  /** Of the slope, 95 %. Null where nothing can be claimed. */
  readonly interval: Interval | null
  readonly verdict: TrendVerdict
  /** Of the middles of weeks, because fewer than half of the dates have a value. */
  readonly isOfSparseWeeks: boolean
}

/** The dates beyond a limit, newest first. */
export interface Beyond {
  readonly limit: number
  readonly n: number
  readonly dates: readonly string[]
}

/** Dates in a row. */
interface Streak {
  readonly n: number
  readonly start: string
  readonly end: string
}

/** Dates in a row that are beyond the limits. A date without a value ends them. */
interface Streaks {
  /** Of equal ones the newest. Null without a date beyond the limits. */
  readonly longest: Streak | null
  /** The one that reaches to the last date of the period, or to the one before, while the last has no value yet. */
  readonly current: Streak | null
}

/** Where a straight line over the whole period misleads. */
interface Bends {
  /** The verdict of the last 90 dates where it is the opposite one. */
  readonly recent: "rising" | "falling" | null
  /** Where the middle third of the values clearly lies beyond both others. */
  readonly middle: "above" | "below" | null
}

export interface Trend extends Description, Extremes, Slope, Bends {
  readonly missing: number
  /** Null without values. */
  readonly sum: number | null
  readonly above: Beyond | null
  readonly below: Beyond | null
  /** Null without a limit. */
  readonly streaks: Streaks | null
  readonly latest: DatedValue | null
  readonly usual: Usual | null
  /** The oldest and the newest third of the values. */
  readonly firstThird: Description
  readonly lastThird: Description
  readonly groups: readonly (Group & Partial<WeekdayDifference>)[] | null
  readonly points: readonly DatedValue[]
}

/** How a metric went over a period. Nothing is rounded. */
export function trendOf({ by, daysOff = DEFAULT_DAYS_OFF, top, above, below, ...question }: TrendQuestion): Trend {
  const { kind, history, period } = question
  const series = inRange(history, period)
  const latest = series.at(-1)
  const third = Math.floor(series.length / 3)
  const slope = slopeOf(question)
  const beyondAbove = above === undefined ? null : daysBeyond(kind, series, { limit: above, sign: 1 })
  const beyondBelow = below === undefined ? null : daysBeyond(kind, series, { limit: below, sign: -1 })
  return {
    ...describe(kind, series),
    ...extremesOf(kind, series, top),
    ...slope,
    ...bendsOf(question, slope.verdict),
    sum: series.length === 0 ? null : sumOf(valuesOf(series)),
    above: above === undefined || beyondAbove === null ? null : beyondOf(above, beyondAbove),
    below: below === undefined || beyondBelow === null ? null : beyondOf(below, beyondBelow),
    streaks: streaksOf([beyondAbove, beyondBelow], { series, last: dayOf(period.to) }),
    missing: countMissing(history, period),
    latest: latest ? datedOf(latest) : null,
    usual: latest ? usualBefore(kind, history, latest.day) : null,
    firstThird: describe(kind, series.slice(0, third)),
    lastThird: describe(kind, series.slice(series.length - third)),
    groups: by ? comparedGroups(kind, series, { by, daysOff, slope: slope.slope }) : null,
    points: series.map(datedOf),
  }
}

/** Groups of weekdays and of days off are compared with the other days, with the memory of the whole period. @param slope null without enough data */
function comparedGroups(kind: ValueKind, series: Series, { by, daysOff, slope }: ByGroup): Trend["groups"] {
  const groups = groupsOf(kind, series, { by, daysOff })
  if (by !== "weekday" && by !== "weekend") return groups
  const r = autocorrelationOf(withoutSlope(onLine(kind, series), slope ?? 0))
  return besideOtherDays(kind, series, { groups, by, daysOff, r })
}

interface ByGroup extends GroupingOfPerson {
  readonly slope: number | null
}

/** Dates beyond a limit that are listed. */
const MOST_LISTED = 366

/** Clock times are beyond a time as seen from their mean: 00:30 is after 23:00. */
function daysBeyond(kind: ValueKind, series: Series, { limit, sign }: { limit: number; sign: 1 | -1 }): number[] {
  const [onOwnLine] = lineFor(kind, series)([{ day: 0, value: limit }])
  const place = onOwnLine?.value ?? limit
  return onLine(kind, series).flatMap(({ day, value }) => (sign * (value - place) > 0 ? [day] : []))
}

const beyondOf = (limit: number, days: readonly number[]): Beyond => ({
  limit,
  n: days.length,
  dates: days.slice(-MOST_LISTED).toReversed().map(dateOf),
})

/** @param beyond the days beyond each limit, oldest first. With two limits a day is beyond both. */
function streaksOf(
  beyond: readonly (readonly number[] | null)[],
  { series, last }: { readonly series: Series; readonly last: number },
): Streaks | null {
  const [one, other = one] = beyond.filter((days) => days !== null)
  if (!one || !other) return null
  const others = new Set(other)
  const runs: { first: number; last: number }[] = []
  for (const day of one) {
    if (!others.has(day)) continue
    const run = runs.at(-1)
    if (run?.last === day - 1) run.last = day
    else runs.push({ first: day, last: day })
  }
  const streakOf = (run: { first: number; last: number } | undefined): Streak | null =>
    run ? { n: run.last - run.first + 1, start: dateOf(run.first), end: dateOf(run.last) } : null
  const newest = runs.at(-1)
  const longest = runs.reduce<typeof newest>(
    (best, run) => (best && best.last - best.first > run.last - run.first ? best : run),
    undefined,
  )
  const isCurrent = newest !== undefined && newest.last === series.at(-1)?.day && newest.last >= last - 1
  return { longest: streakOf(longest), current: isCurrent ? streakOf(newest) : null }
}

const RECENT_DATES = 90

type Question = Pick<TrendQuestion, "kind" | "history" | "period" | "isOccasional">

function bendsOf(question: Question, verdict: TrendVerdict): Bends {
  if (verdict === "not_enough_data") return { recent: null, middle: null }
  return { recent: oppositeOf(question, verdict), middle: middleThird(question) }
}

function oppositeOf({ period, ...question }: Question, verdict: TrendVerdict): Bends["recent"] {
  if (countDates(period) <= RECENT_DATES) return null
  const recent = slopeOf({ ...question, period: { from: addDays(period.to, 1 - RECENT_DATES), to: period.to } })
  if (verdict === "rising" && recent.verdict === "falling") return "falling"
  return verdict === "falling" && recent.verdict === "rising" ? "rising" : null
}

/** By the intervals of both differences: in a third of all series the plain means have the middle one outside. */
function middleThird({ kind, history, period }: Question): Bends["middle"] {
  const line = onLine(kind, inRange(history, period))
  const third = Math.floor(line.length / 3)
  const [first, middle, last] = [line.slice(0, third), line.slice(third, -third), line.slice(-third)]
  const r = pooledAutocorrelation([first, middle, last])
  const sides = [first, last].map((other) => {
    const difference = meanOf(valuesOf(middle)) - meanOf(valuesOf(other))
    const certainty = certaintyByWelch(middle, other, r)
    return hasSpread(certainty) ? sideOf(intervalAround(difference, certainty)) : null
  })
  return sides[0] === sides[1] ? (sides[0] ?? null) : null
}

/**
 * The slope alone, and what can be said about it. Where fewer than half of the dates have a value nothing can, because nobody knows what the
 * others were like. Of an occasional measurement the weeks take the place of the dates: 14 of them, and half of all.
 */
export function slopeOf({ kind, history, period, isOccasional = false }: Question): Slope {
  const series = onLine(kind, inRange(history, period))
  const dates = datesOf(history, period)
  const isOfSparseWeeks = isOccasional && series.length < FEWEST_SHARE * dates
  const isLong = series.length > MOST_DAILY_VALUES
  const points = isOfSparseWeeks ? weeklyMiddles(series, 1) : isLong ? weeklyMiddles(series) : series
  const known = isOfSparseWeeks ? points.length * DAYS_PER_WEEK : series.length
  if (Math.min(series.length, points.length) < FEWEST_VALUES || known < FEWEST_SHARE * dates)
    return { slope: null, interval: null, verdict: "not_enough_data", isOfSparseWeeks: false }
  const { slope, interval, direction, leastSquares } = slopeOfPoints(
    points,
    isOfSparseWeeks || isLong ? DAYS_PER_WEEK : 1,
  )
  const isClear = direction === Math.sign(leastSquares) && isLarge(series, leastSquares)
  return { slope, interval, verdict: isClear ? VERDICTS[direction] : "no_clear_change", isOfSparseWeeks }
}

const VERDICTS = { "-1": "falling", 0: "no_clear_change", 1: "rising" } as const satisfies Record<
  Direction,
  TrendVerdict
>

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
