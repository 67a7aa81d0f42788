import type { TrendDay } from "@restwell/client"
import { bedtimeMinutes } from "@restwell/client/figures"
import { MISSING_TEXTS, type Missing, missingOf, type ScoreState } from "../format/number.ts"
import type { Bucket } from "./days.ts"

/** A value of a day, or the reason why it is missing. */
export type Figure = {
  /** The source of the record; null without a record. */
  readonly source: string | null
  /** The day is in progress, or the night is not scored yet, so the value may still grow. */
  readonly isOpen: boolean
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
  /** In minutes beside midnight, of scored nights alone, as the figures beside it. */
  bedtime: sleepFigure((sleep) => (sleep.score_state === "scored" ? bedtimeMinutes(sleep) : null)),
  wakeTime: sleepFigure(({ score_state, end_minutes }) => (score_state === "scored" ? end_minutes : null)),
  steps: (day: TrendDay) => figureOf(day.strain, ({ steps }) => steps),
  strain: (day: TrendDay) => figureOf(day.strain, ({ strain }) => strain),
} as const

/** The values of one source: those of another one are on another scale, or count less. */
export const valuesOfSource = (figures: readonly Figure[], source: string | null): number[] =>
  figures.flatMap((each) => (each.value === null || each.source !== source ? [] : [each.value]))

/** The figure in another unit. */
export const multiplied =
  (pick: (day: TrendDay) => Figure, factor: number) =>
  (day: TrendDay): Figure => {
    const figure = pick(day)
    return figure.value === null ? figure : { ...figure, value: figure.value * factor }
  }

interface Scored {
  readonly score_state: ScoreState
  readonly source: string
  readonly is_open?: boolean
}

function figureOf<Kind extends Scored>(record: Kind | null, pick: (record: Kind) => number | null): Figure {
  const value = record && pick(record)
  const isOpen = record !== null && (record.is_open ?? record.score_state === "pending")
  const from = { source: record?.source ?? null, isOpen }
  return value === null
    ? { ...from, value, missing: missingOf(record?.score_state) }
    : { ...from, value, missing: null }
}

/** The mean of a bucket's figures, their number and their source, or the reason why there is none. */
export type Mean = {
  /** It is the value of a day in progress. */
  readonly isOpen: boolean
} & (
  | { readonly value: number; readonly count: number; readonly missing: null; readonly source: string | null }
  | { readonly value: null; readonly count: 0; readonly missing: Missing; readonly source: null }
)

/** A reason that may still change comes first. */
const REASONS: readonly Missing[] = ["pending", "unscorable", "none"]

/**
 * The figures of different sources cannot be compared, so a mean takes those of one: the source of most days, or the newest of several. It
 * leaves out a day in progress, as the statistics do, unless that day is the only one.
 */
export function meanOf(days: readonly TrendDay[], figureOf: (day: TrendDay) => Figure): Mean {
  const figures = days.map(figureOf)
  const all = figures.flatMap(({ value, source, isOpen }) => (value === null ? [] : [{ value, source, isOpen }]))
  const finished = all.filter(({ isOpen }) => !isOpen)
  const isOpen = all.length > 0 && finished.length === 0
  const known = isOpen ? all : finished
  const bySource = Map.groupBy(known.toReversed(), ({ source }) => source)
  const [most] = [...bySource].toSorted(([, one], [, other]) => other.length - one.length)
  if (most) {
    const [source, { length: count }] = most
    const total = most[1].reduce((sum, { value }) => sum + value, 0)
    return { value: total / count, count, missing: null, source, isOpen }
  }
  const missing = REASONS.find((reason) => figures.some((figure) => figure.missing === reason)) ?? "none"
  return { value: null, count: 0, missing, source: null, isOpen }
}

/** Returns the mean as text, with the number of days in a bucket of several, or the reason why it is missing. */
export function meanText(mean: Mean, bucket: Bucket, text: (value: number, source: string | null) => string): string {
  if (mean.value === null) return MISSING_TEXTS[mean.missing]
  const words = `${text(mean.value, mean.source)}${mean.isOpen ? " so far" : ""}`
  return bucket.days.length === 1 ? words : `${words} (mean of ${mean.count} of ${bucket.days.length} days)`
}
