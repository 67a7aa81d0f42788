// Colours and marks of axes of the charts of a metric.
import type { ChartedMetric } from "@restwell/client"
import { type Compared, type FigureFamily, familyOf, isTime, unitOf } from "@restwell/client/figures"
import type { YScale } from "../charts/layout.ts"

/** Classes of a line, its dots and its mark in the legend. */
export interface MetricColor {
  readonly stroke: string
  readonly fill: string
  readonly background: string
}

const COLORS: Readonly<Record<FigureFamily, MetricColor>> = {
  sleep: { stroke: "stroke-deep", fill: "fill-deep", background: "bg-deep" },
  strain: { stroke: "stroke-strain", fill: "fill-strain", background: "bg-strain" },
  heart: { stroke: "stroke-heart", fill: "fill-heart", background: "bg-heart" },
  recovery: { stroke: "stroke-good-mark", fill: "fill-good-mark", background: "bg-good-mark" },
  hrv: { stroke: "stroke-hrv", fill: "fill-hrv", background: "bg-hrv" },
}

/** The colour of a metric, as in the dashboard. */
export const colorOf = (metricId: string): MetricColor => COLORS[familyOf(metricId)]

/** Hours between the marks of an axis of times. */
const HOUR_STEPS = [0.25, 0.5, 1, 2, 3, 6, 12, 24]

/** About `count` marks of an axis. Clock times and hours have theirs at full quarters of an hour. */
export function ticksOf(metric: ChartedMetric, scale: YScale, count: number): readonly number[] {
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

/** Colour classes of words. The words say the same. */
export const TONE_TEXT: Readonly<Record<Compared["tone"], string>> = {
  good: "text-good",
  poor: "text-poor",
  neutral: "text-muted",
}
