// Samples that can be true. One that cannot is left out, and the others of its day are used.

import { SERIES_UNITS, type SeriesType, SLEEP_STAGES, SUM_TYPES } from "@restwell/client"
import { utcDateOf } from "@restwell/client/calendar-dates"
import { HOUR_MS } from "@restwell/client/time-units"
import type { LeftOut, Sample, SampleSet } from "../contract/series.ts"
import { isPlausibleInstant } from "./plausible.ts"

/** A value is for a day at most. */
const LONGEST_MS = 24 * HOUR_MS
/** What is counted may be for a local day, which has 25 hours where clocks go back, and more on a journey to the west. */
const LONGEST_COUNT_MS = 26 * HOUR_MS
/** Clocks of devices may be wrong by their time zone. */
const FURTHEST_AHEAD_MS = 24 * HOUR_MS

/** The least and the most that a value can be. Sources of those of records are in plausible.ts. */
export const SAMPLE_BOUNDS: Readonly<Record<SeriesType, readonly [least: number, most: number]>> = {
  heart_rate: [20, 300],
  // Single values of five minutes spread more than those of a night.
  hrv: [1, 1_000],
  spo2: [50, 100],
  respiratory_rate: [1, 100],
  // Burns from 43 in long contact (ISO 13732-1); a cold room cools a wrist.
  skin_temperature: [10, 45],
  // In one value, which is for a day at most.
  steps: [0, 500_000],
  active_energy: [0, 20_000],
  distance: [0, 6_000_000],
  // Half of Everest, in one value.
  floors: [0, 1_500],
  exercise_minutes: [0, 1_440],
  sleep_stages: [0, SLEEP_STAGES.length - 1],
  // Lightest and heaviest adult (Guinness World Records).
  weight: [2, 650],
  body_fat: [1, 90],
  // Highest on record 370/360, under a heavy lift (MacDougall 1985).
  blood_pressure_systolic: [30, 400],
  blood_pressure_diastolic: [10, 400],
  // Highest on record 101.
  vo2max: [5, 110],
  stress: [0, 100],
  walking_heart_rate: [20, 300],
}

/** Parts the samples that can be true from the others. @param now nothing is measured more than a day after it */
export function plausibleSamples(set: SampleSet, now: Date): SampleSet {
  const found: LeftOut[] = []
  const latestMs = now.getTime() + FURTHEST_AHEAD_MS
  const samples = set.samples.filter((sample) => {
    const reason = faultOf(set.type, sample, latestMs)
    if (reason !== undefined) found.push({ type: set.type, reason, count: 1, ...dayOf(sample) })
    return reason === undefined
  })
  const leftOut = sumLeftOut([...(set.leftOut ?? []), ...found])
  return { ...set, samples, ...(leftOut.length > 0 && { leftOut }) }
}

/** Adds up the counts of samples that have everything else in common. */
export function sumLeftOut<One extends LeftOut>(all: readonly One[]): One[] {
  const sums = new Map<string, One>()
  for (const one of all) {
    const key = JSON.stringify(Object.entries({ ...one, count: 0 }).toSorted())
    sums.set(key, { ...one, count: one.count + (sums.get(key)?.count ?? 0) })
  }
  return [...sums.values()]
}

function dayOf({ atMs }: Sample): { readonly day?: string } {
  const at = new Date(atMs)
  return isPlausibleInstant(at) ? { day: utcDateOf(at) } : {}
}

/** Why a sample cannot be true. Undefined where it can. */
export function faultOf(
  type: SeriesType,
  { atMs, value, durationMs = 0 }: Sample,
  latestMs: number,
): string | undefined {
  if (!isPlausibleInstant(new Date(atMs))) return "not an instant of this century"
  if (atMs > latestMs) return "more than a day in the future"
  const longestMs = SUM_TYPES.includes(type) ? LONGEST_COUNT_MS : LONGEST_MS
  if (!(durationMs >= 0 && durationMs <= longestMs)) return "longer than a day"
  return valueFault(type, value)
}

/** Why a value cannot be true at any time. Undefined where it can. */
export function valueFault(type: SeriesType, value: number): string | undefined {
  const [least, most] = SAMPLE_BOUNDS[type]
  if (Number.isNaN(value)) return "cannot be read"
  if (!(value >= least && value <= most)) return `outside ${least} to ${most} ${SERIES_UNITS[type]}`
  return type === "sleep_stages" && !Number.isInteger(value) ? "no stage of sleep" : undefined
}
