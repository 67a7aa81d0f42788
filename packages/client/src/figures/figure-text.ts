/**
 * Figures of a metric as text, with all decimals that they have. Charts need numbers, so a clock time is minutes after midnight, moved by
 * whole days until it is next to the mean: bedtimes of 23:40 and 00:20 are 40 minutes apart.
 */
import type { ChartedMetric } from "../account/chart.ts"
import { DAY_MINUTES } from "../base/time-units.ts"
import type { Figure } from "../rest/insights.ts"
import { round, wholeMinutes } from "../rest/rounding.ts"
import { clockTick, formatClock, minutesOfTime } from "./clock.ts"
import { entryOf, hasSum, possibleValues } from "./metric-table.ts"
import { figure, hoursText, markText, minutesText, NONE, plainFigure, signed, TO } from "./numbers.ts"
import { pageUnit, unitText, withUnit } from "./units.ts"

const clockOf = ({ clock = "24h" }: ChartedMetric) => clock

/** The unit that figures of a metric are written in, and what they are multiplied by. Without preferred units its figures are in its own. */
export function unitOf({ unit, units }: ChartedMetric): { readonly unit: string | null; readonly factor: number } {
  return unit === null || units === undefined ? { unit, factor: 1 } : pageUnit(unit, units)
}

const decimalsOf = ({ unit, units, decimals }: ChartedMetric): number =>
  (unit === null || units === undefined ? undefined : pageUnit(unit, units).decimals) ?? decimals

/** A figure as a number on the axis of its metric. @param near the figure beside which a clock time is placed */
export function plotted({ kind }: ChartedMetric, value: Figure, near: Figure | null): number {
  if (kind !== "clock") return Number(value)
  const center = near === null ? 0 : minutesOfTime(near)
  const minutes = minutesOfTime(value)
  return minutes - DAY_MINUTES * Math.round((minutes - center) / DAY_MINUTES)
}

/** A number on the axis of the metric, with its unit. */
export function valueText(metric: ChartedMetric, value: number): string {
  const { kind, unit } = metric
  if (kind === "clock") return formatClock(Math.round(value), clockOf(metric))
  if (kind === "yes_no") return `${figure(value * 100)} %`
  if (unit === "h") return hoursText(value)
  return withUnit(valueFigure(metric, value), unitOf(metric).unit)
}

/** With the decimals that values of the metric have. */
function valueFigure(metric: ChartedMetric, value: number): string {
  const decimals = decimalsOf(metric)
  return figure(value * unitOf(metric).factor, decimals >= 2 ? 2 : decimals === 1 ? 1 : 0)
}

/** A figure of an answer, with its unit; a dash without one. */
export const figureText = (metric: ChartedMetric, value: Figure | null): string =>
  value === null ? NONE : valueText(metric, plotted(metric, value, value))

/** "64.2": a figure without its unit, with a sign where values below zero are usual, and hours and times in full. A dash without one. */
export function bareText(metric: ChartedMetric, value: Figure | null): string {
  if (typeof value !== "number" || isTime(metric)) return figureText(metric, value)
  const written = value * unitOf(metric).factor
  const { isSigned = false, calmDecimals } = entryOf(metric)
  if (isSigned) return signed(written).replace("\u00b1", "")
  const text = plainFigure(written, decimalsOf(metric))
  // "14.0" beside "13.8–14.3". Counts and amounts are as they are.
  const isWhole = calmDecimals === 1 && !hasSum(metric) && Number.isInteger(round(written, decimalsOf(metric)))
  return isWhole ? figure(written, 1) : text
}

/** The unit beside {@link bareText}: "ms", "°C". Empty for figures without one. */
export function writtenUnit(metric: ChartedMetric): string {
  const { unit } = unitOf(metric)
  return unit === null || isTime(metric) ? "" : unitText(unit)
}

interface UsualEnds {
  readonly low: Figure
  readonly high: Figure
}

/** "50.1–55.3", with signs "−0.2 to +0.3", and of times "7 h 05 min to 8 h 01 min". */
export function usualRangeText(metric: ChartedMetric, { low, high }: UsualEnds): string {
  const [from, to] = wholeScores(metric, { low, high }) ?? [bareText(metric, low), bareText(metric, high)]
  return /^[\d.,]+$/.test(from) ? `${from}${TO}${to}` : `${from} to ${to}`
}

/** The lowest and the highest score within the range, because scores are whole. Undefined for other figures, and where none is within. */
function wholeScores(metric: ChartedMetric, { low, high }: UsualEnds): [string, string] | undefined {
  if (!entryOf(metric).isScore || typeof low !== "number" || typeof high !== "number") return undefined
  const [from, to] = [Math.ceil(low), Math.floor(high)]
  return from <= to ? [figure(from), figure(to)] : undefined
}

