import type { PointSeries } from "@restwell/client"
import { HOUR_MS, standingMs } from "@restwell/client/time-units"
import { WEEKDAYS, weekdayOf } from "../format/date.ts"

/** A value within the day, or the values of a bucket. */
export interface Sample {
  /** The local date, of a bucket of a date. */
  readonly date?: string | undefined
  /** Epoch milliseconds. */
  readonly atMs: number
  /** How long it is for. 0 for a moment and for a bucket. */
  readonly durationMs: number
  /** A value, the mean of a bucket, or its sum. */
  readonly value: number
  /** The lowest and highest of a bucket. */
  readonly low: number
  readonly high: number
}

/** Returns the points of an answer, whatever its resolution is. */
export const samplesOf = (points: PointSeries["points"]): Sample[] =>
  points.map((point) => {
    if ("time" in point) {
      const { time, value, duration_seconds: seconds = 0 } = point
      return { atMs: Date.parse(time), durationMs: seconds * 1000, value, low: value, high: value }
    }
    const { start, date } = point
    const atMs = Date.parse(start)
    if ("sum" in point) return { date, atMs, durationMs: 0, value: point.sum, low: point.sum, high: point.sum }
    return { date, atMs, durationMs: 0, value: point.mean, low: point.min, high: point.max }
  })

/** The first of the lowest values. Undefined without values. */
export function lowestOf(samples: readonly Sample[]): Sample | undefined {
  let lowest: Sample | undefined
  for (const sample of samples) if (!lowest || sample.low < lowest.low) lowest = sample
  return lowest
}

/** Where a value stands on an axis: in the middle of its time. */
export const middleOf = ({ atMs, durationMs }: Pick<Sample, "atMs" | "durationMs">): number => atMs + durationMs / 2

interface Steps {
  readonly startMs: number
  readonly endMs: number
  readonly stepMs: number
}

/** The mean over time of each step, and null for a step without values. A value belongs to the step of its middle. */
export function meansByStep(samples: readonly Sample[], { startMs, endMs, stepMs }: Steps): (number | null)[] {
  const steps = Array.from({ length: Math.max(Math.ceil((endMs - startMs) / stepMs), 0) }, () => ({
    sum: 0,
    weight: 0,
  }))
  for (const [index, sample] of samples.entries()) {
    const { atMs, durationMs, value } = sample
    const step = steps[Math.floor((middleOf(sample) - startMs) / stepMs)]
    if (!step) continue
    const weight = standingMs(atMs, durationMs, samples[index + 1]?.atMs ?? Number.POSITIVE_INFINITY)
    step.sum += value * weight
    step.weight += weight
  }
  return steps.map(({ sum, weight }) => (weight === 0 ? null : sum / weight))
}

/** The mean of an hour of the week. */
export interface HourMean {
  /** 0 for Monday to 6 for Sunday. */
  readonly weekday: number
  /** 0 to 23, on the local clock. */
  readonly hour: number
  /** Null for a weekday without values. */
  readonly mean: number | null
  /** The dates of this weekday that have values. */
  readonly dates: number
}

export const HOURS = 24

/**
 * Returns the mean sum of each hour of the week, Monday first. An hour without a value counts as zero on a date that has others.
 * @param hours sums of hours, oldest first @param days sums of the dates, oldest first
 */
export function meansByHour(hours: readonly Sample[], days: readonly Sample[]): HourMean[] {
  const dates = new Array<number>(WEEKDAYS.length).fill(0)
  const sums = new Array<number>(WEEKDAYS.length * HOURS).fill(0)
  const midnights = days.flatMap(({ atMs, date }) => (date === undefined ? [] : [{ atMs, weekday: weekdayOf(date) }]))
  for (const { weekday } of midnights) dates[weekday] = (dates[weekday] ?? 0) + 1
  let index = 0
  for (const { atMs, value } of hours) {
    while ((midnights[index + 1]?.atMs ?? Number.POSITIVE_INFINITY) <= atMs) index += 1
    const day = midnights[index]
    if (!day || atMs < day.atMs) continue
    // The last hour of a date of 25 hours is counted with the one before.
    const hour = Math.min(Math.floor((atMs - day.atMs) / HOUR_MS), HOURS - 1)
    const slot = day.weekday * HOURS + hour
    sums[slot] = (sums[slot] ?? 0) + value
  }
  return sums.map((sum, slot) => {
    const weekday = Math.floor(slot / HOURS)
    const count = dates[weekday] ?? 0
    return { weekday, hour: slot % HOURS, mean: count === 0 ? null : sum / count, dates: count }
  })
}
