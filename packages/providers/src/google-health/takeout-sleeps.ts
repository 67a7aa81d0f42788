// The sleeps of Google Takeout. The same sleep may be in Google's file and in Fitbit's old one, with ids that have nothing in common.
import type { SleepStages } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { UnreadableArchive } from "../archive/archive-items.ts"
import type { Offsets } from "../archive/offsets.ts"
import { joinSpans, localDateOf } from "../normalize/derive.ts"
import { known } from "../normalize/known.ts"
import { runsOf } from "../normalize/nights.ts"
import { areOfSums, type OwnSums } from "../normalize/phase-sums.ts"
import { type CountedSleep, type Segment, type Sleep, segmentMs, sleepDateOf, summaryOf } from "./takeout-normalize.ts"
import type { OldSleep, SleepRow, StageRow } from "./takeout-wire.ts"
import { Versions } from "./versions.ts"

/** A year has 15,000 segments. */
const MOST_ROWS = 1_000_000
/** A score of an old sleep has the time of waking up. */
const SAME_WAKING_MS = 5 * MINUTE_MS

/** Sleeps of a date, or scores of five minutes. Each is compared with all others, so more would take long. */
const MOST_TOGETHER = 100

interface Score {
  readonly overall_score?: number | undefined
  readonly duration_score?: number | undefined
  readonly composition_score?: number | undefined
  readonly revitalization_score?: number | undefined
  readonly resting_heart_rate?: number | undefined
}

/** Collects rows in any order. */
export class Sleeps {
  readonly #rows = new Versions<SleepRow>()
  readonly #oldRows: OldSleep[] = []
  readonly #segments = new Map<string, Segment[]>()
  readonly #scores = new Map<string, Score>()
  readonly #oldScores = new Map<string, Score>()
  /** By the five minutes of waking up. */
  readonly #oldScoresAt = new Map<number, { readonly atMs: number; readonly score: Score }[]>()
  #count = 0
  #cut = 0

  readonly addSleep = (row: SleepRow): undefined => {
    this.#grow()
    this.#rows.add(row.sleep_id, row, row.sleep_last_updated)
  }

  readonly addOldSleep = (row: OldSleep): undefined => {
    this.#grow((row.levels?.data?.length ?? 0) + (row.levels?.shortData?.length ?? 0))
    this.#oldRows.push(row)
  }

  readonly addStage = (row: StageRow): undefined => {
    this.#grow()
    const stage = stageOf(row.sleep_stage_type)
    if (!stage) return
    const segments = this.#segments.get(row.sleep_id) ?? []
    this.#segments.set(row.sleep_id, segments)
    segments.push({ stage, startMs: row.sleep_stage_start.getTime(), endMs: row.sleep_stage_end.getTime() })
  }

  readonly addScore = (row: Score & { readonly sleep_id: string }): undefined => {
    this.#grow()
    this.#scores.set(row.sleep_id, row)
  }

  readonly addOldScore = (
    row: Score & { readonly sleep_log_entry_id: string; readonly timestamp: Date },
  ): undefined => {
    this.#grow()
    this.#oldScores.set(row.sleep_log_entry_id, row)
    const atMs = row.timestamp.getTime()
    const near = this.#oldScoresAt.getOrInsertComputed(Math.floor(atMs / SAME_WAKING_MS), () => [])
    if (near.length < MOST_TOGETHER) near.push({ atMs, score: row })
  }

