// What stands beside a score: the figures of the morning and the day before, each beside what is usual for the person.
import type { MetricId, TrendDay } from "@restwell/client"
import { besideUsual, type MetricDescription, metricNamed, type UsualPosition } from "@restwell/client/figures"
import { FIGURES, type Figure, valuesOfSource } from "../trends/figures.ts"

export interface Reason {
  readonly id: MetricId
  readonly metric: MetricDescription
  /** Of the date before. */
  readonly isOfDayBefore: boolean
  readonly value: number
  readonly band: { readonly low: number; readonly high: number }
  readonly position: UsualPosition
  /** Half widths of the usual range from its middle. */
  readonly deviation: number
}

type Band = TrendDay["hrv_band"]

/** More of these is less favourable for the morning. */
const BETTER_LOW: readonly MetricId[] = ["resting_heart_rate", "strain"]

const FEWEST_DAYS = 5

/** HRV, resting heart rate, sleep and the strain of the day before, the least favourable first. Without weights: those are the vendor's own. */
export function reasonsOf(day: TrendDay, before: readonly TrendDay[]): Reason[] {
  const yesterday = before.at(-1)
  const reasons = [
    reasonOf("hrv", FIGURES.hrv(day), day.hrv_band),
    reasonOf("resting_heart_rate", FIGURES.restingHeartRate(day), day.resting_heart_rate_band),
    reasonOf("asleep", FIGURES.asleepHours(day), day.asleep_band),
    ...(yesterday ? [reasonOf("strain", FIGURES.strain(yesterday), strainBand(before), true)] : []),
  ]
  return reasons.filter((reason) => reason !== undefined).toSorted((one, other) => badness(other) - badness(one))
}

const badness = ({ id, deviation }: Reason): number => (BETTER_LOW.includes(id) ? deviation : -deviation)

function reasonOf(id: MetricId, { value, isOpen }: Figure, band: Band, isOfDayBefore = false): Reason | undefined {
  if (value === null || band === null || isOpen) return undefined
  const half = (band.high - band.low) / 2
  const deviation = half === 0 ? 0 : (value - (band.low + band.high) / 2) / half
  return { id, metric: metricNamed(id), isOfDayBefore, value, band, position: besideUsual(value, band), deviation }
}

/** Mean and one standard deviation of the days before yesterday, of the same source. */
function strainBand(before: readonly TrendDay[]): Band {
  const values = valuesOfSource(before.slice(0, -1).map(FIGURES.strain), before.at(-1)?.strain?.source ?? null)
  if (values.length < FEWEST_DAYS) return null
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
  return { low: Math.max(0, Math.round((mean - sd) * 10) / 10), high: Math.round((mean + sd) * 10) / 10 }
}
