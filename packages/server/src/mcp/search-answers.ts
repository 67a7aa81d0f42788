import { DAYS, INSIGHT_DAYS, SportsResponseSchema, TOP, TrendResponseSchema } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { amountText, answerText, metricOfAnswer, nameOf } from "@restwell/client/figures"
import { Forbidden, groupOfMetric, InvalidRequest, SCOPE_OF } from "@restwell/core/connector"
import { z } from "zod"
import { type DayEntry, datedTitles, dayId, dayName, readDays } from "./days-of-record.ts"
import type { SearchQuery, Subject } from "./search-query.ts"
import { OUTPUTS, plainWords } from "./tool-schemas.ts"
import type { ToolSource } from "./tool-source.ts"

// What `search` finds for a query that was understood, with one read of the person's data.

const MOST_RESULTS = 10
/** Dates that are looked through when a query about all figures names none. */
const SEARCHED_DAYS = 30
const DAYS_BESIDE_SUMMARY = 7

type SubjectOf<Kind extends Subject["kind"]> = Extract<Subject, { kind: Kind }>

/** A query, and where and when it is asked. */
type Search = SearchQuery & { readonly source: ToolSource; readonly today: string }

/** The days and summaries that a query asks for, newest or highest first. */
export async function findEntries(source: ToolSource, query: SearchQuery, today: string): Promise<readonly DayEntry[]> {
  const { subject } = query
  const search = { ...query, source, today }
  if (subject.kind === "days") return findDays(search, subject)
  if (subject.kind === "extreme") return findExtremes(search, subject)
  return subject.kind === "workouts" ? findWorkouts(search, subject) : findTopic(search, subject)
}

/** A summary of the dates comes first where the list of days does not have all of them. */
async function findDays(search: Search, { isNamed }: SubjectOf<"days">): Promise<DayEntry[]> {
  const dates = datesOf(search, isNamed ? DAYS.max : SEARCHED_DAYS)
  const days = entriesOf(search, datedTitles(await readDays(search.source, "search", dates)))
  const { start_date: from, end_date: to } = dates
  if (search.weekdays.length > 0 || from === to) return days.slice(0, MOST_RESULTS)
  const summary = { id: `summary:${from}:${to}`, title: `Summary of ${from} to ${to}` }
  return days.length > MOST_RESULTS ? [summary, ...days.slice(0, DAYS_BESIDE_SUMMARY)] : [...days, summary]
}

/** The days with the highest or lowest values of a metric. */
async function findExtremes(search: Search, subject: SubjectOf<"extreme">): Promise<DayEntry[]> {
  const { source, weekdays } = search
  const metrics = subject.metrics.filter((metric) => isShared(source, metric))
  if (metrics.length === 0) refuse(source, "this figure")
  const dates = datesOf(search, INSIGHT_DAYS.max)
  // Of all dates one in seven is on a weekday.
  const top = weekdays.length > 0 ? TOP.max : MOST_RESULTS
  const questions = metrics.map((metric) => ({ type: "trend" as const, metric, ...dates, top }))
  const trend = z
    .array(TrendResponseSchema)
    .parse(await source.read("search", questions))
    .find(({ n }) => n > 0)
  if (!trend) return []
  const metric = metricOfAnswer(trend)
  const titled = trend[subject.side].map(({ date, value }) =>
    titledDay(date, `${nameOf(metric)} ${answerText(metric, value, source.preferences)}`),
  )
  return entriesOf(search, titled).slice(0, MOST_RESULTS)
}

/** The longest workout of a sport and the farthest, or the newest days with one. */
async function findWorkouts(search: Search, { sport, isLongest }: SubjectOf<"workouts">): Promise<DayEntry[]> {
  const { source, weekdays } = search
  if (!isShared(source, "workout")) refuse(source, "workouts")
  const dates = datesOf(search, isLongest ? INSIGHT_DAYS.max : DAYS.max)
  const filter = { ...dates, ...(sport !== null && { sport }) }
  if (isLongest) return weekdays.length > 0 ? [] : findLongest(source, filter)
  const [body] = await source.read("search", [{ type: "workout", ...filter }])
  const byDate = Map.groupBy(plainWords(OUTPUTS.workout.parse(body)).records, ({ date }) => date)
  const titled = [...byDate].map(([date, all]) =>
    titledDay(date, `workout ${all.map(({ sport_type }) => sport_type).join(", ")}`),
  )
  return entriesOf(search, titled).slice(0, MOST_RESULTS)
}

