/**
 * Averages and differences for a first look: few decimals, the person's units, and words in place of signs. Answers, details and tables
 * have all decimals.
 */
import type { ChartedMetric } from "../account/chart.ts"
import type { DisplayPreferences } from "../account/preferences.ts"
import { HOUR_MINUTES } from "../base/time-units.ts"
import type { CompareResponse, Figure } from "../rest/insights.ts"
import type { Metric } from "../rest/metric.ts"
import { round, wholeMinutes } from "../rest/rounding.ts"
import { formatClock, minutesOfTime } from "./clock.ts"
import { differenceWord } from "./directions.ts"
import { figureText, isTime, plotted, unitOf } from "./figure-text.ts"
import { entryOf } from "./metric-table.ts"
import { figure, hoursText, minutesText, minutesWords, NONE, plainFigure, plural } from "./numbers.ts"
import { amountAtFirstSight, pageUnit, temperatureChangeText, type Units, withUnit } from "./units.ts"

/** "74 %", "7 h 29 min", "23:41". A dash without a value. */
export function averageText(
  metric: ChartedMetric,
  value: Figure | null,
  { units, clock }: Pick<DisplayPreferences, "units" | "clock">,
): string {
  if (value === null) return NONE
  const { kind, unit } = metric
  if (kind === "clock") return formatClock(value, clock)
  const number = Number(value)
  if (kind === "yes_no") return figureText(metric, value)
  if (unit === "h") return hoursText(number)
  if (unit === "kg" || unit === "m") return amountAtFirstSight(number, unit, units)
  if (unit === "C") return round(number, 1) === 0 ? "about zero" : temperatureChangeText(number, units)
  return withUnit(figure(number, entryOf(metric).calmDecimals), unit)
}

/** The size of a difference or a spread: "4 points", "31 minutes", "0.5 mi". */
export function sizeWords(metric: ChartedMetric, size: number, units: Units): string {
  const { kind, unit } = metric
  if (kind === "clock") return minutesWords(round(size, 0))
  if (unit === "h") return minutesWords(round(size * 60, 0))
  if (unit === "m") return amountAtFirstSight(size, unit, units)
  if (kind === "yes_no") return plural(round(size * 100, 0), "point")
  const { factor } = writtenIn(metric, units)
  const { calmDecimals } = entryOf(metric)
  // A clear difference is never called zero.
  return numberWords(metric, size, units, round(size * factor, calmDecimals) === 0 ? 1 : calmDecimals)
}

const writtenIn = ({ unit }: ChartedMetric, units: Units) =>
  unit === null ? { unit, factor: 1 } : pageUnit(unit, units)

function numberWords(metric: ChartedMetric, size: number, units: Units, decimals: 0 | 1 | 2): string {
  const { unit, factor } = writtenIn(metric, units)
  const text = figure(size * factor, decimals)
  if (isInPoints(metric)) return `${text} ${text === "1" ? "point" : "points"}`
  return withUnit(text, unit)
}

/**
 * The difference of two averages as it is written beside them. Times have no decimals, so theirs is that of the written times: 22 minutes
 * from 22:44 to 23:06, also where seconds make it 22.6.
 */
function besideAverages(metric: Metric, { period, with: before, difference }: Differing): number {
  if (!isTime(metric) || period.mean === null || before.mean === null) return difference
  if (metric.kind === "clock") return plotted(metric, period.mean, before.mean) - minutesOfTime(before.mean)
  return (wholeMinutes(Number(period.mean)) - wholeMinutes(Number(before.mean))) / HOUR_MINUTES
}

/** From here on a decimal says nothing. */
const NO_DECIMALS_FROM = 100

/**
 * The size of a difference of two averages. It has a decimal more where the averages beside it, which are rounded too, differ by something
 * else: 5.6 beside 66 and 61. Hundreds of steps are the difference of the written averages instead.
 */
function comparedSize(metric: Metric, { period, with: before, difference }: Differing, units: Units): string {
  const size = Math.abs(difference)
  if (isTime(metric) || metric.kind === "yes_no" || period.mean === null || before.mean === null)
    return sizeWords(metric, size, units)
  const { calmDecimals } = entryOf(metric)
  const { factor } = writtenIn(metric, units)
  const written = (value: Figure): number => round(Number(value) * factor, calmDecimals)
  const beside = Math.abs(round(written(period.mean) - written(before.mean), 4))
  if (beside >= NO_DECIMALS_FROM) return numberWords(metric, beside / factor, units, calmDecimals)
  const isSame = beside === round(size * factor, calmDecimals)
  return isSame ? sizeWords(metric, size, units) : numberWords(metric, size, units, calmDecimals === 0 ? 1 : 2)
}

