// Every record belongs to one local calendar date, computed with the record's own UTC offset:
//   sleep     the date of waking: its end
//   workout   the date of its start
//   cycle     the date of its main sleep; without one, the date 12 hours after its start
//   recovery  the date of its sleep; without one, of its cycle; without both, the UTC date of its creation

import { utcDateOf } from "@restwell/client/calendar-dates"
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import type { SleepCourse, SleepPhase } from "../contract/records.ts"

/** A cycle begins with its sleep. 12 hours later the person is awake, on the date of that sleep. */
export const CYCLE_DATE_AFTER_START_MS = 12 * HOUR_MS

/** Returns the calendar date at an instant, YYYY-MM-DD, where clocks are `utcOffsetMinutes` ahead of UTC. */
export function localDateOf(instant: Date, utcOffsetMinutes: number): string {
  return utcDateOf(new Date(instant.getTime() + utcOffsetMinutes * MINUTE_MS))
}

/** Returns the UTC offset that a time zone has at an instant, minutes east. @throws {RangeError} for an unknown zone */
export function offsetInZone(ms: number, timeZone: string): number {
  const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone)
  return Math.round(zoned.offsetNanoseconds / 1e6 / MINUTE_MS)
}

/** The date of a sleep is derived from these. */
interface SleepTimes {
  readonly endMs: number
  readonly utcOffsetMinutes: number
}

/** The date of a cycle without sleep is derived from these. */
interface StartTimes {
  readonly startMs: number
  readonly utcOffsetMinutes: number
}

/** Returns the local date of waking. */
export function sleepDate(sleep: SleepTimes): string {
  return localDateOf(new Date(sleep.endMs), sleep.utcOffsetMinutes)
}

/** Returns the date of the cycle's main sleep, or without one the local date 12 hours after its start. */
export function cycleDate(cycle: StartTimes, mainSleep?: SleepTimes): string {
  if (mainSleep) return sleepDate(mainSleep)
  return localDateOf(new Date(cycle.startMs + CYCLE_DATE_AFTER_START_MS), cycle.utcOffsetMinutes)
}

/** Returns the date of the recovery's sleep, else of its cycle, else the UTC date of its creation (it has no zone). */
export function recoveryDate(recovery: { createdMs: number }, sleep?: SleepTimes, cycle?: StartTimes): string {
  if (sleep) return sleepDate(sleep)
  if (cycle) return cycleDate(cycle)
  return localDateOf(new Date(recovery.createdMs), 0)
}

/** Most nights in the baseline. */
export const BASELINE_NIGHTS = 30
/** Fewer nights make no baseline. */
export const MIN_BASELINE_NIGHTS = 5

/**
 * Returns the deviation of a night's skin temperature from the person's baseline, degrees Celsius. Undefined before 5 nights.
 * The baseline is the mean of up to 30 nights before it. @param previousNightsCelsius newest first
 */
export function skinTempDeviation(celsius: number, previousNightsCelsius: readonly number[]): number | undefined {
  const nights = previousNightsCelsius.slice(0, BASELINE_NIGHTS)
  if (nights.length < MIN_BASELINE_NIGHTS) return undefined
  return celsius - nights.reduce((sum, night) => sum + night, 0) / nights.length
}

/** A part of a sleep in one phase. */
export interface PhaseSpan {
  readonly phase: SleepPhase
  readonly startMs: number
  readonly endMs: number
}

interface Span<Value> {
  readonly startMs: number
  readonly endMs: number
  readonly value: Value
}

/** Spans of one value that follow each other are one: some watches write a stage minute by minute. @param spans oldest first */
export function joinSpans<Value>(spans: readonly Span<Value>[]): Span<Value>[] {
  const joined: Span<Value>[] = []
  for (const span of spans) {
    const last = joined.at(-1)
    if (last?.value === span.value && last.endMs === span.startMs)
      joined[joined.length - 1] = { ...last, endMs: span.endMs }
    else joined.push(span)
  }
  return joined
}

/** Of sources whose phases begin at any second. */
export const COURSE_INTERVAL_MS = 2 * MINUTE_MS
/** A longer one is no sleep, and refused later. */
const LONGEST_COURSE_MS = DAY_MS

/**
 * Returns a phase for each interval of a sleep, that of its middle. Null where there is none, as while a watch charged: its phase would be
 * invented. Undefined if no interval has one.
 * @param spans without overlaps, oldest first
 */
export function courseOf(
  spans: readonly PhaseSpan[],
  { startMs, endMs }: { readonly startMs: number; readonly endMs: number },
): SleepCourse | undefined {
  if (!(endMs > startMs) || endMs - startMs > LONGEST_COURSE_MS) return undefined
  const phases: (SleepPhase | null)[] = []
  let index = 0
  for (let ms = startMs; ms < endMs; ms += COURSE_INTERVAL_MS) {
    const middleMs = (ms + Math.min(ms + COURSE_INTERVAL_MS, endMs)) / 2
    while ((spans[index]?.endMs ?? Number.POSITIVE_INFINITY) <= middleMs) index += 1
    const span = spans[index]
    phases.push(span && span.startMs <= middleMs ? span.phase : null)
  }
  return courseWith(COURSE_INTERVAL_MS, phases)
}

/** A course, if any phase of it is known. */
export const courseWith = (intervalMs: number, phases: SleepCourse["phases"]): SleepCourse | undefined =>
  phases.some((phase) => phase !== null) ? { intervalMs, phases } : undefined

/** How much of a sleep has a known phase, 0 to 1. */
export const phasedShare = (course: SleepCourse | undefined): number =>
  course ? course.phases.filter((phase) => phase !== null).length / course.phases.length : 0
