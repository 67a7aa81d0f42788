/** A sleep: when the person goes to bed and gets up, which follows from plans only, and its stages, efficiency, need and scores. */
import { clamp, HOUR_MS, localInstantMs, MINUTE_MS, SECOND_MS, weekday } from "./calendar.ts"
import type { DayPlan } from "./day-plan.ts"
import { strainOf } from "./effort.ts"
import { type Random, randomFor } from "./random.ts"
import type { Traits } from "./traits.ts"

export interface Bedtime {
  /** IANA zone of the bed. */
  readonly zone: string
  readonly startMs: number
  readonly endMs: number
}

/** Shift of the bedtime per hour of jet lag. */
const MINUTES_PER_JET_LAG_HOUR = 20
/** Least time between getting up and going to bed on a travel day. */
const SHORTEST_DAY_HOURS = 9

/** Returns the main sleep that ends on the day of `today`, given the plan of the evening before. */
export function bedtimeOf(seed: string, traits: Traits, evening: DayPlan, today: DayPlan): Bedtime {
  const random = randomFor(seed, "bedtime", today.day)
  const { sleep } = traits
  const zone = today.morningZone
  const shift = clamp(evening.jetLagHours * MINUTES_PER_JET_LAG_HOUR, -120, 150)
  const beforeFreeDay = weekday(today.day) >= 5 ? sleep.weekendShiftMinutes : 0
  const late = evening.eveningOut?.laterMinutes ?? 0
  const bedMinute =
    sleep.bedtimeMinute + shift + beforeFreeDay * 0.8 + late + random.normal(0, sleep.irregularityMinutes)
  const startMs = Math.max(
    localInstantMs(zone, today.day, bedMinute),
    earliestAfterFlight(traits, evening, random.next()),
  )
  const hours = today.isFreeDay
    ? sleep.needHours / sleep.efficiency + random.normal(0.25, 0.6) + 0.8 * today.illness
    : (localInstantMs(
        zone,
        today.day,
        sleep.wakeMinute + 0.5 * shift + random.normal(0, sleep.irregularityMinutes / 2),
      ) -
        startMs) /
      HOUR_MS
  return { zone, startMs, endMs: Math.round(startMs + clamp(hours, 4.2, 11) * HOUR_MS) }
}

function earliestAfterFlight(traits: Traits, evening: DayPlan, jitter: number): number {
  if (!evening.isTravelDay) return Number.NEGATIVE_INFINITY
  const gotUpMs = localInstantMs(evening.morningZone, evening.day, traits.sleep.wakeMinute)
  return Math.round(gotUpMs + (SHORTEST_DAY_HOURS + jitter) * HOUR_MS)
}

export interface SleepStages {
  readonly lightMs: number
  readonly deepMs: number
  readonly remMs: number
  readonly awakeMs: number
  readonly noDataMs: number
  readonly sleepCycles: number
  readonly disturbances: number
}

/** The sleep need is the sum of the four parts. */
export interface SleepNeed {
  readonly baselineMs: number
  readonly fromDebtMs: number
  readonly fromStrainMs: number
  /** Zero or negative: sleep already gained in a nap. */
  readonly fromNapMs: number
}

export interface SleepDisturbers {
  readonly drinks: number
  readonly illness: number
  readonly jetLagHours: number
  /** Share by which recent load exceeds the usual load. */
  readonly overload: number
}

/** Additional need, ms per point of strain above an easy day. */
const STRAIN_NEED_MS = 2.6 * MINUTE_MS
const EASY_STRAIN = 5

/** Time asleep: time in bed without awake time and time without a signal. */
export function asleepMs(stages: SleepStages): number {
  return stages.lightMs + stages.deepMs + stages.remMs
}

export function totalNeedMs(need: SleepNeed): number {
  return need.baselineMs + need.fromDebtMs + need.fromStrainMs + need.fromNapMs
}

