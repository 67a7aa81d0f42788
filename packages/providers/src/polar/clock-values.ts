// Values of a night by the local clock. Their keys have neither a date nor an offset: each is after the one before, from the start of the
// night on, and an hour that comes twice cannot be told apart.
import { DAY_MS, MINUTE_MS } from "@restwell/client/time-units"
import type { SleepPhase } from "../contract/records.ts"
import { localInstantOf } from "../normalize/zoned-days.ts"
import type { LocalTime, PolarNight } from "./wire.ts"

interface ClockValue {
  readonly atMs: number
  readonly value: number
}

const DAY_MINUTES = DAY_MS / MINUTE_MS

/** Returns the minutes of a clock from one time to another, where the later one may be of the next day. */
const minutesBetween = (from: number, to: number): number => (to - from + DAY_MINUTES) % DAY_MINUTES

const minuteOf = (key: string): number => Number(key.slice(0, 2)) * 60 + Number(key.slice(3))

function minuteOfDay({ at, utcOffsetMinutes }: LocalTime): number {
  const minutes = Math.floor(at.getTime() / MINUTE_MS) + utcOffsetMinutes
  return ((minutes % DAY_MINUTES) + DAY_MINUTES) % DAY_MINUTES
}

const wholeMinute = ({ at }: LocalTime): number => Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS

type ByClock = "hypnogram" | "heart_rate_samples"

/** Returns how long after its start a moment of the night is, of the minutes that a clock shows since then. Undefined for a time skipped. */
type Reading = (minutes: number) => number | undefined

/**
 * Returns the values with their instants, in the order of the night. Undefined where they cannot be told: the clock went back in the night,
 * or a time is after its end, as where keys are in no order. Where the clock went forward, the keys may be those of the clock as it was at
 * the start or of the clock on the wall. Then the reading counts that has all keys within the night, if it is the only one.
 */
export function clockValues(night: PolarNight, name: ByClock): readonly ClockValue[] | undefined {
  const readings = readingsOf(night)
  const fits = (reading: Reading) =>
    valuesBy(reading, night, "hypnogram") !== undefined && valuesBy(reading, night, "heart_rate_samples") !== undefined
  const [only, ...others] = readings.length > 1 ? readings.filter(fits) : readings
  return only && others.length === 0 && night[name] ? valuesBy(only, night, name) : undefined
}

/** Undefined where a key is not within the night. */
function valuesBy(reading: Reading, night: PolarNight, name: ByClock): readonly ClockValue[] | undefined {
  const { sleep_start_time: start, sleep_end_time: end } = night
  const startMs = wholeMinute(start)
  const found: ClockValue[] = []
  let minutes = 0
  let before = minuteOfDay(start)
  for (const [key, value] of Object.entries(night[name] ?? {})) {
    const minute = minuteOf(key)
    minutes += minutesBetween(before, minute)
    before = minute
    const passed = reading(minutes)
    if (passed === undefined || startMs + passed * MINUTE_MS > end.at.getTime()) return undefined
    found.push({ atMs: Math.max(startMs + passed * MINUTE_MS, start.at.getTime()), value })
  }
  return found
}

function readingsOf({ sleep_start_time: start, sleep_end_time: end }: PolarNight): readonly Reading[] {
  const skipped = end.utcOffsetMinutes - start.utcOffsetMinutes
  if (skipped < 0) return []
  const asAtStart: Reading = (minutes) => minutes
  if (skipped === 0) return [asAtStart]
  const onTheWall = skipsOf(start, end).map((atMs): Reading => {
    const until = Math.floor((atMs - wholeMinute(start)) / MINUTE_MS)
    return (minutes) => {
      if (minutes < until) return minutes
      return minutes < until + skipped ? undefined : minutes - skipped
    }
  })
  return [asAtStart, ...onTheWall]
}

/** Returns the instants at which a zone with the offsets of a night went from one to the other: nobody's zone is named. */
function skipsOf(start: LocalTime, end: LocalTime): readonly number[] {
  const instants = Intl.supportedValuesOf("timeZone").flatMap((zone) => {
    const from = Temporal.Instant.fromEpochMilliseconds(start.at.getTime()).toZonedDateTimeISO(zone)
    if (localInstantOf(from).utcOffsetMinutes !== start.utcOffsetMinutes) return []
    const next = from.getTimeZoneTransition("next")
    if (!next || next.epochMilliseconds > end.at.getTime()) return []
    return localInstantOf(next).utcOffsetMinutes === end.utcOffsetMinutes ? [next.epochMilliseconds] : []
  })
  return [...new Set(instants)]
}

/** The official description's codes. What it calls lighter non-REM and light non-REM is light sleep here. */
const PHASES: ReadonlyMap<number, SleepPhase> = new Map([
  [0, "awake"],
  [1, "rem"],
  [2, "light"],
  [3, "light"],
  [4, "deep"],
])

/** A part of a night, in a phase where the code has one. */
export interface NightSpan {
  readonly phase: SleepPhase | undefined
  readonly startMs: number
  readonly endMs: number
}

/** Time of a night in each phase, and without a known one. */
export interface NightTotals {
  readonly lightMs: number
  readonly deepMs: number
  readonly remMs: number
  readonly unknownMs: number
}

/** More of the night in other phases than the totals say, and the codes mean something else. */
const MOST_ELSEWHERE = 0.1

/** Returns the spans of a hypnogram. Undefined where they cannot be told, or more than a tenth is in other phases than the totals. */
export function spansOf(night: PolarNight, totals: NightTotals): readonly NightSpan[] | undefined {
  const codes = clockValues(night, "hypnogram")
  const endMs = night.sleep_end_time.at.getTime()
  const startMs = night.sleep_start_time.at.getTime()
  if (!codes || codes.length === 0) return undefined
  const spans = codes.map(({ atMs, value }, index) => ({
    phase: PHASES.get(value),
    startMs: atMs,
    endMs: codes[index + 1]?.atMs ?? endMs,
  }))
  const inPhase = (phase: SleepPhase | undefined) =>
    spans.reduce((sum, span) => sum + (span.phase === phase ? span.endMs - span.startMs : 0), 0)
  const nightMs = endMs - startMs
  const { lightMs, deepMs, remMs, unknownMs } = totals
  const awakeMs = Math.max(0, nightMs - lightMs - deepMs - remMs - unknownMs)
  const elsewhere =
    excess(inPhase("light"), lightMs) +
    excess(inPhase("deep"), deepMs) +
    excess(inPhase("rem"), remMs) +
    excess(inPhase("awake"), awakeMs) +
    excess(inPhase(undefined), unknownMs)
  return elsewhere > nightMs * MOST_ELSEWHERE ? undefined : spans
}

const excess = (found: number, total: number): number => Math.max(0, found - total)
