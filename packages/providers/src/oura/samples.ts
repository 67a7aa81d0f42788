// Values within Oura's days, from its shapes to the normalised ones: pure.

import { SLEEP_STAGES } from "@restwell/client"
import { SECOND_MS } from "@restwell/client/time-units"
import type { Json, SleepCourse } from "../contract/records.ts"
import type { SampleRead } from "../contract/sample-read.ts"
import type { LeftOut, Sample, SampleSet, SampleWindow } from "../contract/series.ts"
import { plausibleSamples } from "../normalize/plausible-samples.ts"
import { reasonsOf } from "../normalize/read-records.ts"
import { requireReadable } from "../normalize/require-readable.ts"
import { listHeartRates, type OuraAccess } from "./api.ts"
import { type LocalTime, OuraHeartRateSchema, type OuraInterval, type OuraSleep } from "./wire.ts"

/** The values of a sleep: a heart rate, an HRV and a stage for each five minutes. Absent where the ring has none. */
export function samplesOfSleep(sleep: OuraSleep, course: SleepCourse | undefined, now: Date): readonly SampleSet[] {
  const { bedtime_start: start, bedtime_end: end } = sleep
  const sets: readonly SampleSet[] = [
    { type: "heart_rate", samples: itemsOf(sleep.heart_rate) },
    { type: "hrv", method: "rmssd", samples: itemsOf(sleep.hrv) },
    { type: "sleep_stages", samples: course ? stagesOf(course, start, end) : [] },
  ]
  return sets.map((set) => plausibleSamples(set, now)).filter(({ samples, leftOut }) => samples.length > 0 || leftOut)
}

/** Oura names no time of the lowest heart rate: it is the first of the five minutes with the lowest value. */
export function lowestHeartRateAtMs(sleep: OuraSleep): number | undefined {
  let lowest: Sample | undefined
  for (const item of itemsOf(sleep.heart_rate)) if (!lowest || item.value < lowest.value) lowest = item
  return lowest?.atMs
}

/** Oura writes zero for no measurement. */
function itemsOf(series: OuraInterval): Sample[] {
  if (!series) return []
  const { interval, items, timestamp } = series
  const durationMs = Math.round(interval * SECOND_MS)
  const startMs = timestamp.at.getTime()
  return items.flatMap((value, index) =>
    value === null || value === 0
      ? []
      : [{ atMs: startMs + index * durationMs, value, durationMs, utcOffsetMinutes: timestamp.utcOffsetMinutes }],
  )
}

/** Equal phases after each other are one stage. The last one ends with the sleep. */
function stagesOf({ intervalMs, phases }: SleepCourse, start: LocalTime, end: LocalTime): Sample[] {
  const stages: { atMs: number; value: number; durationMs: number; utcOffsetMinutes: number }[] = []
  for (const [index, phase] of phases.entries()) {
    const atMs = start.at.getTime() + index * intervalMs
    const durationMs = Math.min(intervalMs, end.at.getTime() - atMs)
    if (durationMs <= 0) break
    if (phase === null) continue
    const value = SLEEP_STAGES.indexOf(phase)
    const last = stages.at(-1)
    if (last?.value === value && last.atMs + last.durationMs === atMs) last.durationMs += durationMs
    else stages.push({ atMs, value, durationMs, utcOffsetMinutes: start.utcOffsetMinutes })
  }
  return stages
}

/** A page has a thousand rows. */
const MOST_ROWS_OF_A_PAGE = 20_000

/** Returns all heart rates of a window, of the ring's whole day. */
export async function readHeartRates(access: OuraAccess, window: SampleWindow, now: Date): Promise<SampleRead> {
  const pages = await listHeartRates(access, window)
  const read = pages.map(heartRatesOf)
  requireReadable(
    "heart rate",
    pages.flat(),
    read.flatMap(({ leftOut = [] }) => leftOut),
  )
  const sets = read.map((set) => plausibleSamples(set, now))
  const [fromMs, toMs] = [window.from.getTime(), window.to.getTime()]
  return {
    sets: [
      {
        type: "heart_rate",
        // Whether the ends of a range count is not documented.
        samples: sets.flatMap(({ samples }) => samples).filter(({ atMs }) => atMs >= fromMs && atMs < toMs),
        leftOut: sets.flatMap(({ leftOut = [] }) => leftOut),
      },
    ],
  }
}

/** The heart rates of rows of the API or of the data export. A row without a measurement is none. */
function heartRatesOf(rows: readonly Json[]): SampleSet {
  const type = "heart_rate"
  const samples: Sample[] = []
  const leftOut: LeftOut[] = []
  for (const row of rows.slice(0, MOST_ROWS_OF_A_PAGE)) {
    const { data, error } = OuraHeartRateSchema.safeParse(row)
    if (error) leftOut.push({ type, reason: reasonsOf(error), count: 1 })
    else if (typeof data.bpm === "number") samples.push({ atMs: data.timestamp.getTime(), value: data.bpm })
  }
  const more = rows.length - MOST_ROWS_OF_A_PAGE
  if (more > 0) leftOut.push({ type, reason: `more than ${MOST_ROWS_OF_A_PAGE} values on a page`, count: more })
  return { type, samples, leftOut }
}
