import { DAYS } from "@restwell/client"
import { RECORD_KINDS } from "@restwell/providers"
import type { Pool } from "pg"
import { countDates, type DateRange, resolveDateRange, widestDateRange } from "../calendar/date-range.ts"
import { todayIn, utcDateOf } from "../calendar/time-zone.ts"
import type { Context } from "../context/context.ts"
import { InvalidRequest, NotFound, QuotaExceeded, type ServiceError, Unauthorized } from "../context/errors.ts"
import { nextMonth } from "../quota/month.ts"
import type { Quota } from "../quota/plans.ts"
import { type CountedRead, createReadCounter, openUsage } from "../store/count-reads.ts"
import { type Credential, type HealthSnapshot, readHealthSnapshot } from "../store/read-health.ts"
import type { ConnectedSnapshot } from "./answer.ts"
import { readChoices } from "./read-choices.ts"
import { createReadNotes } from "./read-notes.ts"
import type { ReadQuery } from "./read-type.ts"
import { createResponseCache, entityTagOf, type HealthResponse, responseOf } from "./response-cache.ts"

const READ_KINDS = [...RECORD_KINDS, "journal"] as const

export interface HealthReadRequest {
  readonly credential: Credential
  readonly query: ReadQuery
  /** Entity tags with their quotes, or `*`. RFC 9110 13.1.2. */
  readonly ifNoneMatch: readonly string[]
  /** False for a read that is not counted: HEAD, and the dashboard's. */
  readonly isCounted: boolean
}

export type HealthReading =
  | { readonly outcome: "answer"; readonly response: HealthResponse; readonly quota: Quota }
  | { readonly outcome: "not_modified"; readonly etag: string; readonly quota: Quota }

export interface HealthReader {
  /** Authenticates, reads and counts. Only an answer with data is counted. @throws {ServiceError} with the quota of a known person */
  read(request: HealthReadRequest): Promise<HealthReading>
  /** The quota of a credential, for responses without data. @throws {Unauthorized} */
  readQuota(credential: Credential): Promise<Quota>
}

/**
 * Reads of health data. A cached response is sent after the statement that counts it and that checks its version. Any other read takes
 * one snapshot of the person's data, and is counted before its answer is returned.
 * @param options `pool`: connections that keep the statements prepared. `cacheBytes`: memory for cached responses, 0 for none.
 */
