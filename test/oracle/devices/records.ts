/* Records as an oracle writes them down, and what a ring's documents say in any vendor's form. */
import type { NormalizedRecord, NormalizedRecovery, NormalizedSleep, NormalizedWorkout } from "@restwell/providers"
import type { OuraRecords, WireOuraSleep } from "@restwell/simulator"

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const DAY_MS = 1440 * MINUTE_MS
export const PHASE_MS = 5 * MINUTE_MS

/** Where everybody of this comparison lives. The clocks change there. */
export const ZONE = "Europe/Berlin"

type ScoreState = NormalizedRecord["scoreState"]
export type Figures = Readonly<Record<string, number | null | undefined>>
export type Night = WireOuraSleep

/** Those that are known. */
function known(figures: Figures): Record<string, number> | undefined {
  const found = Object.entries(figures).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [[name, value] as const],
  )
  return found.length > 0 ? Object.fromEntries(found) : undefined
}

export const minutesOf = (offset: string): number => {
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)$/.exec(offset) ?? []
  return (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === "-" ? -1 : 1)
}

interface Times {
  readonly startMs: number
  readonly endMs: number | null
  readonly offset: number
  readonly endOffset?: number
}

/** @param isByEnd whether the date is that of the end */
function envelope(
  id: string,
  state: ScoreState,
  { startMs, endMs, offset, endOffset = offset }: Times,
  isByEnd: boolean,
) {
  return {
    providerId: id,
    updatedMs: startMs,
    scoreState: state,
    raw: {},
    startMs,
    utcOffsetMinutes: isByEnd ? endOffset : offset,
    startUtcOffsetMinutes: offset,
    ...(endMs !== null && { endUtcOffsetMinutes: endOffset }),
  }
}

/** Parts of a score by their names. Null is none. */
export type Parts = Readonly<Record<string, number | null | undefined>>

function partsOf(parts: Parts | undefined, unit: "%" | null = null): Pick<NormalizedSleep, "contributors"> {
  const found = Object.entries(parts ?? {}).flatMap(([name, value]) =>
    value === null || value === undefined ? [] : [{ name, value, unit }],
  )
  return found.length > 0 ? { contributors: found } : {}
}

interface Slept extends Omit<Times, "endMs"> {
  readonly endMs: number
  readonly isNap: boolean
  readonly inBedMs?: number
  /** Light, deep, REM and awake, milliseconds. */
  readonly stages?: readonly [number, number, number, number] | undefined
  readonly figures: Figures
  readonly score?: number | null | undefined
  readonly needMs?: number | null | undefined
  readonly consistency?: number | null | undefined
  readonly cycle?: string | undefined
  readonly parts?: Parts | undefined
  /** WHOOP's parts of the need. */
  readonly needParts?: NormalizedSleep["needParts"] | undefined
}

export function sleepOf(id: string, state: ScoreState, slept: Slept): NormalizedSleep {
  const { startMs, endMs, isNap, stages, figures, score, needMs: need, consistency, cycle, parts, needParts } = slept
  const made = envelope(id, state, slept, true)
  const [lightMs = 0, deepMs = 0, remMs = 0, awakeMs = 0] = stages ?? []
  return {
    ...made,
    kind: "sleep",
    endMs,
    ...(cycle !== undefined && { cycleProviderId: cycle }),
    durationMs: slept.inBedMs ?? endMs - startMs,
    isNap,
    ...known({ needMs: need, consistencyPercent: consistency, scorePercent: score, ...figures }),
    ...(stages && { stages: { lightMs, deepMs, remMs, awakeMs } }),
    ...(needParts && { needParts }),
    ...partsOf(parts),
  }
}

interface Morning {
  readonly date: string
  readonly sleep?: string | undefined
  readonly cycle?: string | undefined
  readonly score?: number | null | undefined
  readonly figures: Figures
  readonly celsius?: number | null | undefined
  readonly deviation?: number | null | undefined
  readonly parts?: Parts | undefined
  /** Of the parts. */
  readonly unit?: "%" | null
}

export function recoveryOf(id: string, state: ScoreState, morning: Morning): NormalizedRecovery {
  const { date, sleep, cycle, score, figures, celsius, deviation, parts, unit } = morning
  const createdMs = Date.parse(`${date}T12:00:00Z`)
  return {
    kind: "recovery",
    providerId: id,
    updatedMs: createdMs,
    createdMs,
    scoreState: state,
    raw: {},
    ...(sleep !== undefined && { sleepProviderId: sleep }),
    ...(cycle !== undefined && { cycleProviderId: cycle }),
    ...known({ scorePercent: score, ...figures, skinTempCelsius: celsius, skinTempDeviationCelsius: deviation }),
    ...partsOf(parts, unit),
  }
}