type Differing = Pick<CompareResponse, "period" | "with"> & { readonly difference: number }

/** Differences of percentages and of scores, which not every vendor calls percentages. */
const isInPoints = (metric: ChartedMetric): boolean => metric.unit === "%" || entryOf(metric).isScore === true

/** Whether a difference is one that is usually wanted. */
type Tone = "good" | "poor" | "neutral"

/** A difference as words where it is clear, else as a figure, and what it is worth. Only the answer's verdict says that it is clear. */
export interface Compared {
  readonly words: string
  /** The word before what it is compared with: "4 points higher than the week before", "+2 points from the week before". */
  readonly than: "than" | "from" | "with"
  readonly tone: Tone
  /** Null where no difference is clear. */
  readonly direction: "up" | "down" | null
}

/** "4 points higher" where it is clear, else "+2 points", or "too few values to compare" */
export function comparedOf(
  metric: Metric,
  answer: Pick<CompareResponse, "verdict" | "difference" | "period" | "with">,
  { units }: Pick<DisplayPreferences, "units">,
): Compared {
  const { verdict, difference } = answer
  if (verdict === "not_enough_data" || difference === null)
    return { words: "too few values to compare", than: "with", tone: "neutral", direction: null }
  const written = besideAverages(metric, { ...answer, difference })
  const size = comparedSize(metric, { ...answer, difference: written }, units)
  if (verdict === "no_clear_difference") {
    // Deviations of the skin have one decimal everywhere. An unclear hundredth beside them says nothing.
    const shown = metric.unit === "C" ? sizeWords(metric, Math.abs(written), units) : size
    return { words: withSign(shown, written), than: "from", tone: "neutral", direction: null }
  }
  const isWanted = metric.better === verdict
  return {
    // A clear difference is never called zero.
    words: `${isTime(metric) && written === 0 ? "less than a minute" : size} ${differenceWord(metric, difference)}`,
    than: "than",
    tone: metric.better === "neither" ? "neutral" : isWanted ? "good" : "poor",
    direction: difference > 0 ? "up" : "down",
  }
}

/** "+2 points", "\u221212 minutes", "\u00b10 bpm" */
export const signedSize = (metric: ChartedMetric, difference: number, units: Units): string =>
  withSign(sizeWords(metric, Math.abs(difference), units), difference)

function withSign(size: string, difference: number): string {
  const words = size.replace(/^0[.,]0+(?= |$)/, "0")
  return `${/^0(?: |$)/.test(words) ? "\u00b1" : difference > 0 ? "+" : "\u2212"}${words}`
}

/** "9 ms", "14 points", "25 min": a difference without its sign, no finer than its interval. */
export function differenceText(metric: ChartedMetric, size: number): string {
  if (metric.kind === "clock") return minutesText(Math.round(size))
  if (metric.unit === "h") return minutesText(Math.round(size * 60))
  const { unit, factor } = unitOf(metric)
  const text = differenceFigure(size * factor)
  return isInPoints(metric) ? `${text} points` : withUnit(text, unit)
}

/** From here on a decimal says nothing. */
const WHOLE_FROM = 3
const differenceFigure = (size: number): string =>
  size >= WHOLE_FROM ? figure(size) : plainFigure(size, size < 1 ? 2 : 1)

/** "between 4 and 14 ms lower", "up to 15 ms lower", "between 2 points lower and 6 points higher" */
export function rangeWords(metric: ChartedMetric, [low, high]: readonly [number, number]): string {
  const way = (value: number) => differenceWord(metric, value)
  if (low < 0 && high > 0)
    return `between ${differenceText(metric, -low)} ${way(low)} and ${differenceText(metric, high)} ${way(high)}`
  const [small, large] = [Math.min(Math.abs(low), Math.abs(high)), Math.max(Math.abs(low), Math.abs(high))]
  const direction = way(low + high)
  const { factor } = unitOf(metric)
  const isWhole = large * factor >= WHOLE_FROM
  const from = isTime(metric) ? differenceText(metric, small) : (isWhole ? figure : differenceFigure)(small * factor)
  if (/^0(?: |$)/.test(from)) return `up to ${differenceText(metric, large)} ${direction}`
  return `between ${from} and ${differenceText(metric, large)} ${direction}`
}
