/**
 * What the ring sees: when it is worn and its data arrives, a night with the ring's own offsets and noise, and what else it detects in a day.
 */

import { clamp, HOUR_MS, localInstantMs, MINUTE_MS, roundTo, SECOND_MS } from "../../model/calendar.ts"
import { episodeOn } from "../../model/episodes.ts"
import type { Life } from "../../model/life.ts"
import { type SleepStages, stagesOfNap } from "../../model/night.ts"
import { type Random, randomFor } from "../../model/random.ts"
import { type DayFrame, nightLifecycle, type TimedActivity, timeActivities } from "../../world/day-frame.ts"

const PHASE_MS = 5 * MINUTE_MS

/** Oura's digits of the sleep phases. */
const DEEP = "1"
const LIGHT = "2"
const REM = "3"
const AWAKE = "4"

/** `rest` is no sleep, by its owner's word. `deleted` was one. */
export type SleepType = "deleted" | "sleep" | "long_sleep" | "late_nap" | "rest"

/** What the ring says about a sleep. Durations are seconds. */
export interface RingSleep {
  readonly startMs: number
  readonly endMs: number
  /** One digit for each five minutes. */
  readonly phases: string
  readonly deepSeconds: number
  readonly remSeconds: number
  readonly lightSeconds: number
  readonly awakeSeconds: number
  readonly latencySeconds: number
  readonly efficiencyPercent: number
}

interface RingVitals {
  readonly hrvRmssdMs: number
  readonly averageHeartRate: number
  readonly lowestHeartRate: number
  readonly breathsPerMinute: number
  readonly temperatureDeviation: number
  readonly temperatureTrend: number
  readonly spo2Percent: number
}

/** Returns the main sleep of a day. A finger and a wrist disagree about its ends by minutes. */
export function ringNight(life: Life, day: number): RingSleep {
  const random = randomFor(life.seed, "ring night", day)
  const { bedtime, stages } = life.night(day)
  return measureSleep(
    random,
    wholeSeconds(bedtime.startMs + random.normal(2, 6) * MINUTE_MS),
    wholeSeconds(bedtime.endMs + random.normal(-1, 4) * MINUTE_MS),
    stages,
  )
}

/** Returns what the ring makes of a sleep with these ends, from its true stages. */
function measureSleep(random: Random, startMs: number, endMs: number, stages: SleepStages): RingSleep {
  const count = Math.max(1, Math.ceil((endMs - startMs) / PHASE_MS))
  const whole = stages.lightMs + stages.deepMs + stages.remMs + stages.awakeMs
  const part = (durationMs: number, bias: number) =>
    Math.round(count * clamp((durationMs / whole) * bias * Math.exp(random.normal(0, 0.12)), 0, 0.45))
  const [deep, rem, awake] = [part(stages.deepMs, 0.85), part(stages.remMs, 1.02), part(stages.awakeMs, 1.2)]
  const phases = orderPhases(random, count, deep, rem, awake)
  const secondsOf = (phase: string) => [...phases].filter((digit) => digit === phase).length * 300
  const inBedSeconds = Math.round((endMs - startMs) / SECOND_MS)
  // The last five minutes are not complete.
  const missing = count * 300 - inBedSeconds
  const light = Math.max(0, secondsOf(LIGHT) - missing)
  const [deepSeconds, remSeconds] = [secondsOf(DEEP), secondsOf(REM)]
  const asleep = deepSeconds + remSeconds + light
  return {
    startMs,
    endMs,
    phases,
    deepSeconds,
    remSeconds,
    lightSeconds: light,
    awakeSeconds: Math.max(0, inBedSeconds - asleep),
    latencySeconds: Math.max(1, phases.search(/[^4]/)) * 300,
    efficiencyPercent: clamp(Math.round((100 * asleep) / inBedSeconds), 1, 100),
  }
}

/** Cycles of 95 minutes: deep sleep early in the night, REM at the end of each cycle. */
function orderPhases(random: Random, count: number, deep: number, rem: number, awake: number): string {
  const left = { [DEEP]: deep, [REM]: rem, [AWAKE]: Math.max(0, awake - 1) }
  const phases = Array.from({ length: count }, (_, index) => {
    if (index === 0) return AWAKE
    const position = (index % 19) / 19
    const wanted =
      position > 0.2 && position < 0.55 && index < count * 0.6
        ? DEEP
        : position > 0.7
          ? REM
          : random.chance(0.05)
            ? AWAKE
            : LIGHT
    if (wanted === LIGHT || left[wanted] < 1) return LIGHT
    left[wanted]--
    return wanted
  })
  for (const phase of [REM, AWAKE, DEEP] as const) {
    for (let index = count - 1; index > 0 && left[phase] > 0; index--) {
      if (phases[index] !== LIGHT) continue
      phases[index] = phase
      left[phase]--
    }
  }
  return phases.join("")
}

