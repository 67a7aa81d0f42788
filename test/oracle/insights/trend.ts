/* Section 4 of the statistics: how a metric changes. */
import { ascending, mean, median, quantile, sampleDeviation, sum } from "./arithmetic.ts"
import { dateOf, type Grouping, groupOf, inOrder } from "./calendar.ts"
import { unwrapped } from "./clock.ts"
import { verdictOf as differenceVerdict } from "./compare.ts"
import type { DailyValue } from "./daily-values.ts"
import { differenceOf } from "./difference.ts"
import { type Expected, NumberFigure } from "./figure.ts"
import { centred, memoryOf } from "./memory.ts"
import type { Metric } from "./metrics.ts"
import {
  changeOf,
  type Days,
  deviationOf,
  figureOf,
  intervalOf,
  isWithin,
  meanOf,
  missingIn,
  onALine,
  spreadOf,
} from "./part.ts"
import { type Slope, slopeOf, weeklyMiddles } from "./slope.ts"

export interface TrendQuestion {
  readonly metric: Metric
  readonly days: Days
  readonly by?: Grouping | undefined
  readonly points: boolean
  readonly top: number
  /** As they are sent. */
  readonly above?: string | undefined
  readonly below?: string | undefined
}

const FEWEST_VALUES = 14
const SMALLEST_CHANGE = 0.2
const USUAL_VALUES = 30
const FEWEST_USUAL = 5

/** The figures of the answer. @param all every value of the metric, of its source */
export function trendFigures(
  { metric, days, by, points, top, above, below }: TrendQuestion,
  all: readonly DailyValue[],
): Record<string, Expected> {
  const values = all.filter((each) => isWithin(days, each))
  const line = onALine(metric, values)
  const numbers = line.map(({ value }) => value)
  // Nobody weighs every day: the rule for dates then holds for weeks.
  const isSparse = metric.from === "scale" && line.length < datesOf(days, all) / 2
  const weeks = isSparse ? weeklyMiddles(line, 1).length : 0
  const isKnown = isSparse
    ? weeks >= FEWEST_VALUES && 7 * weeks >= datesOf(days, all) / 2
    : line.length >= FEWEST_VALUES && line.length >= datesOf(days, all) / 2
  const tested = isKnown ? slopeOf(line, isSparse) : undefined
  const third = Math.floor(values.length / 3)
  return {
    n: values.length,
    missing: missingIn(days, all),
    mean: figureOf(metric, meanOf(metric, numbers)),
    median: figureOf(metric, median(numbers)),
    sd: spreadOf(metric, deviationOf(metric, numbers)),
    sum: isSummed(metric) && numbers.length > 0 ? new NumberFigure(sum(numbers), metric.decimals) : null,
    above: beyond(metric, line, { limit: above, isAbove: true }),
    below: beyond(metric, line, { limit: below, isAbove: false }),
    p25: figureOf(metric, quantile(numbers, 0.25)),
    p75: figureOf(metric, quantile(numbers, 0.75)),
    highest: extremes(metric, line, (one, other) => other - one).slice(0, top),
    lowest: extremes(metric, line, (one, other) => one - other).slice(0, top),
    latest: dated(metric, line.at(-1)),
    usual:
      values.length === 0
        ? null
        : usualRange(
            metric,
            all.filter(({ day }) => day <= days.last),
          ),
    slope_per_30_days: changeOf(metric, tested ? tested.slope * 30 : null),
    interval: intervalOf(metric, tested?.interval ? [tested.interval[0] * 30, tested.interval[1] * 30] : null),
    verdict: tested ? verdictOf(line, tested) : "not_enough_data",
    first_third: thirdOf(metric, line.slice(0, third)),
    last_third: thirdOf(metric, line.slice(line.length - third)),
    streaks: streaks(metric, line, { above, below, last: days.last }),
    groups: by ? groupsOf(metric, line, { by, slope: tested?.slope ?? 0 }) : null,
    weekday_of: (by === "weekday" || by === "weekend") && isOfWaking(metric) ? "waking" : null,
    points: points ? line.map(({ day, value }) => [dateOf(day), figureOf(metric, value)]) : null,
  }
}

