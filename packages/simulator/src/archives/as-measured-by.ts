/** Another device on the same person: it sleeps and walks as they do, and finds a little else than the ring. */

import { clamp } from "../model/calendar.ts"
import { type Random, randomFor } from "../model/random.ts"
import type { OuraRecords, WireOuraSleep } from "../oura/records/wire.ts"

const PHASE_SECONDS = 300

/** What the person weighs on a day, counted from the first: slowly up and down around what they entered for the ring. A scale shows tens of grams. */
export const gramsOn = (day: number): number => Math.round(6_140 + 90 * Math.sin(day / 58)) * 10

/** @param device its name. Another one measures something else, and the same one always the same */
export function asMeasuredBy(device: string, records: OuraRecords): OuraRecords {
  const scoreOf = <Document extends { id: string; score: number | null }>(document: Document): Document => ({
    ...document,
    score: document.score && clamp(Math.round(randomFor(device, document.id).normal(document.score, 6)), 1, 100),
  })
  return {
    ...records,
    sleep: records.sleep.map((sleep) => sleepOf(sleep, randomFor(device, sleep.id))),
    daily_sleep: records.daily_sleep.map(scoreOf),
    daily_readiness: records.daily_readiness.map(scoreOf),
    daily_activity: records.daily_activity.map((day) => {
      const share = randomFor(device, day.id).between(0.9, 1.1)
      return {
        ...day,
        steps: Math.round(day.steps * share),
        equivalent_walking_distance: Math.round(day.equivalent_walking_distance * share),
      }
    }),
  }
}

function sleepOf(sleep: WireOuraSleep, random: Random): WireOuraSleep {
  const { sleep_phase_5_min: phases, average_hrv: hrv, lowest_heart_rate: lowest } = sleep
  if (phases === null) return sleep
  const found = [...phases].map((phase) => (random.chance(0.12) ? random.pick(["1", "2", "2", "3", "4"]) : phase))
  const lengthSeconds = (Date.parse(sleep.bedtime_end) - Date.parse(sleep.bedtime_start)) / 1000
  const lastSeconds = lengthSeconds - (found.length - 1) * PHASE_SECONDS
  const secondsOf = (phase: string) =>
    found.reduce(
      (sum, each, index) => sum + (each !== phase ? 0 : index < found.length - 1 ? PHASE_SECONDS : lastSeconds),
      0,
    )
  return {
    ...sleep,
    sleep_phase_5_min: found.join(""),
    deep_sleep_duration: secondsOf("1"),
    light_sleep_duration: secondsOf("2"),
    rem_sleep_duration: secondsOf("3"),
    awake_time: secondsOf("4"),
    average_hrv: hrv && Math.max(5, Math.round(random.normal(hrv, 4))),
    lowest_heart_rate: lowest && lowest + random.integer(-1, 2),
  }
}
