/** Oura's collections: queries by days, pages and fields. Every request is checked in the same order: token, rate limit, scope. */
import type { FastifyInstance, FastifyRequest } from "fastify"
import { bearerToken, queryOf } from "../http/vendor-api.ts"
import { DAY_MS } from "../model/calendar.ts"
import type { Grant } from "../vendor/grants.ts"
import { readPageToken, writePageToken } from "../vendor/page-token.ts"
import type { Entry } from "../world/collection.ts"
import { dayOf, personalInfo } from "./records/person-documents.ts"
import { COLLECTIONS, type CollectionName, type OuraDocuments, type WireHeartRate } from "./records/wire.ts"
import { type DateSemantics, type OuraVendor, ouraError } from "./vendor.ts"

/** The scope of each collection. */
const SCOPE_OF: Readonly<Record<CollectionName, string>> = {
  sleep: "daily",
  daily_sleep: "daily",
  daily_readiness: "daily",
  daily_spo2: "spo2",
  daily_activity: "daily",
  workout: "workout",
  enhanced_tag: "tag",
}

/** How each collection reads its days, as others measured it in August 2026. */
const MEASURED: Readonly<Record<CollectionName, DateSemantics>> = {
  sleep: "end_exclusive",
  daily_sleep: "inclusive",
  daily_readiness: "inclusive",
  daily_spo2: "inclusive",
  daily_activity: "end_exclusive",
  workout: "utc_date",
  enhanced_tag: "inclusive",
}

type AnyDocument = OuraDocuments[CollectionName]

interface DocumentQuery {
  readonly startDay: string
  readonly endDay: string
  readonly nextToken: string | undefined
  readonly fields: readonly string[]
}

const DAY = /^\d{4}-\d{2}-\d{2}$/

/** Returns the query. Without dates it asks for yesterday and today. Throws 400 for a wrong one. */
function parseDocumentQuery(query: URLSearchParams, nowMs: number): DocumentQuery {
  const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const endDay = parseDay(query, "end_date") ?? dayAt(nowMs)
  const startDay = parseDay(query, "start_date") ?? dayAt(Date.parse(endDay) - DAY_MS)
  if (startDay > endDay) throw ouraError(400, "Start date is greater than end date")
  return {
    startDay,
    endDay,
    nextToken: query.get("next_token") ?? undefined,
    fields: fieldsOf(query),
  }
}

const fieldsOf = (query: URLSearchParams): string[] =>
  (query.get("fields") ?? "").split(",").filter((field) => field !== "")

function parseDay(query: URLSearchParams, name: string): string | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const day = text.slice(0, 10)
  if (!DAY.test(day) || Number.isNaN(Date.parse(day))) throw ouraError(400, `${name} is not a date`)
  return day
}

/** Whether a document is within the days, as its collection reads them. */
function isWithinDays(
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

interface DocumentPage {
  readonly data: readonly object[]
  readonly next_token: string | null
}

/** Returns one page of documents, oldest first. A page token is valid for its days only. */
function pageOfDocuments(
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
    next_token: hasMore ? writeToken(last.key, filter) : null,
  }
}

/** Only the named fields. One unknown name brings the whole document. */
function withFields(body: object, fields: readonly string[]): object {
  if (fields.length === 0 || !fields.every((field) => field in body)) return body
  return Object.fromEntries(fields.map((field): [string, unknown] => [field, Reflect.get(body, field)]))
}

const writeToken = (key: string, filter: string): string => writePageToken(`${key}~${filter}`)

function readToken(token: string, filter: string): string {
  const [key, days] = readPageToken(token).split("~")
  if (key === undefined || days !== filter) throw ouraError(400, "next_token is not valid")
  return key
}

const PATH = "/v2/usercollection"

export function addOuraDataRoutes(app: FastifyInstance, vendor: OuraVendor): void {
  for (const name of COLLECTIONS) {
    app.get(`${PATH}/${name}`, async (request) => list(vendor, name, request))
    app.get<{ Params: { id: string } }>(`${PATH}/${name}/:id`, async (request) => single(vendor, name, request))
  }
  app.get(`${PATH}/personal_info`, async (request) => {
    const { userId, scopes } = admit(vendor, request)
    if (!scopes.includes("personal")) throw ouraError(refusalOf(vendor), "The scope personal is missing")
    const info = personalInfo(vendor.people.get(userId), vendor.clock.nowMs())
    return scopes.includes("email") ? info : { ...info, email: null }
  })
}

