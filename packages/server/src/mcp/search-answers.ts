import { DAYS, INSIGHT_DAYS, SportsResponseSchema, type TrendResponse, TrendResponseSchema } from "@restwell/client"
import { amountText, answerText, metricOfAnswer, nameOf } from "@restwell/client/figures"
import { addDays, Forbidden, groupOfMetric, InvalidRequest, SCOPE_OF } from "@restwell/core"
import { z } from "zod"
import { type DayEntry, datedTitles, dayId, dayName, readDays } from "./days-of-record.ts"
import type { DateRange, SearchQuery, Subject } from "./search-query.ts"
import { OUTPUTS, plainWords } from "./tool-schemas.ts"
import type { ToolSource } from "./tool-source.ts"

// What `search` finds for a query that was understood, with one read of the person's data.

const MOST_RESULTS = 10
/** Enough to have some of a weekday among them. */
const MOST_RANKED = 20
/** Dates that are looked through when a query about all figures names none. */
const SEARCHED_DAYS = 30
const DAYS_BESIDE_SUMMARY = 7

type SubjectOf<Kind extends Subject["kind"]> = Extract<Subject, { kind: Kind }>

/** The days and summaries that a query asks for, newest or highest first. */
export async function findEntries(source: ToolSource, query: SearchQuery, today: string): Promise<readonly DayEntry[]> {
  const { subject } = query
  switch (subject.kind) {
    case "days":
      return findDays(source, query, { subject, today })
    case "extreme":
      return findExtremes(source, query, { subject, today })
    case "workouts":
      return findWorkouts(source, query, { subject, today })
    case "topic":
      return findTopicOrSport(source, query, { subject, today })
  }
}

interface Wanted<Kind extends Subject["kind"]> {
  readonly subject: SubjectOf<Kind>
  readonly today: string
}

/** A summary of the dates comes first where the list of days does not have all of them. */
async function findDays(
  source: ToolSource,
  query: SearchQuery,
  { subject, today }: Wanted<"days">,
): Promise<DayEntry[]> {
  const dates = datesOf(source, query, { today, most: subject.isNamed ? DAYS.max : SEARCHED_DAYS })
  const days = datedTitles(await readDays(source, "search", dates)).filter(({ date }) => isOn(query, date))
  const entries = days.slice(0, MOST_RESULTS).map(({ date, title }) => ({ id: dayId(date), title }))
  const { start_date: from, end_date: to } = dates
  if (query.weekdays.length > 0 || from === to) return entries
  const summary = { id: `summary:${from}:${to}`, title: `Summary of ${from} to ${to}` }
  return days.length > MOST_RESULTS ? [summary, ...entries.slice(0, DAYS_BESIDE_SUMMARY)] : [...entries, summary]
}

/** The days with the highest or lowest values of a metric. */
async function findExtremes(source: ToolSource, query: SearchQuery, { subject, today }: Wanted<"extreme">) {
  const metrics = subject.metrics.filter((metric) => isShared(source, metric))
  if (metrics.length === 0) refuse(source, "this figure")
  const dates = datesOf(source, query, { today, most: INSIGHT_DAYS.max })
  const questions = metrics.map((metric) => ({ type: "trend" as const, metric, ...dates, top: MOST_RANKED }))
  const trends = z.array(TrendResponseSchema).parse(await source.read("search", questions))
  const trend = trends.find(({ n }) => n > 0)
  return (trend?.[subject.side] ?? [])
    .filter(({ date }) => isOn(query, date))
    .slice(0, MOST_RESULTS)
    .map((value) => ({ id: dayId(value.date), title: trend ? extremeTitle(source, trend, value) : "" }))
}

function extremeTitle(
  { preferences }: ToolSource,
  answer: TrendResponse,
  { date, value }: TrendResponse["highest"][number],
): string {
  const metric = metricOfAnswer(answer)
  return `${dayName(date)}: ${nameOf(metric)} ${answerText(metric, value, preferences)}`
}

