/* What the archives of Garmin, Fitbit and Apple keep of the days of a ring, each in its own figures. It shares no code with the service. */
import type { NormalizedRecord } from "@restwell/providers"
import type { OuraRecords } from "@restwell/simulator"
import {
  byDay,
  cycleOf,
  DAY_MS,
  localDateIn,
  MINUTE_MS,
  midnightOf,
  minutesOf,
  type Night,
  napsOf,
  nightsOf,
  offsetAt,
  type Parts,
  PHASE_MS,
  phasesOf,
  recoveryOf,
  sleepOf,
  spanOf,
  stagesOf,
  stateOf,
  trainedWith,
} from "./records.ts"

const HEART = { averageHeartRateBpm: 131, maxHeartRateBpm: 164 }
/** The only readiness of a date whose morning had none: a measurement after training, of another meaning and value. */
const AFTER_EXERCISE = 1

/** Garmin has one night a date, and no night without stages. Naps have times alone. */
export function keptByGarmin(all: OuraRecords, now: Date): NormalizedRecord[] {
  const nights = byDay(nightsOf(all).filter((night) => stagesOf(night)))
  const [scores, oxygen, readinesses, days] = [
    byDay(all.daily_sleep),
    byDay(all.daily_spo2),
    byDay(all.daily_readiness),
    byDay(all.daily_activity),
  ]
  const any = byDay(nightsOf(all))
  const slept = [...nights].map(([date, night]) =>
    sleepOf(date, "scored", {
      ...spanOf(night),
      isNap: false,
      stages: stagesOf(night),
      figures: { respiratoryRatePerMinute: night.average_breath, timesAwake: timesAwakeIn(night) },
      score: scores.get(date)?.score,
      parts: garminPartsOfSleep(scores.get(date)?.contributors ?? {}),
    }),
  )
  const naps = napsOf(all)
    .filter(({ day }) => any.has(day))
    .map((nap) => sleepOf(`nap-${nap.id}`, "unscorable", { ...spanOf(nap), isNap: true, figures: {} }))
  const mornings = [...new Set([...any.keys(), ...readinesses.keys(), ...days.keys()])].flatMap((date) => {
    const night = any.get(date)
    const score = readinesses.has(date) ? (readinesses.get(date)?.score ?? AFTER_EXERCISE) : undefined
    const restingHeartRate = days.has(date) ? night?.lowest_heart_rate : null
    if (!night?.average_hrv && !restingHeartRate && typeof score !== "number") return []
    return recoveryOf(date, stateOf(typeof score === "number", date, now), {
      date,
      sleep: nights.has(date) ? date : undefined,
      cycle: days.has(date) ? date : undefined,
      score,
      deviation: night && readinesses.get(date)?.temperature_deviation,
      ...(typeof readinesses.get(date)?.score === "number" && {
        parts: garminPartsOfReadiness(readinesses.get(date)?.contributors ?? {}),
        unit: "%" as const,
      }),
      figures: {
        hrvMs: night?.average_hrv,
        restingHeartRateBpm: restingHeartRate,
        spo2Percent: night && oxygen.get(date)?.spo2_percentage?.average,
      },
    })
  })
  const cycles = all.daily_activity.map((activity) => {
    const startMs = Date.parse(activity.day) - minutesOf(activity.timestamp) * MINUTE_MS
    return cycleOf(activity.day, "scored", {
      startMs,
      endMs: startMs + DAY_MS,
      offset: offsetAt(startMs),
      endOffset: offsetAt(startMs + DAY_MS),
      figures: { energyKcal: activity.total_calories, maxHeartRateBpm: 160 },
      steps: activity.steps,
      active: activity.active_calories,
      distance: activity.equivalent_walking_distance,
    })
  })
  return [...slept, ...naps, ...mornings, ...cycles, ...trainedWith(all, () => HEART, 0)]
}

