// Google Takeout with Fitbit's data: sleeps with stages and scores, figures of each morning, days, workouts, and samples. Fitbit's Web API
// has ended, so it is the way to the history before Google Health.
import { MINUTE_MS } from "@restwell/client/time-units"
import type { z } from "zod"
import { type ArchiveItem, leftOutReason, recordItems, UnreadableArchive } from "../archive/archive-items.ts"
import { fileNotes } from "../archive/file-notes.ts"
import { Offsets } from "../archive/offsets.ts"
import { UnreadFigures } from "../archive/unread-figures.ts"
import { isOfStrava } from "../contract/records.ts"
import { localDateOf } from "../normalize/derive.ts"
import { OldClock } from "./old-clock.ts"
import { SeenMinutes } from "./seen-minutes.ts"
import { DailyFigures, DaySums, LocalClock } from "./takeout-days.ts"
import { DayEnergy } from "./takeout-energy.ts"
import { exerciseSamples, readExercise, stressSamples } from "./takeout-exercise.ts"
import { DAILY_TABLES, FIGURE_FIELDS, SUM_TABLES, type TakeoutFiles } from "./takeout-files.ts"
import { minuteSamples, minutesOf } from "./takeout-minutes.ts"
import {
  type CountedSleep,
  normalizeDay,
  normalizeMorning,
  normalizeSleep,
  normalizeWorkout,
  oldWorkoutOf,
  perThousand,
  sleepDateOf,
  type Workout,
  workoutOf,
} from "./takeout-normalize.ts"
import { type Columns, collect, lists, readTable, saidOnce, tables, valueColumns } from "./takeout-rows.ts"
import { samplesOf } from "./takeout-samples.ts"
import { Sleeps } from "./takeout-sleeps.ts"
import {
  dailyRowSchema,
  type ExerciseRow,
  ExerciseRowSchema,
  type OldExercise,
  OldExerciseSchema,
  OldRestingSchema,
  OldScoreRowSchema,
  OldSleepSchema,
  ScoreRowSchema,
  SleepRowSchema,
  StageRowSchema,
  ValueRowSchema,
} from "./takeout-wire.ts"
import { Versions } from "./versions.ts"

/** More than anyone has. They are in memory. */
const MOST_WORKOUTS = 200_000

const NO_VALUE = "days without a value, which Fitbit writes as zero"
const OF_STRAVA =
  "figures of a date that Strava gave: its terms keep them from assistants, and a date has one figure for all"
const DELETED = "workouts that were deleted"
const CUT_STAGES = leftOutReason("sleep", "stages", "they add up to another time than the sleep's own")
const IN_ANOTHER_PART = "stages and scores of sleeps that are not in this file, perhaps in another part of the archive"

interface ReadOptions {
  /** Decides what may still be scored. */
  readonly now: Date
  /** Of the person: an IANA name. For times without an offset. */
  readonly timeZone: string
}

/**
 * Streams what Google Takeout has of Fitbit.
 * @throws {UnreadableArchive} when a file of it is broken as a whole
 */
export const readTakeout = (files: TakeoutFiles, options: ReadOptions): AsyncGenerator<ArchiveItem, void> =>
  saidOnce(itemsOf(files, options))