async function findLongest(source: ToolSource, filter: object): Promise<DayEntry[]> {
  const [body] = await source.read("search", [{ type: "sports", ...filter }])
  const { sports } = plainWords(SportsResponseSchema.parse(body))
  const [best] = sports.toSorted((one, other) => other.longest.hours - one.longest.hours)
  if (!best) return []
  const { sport_type: name, longest, farthest } = best
  const { units } = source.preferences
  const first = titledDay(longest.date, `longest ${name}, ${amountText(longest.hours, "h", units)}`)
  // Distances of different sports are not compared, and one day is listed once.
  const hasOther = "sport" in filter && farthest !== null && farthest.date !== longest.date
  const far = hasOther
    ? [titledDay(farthest.date, `farthest ${name}, ${amountText(farthest.distance_meters, "m", units)}`)]
    : []
  return entriesOf({ weekdays: [] }, [first, ...far])
}

/** The newest days on which the person answered a topic of the journal with yes, or with no. A sauna may also be a workout. */
async function findTopic(search: Search, { factor, answer }: SubjectOf<"topic">): Promise<DayEntry[]> {
  const { source } = search
  const metric = `journal:${factor}`
  if (!isShared(source, metric)) refuse(source, "the journal")
  const question = { type: "trend", metric, ...datesOf(search, INSIGHT_DAYS.max), points: true, top: 1 } as const
  const [body] = await source.read("search", [question]).catch((error: unknown) => {
    // No journal of the person asks about the topic.
    if (error instanceof InvalidRequest) return []
    throw error
  })
  const points = body === undefined ? [] : (TrendResponseSchema.parse(body).points ?? [])
  const titled = points
    .filter(([, value]) => value === Number(answer))
    .map(([date]) => titledDay(date, `${factor.replaceAll("_", " ")} ${answer ? "yes" : "no"}`))
  const days = entriesOf(search, titled.toReversed()).slice(0, MOST_RESULTS)
  if (days.length > 0 || !answer || !isShared(source, "workout")) return days
  return findWorkouts(search, { kind: "workouts", sport: factor, isLongest: false })
}

const titledDay = (date: string, about: string) => ({ date, title: `${dayName(date)}: ${about}` })

/** The days that are on a weekday of the query. */
const entriesOf = ({ weekdays }: Pick<Search, "weekdays">, days: readonly { date: string; title: string }[]) =>
  days
    .filter(({ date }) => weekdays.length === 0 || weekdays.includes(Temporal.PlainDate.from(date).dayOfWeek))
    .map(({ date, title }): DayEntry => ({ id: dayId(date), title }))

function isShared({ sharing }: ToolSource, metric: string): boolean {
  const group = groupOfMetric(metric)
  return group !== null && sharing.scopes.includes(SCOPE_OF[group])
}

function refuse({ baseUrl }: ToolSource, what: string): never {
  throw new Forbidden(`the person does not share ${what} with this assistant, see ${baseUrl}/access`)
}

/** The newest dates that the query names and the person shares. A single date is never moved: the read refuses it in words. */
function datesOf({ source: { sharing }, range, today }: Search, most: number) {
  const end = range && range.to < today ? range.to : today
  if (range && range.from === range.to) return { start_date: range.from, end_date: end < range.from ? range.from : end }
  const oldest = addDays(end, 1 - most)
  const shared = sharing.days === null ? oldest : addDays(today, 1 - sharing.days)
  const from = [range?.from ?? oldest, oldest, shared].reduce((one, other) => (one > other ? one : other))
  return { start_date: from, end_date: end < from ? from : end }
}
