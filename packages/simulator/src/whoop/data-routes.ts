/**
 * WHOOP's data API, version 2. Every request is checked in the same order: token, rate limit, scope.
 * @see https://developer.whoop.com/api and https://developer.whoop.com/docs/developing/pagination
 */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { badRequest, bearerToken, invalidAuthorization, notFound, queryOf } from "../http/vendor-api.ts"
import type { Grant } from "../vendor/grants.ts"
import { readPageToken, writePageToken } from "../vendor/page-token.ts"
import type { Collection, Entry } from "../world/collection.ts"
import type { Person } from "../world/people.ts"
import { bodyOf, type PersonRecords, profileOf } from "./records/person-records.ts"
import type { WhoopVendor } from "./vendor.ts"

export interface CollectionQuery {
  /** Inclusive: records that occurred after or during it. */
  readonly startMs: number | undefined
  /** Exclusive: records that intersect it or ended before it. */
  readonly endMs: number
  readonly limit: number
  readonly nextToken: string | undefined
  /** The filter as sent. A page token is valid for this filter only. */
  readonly filter: string
}

interface Page<T> {
  readonly records: readonly T[]
  /** Absent on the last page. */
  readonly nextToken?: string
}

const DEFAULT_LIMIT = 10
const LARGEST_LIMIT = 25
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/

/** Returns the query of a collection request. Throws 400 for a query that WHOOP's schema does not allow. */
export function parseCollectionQuery(query: URLSearchParams, nowMs: number): CollectionQuery {
  const nextToken = query.get("nextToken")
  return {
    startMs: parseInstant(query, "start"),
    endMs: parseInstant(query, "end") ?? nowMs,
    limit: parseLimit(query.get("limit")),
    nextToken: nextToken === null || nextToken === "" ? undefined : nextToken,
    filter: ["start", "end", "limit"].map((name) => query.get(name) ?? "").join("|"),
  }
}

function parseInstant(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name)
  if (text === null) return undefined
  const instantMs = DATE_TIME.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(instantMs)) throw badRequest(`${name} is not a date-time`)
  return instantMs
}

function parseLimit(text: string | null): number {
  if (text === null) return DEFAULT_LIMIT
  if (!/^\d{1,9}$/.test(text) || Number(text) < 1) throw badRequest("limit is not a whole number from 1 to 25")
  if (Number(text) > LARGEST_LIMIT) throw badRequest("limit is greater than 25")
  return Number(text)
}

/** Whether a record ends at or after `start` and begins before `end`. A record without an end is in progress. */
export function isInRange(
  record: { readonly startMs: number; readonly endMs: number | null },
  { startMs, endMs }: Pick<CollectionQuery, "startMs" | "endMs">,
): boolean {
  const endsLateEnough = startMs === undefined || record.endMs === null || record.endMs >= startMs
  return endsLateEnough && record.startMs < endMs
}

/** Returns one page of entries that are sorted by start, latest first. */
export function pageOf<T>(entries: readonly Entry<T>[], query: CollectionQuery): Page<T> {
  const inRange = entries.filter((entry) => isInRange(entry, query))
  const position = query.nextToken === undefined ? undefined : readToken(query.nextToken, query.filter)
  const rest = position ? inRange.filter((entry) => isAfter(entry, position)) : inRange
  const page = rest.slice(0, query.limit)
  const last = page.at(-1)
  const records = page.map(({ body }) => body)
  return last && rest.length > page.length ? { records, nextToken: writeToken(last, query.filter) } : { records }
}

/** The last record of a page. Records that arrive later do not shift the following pages. */
interface Position {
  readonly startMs: number
  readonly key: string
}

function isAfter(entry: Position, position: Position): boolean {
  return entry.startMs < position.startMs || (entry.startMs === position.startMs && entry.key < position.key)
}

function writeToken({ startMs, key }: Position, filter: string): string {
  return writePageToken(`${startMs}~${key}~${filter}`)
}

function readToken(token: string, filter: string): Position {
  const [startMs, key, ...rest] = readPageToken(token).split("~")
  if (key === undefined || !/^\d+$/.test(startMs ?? "")) throw badRequest("nextToken is not valid")
  if (rest.join("~") !== filter) throw badRequest("nextToken belongs to another start, end or limit")
  return { startMs: Number(startMs), key }
}