async function* itemsOf(files: TakeoutFiles, { now, timeZone }: ReadOptions): AsyncGenerator<ArchiveItem, void> {
  yield* fileNotes([["Fitbit's data", files.read]], files.unread)
  const offsets = new Offsets(timeZone)
  const sleeps = new Sleeps()
  const workouts = new Workouts()
  yield* collect(tables(files.sleeps, SleepRowSchema), sleeps.addSleep)
  yield* collect(tables(files.stages, StageRowSchema), sleeps.addStage)
  yield* collect(tables(files.scores, ScoreRowSchema), sleeps.addScore)
  yield* collect(lists(files.oldSleeps, OldSleepSchema, unreadOf("old sleeps", OldSleepSchema)), sleeps.addOldSleep)
  yield* collect(tables(files.oldScores, OldScoreRowSchema), sleeps.addOldScore)
  yield* collect(tables(files.exercises, ExerciseRowSchema), workouts.add)
  yield* collect(
    lists(files.oldExercises, OldExerciseSchema, unreadOf("old workouts", OldExerciseSchema)),
    workouts.addOld,
  )
  const withoutSleep = sleeps.countWithoutSleep()
  if (withoutSleep > 0) yield { type: "ignored", reason: IN_ANOTHER_PART, count: withoutSleep }
  sleeps.addOffsets(offsets)
  workouts.addOffsets(offsets)
  const clock = new LocalClock(offsets)
  const counted = sleeps.counted(offsets)
  for (let count = 0; count < sleeps.cut; count += 1) yield { type: "left_out", reason: CUT_STAGES }
  const figures = new DailyFigures()
  yield* readFigures(files, figures, clock)
  const [sums, energy] = [new DaySums(), new DayEnergy()]
  const oldClock = new OldClock(clock)
  for (const table of SUM_TABLES) {
    yield* oldClock.compare(files, table)
    // Minutes may be in a whole file and in one of their month, and the source with the most answers for a date.
    const seen = new SeenMinutes()
    yield* minutesOf(files, table, { clock, oldClock }, (minute) => {
      if (!seen.add(minute.source, minute.atMs, minute.value)) return
      if (table.figure === "calories") energy.add(minute)
      else sums.add(table.figure, minute)
      if (table.figure === "steps") oldClock.addSteps(minute.atMs)
    })
  }
  yield* readExercise(files, sums, clock)
  yield* records({ counted, figures, sums, energy, clock, now })
  for (const workout of workouts.distinct(clock))
    yield* recordItems(normalizeWorkout(workout), `the workout at ${workout.startedAt.toISOString()}`)
  for (const table of SUM_TABLES) yield* minuteSamples(files, table, { clock, oldClock, sums })
  yield* exerciseSamples(sums, clock)
  yield* stressSamples(files, clock)
  yield* samplesOf(files, clock)
  yield* profileOf(files)
  const { note } = offsets
  if (note !== undefined) yield { type: "note", note }
}

const unreadOf = (what: string, { shape }: z.ZodObject) => new UnreadFigures(what, Object.keys(shape))

/** Reads the figures of dates. */
async function* readFigures(
  files: TakeoutFiles,
  figures: DailyFigures,
  clock: LocalClock,
): AsyncGenerator<ArchiveItem, void> {
  for (const [rank, { figure, name, value, time, second, parts = [] }] of DAILY_TABLES.entries()) {
    const columns: Columns = [
      ...valueColumns([value], time),
      ["second", second === undefined ? [] : [second]],
      ...parts.map(([part, column]) => [part, [column]] as const),
    ]
    for (const file of files.named(name))
      yield* collect(readTable(file, columns, dailyRowSchema(FIGURE_FIELDS[figure])), (row) => {
        if (!row.value) return NO_VALUE
        const { value: found, second: baseline, source = "", activity, sleep, hrv } = row
        if (isOfStrava(source)) return OF_STRAVA
        figures.add(figure, clock.dateOf(row.time), {
          value: found,
          second: baseline,
          source,
          parts: { activity, sleep, hrv },
          rank,
        })
        return undefined
      })
  }
  yield* collect(lists(files.oldRestingRates, OldRestingSchema), ({ dateTime, value: { value } }) => {
    if (!value) return NO_VALUE
    figures.add("restingHeartRate", clock.dateOf(dateTime), { value, source: "", rank: DAILY_TABLES.length })
    return undefined
  })
}

interface Known {
  readonly counted: readonly CountedSleep[]
  readonly figures: DailyFigures
  readonly sums: DaySums
  readonly energy: DayEnergy
  readonly clock: LocalClock
  readonly now: Date
}

