/** The stages of a night and the values within it, drawn from the night's own id and times. */
import { randomFor } from "../model/random.ts"
import type { WireSegment, WireWithingsSleep } from "./wire.ts"

const [AWAKE, LIGHT, DEEP, REM, UNSPECIFIED] = [0, 1, 2, 3, 5] as const
const MINUTE_SECONDS = 60

export interface StageSpan {
  readonly state: number
  readonly start: number
  readonly end: number
}

/** Returns the stages of a night, oldest first. Most nights have a part without a stage. */
export function stageSpans(id: number, start: number, end: number): StageSpan[] {
  const random = randomFor("withings stages", id)
  const spans: StageSpan[] = []
  const hasGap = random.chance(0.7)
  let at = start
  for (let index = 0; at < end; index += 1) {
    const state =
      index === 0
        ? AWAKE
        : hasGap && index === 3
          ? UNSPECIFIED
          : random.pick([LIGHT, LIGHT, DEEP, REM, LIGHT, index % 7 === 0 ? AWAKE : LIGHT])
    const until = Math.min(end, at + random.integer(4, 32) * MINUTE_SECONDS)
    spans.push({ state, start: at, end: until })
    at = until
  }
  return spans
}

/** Seconds in each stage. They do not fill the night where a part has none. */
export function sumsOf(spans: readonly StageSpan[]) {
  const sum = (state: number) =>
    spans.reduce((seconds, span) => seconds + (span.state === state ? span.end - span.start : 0), 0)
  return { awake: sum(AWAKE), light: sum(LIGHT), deep: sum(DEEP), rem: sum(REM) }
}

const VALUE_SECONDS = 300

/** Returns what `action=get` has of a night: segments in no order, of which neighbours share a second. A night without HRV has no RMSSD. */
export function segmentsOf(row: WireWithingsSleep): WireSegment[] {
  const data: Readonly<Record<string, number | null>> = Array.isArray(row.data)
    ? {}
    : Object.fromEntries(Object.entries(row.data))
  const random = randomFor("withings values", row.id, row.startdate)
  const valuesAround = (level: number | null | undefined, { start, end }: StageSpan): WireSegment["hr"] => {
    if (!level) return []
    const seconds = Array.from(
      { length: Math.ceil((end - start) / VALUE_SECONDS) },
      (_, index) => start + index * VALUE_SECONDS,
    )
    return Object.fromEntries(
      seconds.map((second): [string, number] => [
        String(second),
        Math.max(2, Math.round(random.normal(level, level * 0.06))),
      ]),
    )
  }
  const variability = data["rmssd_start_avg"]
  const segments = stageSpans(row.id, row.startdate, row.enddate).map(
    (span): WireSegment => ({
      startdate: span.start,
      enddate: Math.min(row.enddate, span.end + 1),
      state: span.state,
      model: row.model === 32 ? "Sleep Monitor" : "Activity Tracker",
      model_id: row.model_id,
      hash_deviceid: row.hash_deviceid,
      hr: valuesAround(data["hr_average"], span),
      rr: valuesAround(data["rr_average"], span),
      rmssd: valuesAround(variability, span),
    }),
  )
  return segments.toSorted((one, other) => (one.startdate % 97) - (other.startdate % 97))
}
