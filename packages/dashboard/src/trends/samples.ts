import type { PointSeries } from "@restwell/client"

export const MINUTE_MS = 60_000

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

interface Steps {
  readonly startMs: number
  readonly endMs: number
  readonly stepMs: number
}

/** The mean of each step of a time, and null for a step without values. A value belongs to the step of its middle. */
export function meansByStep(samples: readonly Sample[], { startMs, endMs, stepMs }: Steps): (number | null)[] {
  const steps = Array.from({ length: Math.max(Math.ceil((endMs - startMs) / stepMs), 0) }, () => ({ sum: 0, n: 0 }))
  for (const { atMs, durationMs, value } of samples) {
    const step = steps[Math.floor((atMs + durationMs / 2 - startMs) / stepMs)]
    if (!step) continue
    step.sum += value
    step.n += 1
  }
  return steps.map(({ sum, n }) => (n === 0 ? null : sum / n))
}