/** Sleeps, mornings and days. */
function* records({ counted, figures, sums, energy, clock, now }: Known): Generator<ArchiveItem, void> {
  const nights = new Map(counted.flatMap(({ sleep, isMain }) => (isMain ? [[sleepDateOf(sleep), sleep] as const] : [])))
  for (const { doubles, ...counts } of counted) {
    const date = sleepDateOf(counts.sleep)
    const items = recordItems(
      normalizeSleep(counts, figures.of("respiratoryRate", date)?.value),
      `the sleep of ${date}`,
    )
    for (let count = 0; count <= doubles; count += 1) yield* items
  }
  const days = new Set<string>()
  for (const date of sums.dates("steps")) {
    const steps = sums.chosen("steps", date)
    if (!steps) continue
    days.add(date)
    const midnights = clock.midnightsOf(date)
    const day = normalizeDay({
      date,
      steps: steps.value,
      device: steps.source || undefined,
      weight: steps.weight,
      distanceMeters: sums.chosen("distanceMeters", date)?.value,
      calories: energy.of(date, midnights),
      activeCalories: sums.chosen("activeCalories", date)?.value,
      ...midnights,
    })
    yield* recordItems(day, `the day ${date}`)
  }
  const { note } = energy
  if (note !== undefined) yield { type: "note", note }
  const dates = new Set([...figures.dates(["score", "hrv", "restingHeartRate"]), ...nights.keys()])
  for (const date of [...dates].toSorted()) {
    const night = nights.get(date)
    const utcOffsetMinutes = night?.endUtcOffsetMinutes ?? clock.midnightsOf(date).startUtcOffsetMinutes
    const [temperature, score] = [figures.of("nightlyCelsius", date), figures.of("score", date)]
    const morning = normalizeMorning({
      date,
      night,
      score: score?.value,
      scoreParts: score?.parts,
      hrv: figures.of("hrv", date)?.value,
      restingHeartRate: figures.of("restingHeartRate", date)?.value ?? night?.restingHeartRate,
      spo2: figures.of("spo2", date)?.value,
      nightlyCelsius: temperature?.value,
      baselineCelsius: temperature?.second,
      hasDay: days.has(date),
      utcOffsetMinutes,
      today: localDateOf(now, utcOffsetMinutes),
    })
    if (morning) yield* recordItems(morning, `the morning of ${date}`)
  }
}

const SAME_WORKOUT_MS = 2 * MINUTE_MS

/** Collects workouts of both forms in any order. */
class Workouts {
  readonly #rows = new Versions<ExerciseRow>()
  readonly #oldRows: OldExercise[] = []
  #count = 0

  readonly add = (row: ExerciseRow): string | undefined => {
    this.#refuseMany()
    if (row.deletion_reason && !/unspecified|none/i.test(row.deletion_reason)) return DELETED
    this.#rows.add(row.exercise_id, row, row.exercise_last_updated)
    return undefined
  }

  readonly addOld = (row: OldExercise): undefined => {
    this.#refuseMany()
    this.#oldRows.push(row)
  }

  addOffsets(offsets: Offsets): void {
    for (const { exercise_start, utc_offset } of this.#rows.all.map(({ row }) => row))
      if (utc_offset !== undefined) offsets.add(localDateOf(exercise_start, utc_offset), utc_offset, exercise_start)
  }

  /** Workouts of Google's file, and those that only Fitbit's old one has. */
  *distinct(clock: LocalClock): Generator<Workout, void> {
    const rows = this.#rows.all.flatMap(({ row, doubles }): Workout[] =>
      Array(doubles + 1).fill(workoutOf(row, clock.offsetAt(row.exercise_start.getTime()))),
    )
    yield* rows
    const starts = rows
      .flatMap(({ startedAt, utcOffsetMinutes: offset }) => {
        const ms = startedAt.getTime()
        // Some archives have the local time in the old file.
        return [ms, ms + offset * MINUTE_MS]
      })
      .toSorted((one, other) => one - other)
    for (const row of this.#oldRows) {
      const ms = row.startTime.getTime()
      const isTwin = starts.some((start) => Math.abs(start - ms) <= SAME_WORKOUT_MS)
      if (!isTwin) yield oldWorkoutOf(row, clock.offsetAt(ms))
    }
  }

  #refuseMany(): void {
    this.#count += 1
    if (this.#count > MOST_WORKOUTS) throw new UnreadableArchive(`the archive has more than ${MOST_WORKOUTS} workouts`)
  }
}

/** The newest height. */
async function* profileOf(files: TakeoutFiles): AsyncGenerator<ArchiveItem, void> {
  let newest: { readonly at: Date; readonly millimetres: number } | undefined
  for (const file of files.heights)
    yield* collect(readTable(file, valueColumns(["height millimeters"]), ValueRowSchema), ({ time, value }) => {
      if (value && (!newest || time.shown > newest.at)) newest = { at: time.shown, millimetres: value }
      return undefined
    })
  if (newest)
    yield {
      type: "profile",
      at: newest.at,
      profile: {
        data: {
          id: "google_health-profile",
          providerId: "profile",
          body: { heightMeters: perThousand(newest.millimetres) },
        },
        raw: { height: newest.millimetres },
      },
    }
}
