import { InvalidRequest, SUMMARY_SCOPES } from "@restwell/core/connector"
import { summaryText } from "./answer-text.ts"
import { dayId, dayUrl, readDay, requireDate } from "./days-of-record.ts"
import { defineTool } from "./define-tool.ts"
import { notSharedNote } from "./not-shared.ts"
import { findEntries } from "./search-answers.ts"
import { readQuery, type SearchQuery, UNDERSTOOD } from "./search-query.ts"
import type { Answered } from "./tool-protocol.ts"
import { FETCH, plainWords, SEARCH, sharedSummary } from "./tool-schemas.ts"
import type { ToolSource } from "./tool-source.ts"

const SUMMARY_ID = /^summary:(?:(?<days>7|30|90)|(?<from>\d{4}-\d{2}-\d{2}):(?<to>\d{4}-\d{2}-\d{2}))$/
const DAY_ID = /^day:(\d{4}-\d{2}-\d{2})$/
/** `search` and `fetch` for research modes, with days as documents. */
export const searchTools = [
  defineTool({
    name: "search",
    title: "Search days",
    description: "Finds days and summaries by date, month, weekday, sport, extreme or journal topic.",
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

/** Finds what the whole query is about. An empty result lists what search understands. */
async function search(source: ToolSource, text: string): Promise<Answered> {
  const today = await source.today()
  const query = readQuery(text, today)
  if (query && "impossible" in query) throw new InvalidRequest(`${query.impossible} is not a calendar date`, "query")
  const found = query ? await findEntries(source, query, today) : []
  const results = found.map((entry) => ({ ...entry, url: pageOf(source, entry.id) }))
  const notShared = query && notSharedBy(source, query)
  const notes = [...(results.length === 0 ? [UNDERSTOOD] : []), ...(notShared === undefined ? [] : [notShared])]
  return answered({ results, ...(notes.length > 0 && { note: notes.join(" ") }) })
}

/** The page of the dashboard that shows what a document has. */
function pageOf({ baseUrl }: ToolSource, id: string): string {
  const { days, from, to } = SUMMARY_ID.exec(id)?.groups ?? {}
  if (days !== undefined) return `${baseUrl}/trends?days=${days}`
  if (from !== undefined && to !== undefined) return `${baseUrl}/trends?start_date=${from}&end_date=${to}`
  const [, date = ""] = DAY_ID.exec(id) ?? []
  return dayUrl(baseUrl, date)
}

/** What the results lack because it is not shared. A single date is read or refused as a whole. */
function notSharedBy({ sharing }: ToolSource, { subject, range }: SearchQuery): string | undefined {
  const isOfAllDates = range === undefined || range.from < range.to
  return notSharedNote(sharing, subject.kind === "days" ? SUMMARY_SCOPES : [], { isOfAllDates })
}

interface Dates {
  readonly start_date: string
  readonly end_date: string
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
  return answered({ id, title, text, url: pageOf(source, id) })
}

const answered = (structured: Record<string, unknown>): Answered => ({ text: JSON.stringify(structured), structured })
