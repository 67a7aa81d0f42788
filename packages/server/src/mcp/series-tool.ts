import {
  BODY_TYPES,
  type DisplayPreferences,
  PointSeriesSchema,
  SERIES_DAYS,
  SERIES_TYPES,
  type SeriesResponse,
  SeriesResponseSchema,
} from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { clockText, preferredUnit, seriesFigure, seriesName, unitText } from "@restwell/client/figures"
import { DAY_MINUTES, MINUTE_MS } from "@restwell/client/time-units"
import { InvalidRequest, resolveDateRange, SCOPE_OF } from "@restwell/core/connector"
import { z } from "zod"
import { lines, sourceLine } from "./answer-text.ts"
import { seriesChart } from "./charts.ts"
import { defineTool } from "./define-tool.ts"
import { INSIGHT_RANGE } from "./insight-answers.ts"
import { notSharedNote } from "./not-shared.ts"
import type { Answered } from "./tool-protocol.ts"
import { plainWords } from "./tool-schemas.ts"
import type { ToolSource } from "./tool-source.ts"

/** Lengths of buckets that fit an assistant. */
const LENGTHS = ["15m", "1h", "1d"] as const

const InputSchema = z.strictObject({
  type: z.enum(SERIES_TYPES),
  ...INSIGHT_RANGE,
  resolution: z.enum(LENGTHS).optional(),
})
type Input = z.infer<typeof InputSchema>

/** A value or a bucket: when it begins, then what `columns` name. */
const RowSchema = z.array(z.union([z.string(), z.number()]))

const { unit, method, count, empty_reason, notes, source, sources } = PointSeriesSchema.shape

/** The points of REST in columns, with local times. */
const OutputSchema = z.object({
  type: z.enum(SERIES_TYPES),
  unit,
  resolution: z.enum(["raw", ...LENGTHS]),
  method,
  columns: z.array(z.string()),
  /** Of buckets within a date, and of stages: by date. Times are local, with the offset of the beginning of the date. */
  dates: z.array(z.object({ date: z.string(), utc_offset_minutes: z.int(), rows: z.array(RowSchema) })).optional(),
  /** Of buckets of a day, and of body measurements. */
  rows: z.array(RowSchema).optional(),
  count,
  left_out: z.int().optional(),
  empty_reason,
  notes,
  source,
  sources,
})
type Output = z.infer<typeof OutputSchema>

/** What the list of tools says about it. */
const LISTED_OUTPUT = z.looseObject(OutputSchema.pick({ unit: true, columns: true, dates: true, rows: true }).shape)
type Row = z.infer<typeof RowSchema>

/** More would not be read. */
const MOST_ROWS = 100
const MOST_DATES = 4

/** Values within the day, and body measurements. */
export const seriesTool = defineTool({
  name: "get_series",
  title: "Values within the day",
  description: `Mean or sum by 15m (one date), 1h (${MOST_DATES} dates) or 1d; stages of sleep over time; each weight.`,
  input: InputSchema,
  output: LISTED_OUTPUT,
  needs: [SCOPE_OF.series],
  hasChart: true,
  answer: readSeries,
})

async function readSeries(source: ToolSource, input: Input): Promise<Answered> {
  const days = Math.min(defaultDays(input), source.sharing.days ?? SERIES_DAYS.ofBody)
  const { from, to } = resolveDateRange({ days, ...input }, await source.today())
  const dates = datesBetween(from, to)
  const [date, ...others] = dates
  if (date === undefined) throw new InvalidRequest(`start_date ${from} is after end_date ${to}`, "start_date")
  const resolution = resolutionFor(input, dates.length)
  const query = { type: "series", series: input.type, resolution, source: input.source } as const
  const ofDate = (one: string) => ({ ...query, start_date: one, end_date: one })
  const isByDate = isWithinDay(input, resolution)
  // A date by itself, because the answer has the offset of its beginning.
  const bodies = isByDate
    ? await source.read("get_series", [ofDate(date), ...others.map(ofDate)])
    : await source.read("get_series", [{ ...query, start_date: from, end_date: to, newest: MOST_ROWS }])
  const answers = bodies.map((body) => plainWords(SeriesResponseSchema.parse(body)))
  const isCut = input.days === undefined && input.start_date === undefined && days < defaultDays(input)
  const notShared = notSharedNote(source.sharing, [], { isOfAllDates: isCut })
  const whole = isByDate ? datedOutput(dates, answers) : newestOutput(answers)
  const structured = OutputSchema.parse({ ...whole, notes: [...whole.notes, ...(notShared ? [notShared] : [])] })
  const [newest] = answers.slice(-1)
  return {
    text: seriesText(structured, source.preferences),
    structured,
    chart: seriesChart(
      source,
      {
        ...structured,
        rows: chartedRows(structured),
        source: newest?.source.provider ?? "",
        period: { start_date: from, end_date: to },
      },
      { source: input.source },
    ),
  }
}

