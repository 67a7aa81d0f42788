import { DAYS } from "@restwell/client"
import { addDays, InvalidRequest, SUMMARY_SCOPES } from "@restwell/core"
import { summaryText } from "./answer-text.ts"
import { type DayEntry, dayId, findDays, MOST_DAYS, readDay, readDays, requireDate } from "./days-of-record.ts"
import { defineTool } from "./define-tool.ts"
import { findExtremes, findLongest, findTopic, findWithin } from "./search-answers.ts"
import { type Limit, namedLimit } from "./search-limits.ts"
import { type NamedDates, namedDates, namedExtreme } from "./search-phrases.ts"
import { topicIn, wordsOf } from "./search-words.ts"
import type { Answered } from "./tool-protocol.ts"
import { FETCH, plainWords, SEARCH, sharedSummary } from "./tool-schemas.ts"
import type { ToolSource } from "./tool-source.ts"

/** Dates that are looked through when a question names none. */
const SEARCHED_DAYS = 30
const SUMMARY_ID = /^summary:(?:(?<days>7|30|90)|(?<from>\d{4}-\d{2}-\d{2}):(?<to>\d{4}-\d{2}-\d{2}))$/
const DAY_ID = /^day:(\d{4}-\d{2}-\d{2})$/
/** Words that a summary answers. */
const TOPICS = new Set([
  "sleep",
  "recovery",
  "strain",
  "workout",
  "hrv",
  "summary",
  "average",
  "week",
  "month",
  "trend",
])

/** `search` and `fetch` for research modes, with days as documents. */
export const searchTools = [
  defineTool({
    name: "search",
    title: "Search days",
    description:
      "Finds days and summaries by date, month, weekday, sport, extreme, limit or journal topic. Nothing if it cannot answer.",
    input: SEARCH.input,
    output: SEARCH.output,
    needs: SUMMARY_SCOPES,
    answer: (source, { query }) => search(source, query),
  }),
  defineTool({
    name: "fetch",
    title: "Read a day",
    description: "All of one day, or a summary, by an id from search.",
    input: FETCH.input,
    output: FETCH.output,
    needs: SUMMARY_SCOPES,
    answer: (source, { id }) => fetchDocument(source, id),
  }),
]

/** What `search` finds is only what the whole question is about: with a word that is not understood, nothing. */
async function search(source: ToolSource, query: string): Promise<Answered> {
  const today = await source.today()
  // A limit may look like a date: "more than 2000 kcal".
  const limit = namedLimit(query)
  const named = namedDates(limit?.rest ?? query, today)
  if (named.impossible !== undefined) throw new InvalidRequest(`${named.impossible} is not a calendar date`, "query")
  const found = await findEntries(source, named, { limit, today })
  const url = `${source.baseUrl}/trends`
  return answered({ results: found.map((entry) => ({ ...entry, url })) })
}

async function findEntries(
  source: ToolSource,
  named: NamedDates,
  { limit, today }: { readonly limit: Limit | undefined; readonly today: string },
): Promise<readonly DayEntry[]> {
  const where = { ...named, today }
  if (limit) return findWithin(source, { ...limit, rest: named.rest }, where)
  const longest = await findLongest(source, named.rest, where)
  if (longest) return longest
  const extreme = namedExtreme(named.rest)
  if (extreme) return findExtremes(source, extreme, where)
  const topic = topicIn(named.rest)
  // What is also a sport, or a nap, is looked for among the records first.
  if (topic && !ALSO_RECORDS.has(topic.factor)) return findTopic(source, topic, where, true)
  const range = searchedRange(source, named, today)
  const { range: dates, weekdays, rest } = named
  const days = findDays(await readDays(source, "search", range), { rest, weekdays, hasDates: dates !== undefined })
  if (days.length === 0 && topic) return findTopic(source, topic, where, false)
  const summaries = summariesOf(source, named, range)
  // Of a long period the days are only the newest ones.
  const isLong = days.length === MOST_DAYS && dates !== undefined && summaries.length > 0
  return isLong ? [...summaries, ...days.slice(0, DAYS_BESIDE_SUMMARY)] : [...days, ...summaries]
}

const DAYS_BESIDE_SUMMARY = 7

/** Topics of the journal that records may be about. */
const ALSO_RECORDS: ReadonlySet<string> = new Set(["yoga", "stretching", "meditation", "massage", "sauna", "nap"])

interface Dates {
  readonly start_date: string
  readonly end_date: string
}

/** The dates to read: the newest 90 that the question names and the person shares. */
function searchedRange({ sharing }: ToolSource, { range }: NamedDates, today: string): Dates {
  const end = range && range.to < today ? range.to : today
  const start = range?.from ?? addDays(today, 1 - SEARCHED_DAYS)
  const earliest = [addDays(end, 1 - DAYS.max), ...(sharing.days === null ? [] : [addDays(today, 1 - sharing.days)])]
  const from = [start, ...(range && range.from === range.to ? [] : earliest)].toSorted().at(-1) ?? start
  return { start_date: from, end_date: end < from ? from : end }
}

/** A period that the question names, or the newest ones if it is about what a summary has. */
function summariesOf({ sharing }: ToolSource, { range, rest, weekdays }: NamedDates, read: Dates): DayEntry[] {
  const words = wordsOf(rest)
  const isAboutTopic = words.length > 0 && words.every((word) => TOPICS.has(word))
  if (weekdays.length > 0 || (words.length > 0 && !isAboutTopic)) return []
  const { start_date: from, end_date: to } = read
  if (range && from < to) return [{ id: `summary:${from}:${to}`, title: `Summary of ${from} to ${to}` }]
  if (range || !isAboutTopic) return []
  return [7, 30]
    .filter((length) => length <= (sharing.days ?? DAYS.max))
    .map((length) => ({ id: `summary:${length}`, title: `Summary of the last ${length} days` }))
}

async function fetchDocument(source: ToolSource, id: string): Promise<Answered> {
  const { days, from, to } = SUMMARY_ID.exec(id)?.groups ?? {}
  if (days !== undefined)
    return readSummary(source, { id, title: `Summary of the last ${days} days`, range: { days: Number(days) } })
  if (from !== undefined && to !== undefined) {
    for (const date of [from, to]) requireDate(date)
    return readSummary(source, { id, title: `Summary of ${from} to ${to}`, range: { start_date: from, end_date: to } })
  }
  const date = DAY_ID.exec(id)?.[1]
  if (date === undefined) throw new InvalidRequest(`unknown id, use one from search, like ${dayId("2026-11-19")}`, "id")
  return answered(await readDay(source, "fetch", date))
}

interface SummaryDocument {
  readonly id: string
  readonly title: string
  readonly range: { readonly days: number } | Dates
}

async function readSummary(source: ToolSource, { id, title, range }: SummaryDocument): Promise<Answered> {
  const [body] = await source.read("fetch", [{ type: "summary", ...range }])
  if (!body) throw new Error("a read returned nothing")
  const text = summaryText(plainWords(sharedSummary(body, source.sharing)), source.preferences)
  return answered({ id, title, text, url: `${source.baseUrl}/trends` })
}

const answered = (structured: Record<string, unknown>): Answered => ({ text: JSON.stringify(structured), structured })
