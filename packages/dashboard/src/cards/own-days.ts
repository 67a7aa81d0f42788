// Charts of people with several sources. Statistics compare one device with itself, and so do the charts beside them.
import type { MetricId, PeriodPage, TrendDay } from "@restwell/client"
import { bucketsOf } from "../trends/days.ts"
import type { CardView } from "./period-page.tsx"

/** The part of a day that a metric is drawn from. */
const PARTS = {
  recovery_score: "recovery",
  hrv: "recovery",
  resting_heart_rate: "recovery",
  skin_temp_deviation: "recovery",
  asleep: "sleep",
  bedtime: "sleep",
  strain: "strain",
  steps: "strain",
} as const satisfies Partial<Record<MetricId, "recovery" | "sleep" | "strain">>

export type DrawnMetric = keyof typeof PARTS

export const isDrawn = (id: string): id is DrawnMetric => Object.hasOwn(PARTS, id)

/** A metric, and the source that its statistics are of. */
export interface SourcedMetric {
  readonly id: DrawnMetric
  readonly source: string
}

type Days = Pick<PeriodPage, "days" | "own_days">

/** The days with each metric from its own source, also on dates on which another source answers. Naps and workouts stay those of any source. */
export function ownDays({ days, own_days: all }: Days, metrics: readonly SourcedMetric[]): readonly TrendDay[] {
  const own = metrics.flatMap(({ id, source }) => {
    const found = all.find((each) => each.source === source)
    return found ? [{ part: PARTS[id], days: found.days }] : []
  })
  if (own.length === 0) return days
  return days.map((day, index) => {
    const from = (part: "recovery" | "sleep" | "strain"): TrendDay =>
      own.find((each) => each.part === part)?.days[index] ?? day
    const { recovery, hrv_band, resting_heart_rate_band } = from("recovery")
    const [{ sleep }, { strain }] = [from("sleep"), from("strain")]
    return { ...day, recovery, hrv_band, resting_heart_rate_band, sleep, strain }
  })
}

/** The view of a card whose chart is of the same source as its figures. */
export const ownView = (view: CardView, metrics: readonly SourcedMetric[]): CardView =>
  view.answer.own_days.length === 0 || metrics.length === 0
    ? view
    : { ...view, buckets: bucketsOf(ownDays(view.answer, metrics), view.grain, view.firstWeekday) }
