import {
  clockText,
  DAYS,
  type DisplayPreferences,
  INSIGHT_DAYS,
  SportsResponseSchema,
  type TrendResponse,
  TrendResponseSchema,
} from "@restwell/client"
import { addDays, Forbidden, groupOfMetric, type InsightQuery, InvalidRequest, SCOPE_OF } from "@restwell/core"
import { z } from "zod"
import { type DayEntry, dayId, dayName } from "./days-of-record.ts"
import { amountText } from "./preferred-text.ts"
import { isBeyond, type Limit, limitedMetric } from "./search-limits.ts"
import { type Extreme, type NamedDates, namedFigure } from "./search-phrases.ts"
import { type JournalTopic, sportIn, wordsOf } from "./search-words.ts"
import { OUTPUTS, plainWords, type WorkoutOutput } from "./tool-schemas.ts"
import type { ToolSource } from "./tool-source.ts"

// What `search` finds by reading more than the days of a question. Each returns nothing where it does not understand the whole question.

const MOST_RESULTS = 10
/** Enough to have some of a weekday among them. */
const MOST_RANKED = 20

export interface Where extends Pick<NamedDates, "range" | "weekdays"> {
  readonly today: string
}

/** Words that add nothing to a question about a figure. */
const NEUTRAL = new Set(["sleep", "morning"])

const isUnderstood = (rest: string): boolean => wordsOf(rest).every((word) => NEUTRAL.has(word))

/** The days with the highest or lowest values of a metric, among the dates that the question names or all of them. */
export async function findExtremes(
  source: ToolSource,
  { metrics, side, rest }: Extreme,
  where: Where,
): Promise<DayEntry[]> {
  if (!isUnderstood(rest)) return []
  const shared = metrics.filter((metric) => isShared(source, metric))
  if (shared.length === 0) return refuse(source, "this figure")
  const dates = datesOf(source, where)
  const questions = shared.map((metric): InsightQuery => ({ type: "trend", metric, ...dates, top: MOST_RANKED }))
  const trends = z.array(TrendResponseSchema).parse(await source.read("search", questions))
  const trend = trends.find(({ n }) => n > 0)
  return trend ? entriesOf(trend, trend[side], { where, preferences: source.preferences }) : []
}

/** The days with a value beyond a limit, newest first. */
async function findBeyond(source: ToolSource, limit: Limit, where: Where): Promise<DayEntry[]> {
  const limited = limitedMetric(limit)
  if (!limited || !isUnderstood(limited.rest)) return []
  const { metric } = limited
  if (!isShared(source, metric)) return refuse(source, "this figure")
  const question = { type: "trend", metric, ...datesOf(source, where), points: true, top: 1 } as const
  const [body] = await source.read("search", [question])
  const trend = TrendResponseSchema.parse(body)
  const points = (trend.points ?? []).map(([date, value]) => ({ date, value })).toReversed()
  // A time without minutes is hours: "before 6".
  const isTime = typeof points[0]?.value === "string"
  const wanted = isTime && limit.unit === undefined ? { ...limit, value: limit.value * 60 } : limit
  return entriesOf(
    trend,
    points.filter(({ value }) => isBeyond(wanted, metric, value)),
    { where, preferences: source.preferences },
  )
}

type Dated = TrendResponse["highest"][number]

const entriesOf = (
  trend: TrendResponse,
  values: readonly Dated[],
  { where, preferences }: { readonly where: Where; readonly preferences: DisplayPreferences },
): DayEntry[] =>
  values
    .filter(({ date }) => isOn(where, date))
    .slice(0, MOST_RESULTS)
    .map((value) => ({ id: dayId(value.date), title: titleOf(trend, value, preferences) }))

const titleOf = (
  { metric, unit }: TrendResponse,
  { date, value }: Dated,
  { units, clock }: DisplayPreferences,
): string =>
  `${dayName(date)}: ${metric.replaceAll("_", " ")} ${typeof value === "string" ? clockText(value, clock) : amountText(value, unit, units)}`

const isOn = ({ weekdays }: Where, date: string): boolean =>
  weekdays.length === 0 || weekdays.includes(Temporal.PlainDate.from(date).dayOfWeek)

const LONGEST = /\b(?:longest|farthest|furthest)\b/i
const FARTHEST = /\b(?:farthest|furthest|distance)\b/i

/** The sport of a question about workouts, null for all of them. Undefined where it is about something else. */
function sportOf(question: string): string | null | undefined {
  const sport = sportIn(question)
  if (typeof sport !== "string") return sport
  const [metric] = namedFigure(question.toLowerCase().replaceAll(/\bdays?\b/g, " "))?.metrics ?? []
  return metric === undefined || metric === "strain" ? sport : undefined
}