interface Admitted {
  readonly grant: Grant
  readonly person: Person
  readonly records: PersonRecords
  readonly nowMs: number
}

type Answer = (admitted: Admitted, request: FastifyRequest) => unknown

interface IdForm {
  readonly name: string
  readonly pattern: RegExp
}
const UUID: IdForm = { name: "a UUID", pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i }
const INT64: IdForm = { name: "an int64", pattern: /^\d{1,19}$/ }

const cycles = (records: PersonRecords) => records.cycles
const recoveries = (records: PersonRecords) => records.recoveries
const sleeps = (records: PersonRecords) => records.sleeps
const workouts = (records: PersonRecords) => records.workouts

/**
 * Adds the endpoints of the data API, without the night of a cycle and the ids of version 1, for which Restwell has no use.
 * `GET /v2/recovery/{id}` does not exist at WHOOP and is 404 here too.
 */
export function addDataRoutes(app: FastifyInstance, vendor: WhoopVendor): void {
  const get = (path: string, scope: string, answer: Answer) =>
    app.get(`/developer${path}`, (request, reply) => respond(vendor, request, reply, scope, answer))

  get("/v2/cycle", "read:cycles", list(cycles))
  get("/v2/cycle/:id", "read:cycles", byId(cycles, INT64))
  get("/v2/cycle/:id/recovery", "read:recovery", byId(recoveries, INT64))
  get("/v2/recovery", "read:recovery", list(recoveries))
  get("/v2/activity/sleep", "read:sleep", list(sleeps))
  get("/v2/activity/sleep/:id", "read:sleep", byId(sleeps, UUID))
  get("/v2/activity/workout", "read:workout", list(workouts))
  get("/v2/activity/workout/:id", "read:workout", byId(workouts, UUID))
  get("/v2/user/profile/basic", "read:profile", ({ person }) => profileOf(person))
  get("/v2/user/measurement/body", "read:body_measurement", ({ person }) => bodyOf(person))

  app.delete("/developer/v2/user/access", (request, reply) =>
    respond(vendor, request, reply, undefined, ({ grant }) => {
      vendor.grants.revoke(grant.userId, grant.clientId)
      reply.code(204)
      return null
    }),
  )
}

/** A missing scope is 401, because WHOOP documents no 403. */
async function respond(
  vendor: WhoopVendor,
  request: FastifyRequest,
  reply: FastifyReply,
  scope: string | undefined,
  answer: Answer,
): Promise<unknown> {
  const token = bearerToken(request)
  const grant = token === undefined ? undefined : vendor.grants.authorize(token)
  if (!grant) throw invalidAuthorization()
  reply.headers(vendor.rateLimiter.take(grant.clientId))
  if (scope !== undefined && !grant.scopes.includes(scope)) throw invalidAuthorization()
  const person = vendor.people.get(grant.userId)
  const records = vendor.recordsOf(person)
  const body = await answer({ grant, person, records, nowMs: vendor.clock.nowMs() }, request)
  return body === null ? reply.send() : reply.send(body)
}

function list<T extends object>(collectionOf: (records: PersonRecords) => Collection<T>): Answer {
  return ({ records, nowMs }, request) => {
    const query = parseCollectionQuery(queryOf(request), nowMs)
    const page = pageOf(collectionOf(records).visibleAt(nowMs), query)
    if (page.nextToken !== undefined) return { records: page.records, next_token: page.nextToken }
    // WHOOP's last page has a null token or none. Here the number of records decides which.
    return page.records.length % 2 === 0 ? { records: page.records, next_token: null } : { records: page.records }
  }
}

function byId<T extends object>(collectionOf: (records: PersonRecords) => Collection<T>, form: IdForm): Answer {
  return ({ records, nowMs }, request) =>
    collectionOf(records).at(pathId(request, form).toLowerCase(), nowMs) ?? notFound()
}

function pathId(request: FastifyRequest, { name, pattern }: IdForm): string {
  const parameters = request.params
  const id: unknown = typeof parameters === "object" && parameters !== null ? Reflect.get(parameters, "id") : undefined
  if (typeof id !== "string" || !pattern.test(id)) throw badRequest(`the id is not ${name}`)
  return id
}
