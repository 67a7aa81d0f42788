import type { Grouping } from "@restwell/client"
import { WEEKDAYS, type Weekday } from "@restwell/client/calendar-dates"
import { metricNamed, SIGN_METRICS, stepOf } from "@restwell/client/figures"
import { BASELINE_NIGHTS, MIN_BASELINE_NIGHTS } from "@restwell/providers"
import { circularDeviation, circularMean, onLine, placed, type ValueKind } from "./clock-times.ts"
import { ascending, meanOf, quantileOf, sampleDeviation, sumOf } from "./moments.ts"
import {
  between,
  type DatedValue,
  type DayValue,
  datedOf,
  isoWeekOf,
  monthOf,
  type Series,
  valuesOf,
  weekdayOf,
  weekendOf,
} from "./series.ts"

/** Figures of some values. Clock times: circular mean and spread, quantiles of the times around the mean. Null without values. */
export interface Description {
  readonly n: number
  readonly mean: number | null
  readonly median: number | null
  /** Null also for a single value. */
  readonly sd: number | null
  readonly p25: number | null
  readonly p75: number | null
}

export function describe(kind: ValueKind, series: Series): Description {
  const n = series.length
  if (n === 0) return { n, mean: null, median: null, sd: null, p25: null, p75: null }
  const sorted = ascending(valuesOf(onLine(kind, series)))
  const quantile = (share: number): number => placed(kind, quantileOf(sorted, share))
  const { mean, sd } = centreOf(kind, valuesOf(series))
  return { n, mean, median: quantile(0.5), sd, p25: quantile(0.25), p75: quantile(0.75) }
}

/** Mean and standard deviation. @param values at least one */
export const centreOf = (kind: ValueKind, values: readonly number[]): { mean: number; sd: number | null } =>
  kind === "clock"
    ? { mean: circularMean(values), sd: circularDeviation(values) }
    : { mean: meanOf(values), sd: sampleDeviation(values) }

export interface Extremes {
  readonly highest: readonly DatedValue[]
  readonly lowest: readonly DatedValue[]
}

/** Equal figures that were computed differ in their last digits. */
const PRECISION = 1e9

/** The `count` highest and lowest values, of equal ones the newest first. Of clock times the latest and earliest around their mean. */
export function extremesOf(kind: ValueKind, series: Series, count: number): Extremes {
  const line = onLine(kind, series)
  const first = (sign: 1 | -1): DatedValue[] =>
    line
      .toSorted((one, other) => Math.round(PRECISION * sign * (one.value - other.value)) || other.day - one.day)
      .slice(0, count)
      .map(({ day, value }) => datedOf({ day, value: placed(kind, value) }))
  return { highest: first(-1), lowest: first(1) }
}

/** The values of a week, a month, a weekday, or of days off and others. */
export interface Group {
  /** 2026-W47, 2026-11, monday or weekend. */
  readonly group: string
  readonly n: number
  readonly sum: number
  readonly mean: number
  readonly sd: number | null
}

/** The name of the group that a day is in. */
export const GROUP_OF: Readonly<Record<Grouping, (day: number, daysOff: readonly Weekday[]) => string>> = {
  week: isoWeekOf,
  month: monthOf,
  weekday: weekdayOf,
  weekend: weekendOf,
}

const ORDERED: Readonly<Partial<Record<Grouping, readonly string[]>>> = {
  weekday: WEEKDAYS,
  weekend: ["working_day", "weekend"],
}

export interface GroupingOfPerson {
  readonly by: Grouping
  readonly daysOff: readonly Weekday[]
}

/** The groups that have values: weeks and months oldest first, weekdays from Monday on, working days before days off. */
export function groupsOf(kind: ValueKind, series: Series, { by, daysOff }: GroupingOfPerson): Group[] {
  const groups = Map.groupBy(series, ({ day }) => GROUP_OF[by](day, daysOff))
  const names = ORDERED[by]?.filter((name) => groups.has(name)) ?? [...groups.keys()]
  return names.map((group) => {
    const values = valuesOf(groups.get(group) ?? [])
    return { group, n: values.length, sum: sumOf(values), ...centreOf(kind, values) }
  })
}

/** What is usual for a person: the values before one. */
export interface Usual {
  readonly mean: number
  readonly sd: number
  readonly n: number
}

/** Values that are usual for a person: the newest 30. */
export const USUAL_VALUES = BASELINE_NIGHTS

/** Dates without a value after which nothing before them is usual any more. */
const LONGEST_GAP = 60

