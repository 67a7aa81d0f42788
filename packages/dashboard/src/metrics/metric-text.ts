import {
  type ChartedMetric,
  type DisplayPreferences,
  type Figure,
  type PreferredUnit,
  preferredUnit,
  round,
  wholeMinutes,
} from "@restwell/client"
import { DAY_MINUTES } from "@restwell/client/time-units"
import type { YScale } from "../charts/layout.ts"
import { figure, hoursText, minutesText, NONE, plainFigure } from "../format/number.ts"
import { clockTick, formatClock } from "../format/preferred.ts"

/*
 * Figures of a metric as text. Charts need numbers, so a clock time is minutes after midnight, moved by whole days until it is next to the
 * mean: bedtimes of 23:40 and 00:20 are 40 minutes apart.
 */

/** A metric, and the units that the person reads. Without them its figures are written in its own, as those of chats. */
export type ReadMetric = ChartedMetric & { readonly units?: DisplayPreferences["units"] }

const clockOf = ({ clock = "24h" }: ReadMetric) => clock

const KILOMETERS: PreferredUnit = { unit: "km", factor: 1 / 1000 }

/** The unit that figures of a metric are written in, and what they are multiplied by. */
export function unitOf({ unit, units }: ReadMetric): {
  readonly unit: string | null
  readonly factor: number
} {
  if (unit === null || units === undefined) return { unit, factor: 1 }
  return unit === "m" && units === "metric" ? KILOMETERS : preferredUnit(unit, units)
}

const UNITS: Readonly<Record<string, string>> = { C: "°C", F: "°F", "/min": "a minute" }

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
export function valueText(metric: ReadMetric, value: number): string {
  const { kind, unit } = metric
  if (kind === "clock") return formatClock(Math.round(value), clockOf(metric))
  if (kind === "yes_no") return `${figure(value * 100)} %`
  if (unit === "h") return hoursText(value)
  return withUnit(metric, figure(value * unitOf(metric).factor, valueDecimals(metric)))
}

/** A figure of an answer, with its unit; a dash without one. */
export const figureText = (metric: ReadMetric, value: Figure | null): string =>
  value === null ? NONE : valueText(metric, plotted(metric, value, value))

/** A mark of the axis: shorter than the value in a sentence. */
export function tickText(metric: ReadMetric, value: number): string {
  const { kind, unit } = metric
  if (kind === "clock") return clockTick(Math.round(value), clockOf(metric))
  if (kind === "yes_no") return `${figure(value * 100)} %`
  const text = plainFigure(value * unitOf(metric).factor, TICK_DECIMALS)
  return unit === "h" || unit === "%" ? `${text} ${unit}` : text
}

const TICK_DECIMALS = 2

/** A value in the width of a column: "7:29" for hours, "64.2", "23:41". Marks of the axis say which half of the day a time is in. */
export function shortText(metric: ReadMetric, value: number): string {
  const { kind, unit } = metric
  if (kind === "clock") return valueText(metric, value).replace(/ [AP]M$/, "")
  if (unit === "h") return hoursAndMinutes(wholeMinutes(value))
  return valueText({ ...metric, unit: unit === "%" ? "%" : null }, value * unitOf(metric).factor)
}

