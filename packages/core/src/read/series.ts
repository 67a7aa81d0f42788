import { createHash } from "node:crypto"
import {
  BODY_TYPES,
  type PointSeries,
  type Resolution,
  round,
  SERIES_DAYS,
  SERIES_POINTS,
  SERIES_UNITS,
  type SeriesQuery,
  type SeriesRate,
  type SeriesSum,
  type SeriesType,
  type SeriesValue,
  SLEEP_STAGES,
  type SleepSegment,
  type StageSeries,
  SUM_TYPES,
} from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { plural } from "@restwell/client/figures"
import { DAY_MS } from "@restwell/client/time-units"
import { deliversSeries } from "@restwell/providers"
import type { Pool } from "pg"
import { type DateRange, instantText } from "../base/calendar.ts"
import { InvalidRequest } from "../context/errors.ts"
import { inOrder } from "../sources/rank.ts"
import { type CollectedPoints, collectPoints } from "../statistics/collect-points.ts"
import type { Bucket, Points, RawPoint } from "../statistics/resolutions.ts"
import { dateOf, dayOf } from "../statistics/series.ts"
import { startsOfNights, wakingDays } from "../statistics/waking-dates.ts"
import { isOfVersion } from "../store/statements/read-clock.ts"
import { readCountedDays } from "../store/statements/read-counts.ts"
import type { HealthSource } from "../store/statements/read-health.ts"
import { readSleeps } from "../store/statements/read-sleeps.ts"
import { emptyReason, mainSource, presentSource } from "./answer.ts"
import { csvOf } from "./columns.ts"
import { type InsightLimits, insightRange, type QueryTask } from "./insight-query.ts"
import { readLocalClock } from "./local-clock.ts"
import { type MetricGroup, orderForSeries } from "./metric-groups.ts"

/** A read of values within the day. */
export type SeriesReadQuery = Omit<SeriesQuery, "type"> & {
  readonly type: "series"
  readonly series: SeriesType
  /** For assistants: only the newest values or buckets. `count` has all of them. */
  readonly newest?: number
}

/** Which part of the time is read: local dates, or two instants. */
interface SeriesPlan {
  readonly range: DateRange
  /** Epoch milliseconds, the end excluded. Null for whole dates. */
  readonly instants: { readonly fromMs: number; readonly toMs: number } | null
  /** Names the question. Equal names and equal data give equal answers. */
  readonly name: string
  readonly groups: readonly MetricGroup[]
}

/** @param today the person's date @throws {InvalidRequest} for a range or resolution that cannot be answered */
export function planSeries(query: SeriesReadQuery, today: string, limits?: InsightLimits): SeriesPlan {
  if (query.series === "sleep_stages" && (query.resolution ?? "raw") !== "raw")
    throw new InvalidRequest("sleep_stages are segments, and have no other resolution than raw", "resolution")
  const instants = instantsOf(query)
  const byDefault = BODY_TYPES.includes(query.series) ? SERIES_DAYS.ofBody : SERIES_DAYS.default
  // Wherever the person is, instants are within these dates.
  const dates = instants
    ? { from: dateOf(Math.floor(instants.fromMs / DAY_MS) - 1), to: dateOf(Math.floor(instants.toMs / DAY_MS) + 1) }
    : insightRange(query, today, byDefault)
  const allowed = limits?.from != null && limits.from > dates.from ? { ...dates, from: limits.from } : dates
  const { series, resolution, source, format, newest } = query
  const reader = limits?.isForAssistant ? "assistant" : ""
  const isCsv = format === "csv"
  const named = JSON.stringify([series, allowed, instants, resolution ?? "", source ?? "", isCsv, reader, newest])
  return {
    range: allowed,
    instants,
    name: `series-${createHash("sha256").update(named).digest("base64url").slice(0, NAME_LENGTH)}`,
    groups: ["series"],
  }
}

/** Characters of base64url: 132 bits. */
const NAME_LENGTH = 22

function instantsOf({ start, end, days, start_date, end_date }: SeriesReadQuery): SeriesPlan["instants"] {
  if (start === undefined && end === undefined) return null
  if (end === undefined) throw new InvalidRequest("end is missing beside start", "end")
  if (start === undefined) throw new InvalidRequest("start is missing beside end", "start")
  if (days !== undefined || start_date !== undefined || end_date !== undefined)
    throw new InvalidRequest("start and end are instants: send either these or dates", "start")
  const [fromMs, toMs] = [Date.parse(start), Date.parse(end)]
  if (fromMs >= toMs) throw new InvalidRequest(`start ${start} is not before end ${end}`, "start")
  return { fromMs, toMs }
}