/** Phases awake that another phase, or the start of the night, is before. */
function timesAwakeIn({ sleep_phase_5_min: phases }: Night): number | null {
  if (phases === null) return null
  return [...phases].filter((phase, index) => phase === "4" && phases[index - 1] !== "4").length
}

/** In the order of Garmin's app. */
const garminPartsOfSleep = (parts: Parts): Parts => ({
  duration: parts["total_sleep"],
  deep: parts["deep_sleep"],
  rem: parts["rem_sleep"],
  interruptions: parts["restfulness"],
})

const garminPartsOfReadiness = (parts: Parts): Parts => ({
  sleep: parts["previous_night"],
  sleep_history: parts["sleep_balance"],
  recovery_time: parts["recovery_index"],
  hrv_status: parts["hrv_balance"],
  acute_load: parts["activity_balance"],
})

/** Fitbit adds up its segments of five minutes, which end with the sleep. */
export function keptByFitbit(all: OuraRecords, now: Date): NormalizedRecord[] {
  const staged = (sleeps: readonly Night[]) => sleeps.filter(({ sleep_phase_5_min: phases }) => phases)
  const nights = byDay(staged(nightsOf(all)))
  const [scores, oxygen, readinesses, days] = [
    byDay(all.daily_sleep),
    byDay(all.daily_spo2),
    byDay(all.daily_readiness),
    byDay(all.daily_activity.filter(({ steps }) => steps > 0)),
  ]
  const slept = [...staged(nightsOf(all)), ...staged(napsOf(all))].map((night) => {
    const isNap = night.type !== "long_sleep"
    const span = spanOf(night)
    const stages = phasesOf(night, span.endMs - span.startMs)
    const asleepMs = (stages ?? []).slice(0, 3).reduce((sum, ms) => sum + ms, 0)
    return sleepOf(isNap ? `nap-${night.id}` : night.day, "scored", {
      ...span,
      isNap,
      stages,
      figures: {
        efficiencyPercent: Math.min(100, (asleepMs * 100) / (span.endMs - span.startMs)),
        respiratoryRatePerMinute: isNap ? null : night.average_breath,
      },
      score: isNap ? null : scores.get(night.day)?.score,
    })
  })
  const mornings = [...new Set([...nights.keys(), ...readinesses.keys()])].flatMap((date) => {
    const [night, score] = [nights.get(date), readinesses.get(date)?.score]
    if (!night?.average_hrv && !night?.lowest_heart_rate && typeof score !== "number") return []
    return recoveryOf(date, stateOf(typeof score === "number", date, now), {
      date,
      sleep: night && date,
      cycle: days.has(date) ? date : undefined,
      score,
      figures: {
        hrvMs: night?.average_hrv,
        restingHeartRateBpm: night?.lowest_heart_rate,
        spo2Percent: night && oxygen.get(date)?.spo2_percentage?.average,
      },
    })
  })
  const cycles = [...days].map(([date, activity]) => {
    const [start, end] = [midnightOf(date), midnightOf(date, 1)]
    return cycleOf(date, "scored", {
      startMs: start.ms,
      endMs: end.ms,
      offset: start.offset,
      endOffset: end.offset,
      figures: { energyKcal: activity.total_calories },
      steps: activity.steps,
      distance: activity.equivalent_walking_distance,
    })
  })
  return [...slept, ...mornings, ...cycles, ...trainedWith(all, () => HEART)]
}

const INTERVAL_MARGIN_MS = { before: 15 * MINUTE_MS, after: 20 * MINUTE_MS }
/** 95.5 degrees Fahrenheit. */
const WRIST_CELSIUS = ((95.5 - 32) * 5) / 9
const DAILY_METERS = 2.5 * 1609.344

/**
 * Apple's watch ends its sleep with the last phase. Where it found none, only the phone's time in bed is left. Of the steps the watch has
 * six hours, and the phone the thirds of them that the watch did not see.
 */