/** "7:29", "−0:04" */
const hoursAndMinutes = (minutes: number): string =>
  minutes < 0
    ? `\u2212${hoursAndMinutes(-minutes)}`
    : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}`

/** A difference or a slope with its sign: "+1.82 ms", "−12 min". Those of clock times are minutes. */
export const changeText = (metric: ReadMetric, change: number): string =>
  `${signOf(change)}${changeAmount(metric, Math.abs(change))}`

/** The two ends of an interval: "−0.4 to +1.2 ms". */
export function intervalText(metric: ReadMetric, [low, high]: readonly [number, number]): string {
  const start = isTime(metric) ? changeText(metric, low) : `${signOf(low)}${changeFigure(metric, Math.abs(low))}`
  return `${start} to ${changeText(metric, high)}`
}

/** An amount without a sign, as a standard deviation. */
export function spreadText(metric: ReadMetric, amount: number): string {
  if (metric.kind === "clock") return minutesText(Math.round(amount))
  if (metric.unit === "h") return hoursText(amount)
  const inUnit = amount * unitOf(metric).factor
  return amountText(metric, metric.kind === "yes_no" ? figure(amount * 100) : figure(inUnit, valueDecimals(metric)))
}

const signOf = (change: number): string => (change > 0 ? "+" : change < 0 ? "\u2212" : "\u00b1")

/** Written in hours and minutes, where each figure has its own unit. */
const isTime = ({ kind, unit }: ChartedMetric): boolean => kind === "clock" || unit === "h"

/** Minutes below which a change of hours has a decimal: whole ones would make many of them zero. */
const FEW_MINUTES = 10

function changeAmount(metric: ReadMetric, amount: number): string {
  if (metric.kind === "clock") return minutesText(Math.round(amount))
  if (metric.unit !== "h") return amountText(metric, changeFigure(metric, amount))
  const minutes = amount * 60
  return minutes < FEW_MINUTES ? `${plainFigure(minutes, 1)} min` : minutesText(round(minutes, 0))
}

/** From here on a decimal says nothing. */
const WHOLE_FROM = 100

/** With all decimals of the answer, which has one more than the values. Hundreds of steps have none. */
function changeFigure(metric: ReadMetric, amount: number): string {
  if (metric.kind === "yes_no") return plainFigure(amount * 100, metric.decimals - 1)
  const inUnit = amount * unitOf(metric).factor
  return plainFigure(inUnit, inUnit >= WHOLE_FROM ? 0 : metric.decimals + 1)
}

/** Values have the decimals of REST. Hours and shares, which have two, are written in other units. */
const valueDecimals = ({ decimals }: ChartedMetric): 0 | 1 => (decimals > 0 ? 1 : 0)

function amountText(metric: ReadMetric, text: string): string {
  return metric.kind === "yes_no" || metric.unit === "%" ? `${text} percentage points` : withUnit(metric, text)
}

function withUnit(metric: ReadMetric, text: string): string {
  const { unit } = unitOf(metric)
  if (unit === null) return text
  return `${text} ${UNITS[unit] ?? unit}`
}

/** Of these, values below zero are usual. */
const SIGNED = ["sleep_debt", "skin_temp_deviation"]

/**
 * One standard deviation around a mean, within what is possible. Null without one, and for shares of yes, whose spread follows from the
 * share.
 */
export function spreadAround(
  { id, kind, unit }: ChartedMetric,
  mean: number | null,
  sd: number | null,
): readonly [low: number, high: number] | null {
  if (mean === null || sd === null || kind === "yes_no") return null
  const lowest = kind === "clock" || SIGNED.includes(id) ? Number.NEGATIVE_INFINITY : 0
  const highest = unit === "%" ? 100 : Number.POSITIVE_INFINITY
  return [Math.max(lowest, mean - sd), Math.min(highest, mean + sd)]
}

/** Classes of a line, its dots and its mark in the legend. */
export interface MetricColor {
  readonly stroke: string
  readonly fill: string
  readonly background: string
}

const SLEEP = { stroke: "stroke-deep", fill: "fill-deep", background: "bg-deep" }
const STRAIN = { stroke: "stroke-strain", fill: "fill-strain", background: "bg-strain" }
const HEART = { stroke: "stroke-heart", fill: "fill-heart", background: "bg-heart" }
const RECOVERY = { stroke: "stroke-good-mark", fill: "fill-good-mark", background: "bg-good-mark" }
const HRV = { stroke: "stroke-hrv", fill: "fill-hrv", background: "bg-hrv" }

/** Other metrics are of sleep. */
const COLORS: Readonly<Record<string, MetricColor>> = {
  hrv: HRV,
  spo2: HRV,
  respiratory_rate: HRV,
  resting_heart_rate: HEART,
  skin_temp_deviation: HEART,
  heart_rate: HEART,
  skin_temperature: HEART,
  active_energy: STRAIN,
  recovery_score: RECOVERY,
  strain: STRAIN,
  calories: STRAIN,
  steps: STRAIN,
  workout: STRAIN,
  workout_count: STRAIN,
  distance: STRAIN,
  last_workout_end: STRAIN,
}

/** The colour of a metric, as in the dashboard. */
export const colorOf = (metricId: string): MetricColor => COLORS[metricId] ?? SLEEP

/** Hours between the marks of an axis of times. */
const HOUR_STEPS = [0.25, 0.5, 1, 2, 3, 6, 12, 24]

/** About `count` marks of an axis. Clock times and hours have theirs at full quarters of an hour. */
export function ticksOf(metric: ReadMetric, scale: YScale, count: number): readonly number[] {
  if (!isTime(metric)) return ticksInUnit(scale, unitOf(metric).factor, count)
  const perHour = metric.kind === "clock" ? 60 : 1
  const bounds = scale.domain()
  const [low, high] = [Math.min(...bounds), Math.max(...bounds)]
  const step = HOUR_STEPS.map((hours) => hours * perHour).find((each) => (high - low) / each <= count)
  if (step === undefined) return scale.ticks(count)
  const first = Math.ceil(low / step) * step
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, index) => first + index * step)
}

/** Marks that are round in the unit they are written in. */
const ticksInUnit = (scale: YScale, factor: number, count: number): readonly number[] =>
  scale
    .copy()
    .domain(scale.domain().map((value) => value * factor))
    .ticks(count)
    .map((tick) => tick / factor)