function admit(vendor: OuraVendor, request: FastifyRequest): Grant {
  const token = bearerToken(request)
  if (token === undefined) throw ouraError(400, "Token is missing from Request Authorization Header")
  const grant = vendor.grants.authorize(token)
  if (!grant) throw ouraError(401, "The access token is invalid or expired")
  vendor.rateLimiter.take(token)
  return grant
}

const refusalOf = ({ settings }: OuraVendor) => (settings.missingScope === "empty" ? 403 : settings.missingScope)

/** Returns whether the grant has the scope. Without it some collections are empty instead of refused. */
function hasScope(vendor: OuraVendor, scope: string, { scopes }: Grant): boolean {
  if (scopes.includes(scope)) return true
  if (vendor.settings.missingScope === "empty") return false
  throw ouraError(refusalOf(vendor), `The scope ${scope} is missing`)
}

function list(vendor: OuraVendor, name: CollectionName, request: FastifyRequest) {
  const grant = admit(vendor, request)
  const nowMs = vendor.clock.nowMs()
  const query = parseDocumentQuery(queryOf(request), nowMs)
  if (!hasScope(vendor, SCOPE_OF[name], grant)) return { data: [], next_token: null }
  const { dateSemantics, pageSize } = vendor.settings
  const entries: readonly Entry<OuraDocuments[CollectionName]>[] = vendor
    .documentsOf(grant.userId)
    .of[name].visibleAt(nowMs)
  const within = entries.filter((entry) => isWithinDays(name, entry, query, dateSemantics)).reverse()
  return pageOfDocuments(within, query, pageSize)
}

function single(vendor: OuraVendor, name: CollectionName, request: FastifyRequest<{ Params: { id: string } }>): object {
  const grant = admit(vendor, request)
  const document = hasScope(vendor, SCOPE_OF[name], grant)
    ? vendor.documentsOf(grant.userId).of[name].at(request.params.id, vendor.clock.nowMs())
    : null
  if (document === null) throw ouraError(404, "Document not found")
  return document
}

/** Oura's collection of heart rates: a range of instants, pages of a thousand rows, no ids, and no webhooks. */
const PAGE_ROWS = 1_000
const LONGEST_DAYS = 30
/** Ranges whose rows are kept while they are paged. */
const MOST_KEPT = 8

export function addHeartRateRoute(app: FastifyInstance, vendor: OuraVendor): void {
  const kept = new Map<string, readonly WireHeartRate[]>()
  app.get(`${PATH}/heartrate`, async (request) => {
    const grant = admit(vendor, request)
    const query = queryOf(request)
    const range = rangeOf(query, vendor.clock.nowMs())
    if (!hasScope(vendor, "heartrate", grant)) return { data: [], next_token: null }
    const filter = `${range.fromMs}|${range.toMs}`
    const token = query.get("next_token")
    const start = token === null ? 0 : Number(readToken(token, filter))
    const key = `${grant.userId}|${filter}`
    const rows =
      (token === null ? undefined : kept.get(key)) ??
      vendor.documentsOf(grant.userId).heartRates(range, vendor.clock.nowMs(), vendor.settings.heartRateShare)
    kept.delete(key)
    kept.set(key, rows)
    for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(oldest)
    const end = start + PAGE_ROWS
    return {
      data: rows.slice(start, end).map((row) => withFields(row, fieldsOf(query))),
      next_token: end < rows.length ? writeToken(String(end), filter) : null,
    }
  })
}

/** Without an end the range reaches the present, and without a start it is a day. A date is its midnight. */
function rangeOf(query: URLSearchParams, nowMs: number): { fromMs: number; toMs: number } {
  const instantOf = (name: string): number | undefined => {
    const text = query.get(name)
    if (text === null) return undefined
    const atMs = Date.parse(text)
    if (Number.isNaN(atMs)) throw ouraError(400, `${name} is not a date-time`)
    return atMs
  }
  const toMs = instantOf("end_datetime") ?? nowMs
  const fromMs = instantOf("start_datetime") ?? toMs - DAY_MS
  if (fromMs > toMs) throw ouraError(400, "Start datetime is greater than end datetime")
  if (toMs - fromMs > LONGEST_DAYS * DAY_MS) throw ouraError(400, `The range is longer than ${LONGEST_DAYS} days`)
  return { fromMs, toMs }
}