export function keptByApple(all: OuraRecords, now: Date): NormalizedRecord[] {
  const oxygen = byDay(all.daily_spo2)
  const slept = [...nightsOf(all), ...napsOf(all)].flatMap((night) => {
    const span = spanOf(night)
    const isNap = night.type !== "long_sleep"
    const stages = phasesOf(night)
    const count = night.sleep_phase_5_min?.length ?? 0
    const endMs = count > 0 ? span.startMs + count * PHASE_MS : span.endMs + INTERVAL_MARGIN_MS.after
    const startMs = count > 0 ? span.startMs : span.startMs - INTERVAL_MARGIN_MS.before
    const asleepMs = (stages ?? []).slice(0, 3).reduce((sum, ms) => sum + ms, 0)
    const date = localDateIn(new Date(endMs))
    const sleep = sleepOf(isNap ? `nap-${night.id}` : date, stages ? "scored" : "unscorable", {
      ...span,
      startMs,
      endMs,
      isNap,
      stages,
      figures: {
        efficiencyPercent: stages ? (asleepMs / (endMs - startMs)) * 100 : null,
        respiratoryRatePerMinute: night.type === "long_sleep" ? night.average_breath : null,
      },
    })
    return isNap && !stages ? [] : [{ night, date, sleep }]
  })
  const mornings = slept.flatMap(({ night, date }) => {
    const beats = (night.hrv?.items ?? []).filter((item) => item !== null)
    const hrv = beats.length === 0 ? null : beats.reduce((sum, each) => sum + each, 0) / beats.length
    if (night.type !== "long_sleep" || (hrv === null && !night.lowest_heart_rate)) return []
    const spo2 = oxygen.get(night.day)?.spo2_percentage?.average
    return recoveryOf(date, "scored", {
      date,
      sleep: date,
      cycle: date,
      celsius: WRIST_CELSIUS,
      figures: { hrvMs: hrv, restingHeartRateBpm: night.lowest_heart_rate, spo2Percent: spo2 },
    })
  })
  const cycles = all.daily_activity.map((activity) => {
    const [start, end] = [midnightOf(activity.day), midnightOf(activity.day, 1)]
    const isOver = end.ms <= now.getTime()
    return cycleOf(activity.day, "scored", {
      startMs: start.ms,
      endMs: isOver ? end.ms : null,
      offset: start.offset,
      endOffset: end.offset,
      figures: { energyKcal: activity.total_calories },
      steps: Math.round(9 * Math.floor(activity.steps / 6)),
      active: activity.active_calories,
      distance: DAILY_METERS,
    })
  })
  // Each second workout is in the form of before iOS 16, where a distance of zero is none.
  const heart = (index: number) => (index % 2 === 0 ? {} : { ...HEART, averageHeartRateBpm: 131.5 })
  const trained = all.workout.map((workout, index) => ({
    ...workout,
    distance: index % 2 === 0 ? workout.distance || null : (workout.distance ?? 0),
  }))
  return [
    ...slept.map(({ sleep }) => sleep),
    ...mornings,
    ...cycles,
    ...copiedByAnApp(all, now),
    ...trainedWith({ workout: trained }, heart),
  ]
}

/** The row that the ring's app copies into Apple Health is of the hours in UTC. Its end falls on the next date, where it is all there is. */
function copiedByAnApp({ daily_activity }: OuraRecords, now: Date): NormalizedRecord[] {
  const worn = new Set(daily_activity.map(({ day }) => day))
  return daily_activity.flatMap(({ day, steps }) => {
    const [start, end] = [midnightOf(day, 1), midnightOf(day, 2)]
    const hours = 23
    const sharedMs = Date.parse(day) + hours * 60 * MINUTE_MS - start.ms
    const date = localDateIn(new Date(start.ms))
    if (worn.has(date) || sharedMs <= 0) return []
    return cycleOf(date, "scored", {
      startMs: start.ms,
      endMs: end.ms <= now.getTime() ? end.ms : null,
      offset: start.offset,
      endOffset: end.offset,
      figures: {},
      steps: Math.round((steps * sharedMs) / (hours * 60 * MINUTE_MS)),
    })
  })
}
