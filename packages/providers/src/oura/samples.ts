// Values within Oura's days, from its shapes to the normalised ones: pure.
import { SLEEP_STAGES } from "@restwell/client"
import type { SleepCourse } from "../contract/records.ts"
import type { Sample, SampleSet } from "../contract/series.ts"
import { plausibleSamples } from "../normalize/plausible-samples.ts"
import type { LocalTime, OuraInterval, OuraSleep } from "./wire.ts"

const SECOND_MS = 1000

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
    const value = SLEEP_STAGES.indexOf(phase)
    const last = stages.at(-1)
    if (last?.value === value) last.durationMs += durationMs
    else stages.push({ atMs, value, durationMs, utcOffsetMinutes: start.utcOffsetMinutes })
  }
  return stages
}