function dated(metric: Metric, daily: DailyValue | undefined): Expected {
  return daily ? { date: dateOf(daily.day), value: figureOf(metric, daily.value) } : null
}

/** Of equal values the newest first. */
function extremes(
  metric: Metric,
  line: readonly DailyValue[],
  order: (one: number, other: number) => number,
): Expected[] {
  return (
    [...line]
      // Hours are added up here, and milliseconds in the service: the last digits differ.
      .sort((one, other) => Math.round(1e9 * order(one.value, other.value)) || other.day - one.day)
      .map((daily) => dated(metric, daily))
  )
}

/** Section 8: of the 30 values before the latest, wherever the period begins. */
export function usualRange(metric: Metric, part: readonly DailyValue[]): Expected {
  // After 60 dates without a value, earlier values are usual no more.
  const isNear = (index: number) => (part[index + 1]?.day ?? 0) - (part[index]?.day ?? 0) <= 60
  let first = part.length - 1
  while (first > 0 && part.length - first <= USUAL_VALUES && isNear(first - 1)) first -= 1
  const before = onALine(metric, part.slice(first, -1)).map(({ value }) => value)
  const [middle, spread] = [meanOf(metric, before), deviationOf(metric, before)]
  if (before.length < FEWEST_USUAL || middle === null || spread === null || metric.kind === "yes_no") return null
  // A percentage is at most 100, and only a debt and a deviation may be negative.
  const isSigned = metric.kind === "clock" || metric.id === "sleep_debt" || metric.id === "skin_temp_deviation"
  const low = isSigned ? middle - spread : Math.max(0, middle - spread)
  const high = metric.unit === "%" ? Math.min(100, middle + spread) : middle + spread
  return { low: figureOf(metric, low), high: figureOf(metric, high), n: before.length }
}

/** The period's dates since the first value of all. */
const datesOf = (days: Days, all: readonly DailyValue[]): number =>
  days.last - Math.max(days.first, all[0]?.day ?? 0) + 1

function verdictOf(line: readonly DailyValue[], { interval, side, fitted }: Slope): Expected {
  const deviation = sampleDeviation(line.map(({ value }) => value)) ?? 0
  const span = (line.at(-1)?.day ?? 0) - (line[0]?.day ?? 0)
  if (!interval || Math.abs(fitted) * span < SMALLEST_CHANGE * deviation) return "no_clear_change"
  if (side > 0 && fitted > 0) return "rising"
  return side < 0 && fitted < 0 ? "falling" : "no_clear_change"
}

function thirdOf(metric: Metric, line: readonly DailyValue[]): Expected {
  return {
    n: line.length,
    mean: figureOf(
      metric,
      meanOf(
        metric,
        line.map(({ value }) => value),
      ),
    ),
  }
}

/** Hours, energy, distances, counts, and dates with a yes. */
const isSummed = ({ id, unit, kind }: Metric): boolean =>
  kind === "yes_no" ||
  ["h", "kcal", "m"].includes(unit ?? "") ||
  ["steps", "workout_count", "times_awake", "floors", "exercise_minutes"].includes(id)

/** The journal, nights and mornings are dated by waking. */
const isOfWaking = ({ from }: Metric): boolean => ["night", "recovery", "journal", "clock"].includes(from)

/** The days on the wanted side of a limit as it is sent. */
function daysBeyond(
  metric: Metric,
  line: readonly DailyValue[],
  { limit, isAbove }: { readonly limit: string; readonly isAbove: boolean },
) {
  const [hours = 0, minutes = 0] = limit.split(":").map(Number)
  const isClock = metric.kind === "clock"
  const middle = meanOf(
    metric,
    line.map(({ value }) => value),
  )
  const [place = 0] = isClock ? unwrapped([60 * hours + minutes], middle ?? 0) : [Number(limit)]
  return line.filter(({ value }) => (isAbove ? value > place : value < place)).map(({ day }) => day)
}

