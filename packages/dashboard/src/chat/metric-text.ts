import type { ChartedMetric, Figure } from "@restwell/client"
import { clockTime } from "../format/clock-time.ts"
import { figure, hoursText, minutesText, NONE } from "../format/number.ts"

/*
 * Figures of a metric as text. Charts need numbers, so a clock time is minutes after midnight, moved by whole days until it is next to the
 * mean: bedtimes of 23:40 and 00:20 are 40 minutes apart.
 */

const DAY_MINUTES = 1440
const UNITS: Readonly<Record<string, string>> = { C: "°C", "/min": "a minute" }

/** A figure as a number on the axis of its metric. @param near the figure beside which a clock time is placed */
export function plotted({ kind }: ChartedMetric, value: Figure, near: Figure | null): number {
  if (kind !== "clock") return Number(value)
  const center = near === null ? 0 : minutesOf(near)
  const minutes = minutesOf(value)
  return minutes - DAY_MINUTES * Math.round((minutes - center) / DAY_MINUTES)
}

function minutesOf(time: Figure): number {
  const [hours = 0, minutes = 0] = String(time).split(":").map(Number)
  return hours * 60 + minutes
}

/** A number on the axis of the metric, with its unit. */
export function valueText(metric: ChartedMetric, value: number): string {
  const { kind, unit, decimals } = metric
  if (kind === "clock") return clockTime(Math.round(value))
  if (kind === "yes_no") return `${figure(value * 100)} %`
  if (unit === "h") return hoursText(value)
  return withUnit(metric, figure(value, decimals > 0 ? 1 : 0))
}

/** A figure of an answer, with its unit; a dash without one. */
export const figureText = (metric: ChartedMetric, value: Figure | null): string =>
  value === null ? NONE : valueText(metric, plotted(metric, value, value))

/** A mark of the axis: shorter than the value in a sentence. */
export function tickText({ kind, unit }: ChartedMetric, value: number): string {
  if (kind === "clock") return clockTime(Math.round(value))
  if (kind === "yes_no") return `${figure(value * 100)} %`
  const text = figure(value, Number.isInteger(value) ? 0 : 1)
  return unit === "h" || unit === "%" ? `${text} ${unit}` : text
}

/** A difference or a slope with its sign: "+1.8 ms", "−12 m". Those of clock times are minutes. */
export const changeText = (metric: ChartedMetric, change: number): string =>
  `${signOf(change)}${spreadText(metric, Math.abs(change))}`

/** The two ends of an interval: "−0.4 to +1.2 ms". */
export function intervalText(metric: ChartedMetric, [low, high]: readonly [number, number]): string {
  const start = isTime(metric) ? changeText(metric, low) : `${signOf(low)}${plainAmount(metric, Math.abs(low))}`
  return `${start} to ${changeText(metric, high)}`
}

/** An amount without a sign, as a standard deviation. */
export function spreadText(metric: ChartedMetric, amount: number): string {
  if (metric.kind === "clock") return minutesText(Math.round(amount))
  if (metric.unit === "h") return minutesText(Math.round(amount * 60))
  const isShare = metric.kind === "yes_no" || metric.unit === "%"
  return isShare ? `${plainAmount(metric, amount)} percentage points` : withUnit(metric, plainAmount(metric, amount))
}

const signOf = (change: number): string => (change > 0 ? "+" : change < 0 ? "\u2212" : "\u00b1")

/** Written in hours and minutes, where each figure has its own unit. */
const isTime = ({ kind, unit }: ChartedMetric): boolean => kind === "clock" || unit === "h"

const plainAmount = ({ kind }: ChartedMetric, amount: number): string =>
  kind === "yes_no" ? figure(amount * 100) : figure(amount, 1)

function withUnit({ unit }: ChartedMetric, text: string): string {
  if (unit === null) return text
  return `${text} ${UNITS[unit] ?? unit}`
}