/** Days around a date that may have values of it, whatever the offsets are. */
const REACH_DAYS = 1
/** Days around the dates of stages that are read first. */
const NIGHT_REACH_DAYS = 4
/** The next part of a night begins within these days after one: a sleep lasts a day at most, and two hours may pass between them. */
const NEXT_PART_DAYS = 2

/** Returns undefined if the person's data changed since the snapshot. @throws {InvalidRequest} for too many points */
export async function answerSeries(
  pool: Pool,
  { query, limits, note, snapshot, today }: QueryTask<SeriesReadQuery>,
): Promise<{ readonly text: string; readonly recordCount: number } | undefined> {
  const plan = planSeries(query, today, limits)
  const { userId, dataVersion, sources, preferences } = snapshot
  const ordered = inOrder(sources, preferences?.order[orderForSeries(query.series)])
  const isWanted = ({ provider }: HealthSource) =>
    query.source === undefined || query.source === "all" || query.source === provider
  const readable = ordered.filter(isWanted)
  const providers = readable.map(({ provider }) => provider)
  // The stages of a date are those of the whole sleeps of that waking date.
  const nights = query.series === "sleep_stages" ? await readNights(pool, userId, plan.range) : undefined
  const from = nights?.from ?? addDays(plan.range.from, -REACH_DAYS)
  const to = addDays(plan.range.to, REACH_DAYS)
  const clock = await readLocalClock(pool, snapshot, { from: nights?.from ?? plan.range.from, to: plan.range.to })
  const days = readCountedDays(pool, {
    userId,
    type: query.series,
    providers,
    from,
    to,
    isForAssistant: limits?.isForAssistant === true,
  })
  const wanted = {
    type: query.series,
    resolution: query.resolution,
    firstDay: dayOf(plan.range.from),
    lastDay: dayOf(plan.range.to),
    fromMs: plan.instants?.fromMs ?? Number.NEGATIVE_INFINITY,
    toMs: plan.instants?.toMs ?? Number.POSITIVE_INFINITY,
    providers,
  }
  const collected = await collectPoints(days, wanted, { clock, wakingDay: nights?.wakingDay })
  if (!(await isOfVersion(pool, userId, dataVersion))) return undefined
  const points = requireFew(query, collected)
  const { resolution, raw, buckets } = points
  const count = resolution === "raw" ? raw.length : buckets.length
  const { newest = count } = query
  const list = listOf(query, { resolution, raw: newestOf(raw, newest), buckets: newestOf(buckets, newest) })
  const body = {
    unit: SERIES_UNITS[query.series],
    resolution: points.resolution,
    method: collected.method,
    start: instantText(plan.instants?.fromMs ?? clock.midnight(plan.range.from)),
    end: instantText(plan.instants?.toMs ?? clock.midnight(addDays(plan.range.to, 1))),
    ...list,
    count,
    empty_reason: reasonFor(query.series, count, readable),
    notes: [...notesOf(collected), ...(note === undefined ? [] : [note])],
    source: presentSource(mainSource(readable, collected.answered) ?? snapshot.sources[0]),
    sources: ordered.map(presentSource),
  }
  return { text: textOf(query, body), recordCount: count }
}

/** The waking dates of sleeps, and the first date that may have stages of the range. Who is ill sleeps around the clock, for days. */
async function readNights(pool: Pool, userId: string, { from, to }: DateRange) {
  const near = { fromMs: Date.parse(addDays(from, -REACH_DAYS)), toMs: Date.parse(addDays(to, 1 + REACH_DAYS)) }
  const first = addDays(from, -NIGHT_REACH_DAYS)
  for (let reach = NIGHT_REACH_DAYS + REACH_DAYS; ; reach *= 2) {
    const [firstRead, lastRead] = [addDays(from, -reach), addDays(to, reach)]
    const sleeps = await readSleeps(pool, userId, new Date(firstRead), new Date(lastRead))
    const dates = startsOfNights(sleeps, near).map((ms) => dateOf(Math.floor(ms / DAY_MS)))
    // A part at the edge may have others beyond it.
    const [edge, lastEdge] = [addDays(firstRead, NEXT_PART_DAYS), addDays(lastRead, -NEXT_PART_DAYS)]
    if (!dates.some((date) => date < edge || date > lastEdge))
      return { wakingDay: wakingDays(sleeps), from: [first, ...dates].toSorted()[0] ?? first }
  }
}

