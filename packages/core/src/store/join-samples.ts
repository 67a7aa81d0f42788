// Which samples of a day count. The rules do not depend on the order in which samples arrive.
import type { SeriesType } from "@restwell/client"
import type { LeftOut, Sample } from "@restwell/providers"
import { MOST_SAMPLES_A_DAY, storedValue } from "./packed-samples.ts"

/** The samples of a day, oldest first, and the number of samples that were left out because there are too many. */
export interface JoinedSamples {
  readonly samples: readonly Sample[]
  readonly leftOut: readonly LeftOut[]
}

/**
 * Joins samples of one type, source and UTC day. There is one for each instant: of several, the one with the greater value counts, because
 * a count grows until its time is over. Stages of sleep may begin together, so there is one for each instant and stage: the longest.
 * Of too many, the earliest are kept.
 */
export function joinSamples(type: SeriesType, samples: readonly Sample[]): JoinedSamples {
  const best = new Map<string | number, Sample>()
  const keyOf = type === "sleep_stages" ? ({ atMs, value }: Sample) => `${atMs}/${value}` : ({ atMs }: Sample) => atMs
  for (const sample of samples) {
    const rounded = { ...sample, value: storedValue(sample.value) }
    const key = keyOf(rounded)
    const other = best.get(key)
    if (other === undefined || compareSamples(rounded, other) > 0) best.set(key, rounded)
  }
  const sorted = [...best.values()].sort((one, other) => one.atMs - other.atMs || one.value - other.value)
  const kept = sorted.slice(0, MOST_SAMPLES_A_DAY)
  const count = sorted.length - kept.length
  const reason = `more than ${MOST_SAMPLES_A_DAY} values in a day`
  return { samples: kept, leftOut: count > 0 ? [{ type, reason, count }] : [] }
}

/** An order of samples of one instant that has no equals but equal samples. */
const compareSamples = (one: Sample, other: Sample): number =>
  one.value - other.value ||
  (one.durationMs ?? 0) - (other.durationMs ?? 0) ||
  (one.utcOffsetMinutes ?? Number.NEGATIVE_INFINITY) - (other.utcOffsetMinutes ?? Number.NEGATIVE_INFINITY) ||
  0