export function createHealthReader(
  context: Context,
  { pool, cacheBytes }: { readonly pool: Pool; readonly cacheBytes: number },
): HealthReader {
  const { clock, plans } = context
  const cache = createResponseCache(cacheBytes)
  const noteRead = createReadNotes(context, pool)
  const countRead = createReadCounter({ pool, clock, plans })

  /** What `used` counted reads leave of the month. */
  const quotaOf = (limit: number, used: number): Quota => ({
    limit,
    remaining: Math.max(limit - used, 0),
    reset: nextMonth(clock.now()),
  })

  const readSnapshot = async (credential: Credential, query: ReadQuery, isDataNeeded: boolean) => {
    const range = widestDateRange(query, utcDateOf(clock.now()))
    // A range that is too long is refused once the person's today is known.
    const needsRecords = isDataNeeded && countDates(range) <= DAYS.max + 2
    const kinds = READ_KINDS.filter(
      (kind) => needsRecords && (query.type === kind || (query.type === "summary" && kind !== "journal")),
    )
    const source = query.source === "all" ? undefined : query.source
    const wanted = { kinds, range, profile: query.type === "profile", source, allRecords: query.source === "all" }
    const snapshot = await readHealthSnapshot(pool, credential, wanted, clock.now())
    if (!snapshot) return refuseUnknown()
    noteRead(credential, snapshot)
    return { snapshot, quota: quotaOf(plans[snapshot.plan], snapshot.used ?? 0) }
  }

  /** Undefined where the key is gone, or the response is no longer of the expected data. */
  const answerCounted = async (response: HealthResponse, read: CountedRead): Promise<HealthReading | undefined> => {
    const count = await countRead(read)
    if (!count) return undefined
    const quota = quotaOf(count.monthlyLimit, count.used)
    return count.isGranted ? { outcome: "answer", response, quota } : refuseOverQuota(quota)
  }

  const readCached = async (request: HealthReadRequest): Promise<HealthReading | undefined> => {
    const isCacheable = request.isCounted && request.ifNoneMatch.length === 0
    const cached = isCacheable ? cache.get(cacheKeyOf(request), clock.now()) : undefined
    if (!cached) return undefined
    noteRead(request.credential, cached.response)
    return answerCounted(cached.response, cached.read)
  }

  const readStored = async (request: HealthReadRequest): Promise<HealthReading> => {
    const { credential, query, ifNoneMatch, isCounted } = request
    // An unchanged answer needs no data.
    const { snapshot, quota } = await readSnapshot(credential, query, ifNoneMatch.length === 0)
    if (!isConnected(snapshot))
      return refuse(new NotFound("no health provider connected, connect one in the dashboard"), quota)
    if (!isReadable(snapshot, query)) {
      const names = snapshot.sources.map(({ provider }) => provider).join(", ")
      return refuse(new NotFound(`${query.source} is not connected, the sources of this account are: ${names}`), quota)
    }
    const today = todayIn(snapshot, clock.now())
    const range = resolveDateRange(query, today)
    const fault = rangeFault(range, today)
    if (fault) return refuse(fault, quota)
    const etag = entityTagOf(query, range, snapshot.dataVersion)
    if (ifNoneMatch.includes(etag) || ifNoneMatch.includes("*")) return { outcome: "not_modified", etag, quota }
    if (isCounted && quota.remaining === 0) return refuseOverQuota(quota)
    if (ifNoneMatch.length > 0) return readStored({ ...request, ifNoneMatch: [] })
    const choices = await readChoices(pool, snapshot, range)
    if (!choices) return readStored(request)
    const response = responseOf(query, snapshot, choices, { range, today })
    const read = countedRead(request, response)
    const { dataVersion: version, utcOffsetMinutes: utc_offset_minutes } = snapshot
    cache.set(cacheKeyOf(request), { response, read: { ...read, version, utc_offset_minutes } })
    if (!isCounted) return { outcome: "answer", response, quota }
    if (snapshot.used === null) await openUsage({ pool, clock, plans }, snapshot.userId)
    // Without a count the key was replaced or the month ended meanwhile.
    return (await answerCounted(response, read)) ?? readStored(request)
  }

  return {
    read: async (request) => (await readCached(request)) ?? readStored(request),
    readQuota: async (credential) => (await readSnapshot(credential, { type: "summary" }, false)).quota,
  }
}

const isConnected = (snapshot: HealthSnapshot): snapshot is ConnectedSnapshot => snapshot.sources.length > 0

/** False where the query asks for a source that this person does not have. */
const isReadable = ({ sources }: HealthSnapshot, { source }: ReadQuery): boolean =>
  source === undefined || source === "all" || sources.some(({ provider }) => provider === source)

/** The same text for requests that get the same response. */
function cacheKeyOf({ credential, query: { type, days, start_date, end_date, source } }: HealthReadRequest): string {
  const reader = "keyHash" in credential ? credential.keyHash : credential.userId
  return `${reader} ${type} ${days ?? ""} ${start_date ?? ""} ${end_date ?? ""} ${source ?? ""}`
}

/** How a read is counted. Reads by key are also logged. An assistant's calls are logged by the connector. */
function countedRead({ credential, query: { type } }: HealthReadRequest, response: HealthResponse): CountedRead {
  if ("userId" in credential) return { user_id: credential.userId }
  const { range, recordCount } = response
  const dates = type === "profile" ? {} : { start_date: range.from, end_date: range.to }
  return { key_hash: credential.keyHash, type, ...dates, record_count: recordCount }
}

function refuseUnknown(): never {
  throw new Unauthorized("invalid API key: it is unknown, or it was replaced in the dashboard")
}

/** Throws an error of a known person's read, with the quota for the response's headers. */
function refuse(error: ServiceError, quota: Quota): never {
  error.quota = quota
  throw error
}

const refuseOverQuota = (quota: Quota): never =>
  refuse(new QuotaExceeded(quota.limit, quota.reset), { ...quota, remaining: 0 })

/** The fault of a range that cannot be answered, or undefined. */
function rangeFault(range: DateRange, today: string): InvalidRequest | undefined {
  const { from, to } = range
  const end = to === today ? `today, ${today}` : `end_date ${to}`
  if (from > to) return new InvalidRequest(`start_date ${from} is after ${end}`, "start_date")
  if (countDates(range) <= DAYS.max) return undefined
  const advice = "request several ranges one after the other"
  return new InvalidRequest(`${from} to ${to} is more than ${DAYS.max} dates, ${advice}`, "start_date")
}