/** Dates before a day that its usual range may be of. */
export const USUAL_REACH = USUAL_VALUES * LONGEST_GAP

/**
 * Mean and standard deviation of the 30 values before a day, which begin again after a gap of 60 dates. Null with fewer than 5. The page, the
 * statistics and the signs have every usual range from here.
 * @param history of any dates, oldest first
 */
export function usualBefore(kind: ValueKind, history: Series, day: number): Usual | null {
  const { since } = newStart(history, day)
  const before = valuesOf(since)
  if (before.length < MIN_BASELINE_NIGHTS) return null
  const { mean, sd } = centreOf(kind, before)
  return sd === null ? null : { mean, sd, n: before.length }
}

/** Where usual values begin again before a day. */
interface NewStart {
  /** At most 30 values. */
  readonly since: Series
  /** The last value that is usual no more. Undefined where no gap cuts any off. */
  readonly before: DayValue | undefined
}

export function newStart(history: Series, day: number): NewStart {
  const earlier = history.filter((value) => value.day < day).slice(-USUAL_VALUES)
  const last = earlier.findLastIndex((value, index) => (earlier[index + 1]?.day ?? day) - value.day > LONGEST_GAP)
  return { since: earlier.slice(last + 1), before: earlier[last] }
}

// What the last days say: the sleep that is missing, the strain that was carried, and figures of a morning that deviate.

const DEBT_DATES = 14
const LOAD_DATES = { week: 7, fourWeeks: 28 } as const

/** Sum of sleep need minus time asleep over the last 14 dates. Nights without a need do not count. */
interface SleepDebt {
  readonly hours: number
  /** Nights that count. */
  readonly n: number
}

/** Null without a night that has a need. @param debts hours of each night @param today the last day that counts */
export function sleepDebt(debts: Series, today: number): SleepDebt | null {
  const values = valuesOf(between(debts, today - DEBT_DATES + 1, today))
  return values.length === 0 ? null : { hours: sumOf(values), n: values.length }
}

/** Mean strain of some dates. Null without any. */
interface MeanStrain {
  readonly mean: number | null
  readonly n: number
}

/** Mean strain over 7 and 28 dates, side by side. Their ratio is not a risk. Impellizzeri et al. 2020, JOSPT 50:574 */
export function strainLoad(strain: Series, today: number): Record<keyof typeof LOAD_DATES, MeanStrain> {
  const over = (dates: number): MeanStrain => {
    const values = valuesOf(between(strain, today - dates + 1, today))
    return { mean: values.length === 0 ? null : meanOf(values), n: values.length }
  }
  return { week: over(LOAD_DATES.week), fourWeeks: over(LOAD_DATES.fourWeeks) }
}

export type SignMetric = (typeof SIGN_METRICS)[number]

/** Standard deviations beyond which a value is a sign. */
const SIGN = 2

/** Below every unit of a figure: the mean of equal values differs from them in its last digits. */
const NOISE = 1e-9

type Direction = "above" | "below"

/** A figure that deviates. It names no cause and no illness. */
export interface Sign {
  readonly metric: SignMetric
  readonly value: number
  readonly direction: Direction
  readonly usual: Usual
  /** Mornings in a row, this one included, that deviate in this direction, each from its own usual range. */
  readonly mornings: number
}

/** The spread counts as at least one step of the figure: of values that are nearly equal, anything would be far. */
function beyond(metric: SignMetric, value: number, { mean, sd }: Usual): Direction | null {
  const spread = Math.max(sd, stepOf(metricNamed(metric)))
  if (Math.abs(value - mean) <= SIGN * spread + NOISE) return null
  return value > mean ? "above" : "below"
}

/** The signs of a morning: metrics beyond two standard deviations of the 30 values before. */
export function signsOf(histories: Readonly<Partial<Record<SignMetric, Series>>>, day: number): Sign[] {
  return SIGN_METRICS.flatMap((metric) => {
    const history = histories[metric] ?? []
    const sign = signAt(metric, history, day)
    if (!sign) return []
    let mornings = 1
    while (signAt(metric, history, day - mornings)?.direction === sign.direction) mornings += 1
    return [{ metric, ...sign, mornings }]
  })
}

function signAt(metric: SignMetric, history: Series, day: number): Pick<Sign, "value" | "direction" | "usual"> | null {
  const value = history.find((each) => each.day === day)?.value
  const usual = usualBefore("number", history, day)
  if (value === undefined || !usual) return null
  const direction = beyond(metric, value, usual)
  return direction && { value, direction, usual }
}
