// The exercise and the stress of days of Google Takeout, each as a sample as long as the day.
import type { ArchiveItem } from "../archive/archive-items.ts"
import { SampleSets } from "../archive/sample-sets.ts"
import type { Sample } from "../contract/series.ts"
import { sampleOfDay } from "../normalize/sample-of-day.ts"
import { SeenMinutes } from "./seen-minutes.ts"
import { type DaySums, deviceOf, type LocalClock, OLD_FORM } from "./takeout-days.ts"
import type { SumFigure, TakeoutFiles } from "./takeout-files.ts"
import { type Columns, collect, lists, readTable } from "./takeout-rows.ts"
import { ActiveRowSchema, OldActiveSchema, StressRowSchema, ZoneRowSchema } from "./takeout-wire.ts"

const ACTIVE_COLUMNS: Columns = [
  ["moderate", ["moderate"]],
  ["very", ["very"]],
  ["time", ["timestamp"]],
  ["source", ["data source"]],
]
const ZONE_COLUMNS: Columns = [
  ["points", ["total minutes", "total_minutes"]],
  ["zone", ["heart rate zone", "heart_zone_id"]],
  ["time", ["timestamp", "date_time"]],
  ["source", ["data source"]],
]
const STRESS_COLUMNS: Columns = [
  ["value", ["stress_score"]],
  ["time", ["date"]],
  ["failed", ["calculation_failed"]],
]

/** A minute of fat burn is one point, and a minute of cardio or peak two. @see https://support.google.com/fitbit/answer/14236509 */
const minutesIn = (zone: string, points: number): number => (/fat.?burn/i.test(zone) ? points : points / 2)

const ONE_STRENGTH =
  "The archive has moderately_active_minutes or very_active_minutes alone: the exercise of a day is of those"

/** Adds up the minutes of each date, without doubles: at least moderately active ones, and those in a heart rate zone. */
export async function* readExercise(
  files: TakeoutFiles,
  sums: DaySums,
  clock: LocalClock,
): AsyncGenerator<ArchiveItem, void> {
  const seen = new SeenMinutes()
  const add = (figure: SumFigure, kind: string, { date, atMs, source, value }: Active): undefined => {
    if (seen.add(`${kind} ${source}`, atMs, value)) sums.add(figure, { date, source, value })
  }
  for (const file of files.activeMinutes)
    yield* collect(readTable(file, ACTIVE_COLUMNS, ActiveRowSchema), ({ time, moderate, very, source }) => {
      const atMs = clock.msOf(time)
      const minute = { date: clock.dateAt(atMs), atMs, source: source?.trim() || "Fitbit" }
      return add("activeMinutes", "", { ...minute, value: (moderate ?? 0) + (very ?? 0) })
    })
  const { oldModerateMinutes, oldVeryActiveMinutes } = files
  for (const [kind, of] of Object.entries({ moderate: oldModerateMinutes, very: oldVeryActiveMinutes }))
    yield* collect(lists(of, OldActiveSchema), ({ dateTime, value }) => {
      if (value === undefined) return undefined
      const day = { date: clock.dateOf(dateTime), atMs: dateTime.shown.getTime(), source: OLD_FORM }
      return add("activeMinutes", kind, { ...day, value })
    })
  if (oldModerateMinutes.length > 0 !== oldVeryActiveMinutes.length > 0) yield { type: "note", note: ONE_STRENGTH }
  for (const file of files.zoneMinutes)
    yield* collect(readTable(file, ZONE_COLUMNS, ZoneRowSchema), ({ time, zone, points = 0, source }) => {
      const atMs = clock.msOf(time)
      const minute = { date: clock.dateAt(atMs), atMs, source: source?.trim() || OLD_FORM }
      return add("zoneMinutes", zone, { ...minute, value: minutesIn(zone, points) })
    })
}

interface Active {
  readonly date: string
  readonly atMs: number
  readonly source: string
  readonly value: number
}

/** The minutes of exercise of each date. A date has active minutes, or else minutes in zones. The files have zero where nothing was worn. */
export function* exerciseSamples(sums: DaySums, clock: LocalClock): Generator<ArchiveItem, void> {
  const worn = new Set(sums.dates("steps"))
  const dates = new Set((["activeMinutes", "zoneMinutes"] satisfies SumFigure[]).flatMap((each) => sums.dates(each)))
  const sets = new SampleSets()
  for (const date of [...dates].toSorted()) {
    const chosen = sums.chosen("activeMinutes", date) ?? sums.chosen("zoneMinutes", date)
    if (!chosen || (chosen.value === 0 && !worn.has(date))) continue
    sets.add({ type: "exercise_minutes", ...deviceOf(chosen.source) }, ofDay(date, chosen.value, clock))
  }
  sets.takeAll()
  for (const set of sets.take()) yield { type: "series", set, place: "active minutes" }
}

/** The scores of stress of each date. Zero stands for none. */
export async function* stressSamples(files: TakeoutFiles, clock: LocalClock): AsyncGenerator<ArchiveItem, void> {
  const scores = new Map<string, number>()
  for (const file of files.stressScores)
    yield* collect(readTable(file, STRESS_COLUMNS, StressRowSchema), ({ time, value, failed }) => {
      if (value && failed?.trim().toLowerCase() !== "true") scores.set(clock.dateOf(time), value)
      return undefined
    })
  const samples = [...scores].map(([date, value]) => ofDay(date, value, clock))
  if (samples.length > 0) yield { type: "series", set: { type: "stress", samples }, place: "Stress Score.csv" }
}

function ofDay(date: string, value: number, clock: LocalClock): Sample {
  const { startedAt, endedAt, startUtcOffsetMinutes: utcOffsetMinutes } = clock.midnightsOf(date)
  return sampleOfDay({ startedAt, endedAt, utcOffsetMinutes }, value)
}