/** The longest and the farthest workout of a sport, or of all. Undefined where the question does not ask for them. */
export async function findLongest(source: ToolSource, question: string, where: Where): Promise<DayEntry[] | undefined> {
  if (!LONGEST.test(question)) return undefined
  const sport = sportOf(question.replace(LONGEST, " "))
  if (sport === undefined) return undefined
  // Only every workout of the dates has a longest one.
  if (where.weekdays.length > 0) return []
  if (!isShared(source, "workout")) return refuse(source, "workouts")
  const query = { type: "sports", ...datesOf(source, where), ...(sport !== null && { sport }) } as const
  const { sports } = plainWords(SportsResponseSchema.parse((await source.read("search", [query]))[0]))
  const longest = sports.map(({ sport_type: name, longest: { date, hours } }) => ({
    date,
    name,
    size: hours,
    unit: "h",
  }))
  const farthest = sports.flatMap(({ sport_type: name, farthest: far }) =>
    far ? [{ date: far.date, name, size: far.distance_meters, unit: "m" }] : [],
  )
  const isFar = FARTHEST.test(question)
  // The longest run may be meant in metres too. Workouts of different sports are compared in hours.
  const ranked = isFar ? [largest(farthest)] : [largest(longest), ...(sport === null ? [] : [largest(farthest)])]
  const found = ranked.flatMap((each) => each ?? [])
  return found
    .map(({ date, name, size, unit }) => ({
      id: dayId(date),
      title: `${dayName(date)}: ${unit === "h" ? "longest" : "farthest"} ${name}, ${amountText(size, unit, source.preferences.units)}`,
    }))
    .filter(({ id }, index, all) => all.findIndex((other) => other.id === id) === index)
}

const largest = <Ranked extends { readonly size: number }>(all: readonly Ranked[]): Ranked | undefined =>
  all.toSorted((one, other) => other.size - one.size)[0]

/** Days by a limit: of workouts, or of a metric. */
export async function findWithin(source: ToolSource, limit: Limit, where: Where): Promise<DayEntry[]> {
  const sport = sportOf(limit.rest)
  const measure = sport === undefined ? undefined : measureOf(limit)
  if (sport === undefined || !measure) return findBeyond(source, limit, where)
  if (!isShared(source, "workout")) return refuse(source, "workouts")
  const { start_date: first, end_date } = datesOf(source, where)
  const earliest = addDays(end_date, 1 - DAYS.max)
  const range = { start_date: first < earliest ? earliest : first, end_date }
  const query = { type: "workout", ...range, ...(sport !== null && { sport }) } as const
  const { records } = plainWords(OUTPUTS.workout.parse((await source.read("search", [query]))[0]))
  return records
    .filter((record) => isOn(where, record.date) && isBeyondIn(limit, measure.of(record)))
    .slice(0, MOST_RESULTS)
    .map((record) => ({
      id: dayId(record.date),
      title: `${dayName(record.date)}: ${record.sport_type}, ${amountText(measure.of(record) ?? 0, measure.unit, source.preferences.units)}`,
    }))
}

const isBeyondIn = (limit: Limit, value: number | null): boolean => value !== null && isBeyond(limit, "workout", value)

type Workout = WorkoutOutput["records"][number]

/** What a limit of workouts is of. Undefined where it is of something else. */
function measureOf({ unit, rest }: Limit): { of(record: Workout): number | null; unit: string } | undefined {
  if (/\bstrain\b/i.test(rest)) return unit === undefined ? { of: ({ strain }) => strain, unit: "strain" } : undefined
  if (unit === "h") return { of: ({ duration_hours: hours }) => hours, unit: "h" }
  if (unit === "m") return { of: ({ distance_meters: metres }) => metres, unit: "m" }
  if (unit === "kcal") return { of: ({ calories }) => calories, unit: "kcal" }
  return unit === "bpm" ? { of: ({ average_heart_rate: rate }) => rate, unit: "bpm" } : undefined
}

/** The days on which the person answered a topic of the journal with yes, or with no. @param isFirst whether nothing else of the call was read */
export async function findTopic(
  source: ToolSource,
  { factor, answer }: JournalTopic,
  where: Where,
  isFirst: boolean,
): Promise<DayEntry[]> {
  const metric = `journal:${factor}`
  if (!isShared(source, metric)) return isFirst ? refuse(source, "the journal") : []
  const question = { type: "trend", metric, ...datesOf(source, where), points: true, top: 1 } as const
  const read = isFirst ? source.read : source.readMore
  const [body] = await read("search", [question]).catch(noSuchTopic)
  if (body === undefined) return []
  const wanted = answer ? 1 : 0
  return (TrendResponseSchema.parse(body).points ?? [])
    .toReversed()
    .filter(([date, value]) => value === wanted && isOn(where, date))
    .slice(0, MOST_RESULTS)
    .map(([date]) => ({
      id: dayId(date),
      title: `${dayName(date)}: ${factor.replaceAll("_", " ")} ${answer ? "yes" : "no"}`,
    }))
}

/** Nobody asked the person about it. */
function noSuchTopic(error: unknown): readonly unknown[] {
  if (error instanceof InvalidRequest) return []
  throw error
}

function isShared({ sharing }: ToolSource, metric: string): boolean {
  const group = groupOfMetric(metric)
  return group !== null && sharing.scopes.includes(SCOPE_OF[group])
}

function refuse({ baseUrl }: ToolSource, what: string): never {
  throw new Forbidden(`the person does not share ${what} with this assistant, see ${baseUrl}/connections`)
}

/** The dates that a question names, or all of them, as far as they are shared. */
function datesOf({ sharing }: ToolSource, { range, today }: Where) {
  const earliest = sharing.days === null ? undefined : addDays(today, 1 - sharing.days)
  const from = range?.from ?? addDays(today, 1 - INSIGHT_DAYS.max)
  const end = range && range.to < today ? range.to : today
  return { start_date: earliest !== undefined && from < earliest && earliest <= end ? earliest : from, end_date: end }
}