/** The longest workout of a sport and the farthest, or the newest days with one. */
async function findWorkouts(source: ToolSource, query: SearchQuery, { subject, today }: Wanted<"workouts">) {
  if (!isShared(source, "workout")) refuse(source, "workouts")
  const { sport, isLongest } = subject
  const most = isLongest ? INSIGHT_DAYS.max : DAYS.max
  const filter = { ...datesOf(source, query, { today, most }), ...(sport !== null && { sport }) }
  if (isLongest) return query.weekdays.length > 0 ? [] : findLongest(source, filter)
  const [body] = await source.read("search", [{ type: "workout", ...filter }])
  const { records } = plainWords(OUTPUTS.workout.parse(body))
  const byDate = Map.groupBy(
    records.filter(({ date }) => isOn(query, date)),
    ({ date }) => date,
  )
  return [...byDate].slice(0, MOST_RESULTS).map(([date, all]) => ({
    id: dayId(date),
    title: `${dayName(date)}: workout ${all.map(({ sport_type }) => sport_type).join(", ")}`,
  }))
}

async function findLongest(source: ToolSource, filter: object): Promise<DayEntry[]> {
  const [body] = await source.read("search", [{ type: "sports", ...filter }])
  const { sports } = plainWords(SportsResponseSchema.parse(body))
  const [longest] = sports.toSorted((one, other) => other.longest.hours - one.longest.hours)
  if (!longest) return []
  const { sport_type: name, longest: time, farthest: way } = longest
  const { units } = source.preferences
  const entries = [
    { id: dayId(time.date), title: `${dayName(time.date)}: longest ${name}, ${amountText(time.hours, "h", units)}` },
  ]
  // Distances of different sports are not compared, and one day is listed once.
  if (!("sport" in filter) || way === null || way.date === time.date) return entries
  const title = `${dayName(way.date)}: farthest ${name}, ${amountText(way.distance_meters, "m", units)}`
  return [...entries, { id: dayId(way.date), title }]
}

/** The newest days on which the person answered a topic of the journal with yes, or with no. */
async function findTopic(source: ToolSource, query: SearchQuery, { subject, today }: Wanted<"topic">) {
  const { factor, answer } = subject
  const metric = `journal:${factor}`
  if (!isShared(source, metric)) refuse(source, "the journal")
  const dates = datesOf(source, query, { today, most: INSIGHT_DAYS.max })
  const question = { type: "trend", metric, ...dates, points: true, top: 1 } as const
  const [body] = await source.read("search", [question]).catch(neverAsked)
  const points = body === undefined ? [] : (TrendResponseSchema.parse(body).points ?? [])
  return points
    .toReversed()
    .filter(([date, value]) => value === Number(answer) && isOn(query, date))
    .slice(0, MOST_RESULTS)
    .map(([date]) => ({
      id: dayId(date),
      title: `${dayName(date)}: ${factor.replaceAll("_", " ")} ${answer ? "yes" : "no"}`,
    }))
}

/** A sauna may be an answer of the journal or a workout. */
async function findTopicOrSport(source: ToolSource, query: SearchQuery, { subject, today }: Wanted<"topic">) {
  const days = await findTopic(source, query, { subject, today })
  if (days.length > 0 || !subject.answer || !isShared(source, "workout")) return days
  return findWorkouts(source, query, { subject: { kind: "workouts", sport: subject.factor, isLongest: false }, today })
}

/** No journal of the person asks about the topic. */
function neverAsked(error: unknown): readonly unknown[] {
  if (error instanceof InvalidRequest) return []
  throw error
}

const isOn = ({ weekdays }: SearchQuery, date: string): boolean =>
  weekdays.length === 0 || weekdays.includes(Temporal.PlainDate.from(date).dayOfWeek)

function isShared({ sharing }: ToolSource, metric: string): boolean {
  const group = groupOfMetric(metric)
  return group !== null && sharing.scopes.includes(SCOPE_OF[group])
}

function refuse({ baseUrl }: ToolSource, what: string): never {
  throw new Forbidden(`the person does not share ${what} with this assistant, see ${baseUrl}/connections`)
}

/** The newest dates that the query names and the person shares. A single date is never moved: the read refuses it in words. */
function datesOf(
  { sharing }: ToolSource,
  { range }: SearchQuery,
  { today, most }: { readonly today: string; readonly most: number },
): { readonly start_date: string; readonly end_date: string } {
  const end = range && range.to < today ? range.to : today
  const earliest = [addDays(end, 1 - most), ...(sharing.days === null ? [] : [addDays(today, 1 - sharing.days)])]
  const start = range?.from ?? addDays(today, 1 - most)
  const from = isOneDate(range) ? start : ([start, ...earliest].toSorted().at(-1) ?? start)
  return { start_date: from, end_date: end < from ? from : end }
}

const isOneDate = (range: DateRange | undefined): boolean => range !== undefined && range.from === range.to