/** True if a stage begins on the date before, with those that follow it: its clock time is later than its end, or than that of one of them. */
const isBeforeMidnight = ([stage = [], ...later]: readonly Row[]): boolean =>
  [stage[1], ...later.map(([time]) => time)].some((time) => String(time) < String(stage[0]))

/** The rows of the answer, each with its date. */
function chartedRows({ type, dates = [], rows = [] }: Output) {
  const timed = (time: unknown, parts: Row) => ({ time: String(time), parts })
  return [
    ...dates.flatMap(({ date, rows: ofDate }) =>
      ofDate.map(([time, ...parts], index) => {
        const isOfEvening = type === "sleep_stages" && isBeforeMidnight(ofDate.slice(index))
        return timed(`${isOfEvening ? addDays(date, -1) : date}T${time}`, parts)
      }),
    ),
    ...rows.map(([time, ...parts]) => timed(time, parts)),
  ]
}

/** A night begins on the date before. */
const defaultDays = ({ type }: Input): number =>
  BODY_TYPES.includes(type) ? SERIES_DAYS.ofBody : type === "sleep_stages" ? 2 : SERIES_DAYS.default

/** The dates of a range, of a longer one the first ones. */
function datesBetween(from: string, to: string): string[] {
  const dates: string[] = []
  for (let date = from; date <= to && dates.length <= MOST_DATES; date = addDays(date, 1)) dates.push(date)
  return dates
}

/** The length that was asked for, or the next one that gives few rows. @throws {InvalidRequest} for stages of many nights */
function resolutionFor({ type, resolution }: Input, dateCount: number): Output["resolution"] {
  if (BODY_TYPES.includes(type)) return "raw"
  if (type === "sleep_stages") {
    if (dateCount <= MOST_DATES) return "raw"
    throw new InvalidRequest(`stages are listed for at most ${MOST_DATES} dates, get_sleep has hours of each`, "days")
  }
  if (resolution === "1d" || dateCount > MOST_DATES) return "1d"
  return resolution === "15m" && dateCount === 1 ? "15m" : "1h"
}

const isWithinDay = ({ type }: Input, resolution: Output["resolution"]): boolean =>
  resolution !== "1d" && !BODY_TYPES.includes(type)

interface Dated {
  readonly date: string
  readonly answer: SeriesResponse
}

/** One answer for each date. Those of another method than the newest one are left out, as within one answer. */
function datedOutput(dates: readonly string[], answers: readonly SeriesResponse[]) {
  const all = answers.flatMap((answer, index): Dated[] => [{ date: dates[index] ?? "", answer }])
  const known = all.filter(({ answer }) => answer.count > 0)
  const method = known.at(-1)?.answer.method
  const others = known.filter(({ answer }) => answer.method !== method)
  const kept = all.filter((dated) => !others.includes(dated))
  const notes = [
    ...others.map(
      ({ date, answer }) =>
        `${date} left out: it has ${answer.method?.toUpperCase()}, ${method?.toUpperCase()} is newer, and they cannot be compared.`,
    ),
    ...kept.flatMap(({ date, answer }) => clockNote(date, answer)),
  ]
  const rows = kept.flatMap(({ date, answer }) => datedRows(date, answer))
  return {
    ...envelopeOf(
      kept.map(({ answer }) => answer),
      notes,
    ),
    dates: rows,
  }
}

const minutesBetween = (start: string, end: string): number => (Date.parse(end) - Date.parse(start)) / MINUTE_MS

const clockAt = (minutes: number): string =>
  [minutes / 60, minutes % 60].map((part) => String(Math.floor(part)).padStart(2, "0")).join(":")

/** Times count from midnight, so that the hours of a date whose clocks change have different names, 24:00 too. */
function clockNote(date: string, { start, end, count }: SeriesResponse): string[] {
  const length = minutesBetween(start, end)
  if (count === 0 || length === DAY_MINUTES) return []
  return [`Clocks change on ${date}: its times count from its midnight, and it ends at ${clockAt(length)}.`]
}