/** @throws {InvalidRequest} that names the finest resolution that fits */
function requireFew({ series, resolution }: SeriesReadQuery, { points }: CollectedPoints): Points {
  const { most } = SERIES_POINTS
  if (!points)
    throw new InvalidRequest(`these are more than ${most} values of ${series}: read a shorter part of the time`, "type")
  if (resolution === undefined || points.resolution === resolution) return points
  throw new InvalidRequest(
    `resolution=${resolution} gives more than ${most} points here, the finest that fits is ${points.resolution}`,
    "resolution",
  )
}

const newestOf = <Item>(items: readonly Item[], count: number): readonly Item[] =>
  items.slice(Math.max(items.length - count, 0))

type Listed = Pick<StageSeries, "type" | "segments"> | Pick<PointSeries, "type" | "points">

function listOf(
  { series }: SeriesReadQuery,
  {
    resolution,
    raw,
    buckets,
  }: Pick<Points, "resolution"> & { readonly raw: readonly RawPoint[]; readonly buckets: readonly Bucket[] },
): Listed {
  if (series === "sleep_stages") return { type: series, segments: raw.map(segmentOf) }
  if (resolution === "raw") return { type: series, points: raw.map(pointOf) }
  const isDay = resolution === "1d"
  if (SUM_TYPES.includes(series)) return { type: series, points: buckets.map((bucket) => sumOf(bucket, isDay)) }
  const decimals = DECIMALS[series] ?? 1
  return { type: series, points: buckets.map((bucket) => rateOf(bucket, isDay, decimals)) }
}

/** Of means. Values are as their source has them. */
const DECIMALS: Readonly<Partial<Record<SeriesType, number>>> = { weight: 2, skin_temperature: 2 }
/** A value that is divided by time is seldom whole. */
const SUM_DECIMALS = 2
/** A part of a count has more decimals than any value that is stored. */
const STORED_DECIMALS = 3

const segmentOf = ({ atMs, durationMs, value }: RawPoint): SleepSegment => {
  const stage = SLEEP_STAGES[value]
  if (stage === undefined) throw new Error(`a stored stage of sleep is unknown: ${value}`)
  return { start: instantText(atMs), end: instantText(atMs + durationMs), stage }
}

const pointOf = ({ atMs, durationMs, value, source }: RawPoint): SeriesValue => ({
  time: instantText(atMs),
  value: round(value, STORED_DECIMALS),
  ...(durationMs > 0 && { duration_seconds: durationMs / 1000 }),
  ...(source !== undefined && { source }),
})

const startOf = ({ startMs, key, n }: Bucket, isDay: boolean) => ({
  start: instantText(startMs),
  ...(isDay && { date: dateOf(key) }),
  n,
})

const sumOf = (bucket: Bucket, isDay: boolean): SeriesSum => ({
  ...startOf(bucket, isDay),
  sum: round(bucket.sum, SUM_DECIMALS),
})

const rateOf = (bucket: Bucket, isDay: boolean, decimals: number): SeriesRate => ({
  ...startOf(bucket, isDay),
  mean: round(bucket.sum / bucket.weight, decimals),
  min: bucket.min,
  max: bucket.max,
})

function reasonFor(type: SeriesType, count: number, readable: readonly HealthSource[]): StageSeries["empty_reason"] {
  if (count > 0) return null
  const delivering = readable.filter(({ provider }) => deliversSeries(provider, type))
  return delivering.length === 0 ? "not_delivered" : emptyReason([], delivering)
}

function notesOf({ method, leftOut }: CollectedPoints): string[] {
  if (!leftOut) return []
  const { count, from, to } = leftOut
  const values = plural(count, "value")
  const other = leftOut.method.toUpperCase()
  return [
    `${values} of ${other} from ${from} to ${to} left out: ${method?.toUpperCase()} is newer, and they cannot be compared.`,
  ]
}

const columnsOf = (...names: readonly string[]) => names.map((name) => ({ name }))

function textOf({ series, format }: SeriesReadQuery, body: Listed & { readonly resolution: Resolution }): string {
  if (format !== "csv") return JSON.stringify(body)
  if ("segments" in body) return csvOf(columnsOf("start", "end", "stage"), body.segments)
  if (body.resolution === "raw") {
    const source = BODY_TYPES.includes(series) ? ["source"] : []
    return csvOf(columnsOf("time", "value", "duration_seconds", ...source), body.points)
  }
  const date = body.resolution === "1d" ? ["date"] : []
  const figures = SUM_TYPES.includes(series) ? ["sum"] : ["mean", "min", "max"]
  return csvOf(columnsOf("start", ...date, "n", ...figures), body.points)
}
