import { setTimeout as wait } from "node:timers/promises"
import { type Memory, metricsOf } from "../measuring/metrics.ts"

export interface MemorySample extends Memory {
  /** Minutes since the soak began. */
  readonly minutes: number
  /** Responses until then. */
  readonly answers: number
}

const SAMPLE_MS = 10_000
const MS_PER_MINUTE = 60_000
const MINUTES_PER_HOUR = 60

/** Samples until it is aborted. */
export async function watchMemory(url: string, answers: () => number, signal: AbortSignal): Promise<MemorySample[]> {
  const samples: MemorySample[] = []
  const startedAt = performance.now()
  while (!signal.aborted) {
    const memory = await metricsOf(url)
    samples.push({ ...memory, answers: answers(), minutes: (performance.now() - startedAt) / MS_PER_MINUTE })
    await wait(SAMPLE_MS, undefined, { signal }).catch(() => {})
  }
  return samples
}

/** The slope of the least-squares line through the samples, bytes per hour. */
export function growthPerHour(samples: readonly MemorySample[], measureOf: (sample: MemorySample) => number): number {
  const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const meanTime = meanOf(samples.map(({ minutes }) => minutes))
  const meanValue = meanOf(samples.map(measureOf))
  const covariance = samples.map((sample) => (sample.minutes - meanTime) * (measureOf(sample) - meanValue))
  const variance = samples.map(({ minutes }) => (minutes - meanTime) ** 2)
  return MINUTES_PER_HOUR * (meanOf(covariance) / meanOf(variance))
}

export const between = (samples: readonly MemorySample[], from: number, to: number): MemorySample[] =>
  samples.filter(({ minutes }) => minutes >= from && minutes < to)