/** Writes marks of the axis: shorter than values in a sentence. All marks of an axis have equally many decimals. */
export const tickTextOf = (metric: ChartedMetric) => (value: number, marks: readonly number[]) =>
  tickText(metric, value, marks)

function tickText(metric: ChartedMetric, value: number, marks: readonly number[]): string {
  const { kind, unit } = metric
  if (kind === "clock") return clockTick(Math.round(value), clockOf(metric))
  const factor = kind === "yes_no" ? 100 : unitOf(metric).factor
  const text = markText(
    value * factor,
    marks.map((mark) => mark * factor),
  )
  if (kind === "yes_no") return `${text} %`
  if (entryOf(metric).isSigned && value > 0) return `+${text}`
  return unit === "h" || unit === "%" ? `${text} ${unit}` : text
}

/** A value in the width of a column: "7:29" for hours, "64.2", "61" for a percentage, "23:41". The axis has the unit and the half of the day. */
export function shortText(metric: ChartedMetric, value: number): string {
  const { kind, unit } = metric
  if (kind === "clock") return valueText(metric, value).replace(/ [AP]M$/, "")
  if (kind === "yes_no") return figure(value * 100)
  if (unit === "%") return figure(value, entryOf(metric).calmDecimals)
  return unit === "h" ? hoursAndMinutes(wholeMinutes(value)) : valueFigure(metric, value)
}

/** "7:29", "−0:04" */
const hoursAndMinutes = (minutes: number): string =>
  minutes < 0
    ? `\u2212${hoursAndMinutes(-minutes)}`
    : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`

/** A difference or a slope with its sign: "+1.82 ms", "−12 min". Those of clock times are minutes. */
export const changeText = (metric: ChartedMetric, change: number): string =>
  `${signOf(change)}${changeAmount(metric, Math.abs(change))}`

/** The two ends of an interval: "−0.4 to +1.2 ms". */
export function intervalText(metric: ChartedMetric, [low, high]: readonly [number, number]): string {
  const start = isTime(metric) ? changeText(metric, low) : `${signOf(low)}${changeFigure(metric, Math.abs(low))}`
  return `${start} to ${changeText(metric, high)}`
}

/** An amount without a sign, as a standard deviation. */
export function spreadText(metric: ChartedMetric, amount: number): string {
  if (metric.kind === "clock") return minutesText(Math.round(amount))
  if (metric.unit === "h") return hoursText(amount)
  return withChangeUnit(metric, metric.kind === "yes_no" ? figure(amount * 100) : valueFigure(metric, amount))
}

const signOf = (change: number): string => (change > 0 ? "+" : change < 0 ? "\u2212" : "\u00b1")

/** Written in hours and minutes, where each figure has its own unit. */
export const isTime = ({ kind, unit }: Pick<ChartedMetric, "kind" | "unit">): boolean =>
  kind === "clock" || unit === "h"

/** Minutes below which a change of hours has a decimal: whole ones would make many of them zero. */
const FEW_MINUTES = 10

function changeAmount(metric: ChartedMetric, amount: number): string {
  if (metric.kind === "clock") return minutesText(Math.round(amount))
  if (metric.unit !== "h") return withChangeUnit(metric, changeFigure(metric, amount))
  const minutes = amount * 60
  return minutes < FEW_MINUTES ? `${plainFigure(minutes, 1)} min` : minutesText(round(minutes, 0))
}

/** From here on a decimal says nothing. */
const WHOLE_FROM = 100

/** With all decimals of the answer, which has one more than the values. Hundreds of steps have none. */
function changeFigure(metric: ChartedMetric, amount: number): string {
  if (metric.kind === "yes_no") return plainFigure(amount * 100, metric.decimals - 1)
  const inUnit = amount * unitOf(metric).factor
  return plainFigure(inUnit, inUnit >= WHOLE_FROM ? 0 : decimalsOf(metric) + 1)
}

/** A difference of percentages is no percentage. */
const POINTS = "percentage points"

const withChangeUnit = (metric: ChartedMetric, text: string): string =>
  metric.kind === "yes_no" || metric.unit === "%" ? `${text} ${POINTS}` : withUnit(text, unitOf(metric).unit)

/**
 * One standard deviation around a mean, within what is possible. Null without one, and for shares of yes, whose spread follows from the
 * share.
 */
export function spreadAround(
  metric: ChartedMetric,
  mean: number | null,
  sd: number | null,
): readonly [low: number, high: number] | null {
  const { kind } = metric
  if (mean === null || sd === null || kind === "yes_no") return null
  if (kind === "clock") return [mean - sd, mean + sd]
  const { lowest, highest } = possibleValues(metric)
  return [Math.max(lowest, mean - sd), Math.min(highest, mean + sd)]
}