interface Trained extends Omit<Times, "endMs"> {
  readonly endMs: number
  readonly strain?: number | undefined
  readonly figures: Figures
  readonly isRest?: boolean
}

export function workoutOf(id: string, state: ScoreState, trained: Trained): NormalizedWorkout {
  const made = envelope(id, state, trained, false)
  const durationMs = trained.endMs - trained.startMs
  return {
    ...made,
    kind: "workout",
    endMs: trained.endMs,
    countsAsWorkout: trained.isRest !== true,
    durationMs,
    sportType: "other",
    ...known({ strain: trained.strain, ...trained.figures }),
  }
}

interface Spent extends Times {
  readonly strain?: number | undefined
  readonly figures: Figures
  readonly steps?: number
  readonly active?: number
  readonly distance?: number
  readonly parts?: Parts
}

export function cycleOf(id: string, state: ScoreState, spent: Spent): NormalizedRecord {
  const { endMs, strain, figures, steps, active, distance, parts } = spent
  const made = envelope(id, state, spent, false)
  return {
    ...made,
    kind: "cycle",
    endMs,
    ...known({ strain, ...figures, steps, activeEnergyKcal: active, distanceMeters: distance }),
    ...partsOf(parts),
  }
}

export const spanOf = ({ bedtime_start: start, bedtime_end: end }: Night) => ({
  startMs: Date.parse(start),
  endMs: Date.parse(end),
  offset: minutesOf(start),
  endOffset: minutesOf(end),
})

/** By the ring's own sums. */
export function stagesOf(night: Night): [number, number, number, number] | undefined {
  const { light_sleep_duration: light, deep_sleep_duration: deep, rem_sleep_duration: rem, awake_time: awake } = night
  if (light === null || deep === null || rem === null || awake === null) return undefined
  return [light * SECOND_MS, deep * SECOND_MS, rem * SECOND_MS, awake * SECOND_MS]
}

/** By the phases of five minutes. @param lengthMs time after which nothing counts: a ring's last phases may go on after its night */
export function phasesOf(
  { sleep_phase_5_min: phases }: Night,
  lengthMs = Number.POSITIVE_INFINITY,
): [number, number, number, number] | undefined {
  if (!phases) return undefined
  const partOf = (index: number) => Math.max(0, Math.min(PHASE_MS, lengthMs - index * PHASE_MS))
  const sum = (digit: string) => [...phases].reduce((ms, each, index) => ms + (each === digit ? partOf(index) : 0), 0)
  return [sum("2"), sum("1"), sum("3"), sum("4")]
}

export const nightsOf = ({ sleep }: OuraRecords): Night[] => sleep.filter(({ type }) => type === "long_sleep")
export const napsOf = ({ sleep }: OuraRecords): Night[] => sleep.filter(({ type }) => type === "late_nap")
export const byDay = <Document extends { day: string }>(documents: readonly Document[]) =>
  new Map(documents.map((document) => [document.day, document]))

/** Of a figure that a vendor may still compute. */
export const stateOf = (isScored: boolean, date: string, now: Date): ScoreState =>
  isScored ? "scored" : date >= localDateIn(now) ? "pending" : "unscorable"

export const localDateIn = (now: Date): string =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(ZONE).toPlainDate().toString()

/** Minutes east of UTC. */
export const offsetAt = (ms: number): number =>
  Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(ZONE).offsetNanoseconds / 60e9

/** A midnight where the person lives, and the offset there. */
export function midnightOf(date: string, later = 0) {
  const at = Temporal.PlainDate.from(date).add({ days: later }).toZonedDateTime(ZONE)
  return { ms: at.epochMilliseconds, offset: at.offsetNanoseconds / 60e9 }
}

/** Workouts are alike in every form. @param heart what the vendor has beside them @param still its distance of a workout without one */
export function trainedWith(
  { workout }: Pick<OuraRecords, "workout">,
  heart: (index: number) => Figures,
  still: number | null = null,
): NormalizedWorkout[] {
  return workout.map(({ id, start_datetime: start, end_datetime: end, calories, distance }, index) =>
    workoutOf(id, "scored", {
      startMs: Date.parse(start),
      endMs: Date.parse(end),
      offset: minutesOf(start),
      endOffset: minutesOf(end),
      figures: { energyKcal: calories, distanceMeters: distance ?? still, ...heart(index) },
    }),
  )
}