function datedRows(date: string, answer: SeriesResponse): NonNullable<Output["dates"]> {
  if (answer.count === 0) return []
  const { start, end } = answer
  // A stage may begin on the date before, or end on the next one. Each is counted from the midnight beside it.
  const time = (instant: string): string => {
    const [after, afterEnd] = [minutesBetween(start, instant), minutesBetween(end, instant)]
    return clockAt(
      after >= 0 && afterEnd < 0 ? after : ((after < 0 ? after : afterEnd) + 2 * DAY_MINUTES) % DAY_MINUTES,
    )
  }
  return [
    { date, utc_offset_minutes: Math.round(minutesBetween(start, `${date}T00:00:00Z`)), rows: rowsOf(answer, time) },
  ]
}

/** Of a long range the newest rows. A service reads only them, and counts all. */
function newestOutput(answers: readonly SeriesResponse[]) {
  const envelope = envelopeOf(answers, [])
  const rows = answers.flatMap((answer) => rowsOf(answer, (instant) => `${instant.slice(0, 16)}Z`)).slice(-MOST_ROWS)
  const leftOut = envelope.count - rows.length
  return {
    ...envelope,
    rows,
    count: rows.length,
    ...(leftOut > 0 && { left_out: leftOut }),
  }
}

function rowsOf(answer: SeriesResponse, time: (instant: string) => string): Row[] {
  if (answer.type === "sleep_stages")
    return answer.segments.map(({ start, end, stage }) => [time(start), time(end), stage])
  return answer.points.map((point) => {
    if ("value" in point) return [time(point.time), point.value, ...(point.source === undefined ? [] : [point.source])]
    const start = point.date ?? time(point.start)
    return "sum" in point ? [start, point.sum] : [start, point.mean, point.min, point.max]
  })
}

function columnsOf({ type, ...answer }: SeriesResponse): string[] {
  if ("segments" in answer) return ["start", "end", "stage"]
  const [point] = answer.points
  if (!point) return []
  if ("value" in point) return ["time", "value", ...(BODY_TYPES.includes(type) ? ["source"] : [])]
  const start = point.date === undefined ? "time" : "date"
  return "sum" in point ? [start, "sum"] : [start, "mean", "min", "max"]
}

function envelopeOf(answers: readonly SeriesResponse[], notes: readonly string[]) {
  const newest = answers.findLast((answer) => answer.count > 0) ?? answers.at(-1)
  if (!newest) throw new Error("a read returned nothing")
  return {
    type: newest.type,
    unit: newest.unit,
    resolution: newest.resolution,
    method: newest.method,
    columns: columnsOf(newest),
    count: answers.reduce((sum, answer) => sum + answer.count, 0),
    empty_reason: newest.empty_reason,
    notes: [...new Set([...answers.flatMap((answer) => answer.notes), ...notes])],
    source: newest.source,
    sources: newest.sources,
  }
}

function seriesText(answer: Output, preferences: DisplayPreferences): string {
  const { type, unit, count, columns, dates = [], rows = [], left_out: leftOut, notes, sources } = answer
  const name = seriesName(type)
  if (count === 0) return lines(`No values of ${name}: ${emptyText(answer)}`, ...notes, sourceLine(sources))
  const written = (row: Row) => rowText(row, answer, preferences)
  const inUnits = unit === "stage" ? "" : ` in ${unitText(preferredUnit(unit, preferences.units).unit)}`
  return lines(
    `${name}${inUnits}${answer.method === null ? "" : ` (${answer.method})`}, ${answer.resolution}, ${count} values: ${columns.join(", ")}`,
    leftOut !== undefined && `${leftOut} older ones are left out`,
    ...dates.map(
      (date) =>
        `${date.date}, local time (UTC offset ${date.utc_offset_minutes} min): ${date.rows.map(written).join("; ")}`,
    ),
    ...rows.map(written),
    ...notes,
    sourceLine(sources, [answer.source.provider]),
  )
}

const emptyText = ({ empty_reason: reason }: Output): string =>
  reason === "not_delivered" ? "no connected source delivers them" : (reason ?? "no_data_in_range").replaceAll("_", " ")

/** Not the hours after 24:00 of a date whose clocks change. */
const CLOCK = /^([01]\d|2[0-3]):\d{2}$/

/** The figures in the person's units, and times on the person's clock. */
function rowText(row: Row, { type, unit }: Output, { units, clock }: DisplayPreferences): string {
  return row
    .map((part) =>
      typeof part === "number"
        ? seriesFigure(type, unit, part, units)
        : CLOCK.test(part)
          ? clockText(part, clock)
          : part,
    )
    .join(" ")
}
