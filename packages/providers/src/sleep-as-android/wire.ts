// Sleep as Android's export as it is written: rows with headers of their own, clocks, events and units.
import { SLEEP_STAGES, type SleepStage } from "@restwell/client"
import { HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { clockMs } from "../normalize/clock-time.ts"
import { offsetInZone } from "../normalize/derive.ts"
import { isPlausibleInstant } from "../normalize/plausible.ts"

/** The beginning of every header. @see https://docs.sleep.urbandroid.org/faqs/import_export.html */
export const HEADER = /^\ufeff?"?id"?,"?tz"?,"?from"?,"?to"?,/i
export const isHeader = (cells: readonly string[]): boolean => HEADER.test(`${cells.join(",")},`)

/** A stage of a night, from an event at its start to one at its end. */
interface StageSpan {
  readonly startMs: number
  readonly endMs: number
  /** An index in SLEEP_STAGES. */
  readonly value: number
}

/** A value that a paired wearable measured. */
interface EventValue {
  readonly type: "heart_rate" | "spo2"
  readonly atMs: number
  readonly value: number
}

/** One sleep of the file. Undefined stands for what it does not know. */
export interface SleepRow {
  readonly startMs: number
  readonly endMs: number
  readonly timeZone: string
  readonly asleepMs: number | undefined
  readonly stages: readonly StageSpan[]
  readonly values: readonly EventValue[]
}

/** Returns a sleep, or why it cannot be read. @param header of the row @param timeZone of the person, for a row without one */
export function sleepRowOf(header: readonly string[], cells: readonly string[], timeZone: string): SleepRow | string {
  const cell = (name: string) => {
    const index = header.findIndex((each) => each.trim().toLowerCase() === name)
    return index < 0 ? "" : (cells[index]?.trim() ?? "")
  }
  const startMs = Number(cell("id") || Number.NaN)
  if (!isPlausibleInstant(new Date(startMs))) return "Id is not an instant of this century"
  const zone = isZone(cell("tz"), startMs) ? cell("tz") : timeZone
  const endMs = instantOf(cell("to"), zone)
  if (endMs === undefined) return "To is no date and time that is known here"
  // Clocks show minutes.
  if (endMs <= startMs - MINUTE_MS) return "it ends before its start"
  if (endMs - startMs > 24 * HOUR_MS) return "it is longer than a day"
  const [hours, added] = [numberOf(cell("hours")), numberOf(cell("lenadjust"), true)]
  const asleepMs = hours === undefined ? undefined : hours * HOUR_MS + (added ?? 0) * MINUTE_MS
  const events = cells.flatMap((text, index) => (/^event$/i.test(header[index]?.trim() ?? "") ? [text.trim()] : []))
  return {
    startMs,
    endMs: Math.max(endMs, startMs),
    timeZone: zone,
    asleepMs: asleepMs !== undefined && asleepMs > 0 ? asleepMs : undefined,
    stages: stagesOf(events, endMs),
    values: events.flatMap(valueOfEvent),
  }
}

function isZone(name: string, ms: number): boolean {
  if (name === "") return false
  try {
    offsetInZone(ms, name)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

const CLOCK = /^(\d{1,2})\.\s*(\d{1,2})\.\s*(\d{4})\s+(\d{1,2}):(\d\d)$/

/** The instant of `18. 11. 2026 6:45` in a zone. Of an hour that comes twice it is the later one, which ends a night. */
function instantOf(text: string, timeZone: string): number | undefined {
  const [matched, day, month, year, hour, minute] = CLOCK.exec(text) ?? []
  if (matched === undefined) return undefined
  const localMs = clockMs(Number(year), Number(month), Number(day), Number(hour), Number(minute))
  if (Number.isNaN(localMs)) return undefined
  const clock = Temporal.Instant.fromEpochMilliseconds(localMs).toZonedDateTimeISO("UTC").toPlainDateTime()
  return clock.toZonedDateTime(timeZone, { disambiguation: "later" }).epochMilliseconds
}

/** `7.5` and `7,5`. Negative numbers stand for none, but for what may be taken off. */
function numberOf(text: string, isSigned = false): number | undefined {
  if (!/^-?\d+(?:[.,]\d+)?$/.test(text)) return undefined
  const number = Number(text.replace(",", "."))
  return number >= 0 || isSigned ? number : undefined
}

/** Stages by the names of their events. */
const STAGES: Readonly<Record<string, SleepStage>> = { DEEP: "deep", LIGHT: "light", REM: "rem", AWAKE: "awake" }
const STAGE_EVENT = /^(DEEP|LIGHT|REM|AWAKE)_(START|END)-(\d{12,14})(?:-|$)/
const VALUE_EVENT = /^(HR|SPO2)-(\d{12,14})-(\d+(?:\.\d+)?)$/

/** A stage without an end lasts until the next event of a stage, the last one until the end of the night. */
function stagesOf(events: readonly string[], nightEndMs: number): StageSpan[] {
  const found = events
    .flatMap((text) => {
      const [matched, name = "", edge, ms] = STAGE_EVENT.exec(text) ?? []
      const stage = STAGES[name]
      return matched === undefined || stage === undefined ? [] : [{ stage, isStart: edge === "START", ms: Number(ms) }]
    })
    .toSorted((one, other) => one.ms - other.ms || Number(one.isStart) - Number(other.isStart))
  return found.flatMap(({ stage, isStart, ms: startMs }, index) => {
    const endMs = Math.min(found[index + 1]?.ms ?? nightEndMs, nightEndMs)
    return isStart && endMs > startMs ? [{ startMs, endMs, value: SLEEP_STAGES.indexOf(stage) }] : []
  })
}

function valueOfEvent(text: string): EventValue[] {
  const [matched, name, ms, value] = VALUE_EVENT.exec(text) ?? []
  if (matched === undefined) return []
  return [{ type: name === "HR" ? "heart_rate" : "spo2", atMs: Number(ms), value: Number(value) }]
}
