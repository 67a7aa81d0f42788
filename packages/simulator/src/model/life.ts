/** One person's life, day by day. Each day is computed once, in any order. */

import { clamp, HOUR_MS, localInstantMs, MINUTE_MS, memoized } from "./calendar.ts"
import { type DayPlan, planDay } from "./day-plan.ts"
import { carryOutSessions, loadOf, type Session, splitIntoZones } from "./effort.ts"
import {
  asleepMs,
  type Bedtime,
  bedtimeOf,
  consistencyOf,
  needOfNight,
  plannedDisturbers,
  type SleepNeed,
  type SleepStages,
  stagesOfNight,
  totalNeedMs,
} from "./night.ts"
import { sportNamed, type Traits } from "./traits.ts"
import { BASELINE_NIGHTS, type Form, formOn, recoveryScore, type Vitals, vitalsOf } from "./vitals.ts"

/** A main sleep, recorded by a strap or not. */
interface Night {
  readonly bedtime: Bedtime
  readonly stages: SleepStages
  readonly need: SleepNeed
  /** Percent 0-100. */
  readonly performance: number
  readonly efficiency: number
  readonly consistency: number
}

/** Days are whole days since 1970-01-01; a night belongs to the day of waking. */
export interface Life {
  readonly traits: Traits
  /** Key of this person's random streams. */
  readonly seed: string
  plan(day: number): DayPlan
  sessions(day: number): readonly Session[]
  load(day: number): number
  form(day: number): Form
  bedtime(day: number): Bedtime
  night(day: number): Night
  vitals(day: number): Vitals
  recovery(day: number): number
}

export function createLife(seed: string, traits: Traits): Life {
  const usualLoad = usualLoadOf(traits)
  const life: Life = {
    traits,
    seed,
    plan: memoized((day) => planDay(seed, traits, day)),
    sessions: memoized((day) => carryOutSessions(seed, traits, life.plan(day))),
    load: memoized((day) => life.sessions(day).reduce((sum, done) => sum + done.load, life.plan(day).everydayLoad)),
    form: memoized((day) => formOn(life.load, day)),
    bedtime: memoized((day) => bedtimeOf(seed, traits, life.plan(day - 1), life.plan(day))),
    night: memoized((day) => sleepThrough(life, usualLoad, day)),
    vitals: memoized((day) => measure(life, usualLoad, day)),
    recovery: memoized((day) => recover(life, day)),
  }
  return life
}

/** Mean daily load of a person's planned week. */
function usualLoadOf(traits: Traits): number {
  const sessions = traits.training.week.flat()
  const weekly = sessions.map(({ sport, durationMinutes, intensity }) =>
    loadOf(splitIntoZones(durationMinutes * MINUTE_MS, intensity, sportNamed(sport).spread)),
  )
  return traits.life.everydayLoad + weekly.reduce((sum, load) => sum + load, 0) / 7
}

function overloadOf(life: Life, usualLoad: number, day: number): number {
  const { fitness, fatigue } = life.form(day)
  return clamp((fatigue - fitness) / usualLoad, -1, 1.5)
}

function sleepThrough(life: Life, usualLoad: number, day: number): Night {
  const bedtime = life.bedtime(day)
  const disturbers = plannedDisturbers(life.plan(day - 1), life.plan(day), overloadOf(life, usualLoad, day))
  const stages = stagesOfNight(life.seed, life.traits, bedtime, day, disturbers)
  const napMs = (life.plan(day - 1).nap?.durationMinutes ?? 0) * MINUTE_MS
  const need = needOfNight(
    life.traits,
    [1, 2, 3, 4].map((back) => shortfallMs(life, day - back)),
    life.load(day - 1),
    napMs,
  )
  const slept = asleepMs(stages)
  return {
    bedtime,
    stages,
    need,
    performance: Math.round(clamp((100 * slept) / totalNeedMs(need), 0, 100)),
    efficiency: clamp((100 * slept) / (bedtime.endMs - bedtime.startMs), 0, 100),
    consistency: consistencyOf([1, 2, 3, 4].flatMap((back) => clockDeviations(life, day, day - back))),
  }
}

/** Sleep that the bedtime leaves below the body's need. Computed from the bedtime, so nights do not depend on each other. */
function shortfallMs(life: Life, day: number): number {
  const { startMs, endMs } = life.bedtime(day)
  return Math.max(0, life.traits.sleep.needHours * HOUR_MS - (endMs - startMs) * life.traits.sleep.efficiency)
}

function clockDeviations(life: Life, day: number, otherDay: number): [number, number] {
  const [bed, rise] = clockMinutes(life, day)
  const [otherBed, otherRise] = clockMinutes(life, otherDay)
  return [bed - otherBed, rise - otherRise]
}

function clockMinutes(life: Life, day: number): [number, number] {
  const { zone, startMs, endMs } = life.bedtime(day)
  const midnightMs = localInstantMs(zone, day, 0)
  return [(startMs - midnightMs) / MINUTE_MS, (endMs - midnightMs) / MINUTE_MS]
}

function measure(life: Life, usualLoad: number, day: number): Vitals {
  const overload = overloadOf(life, usualLoad, day)
  return vitalsOf(life.seed, life.traits, day, {
    form: life.form(day),
    usualLoad,
    disturbers: plannedDisturbers(life.plan(day - 1), life.plan(day), overload),
    sleepRatio: asleepMs(life.night(day).stages) / (life.traits.sleep.needHours * HOUR_MS),
  })
}

function recover(life: Life, day: number): number {
  const baseline = Array.from({ length: BASELINE_NIGHTS }, (_, back) => life.vitals(day - 1 - back))
  return recoveryScore(life.vitals(day), baseline, life.night(day).performance)
}
