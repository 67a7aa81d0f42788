/** Queries of a collection: days, pages and fields. */
import type { Entry } from "../records/collection.ts"
import { ouraError } from "./errors.ts"
import { dayOf } from "./records/person-documents.ts"
import type { CollectionName, OuraDocuments } from "./records/wire.ts"
import type { DateSemantics } from "./settings.ts"

/** The scope of each collection. */
export const SCOPE_OF: Readonly<Record<CollectionName, string>> = {
  sleep: "daily",
  daily_sleep: "daily",
  daily_readiness: "daily",
  daily_spo2: "spo2",
  daily_stress: "daily",
  daily_activity: "daily",
  workout: "workout",
  session: "session",
  enhanced_tag: "tag",
}

/** How each collection reads its days, as others measured it in August 2026. */
const MEASURED: Readonly<Record<CollectionName, DateSemantics>> = {
  sleep: "end_exclusive",
  daily_sleep: "inclusive",
  daily_readiness: "inclusive",
  daily_spo2: "inclusive",
  daily_stress: "inclusive",
  daily_activity: "end_exclusive",
  workout: "utc_date",
  session: "end_exclusive",
  enhanced_tag: "inclusive",
}

type AnyDocument = OuraDocuments[CollectionName]

export interface DocumentQuery {
  readonly startDay: string
  readonly endDay: string
  readonly nextToken: string | undefined
  readonly fields: readonly string[]
}

const DAY = /^\d{4}-\d{2}-\d{2}$/
const DAY_MS = 86_400_000

/** Returns the query. Without dates it asks for yesterday and today. Throws 400 for a wrong one. */
export function parseDocumentQuery(query: URLSearchParams, nowMs: number): DocumentQuery {
  const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const endDay = parseDay(query, "end_date") ?? dayAt(nowMs)
  const startDay = parseDay(query, "start_date") ?? dayAt(Date.parse(endDay) - DAY_MS)
  if (startDay > endDay) throw ouraError(400, "Start date is greater than end date")
  return {
    startDay,
    endDay,
    nextToken: query.get("next_token") ?? undefined,
    fields: (query.get("fields") ?? "").split(",").filter((field) => field !== ""),
  }
}

function parseDay(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const day = text.slice(0, 10)
  if (!DAY.test(day) || Number.isNaN(Date.parse(day))) throw ouraError(400, `${name} is not a date`)
  return day
}

/** Whether a document is within the days, as its collection reads them. */
export function isWithinDays(
  name: CollectionName,
  entry: Entry<AnyDocument>,
  { startDay, endDay }: Pick<DocumentQuery, "startDay" | "endDay">,
  override: DateSemantics | undefined,
): boolean {
  const day = dayOf(entry.body)
  switch (override ?? MEASURED[name]) {
    case "inclusive":
      return day >= startDay && day <= endDay
    case "end_exclusive":
      return day >= startDay && day < endDay
    case "start_exclusive":
      return day > startDay && day <= endDay
    case "timestamp": {
      const local = localTimeOf(entry.body) ?? `${day}T00:00:00`
      return local >= `${startDay}T00:00:00` && local <= `${endDay}T00:00:00`
    }
    case "utc_date": {
      const utcDay = new Date(entry.startMs).toISOString().slice(0, 10)
      return utcDay >= startDay && utcDay < endDay
    }
  }
}

/** The local time that a document is filtered by, without its offset. */
function localTimeOf(body: AnyDocument): string | undefined {
  if ("bedtime_end" in body) return body.bedtime_end.slice(0, 19)
  if ("start_datetime" in body) return body.start_datetime.slice(0, 19)
  return "timestamp" in body ? body.timestamp.slice(0, 19) : undefined
}

export interface DocumentPage {
  readonly data: readonly object[]
  readonly next_token: string | null
}

/** Returns one page of documents, oldest first. A page token is valid for its days only. */
export function pageOfDocuments(
  oldestFirst: readonly Entry<AnyDocument>[],
  query: DocumentQuery,
  pageSize: number,
): DocumentPage {
  const filter = `${query.startDay}|${query.endDay}`
  const after = query.nextToken === undefined ? undefined : readToken(query.nextToken, filter)
  const start = after === undefined ? 0 : oldestFirst.findIndex(({ key }) => key === after) + 1
  const page = oldestFirst.slice(start, start + pageSize)
  const last = page.at(-1)
  const hasMore = last !== undefined && start + page.length < oldestFirst.length
  return {
    data: page.map(({ body }) => withFields(body, query.fields)),
    next_token: hasMore ? Buffer.from(`${last.key}~${filter}`).toString("base64url") : null,
  }
}

/** Only the named fields. One unknown name brings the whole document. */
function withFields(body: object, fields: readonly string[]): object {
  if (fields.length === 0 || !fields.every((field) => field in body)) return body
  return Object.fromEntries(fields.map((field): [string, unknown] => [field, Reflect.get(body, field)]))
}

function readToken(token: string, filter: string): string {
  const [key, days] = Buffer.from(token, "base64url").toString().split("~")
  if (key === undefined || days !== filter) throw ouraError(400, "next_token is not valid")
  return key
}