  /** Adds the UTC offsets that the rows have. */
  addOffsets(offsets: Offsets): void {
    for (const { sleep_start, sleep_end, end_utc_offset } of this.#rows.all.map(({ row }) => row))
      if (end_utc_offset !== undefined) offsets.add(localDateOf(sleep_end, end_utc_offset), end_utc_offset, sleep_start)
  }

  /** Number of stages and scores without their sleep. Google cuts a large archive into parts, each a zip file. */
  countWithoutSleep(): number {
    const ids = new Set(this.#rows.all.map(({ row }) => row.sleep_id))
    const stages = [...this.#segments].map(([id, segments]) => (ids.has(id) ? 0 : segments.length))
    const scores = [...this.#scores.keys()].filter((id) => !ids.has(id)).length
    return stages.reduce((sum, count) => sum + count, scores)
  }

  /** Number of sleeps whose segments are not those of their own sums. Known once they were counted. */
  get cut(): number {
    return this.#cut
  }

  /** Returns the sleeps that count, oldest first. */
  counted(offsets: Offsets): CountedSleep[] {
    const all = [
      ...this.#rows.all.map(({ row, doubles }) => ({ sleep: this.#sleepOf(row, offsets), doubles })),
      ...this.#oldRows.map((row) => ({ sleep: this.#oldSleepOf(row, offsets), doubles: 0 })),
    ]
    const distinct = withoutTwins(all)
    const nights = new Map<string, Sleep>()
    for (const { sleep } of distinct) {
      const date = sleepDateOf(sleep)
      const other = nights.get(date)
      if (!isOnlyNap(sleep) && (!other || isRatherNight(sleep, other))) nights.set(date, sleep)
    }
    const main = new Set(nights.values())
    const parts = partsOfNights(
      distinct.map(({ sleep }) => sleep),
      main,
    )
    return distinct
      .map(({ sleep, doubles }) => ({ sleep, doubles, isNap: !parts.has(sleep), isMain: main.has(sleep) }))
      .toSorted((one, other) => one.sleep.startedAt.getTime() - other.sleep.startedAt.getTime())
  }

  #sleepOf(row: SleepRow, offsets: Offsets): Sleep {
    const date = localDateOf(row.sleep_end, row.end_utc_offset ?? 0)
    const [start = 0, end = 0] =
      row.start_utc_offset === undefined || row.end_utc_offset === undefined
        ? offsets.of(date, [row.sleep_start, row.sleep_end])
        : [row.start_utc_offset, row.end_utc_offset]
    const segments = row.sleep_type?.toUpperCase() === "CLASSIC" ? [] : (this.#segments.get(row.sleep_id) ?? [])
    const score = this.#scores.get(row.sleep_id)
    // Times awake may lie over the sleep around them.
    const drawn = overlaid(
      segments.filter(({ stage }) => stage !== "awake"),
      segments.filter(({ stage }) => stage === "awake"),
    )
    return {
      isNew: true,
      id: row.sleep_id,
      startedAt: row.sleep_start,
      endedAt: row.sleep_end,
      startUtcOffsetMinutes: start,
      endUtcOffsetMinutes: end,
      minutesAsleep: row.minutes_asleep,
      // Zero stands for no measurement.
      minutesToFallAsleep: row.minutes_to_fall_asleep || undefined,
      segments: this.#ofSums(drawn, sumsOf(row.minutes_asleep), row.sleep_end.getTime() - row.sleep_start.getTime()),
      ...scoreOf(score ?? this.#oldScoreAt(row.sleep_end)),
    }
  }

  #oldSleepOf(row: OldSleep, offsets: Offsets): Sleep {
    const [startedAt, endedAt] = [offsets.instantOf(row.startTime.shown), offsets.instantOf(row.endTime.shown)]
    const hasStages = row.type?.toLowerCase() !== "classic"
    const summary = hasStages && row.levels?.summary ? summaryOf(row.levels.summary) : undefined
    const own = sumsOf(row.minutesAsleep, summary)
    return {
      isNew: false,
      id: row.logId,
      startedAt,
      endedAt,
      startUtcOffsetMinutes: (row.startTime.shown.getTime() - startedAt.getTime()) / MINUTE_MS,
      endUtcOffsetMinutes: (row.endTime.shown.getTime() - endedAt.getTime()) / MINUTE_MS,
      minutesAsleep: row.minutesAsleep ?? undefined,
      minutesToFallAsleep: row.minutesToFallAsleep || undefined,
      isMain: row.mainSleep ?? undefined,
      segments: hasStages ? this.#ofSums(oldSegments(row, offsets), own, endedAt.getTime() - startedAt.getTime()) : [],
      summary,
      timesAwake: hasStages ? (row.levels?.summary?.wake?.count ?? undefined) : undefined,
      ...scoreOf(this.#oldScores.get(row.logId) ?? this.#oldScoreAt(endedAt)),
    }
  }

  /** A file that was cut has a part of a sleep's segments. They would be another sleep than that of its sums. */
  #ofSums(segments: readonly Segment[], own: OwnSums, lengthMs: number): readonly Segment[] {
    const spans = segments.map(({ stage, ...times }) => ({ ...times, phase: stage }))
    if (segments.length === 0 || areOfSums(spans, own, lengthMs)) return segments
    this.#cut += 1
    return []
  }

  #oldScoreAt(endedAt: Date): Score | undefined {
    const index = Math.floor(endedAt.getTime() / SAME_WAKING_MS)
    const near = [index - 1, index, index + 1].flatMap((each) => this.#oldScoresAt.get(each) ?? [])
    return near.find(({ atMs }) => Math.abs(atMs - endedAt.getTime()) <= SAME_WAKING_MS)?.score
  }

  #grow(by = 1): void {
    this.#count += by
    if (this.#count > MOST_ROWS) throw new UnreadableArchive(`the archive has more than ${MOST_ROWS} rows of sleeps`)
  }
}

/** Zero stands for none. A summary is of the same minutes. */
const sumsOf = (minutesAsleep: number | null | undefined, summary?: SleepStages): OwnSums =>
  summary
    ? { phases: { light: summary.lightMs, deep: summary.deepMs, rem: summary.remMs, awake: summary.awakeMs } }
    : { asleepMs: minutesAsleep ? minutesAsleep * MINUTE_MS : undefined }

const scoreOf = (score: Score | undefined) => ({
  score: score?.overall_score,
  scoreParts: {
    duration: score?.duration_score,
    composition: score?.composition_score,
    revitalization: score?.revitalization_score,
  },
  restingHeartRate: score?.resting_heart_rate || undefined,
})

const STAGES: ReadonlyMap<string, Segment["stage"]> = new Map([
  ["awake", "awake"],
  ["wake", "awake"],
  ["light", "light"],
  ["deep", "deep"],
  ["rem", "rem"],
])
/** Undefined for `asleep` and `restless` of devices that find no stages. */
const stageOf = (name: string): Segment["stage"] | undefined => STAGES.get(name.toLowerCase())

/** Segments in order, each once: files of two parts may have the same rows. */
function distinctSegments(segments: readonly Segment[]): Segment[] {
  const found = new Map(
    segments.filter(({ startMs, endMs }) => endMs > startMs).map((each) => [`${each.startMs} ${each.stage}`, each]),
  )
  return [...found.values()].toSorted((one, other) => one.startMs - other.startMs)
}

/** More than a night has. Each is compared with all that lie over it. */
const MOST_SEGMENTS = 1_000

/** Segments without the time of those that lie over them. */
function overlaid(segments: readonly Segment[], over: readonly Segment[]): Segment[] {
  if (segments.length + over.length > MOST_SEGMENTS) return []
  const distinct = distinctSegments([...segments.flatMap((segment) => without(segment, over)), ...over])
  return joinSpans(distinct.map(({ stage, ...times }) => ({ ...times, value: stage }))).map(
    ({ value: stage, ...times }) => ({ ...times, stage }),
  )
}

/**
 * Segments follow each other, and short times awake lie over them. Where clocks change within a night, some archives go on with the new local
 * time and others with the old one.
 */
function oldSegments({ levels, startTime }: OldSleep, offsets: Offsets): Segment[] {
  let reachMs = offsets.instantOf(startTime.shown).getTime()
  const placed = (levels?.data ?? []).map(({ dateTime: { shown }, level, seconds }) => {
    const ms = offsets.instantOf(shown).getTime()
    const startMs = [ms, ms - HOUR_MS, ms + HOUR_MS].find((each) => each === reachMs) ?? ms
    reachMs = startMs + segmentMs(seconds)
    return { stage: stageOf(level), shownMs: shown.getTime(), startMs, endMs: reachMs }
  })
  const shorts = (levels?.shortData ?? []).map(({ dateTime: { shown }, level, seconds }) => {
    const shownMs = shown.getTime()
    const under = placed.find((each) => each.shownMs <= shownMs && shownMs < each.shownMs + each.endMs - each.startMs)
    const startMs = under ? under.startMs + shownMs - under.shownMs : offsets.instantOf(shown).getTime()
    return { stage: stageOf(level), startMs, endMs: startMs + segmentMs(seconds) }
  })
  return overlaid(staged(placed), staged(shorts))
}

const staged = (spans: readonly (Omit<Segment, "stage"> & { readonly stage: Segment["stage"] | undefined })[]) =>
  spans.flatMap(({ stage, startMs, endMs }): Segment[] => (stage ? [{ stage, startMs, endMs }] : []))

/** The parts of a segment that no shorter one covers. */
function without(segment: Segment, shorts: readonly Segment[]): Segment[] {
  return shorts.reduce<Segment[]>(
    (parts, short) =>
      parts.flatMap((part) =>
        short.endMs <= part.startMs || short.startMs >= part.endMs
          ? [part]
          : [
              { ...part, endMs: Math.max(part.startMs, short.startMs) },
              { ...part, startMs: Math.min(part.endMs, short.endMs) },
            ].filter(({ startMs, endMs }) => endMs > startMs),
      ),
    [segment],
  )
}

/** The local clock, so that a wrong zone of an old sleep does not matter. */
const localMs = (at: Date, utcOffsetMinutes: number): number => at.getTime() + utcOffsetMinutes * MINUTE_MS

/** True for sleeps that have half of the shorter one in common. */
function isSame(one: Sleep, other: Sleep): boolean {
  const [start, end] = [
    localMs(one.startedAt, one.startUtcOffsetMinutes),
    localMs(one.endedAt, one.endUtcOffsetMinutes),
  ]
  const otherStart = localMs(other.startedAt, other.startUtcOffsetMinutes)
  const otherEnd = localMs(other.endedAt, other.endUtcOffsetMinutes)
  const common = Math.min(end, otherEnd) - Math.max(start, otherStart)
  return common > 0 && common >= Math.min(end - start, otherEnd - otherStart) / 2
}

/** An order without equals but equal sleeps: Google's form first, then with stages, with phases, the longer asleep, the one that ends later. */
const byQuality = (one: Sleep, other: Sleep): number =>
  Number(other.isNew) - Number(one.isNew) ||
  Number(hasStages(other)) - Number(hasStages(one)) ||
  Number(other.segments.length > 0) - Number(one.segments.length > 0) ||
  (other.minutesAsleep ?? 0) - (one.minutesAsleep ?? 0) ||
  other.endedAt.getTime() - one.endedAt.getTime() ||
  (one.id < other.id ? -1 : 1)

const hasStages = ({ segments, summary }: Sleep): boolean => segments.length > 0 || summary !== undefined

type DoubledSleep = Pick<CountedSleep, "sleep" | "doubles">

/** Joins sleeps that are the same: the better one counts, with what only the other one has. */
function withoutTwins(sleeps: readonly DoubledSleep[]): DoubledSleep[] {
  const byDate = new Map<string, { sleep: Sleep; doubles: number }[]>()
  for (const { sleep, doubles } of sleeps.toSorted((one, other) => byQuality(one.sleep, other.sleep))) {
    const date = sleepDateOf(sleep)
    const before = addDays(date, -1)
    const near = [before, date, addDays(date, 1)].flatMap((day) => byDate.get(day) ?? [])
    const twin = near.find((each) => isSame(each.sleep, sleep))
    if (!twin) {
      const distinct = byDate.getOrInsertComputed(date, () => [])
      if (distinct.length >= MOST_TOGETHER)
        throw new UnreadableArchive(`the archive has more than ${MOST_TOGETHER} sleeps of one date`)
      distinct.push({ sleep, doubles })
    } else {
      if (twin.sleep.isNew === sleep.isNew) twin.doubles += 1 + doubles
      twin.sleep = completed(twin.sleep, sleep)
    }
  }
  return [...byDate.values()].flat()
}

const completed = (sleep: Sleep, other: Sleep): Sleep => ({
  ...sleep,
  // Its parts are those of the score.
  ...(sleep.score === undefined && known({ score: other.score, scoreParts: other.scoreParts })),
  ...(!hasStages(sleep) && { segments: other.segments, summary: other.summary }),
  minutesAsleep: sleep.minutesAsleep ?? other.minutesAsleep,
  isMain: sleep.isMain ?? other.isMain,
  timesAwake: sleep.timesAwake ?? other.timesAwake,
  minutesToFallAsleep: sleep.minutesToFallAsleep ?? other.minutesToFallAsleep,
  restingHeartRate: sleep.restingHeartRate ?? other.restingHeartRate,
})

const SHORTEST_NIGHT_MINUTES = 180
const [MORNING_HOUR, EVENING_HOUR] = [9, 20]

/** Fitbit's old form says which sleep is a nap. In Google's, a short one that begins by day is one. */
function isOnlyNap(sleep: Sleep): boolean {
  if (sleep.isMain !== undefined) return !sleep.isMain
  const hour = new Date(localMs(sleep.startedAt, sleep.startUtcOffsetMinutes)).getUTCHours()
  return minutesOf(sleep) < SHORTEST_NIGHT_MINUTES && hour >= MORNING_HOUR && hour < EVENING_HOUR
}

/** Returns the nights with their other parts, but for what Fitbit itself calls a nap. */
function partsOfNights(sleeps: readonly Sleep[], main: ReadonlySet<Sleep>): ReadonlySet<Sleep> {
  const parts = sleeps.flatMap((sleep) =>
    sleep.isMain === false ? [] : [{ sleep, startMs: sleep.startedAt.getTime(), endMs: sleep.endedAt.getTime() }],
  )
  const runs = runsOf(parts).map((run) => run.map(({ sleep }) => sleep))
  return new Set(runs.filter((run) => run.some((sleep) => main.has(sleep))).flat())
}

/** Of several sleeps of a date the longest is the night. */
const isRatherNight = (one: Sleep, other: Sleep): boolean =>
  (minutesOf(one) - minutesOf(other) || one.endedAt.getTime() - other.endedAt.getTime()) > 0

const minutesOf = ({ minutesAsleep, startedAt, endedAt }: Sleep): number =>
  minutesAsleep ?? (endedAt.getTime() - startedAt.getTime()) / MINUTE_MS