/** Returns the stages of a main sleep. Alcohol reduces REM, load adds deep sleep, long sleeps have more REM. */
export function stagesOfNight(
  seed: string,
  traits: Traits,
  bedtime: Bedtime,
  day: number,
  by: SleepDisturbers,
): SleepStages {
  const random = randomFor(seed, "stages", day)
  const inBedMs = bedtime.endMs - bedtime.startMs
  const strainOnSleep = 0.012 * by.drinks + 0.05 * by.illness + 0.006 * Math.abs(by.jetLagHours)
  const efficiency = clamp(random.normal(traits.sleep.efficiency, 0.018) - strainOnSleep, 0.68, 0.985)
  const deep = clamp(
    traits.sleep.deepShare * (1 + 0.12 * by.overload) - 0.008 * by.drinks + random.normal(0, 0.02),
    0.08,
    0.34,
  )
  const lengthEffect = 0.018 * (inBedMs / HOUR_MS - 7.5)
  const rem = clamp(traits.sleep.remShare + lengthEffect - 0.014 * by.drinks + random.normal(0, 0.024), 0.08, 0.36)
  return splitStages(random, inBedMs, efficiency, deep, rem)
}

/** Returns the stages of a nap, which is mostly light sleep. */
export function stagesOfNap(seed: string, inBedMs: number, day: number): SleepStages {
  const random = randomFor(seed, "nap stages", day)
  return splitStages(random, inBedMs, random.between(0.7, 0.93), random.between(0, 0.12), random.between(0, 0.15))
}

function splitStages(random: Random, inBedMs: number, efficiency: number, deep: number, rem: number): SleepStages {
  const noDataMs = random.chance(0.07) ? Math.round(inBedMs * random.between(0.003, 0.04)) : 0
  const asleep = Math.round(inBedMs * efficiency) - noDataMs
  // WHOOP rounds stages to epochs of 30 s, so their sum differs slightly from the time in bed.
  const epoch = (durationMs: number) => Math.round(durationMs / (30 * SECOND_MS)) * 30 * SECOND_MS
  const deepMs = epoch(asleep * deep)
  const remMs = epoch(asleep * rem)
  const lightMs = epoch(asleep - deepMs - remMs)
  return {
    lightMs,
    deepMs,
    remMs,
    noDataMs,
    awakeMs: epoch(inBedMs * (1 - efficiency)),
    sleepCycles: Math.max(0, Math.round(asleep / (98 * MINUTE_MS))),
    disturbances: Math.max(0, Math.round((asleep / HOUR_MS) * random.between(0.5, 1.9))),
  }
}

/** Returns the need of a night: the body's own, plus sleep debt, plus yesterday's strain, minus a nap. */
export function needOfNight(
  traits: Traits,
  shortfallsMs: readonly number[],
  loadYesterday: number,
  napMs: number,
): SleepNeed {
  const baselineMs = Math.round(traits.sleep.needHours * HOUR_MS)
  const debt = shortfallsMs.reduce((sum, shortfallMs, nightsAgo) => sum + shortfallMs * 0.32 * 0.55 ** nightsAgo, 0)
  return {
    baselineMs,
    fromDebtMs: Math.round(clamp(debt, 0, 1.75 * HOUR_MS)),
    fromStrainMs: Math.round(Math.max(0, strainOf(loadYesterday) - EASY_STRAIN) * STRAIN_NEED_MS),
    fromNapMs: napMs > 0 ? -Math.round(Math.min(napMs * 0.75, HOUR_MS)) : 0,
  }
}

/** Sleep consistency, percent 0-100: similarity of the last bedtimes and wake times on the local clock. */
export function consistencyOf(deviationsMinutes: readonly number[]): number {
  const average = deviationsMinutes.reduce((sum, minutes) => sum + Math.abs(minutes), 0) / deviationsMinutes.length
  return clamp(Math.round(100 - average * 0.32), 20, 100)
}

export function plannedDisturbers(evening: DayPlan, today: DayPlan, overload: number): SleepDisturbers {
  return { drinks: evening.eveningOut?.drinks ?? 0, illness: today.illness, jetLagHours: today.jetLagHours, overload }
}