/** A finger shows a lower HRV and another pulse than a wrist, by an offset that is the person's own. */
export function ringVitals(life: Life, day: number): RingVitals {
  const own = randomFor(life.seed, "ring offsets")
  const random = randomFor(life.seed, "ring vitals", day)
  const vitals = life.vitals(day)
  const { body } = life.traits
  const deviationOf = (of: number) => life.vitals(of).skinTempCelsius - body.skinTempCelsius
  const lowest = Math.round(vitals.restingHeartRate + own.normal(-1.5, 1) + random.normal(0, 0.8))
  const trend = [0, 1, 2].reduce((sum, back) => sum + deviationOf(day - back), 0) / 3
  return {
    hrvRmssdMs: Math.round(
      clamp(vitals.hrvRmssdMs * own.between(0.82, 1.05) * Math.exp(random.normal(0, 0.07)), 5, 300),
    ),
    lowestHeartRate: lowest,
    averageHeartRate: roundTo(lowest + random.between(3, 8), 2),
    breathsPerMinute: roundTo(vitals.respiratoryRate + own.normal(0, 0.2) + random.normal(0, 0.15), 3),
    temperatureDeviation: roundTo(deviationOf(day) * 0.8 + random.normal(0, 0.08), 2),
    temperatureTrend: roundTo(trend * 0.6, 2),
    spo2Percent: roundTo(clamp(vitals.spo2Percent + own.normal(0.6, 0.3) + random.normal(0, 0.4), 85, 100), 3),
  }
}

const wholeSeconds = (instantMs: number): number => Math.round(instantMs / SECOND_MS) * SECOND_MS

/** A sleep beside the main one. */
export interface ShortSleep {
  readonly id: string
  readonly sleep: RingSleep
  readonly type: SleepType
  readonly uploadedMs: number
  /** The owner says that it was no sleep. */
  readonly deletedMs?: number
}

export interface RingDay extends DayFrame {
  /** 04:00 local, and 04:00 of the next day. */
  readonly activityStartMs: number
  readonly activityEndMs: number
  /** Moments at which the ring sends its data: the app is opened after waking, and syncs during the day. */
  readonly syncedMs: readonly number[]
  readonly activities: readonly TimedActivity[]
  readonly shortSleeps: readonly ShortSleep[]
}

/** Returns the day, or nothing when the ring was off. The ring has gaps of its own. */
export function ringDay(life: Life, day: number): RingDay | undefined {
  const random = randomFor(life.seed, "ring day", day)
  const { life: habits } = life.traits
  const gaps = { name: "ring gap", blockDays: 90, perYear: habits.gapsPerYear, shortestDays: 1, longestDays: 9 }
  if (episodeOn(life.seed, gaps, day)) return undefined
  const { eveningZone, morningZone } = life.plan(day)
  const { zone, startMs, endMs: wakeMs } = life.bedtime(day)
  const endMs = life.bedtime(day + 1).startMs
  const activityStartMs = localInstantMs(morningZone, day, 240)
  const activityEndMs = localInstantMs(eveningZone, day + 1, 240)
  const frame: DayFrame = {
    day,
    sleepId: random.uuid(),
    nightZone: zone,
    dayZone: eveningZone,
    hasSleep: !random.chance(habits.chargingNights),
    startMs,
    wakeMs,
    endMs,
    closedMs: activityEndMs,
    lifecycle: nightLifecycle(`${life.seed}/ring`, day, wakeMs),
  }
  const opened = wakeMs + Math.round(random.between(4, 90) * MINUTE_MS)
  return {
    ...frame,
    activityStartMs,
    activityEndMs,
    syncedMs: [opened, opened + 5 * HOUR_MS, opened + 10 * HOUR_MS, activityEndMs + Math.round(4.2 * HOUR_MS)],
    activities: timeActivities(life, frame),
    shortSleeps: shortSleepsOf(life, frame),
  }
}

function shortSleepsOf(life: Life, frame: DayFrame): ShortSleep[] {
  const random = randomFor(life.seed, "ring naps", frame.day)
  const nap = timeActivities(life, frame).find(({ session }) => session === undefined)
  const found: ShortSleep[] = []
  const add = (startMs: number, endMs: number, type: SleepType) => {
    const stages = stagesOfNap(life.seed, endMs - startMs, frame.day)
    const uploadedMs = endMs + Math.round(random.between(10, 70) * MINUTE_MS)
    found.push({
      id: random.uuid(),
      sleep: measureSleep(random, wholeMinutes(startMs), wholeMinutes(endMs), stages),
      type,
      uploadedMs,
      ...(random.chance(0.06) && { deletedMs: uploadedMs + Math.round(random.between(1, 20) * HOUR_MS) }),
    })
  }
  if (nap) add(nap.startMs + random.normal(2, 3) * MINUTE_MS, nap.endMs + random.normal(0, 3) * MINUTE_MS, "sleep")
  // An hour on the sofa, of which a strap notices nothing. Ended after 18:00 it counts to the next day.
  const evening = localInstantMs(frame.dayZone, frame.day, 1090)
  if (random.chance(0.04) && evening + 80 * MINUTE_MS < frame.endMs)
    add(evening, evening + random.between(30, 60) * MINUTE_MS, "late_nap")
  if (random.chance(0.05)) add(frame.wakeMs + 50 * MINUTE_MS, frame.wakeMs + 70 * MINUTE_MS, "rest")
  return found
}

const wholeMinutes = (instantMs: number): number => Math.round(instantMs / MINUTE_MS) * MINUTE_MS