function beyond(
  metric: Metric,
  line: readonly DailyValue[],
  { limit, isAbove }: { readonly limit: string | undefined; readonly isAbove: boolean },
): Expected {
  if (limit === undefined) return null
  const dates = daysBeyond(metric, line, { limit, isAbove }).map(dateOf)
  return {
    limit: metric.kind === "clock" ? limit : Number(limit),
    n: dates.length,
    dates: dates.reverse().slice(0, 366),
  }
}

interface Limits {
  readonly above: string | undefined
  readonly below: string | undefined
  readonly last: number
}

/** The longest run of neighbouring dates on which every limit holds, and the one that goes on. */
function streaks(metric: Metric, line: readonly DailyValue[], { above, below, last }: Limits): Expected {
  if (above === undefined && below === undefined) return null
  const holds = [
    ...(above === undefined ? [] : [daysBeyond(metric, line, { limit: above, isAbove: true })]),
    ...(below === undefined ? [] : [daysBeyond(metric, line, { limit: below, isAbove: false })]),
  ]
  const days = line.map(({ day }) => day).filter((day) => holds.every((held) => held.includes(day)))
  const lengthTo = (day: number): number => (days.includes(day) ? 1 + lengthTo(day - 1) : 0)
  const streakTo = (day: number): Expected => ({
    n: lengthTo(day),
    start: dateOf(day - lengthTo(day) + 1),
    end: dateOf(day),
  })
  const [longest] = days.toSorted((one, other) => lengthTo(other) - lengthTo(one) || other - one)
  const newest = line.at(-1)?.day
  const isOngoing = newest !== undefined && days.includes(newest) && newest >= last - 1
  return { longest: longest === undefined ? null : streakTo(longest), current: isOngoing ? streakTo(newest) : null }
}

interface Grouped {
  readonly by: Grouping
  /** A day. */
  readonly slope: number
}

function groupsOf(metric: Metric, line: readonly DailyValue[], { by, slope }: Grouped): Expected[] {
  const groups = Map.groupBy(line, ({ day }) => groupOf(day, by))
  const names = inOrder([...groups.keys()], by)
  const tests = by === "weekday" || by === "weekend" ? besideOthers(line, names, { by, slope }) : []
  return names.map((group, index) => {
    const values = (groups.get(group) ?? []).map(({ value }) => value)
    const test = tests[index]
    return {
      group,
      n: values.length,
      ...(isSummed(metric) && { sum: new NumberFigure(sum(values), metric.decimals) }),
      mean: figureOf(metric, meanOf(metric, values)),
      sd: spreadOf(metric, deviationOf(metric, values)),
      ...(test && {
        difference: changeOf(metric, test.difference),
        interval: intervalOf(metric, test.found?.interval ?? null),
        verdict: test.verdict,
      }),
    }
  })
}

const FEWEST_OF_A_WEEKDAY = 5

/** Each group of days and the other days by Welch's t with the memory of the line's residuals, held by Benjamini and Hochberg (1995). */
function besideOthers(line: readonly DailyValue[], names: readonly string[], { by, slope }: Grouped) {
  const memory = memoryOf([centred(line.map(({ day, value }) => ({ day, value: value - slope * day })))])
  const tests = names.map((name) => {
    const [own, others] = [true, false].map((isOwn) => line.filter(({ day }) => (groupOf(day, by) === name) === isOwn))
    const [one = [], other = []] = [own, others]
    const isEnough = Math.min(one.length, other.length) >= FEWEST_OF_A_WEEKDAY
    const difference =
      other.length === 0
        ? null
        : (mean(one.map(({ value }) => value)) ?? 0) - (mean(other.map(({ value }) => value)) ?? 0)
    return { difference, found: isEnough ? differenceOf(one, other, { memory }) : undefined }
  })
  const chances = ascending(tests.flatMap(({ found }) => found?.chance ?? []))
  const limit = chances.findLast((chance, index) => chance <= (0.1 * (index + 1)) / chances.length) ?? -1
  return tests.map(({ difference, found }) => {
    const isHeld = found && found.chance !== null && found.chance > limit
    // Days that are all equal do not say how much they vary: that holds before, and whatever else was tested.
    const verdict = !found ? "not_enough_data" : isHeld ? "no_clear_difference" : differenceVerdict(found)
    return { difference, found, verdict }
  })
}
