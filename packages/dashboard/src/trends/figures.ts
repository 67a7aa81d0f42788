import type { TrendDay } from "@restwell/client"
import { type Missing, missingOf, type ScoreState } from "../format/number.ts"

/** A value of a day, or the reason why it is missing. */
export type Figure = {
  /** The source of the record; null without a record. */
  readonly source: string | null
} & ({ readonly value: number; readonly missing: null } | { readonly value: null; readonly missing: Missing })

/** Maximum of WHOOP's strain scale. */
export const MAX_STRAIN = 21

const recoveryFigure = (pick: (recovery: NonNullable<TrendDay["recovery"]>) => number | null) => (day: TrendDay) =>
  figureOf(day.recovery, pick)

export const sleepFigure = (pick: (sleep: NonNullable<TrendDay["sleep"]>) => number | null) => (day: TrendDay) =>
  figureOf(day.sleep, pick)

/** The figures of charts and tiles, by day. */
export const FIGURES = {
  recovery: recoveryFigure(({ score }) => score),
  hrv: recoveryFigure(({ hrv }) => hrv),
  restingHeartRate: recoveryFigure(({ resting_heart_rate }) => resting_heart_rate),
  spo2: recoveryFigure(({ spo2 }) => spo2),
  skinTempDeviation: recoveryFigure(({ skin_temp_deviation_celsius }) => skin_temp_deviation_celsius),
  respiratoryRate: sleepFigure(({ respiratory_rate }) => respiratory_rate),
  performance: sleepFigure(({ performance }) => performance),
  asleepHours: sleepFigure(({ asleep_hours }) => asleep_hours),
  steps: (day: TrendDay) => figureOf(day.strain, ({ steps }) => steps),
  strain: (day: TrendDay) => figureOf(day.strain, ({ strain }) => strain),
} as const

/** The figure in another unit. */
export const multiplied =
  (pick: (day: TrendDay) => Figure, factor: number) =>
  (day: TrendDay): Figure => {
    const figure = pick(day)
    return figure.value === null ? figure : { ...figure, value: figure.value * factor }
  }

function figureOf<Scored extends { readonly score_state: ScoreState; readonly source: string }>(
  record: Scored | null,
  pick: (record: Scored) => number | null,
): Figure {
  const value = record && pick(record)
  const source = record?.source ?? null
  return value === null ? { value, missing: missingOf(record?.score_state), source } : { value, missing: null, source }
}
