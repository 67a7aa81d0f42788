import { DAYS, type HealthQuery, type HealthType } from "@restwell/client"
import type { Pool } from "pg"
import { countDates, resolveDateRange, widestDateRange } from "../calendar/date-range.ts"
import { todayIn, utcDateOf } from "../calendar/time-zone.ts"
import type { Context } from "../context/context.ts"
import { Unavailable } from "../context/errors.ts"
import type { Quota } from "../quota/plans.ts"
import { type CountedRead, createReadCounter, type ReadCount } from "../store/count-reads.ts"
import { databaseTrouble } from "../store/database-trouble.ts"
import type { HealthFact } from "../store/health-fact.ts"
import { type Credential, isConnected, readHealthSnapshot } from "../store/read-health.ts"
import { createReadNotes } from "./read-notes.ts"
import {
  type HealthReading,
  quotaOf,
  type RefusedRead,
  rangeFault,
  refuseOverQuota,
  refuseUnconnected,
  refuseUnknown,
} from "./read-outcome.ts"
import { entityTagOf, type HealthResponse, responseOf } from "./response.ts"
import { createResponseCache } from "./response-cache.ts"

export interface HealthReadRequest {
  readonly credential: Credential
  readonly query: HealthQuery
  /** Entity tags with their quotes, or `*`. RFC 9110 13.1.2. */
  readonly ifNoneMatch: readonly string[]
  /** False for a read that is not counted: HEAD, and the dashboard's. */
  readonly isCounted: boolean
}

export interface HealthReader {
  /** Authenticates, reads and counts. Only an answer with data is counted. @throws {Unavailable} while the database is away */
  read(request: HealthReadRequest): Promise<HealthReading>
  /** The quota of a credential, for responses without data. @throws {Unavailable} */
  readQuota(credential: Credential): Promise<{ readonly outcome: "quota"; readonly quota: Quota } | RefusedRead>
}

export interface HealthReaderOptions {
  /** Connections that keep the statements prepared. */
  readonly pool: Pool
  /** Memory for cached responses. 0 caches nothing. */
  readonly cacheBytes: number
}

const RETRY_AFTER_SECONDS = 2

const KINDS: Record<HealthType, readonly HealthFact["kind"][]> = {
  summary: ["sleep", "recovery", "cycle", "workout"],
  sleep: ["sleep"],
  recovery: ["recovery"],
  workout: ["workout"],
  cycle: ["cycle"],
  profile: [],
}

/**
 * Reads of health data. A cached response is sent after the statement that counts it and that checks its version. Any other read takes
 * one snapshot of the person's data, and is counted before its answer is returned.
 */
export function createHealthReader(context: Context, { pool, cacheBytes }: HealthReaderOptions): HealthReader {
  const { clock, plans } = context
  const cache = createResponseCache(cacheBytes)
  const notes = createReadNotes(context, pool)
  const countRead = createReadCounter({ pool, clock, plans })

  const send = (response: HealthResponse, { isGranted, monthlyLimit, used }: ReadCount): HealthReading => {
    const quota = quotaOf(monthlyLimit, used, clock)
    return isGranted ? { outcome: "answer", ...response, quota } : refuseOverQuota(quota)
  }

  const readCached = async (request: HealthReadRequest, response: HealthResponse) => {
    const { dataVersion: version, utcOffsetMinutes: utc_offset_minutes } = response
    const count = await countRead({ ...countedRead(request, response), version, utc_offset_minutes })
    if (!count) return undefined
    notes.noteRead(request.credential, response)
    return send(response, count)
  }

  const readSnapshot = ({ credential, query, ifNoneMatch }: HealthReadRequest) => {
    const range = widestDateRange(query, utcDateOf(clock.now()))
    // Neither an unchanged answer nor a range that is too long needs records.
    const needsRecords = ifNoneMatch.length === 0 && countDates(range) <= DAYS.max + 2
    const kinds = needsRecords ? KINDS[query.type] : []
    return readHealthSnapshot(pool, credential, { kinds, range, profile: query.type === "profile" }, clock.now())
  }

  const readStored = async (request: HealthReadRequest): Promise<HealthReading> => {
    const { credential, query, ifNoneMatch, isCounted } = request
    const snapshot = await readSnapshot(request)
    if (!snapshot) return refuseUnknown()
    notes.noteRead(credential, snapshot)
    const quota = quotaOf(plans[snapshot.plan], snapshot.used, clock)
    if (!isConnected(snapshot)) return refuseUnconnected(quota)
    const today = todayIn(snapshot, clock.now())
    const range = resolveDateRange(query, today)
    const error = rangeFault(range, today)
    if (error) return { outcome: "refused", error, quota }
    const etag = entityTagOf(query.type, range, snapshot.dataVersion)
    if (ifNoneMatch.includes(etag) || ifNoneMatch.includes("*")) return { outcome: "not_modified", etag, quota }
    if (isCounted && quota.remaining === 0) return refuseOverQuota(quota)
    if (ifNoneMatch.length > 0) return readStored({ ...request, ifNoneMatch: [] })
    const response = responseOf(query.type, snapshot, range, today)
    cache.set(cacheKeyOf(request), response)
    if (!isCounted) return { outcome: "answer", ...response, quota }
    const count = await countRead(countedRead(request, response))
    return count ? send(response, count) : refuseUnknown()
  }

  return {
    async read(request) {
      const isPlain = request.isCounted && request.ifNoneMatch.length === 0
      const cached = isPlain ? cache.get(cacheKeyOf(request), clock.now()) : undefined
      const counted = cached && (await readCached(request, cached).catch(throwUnavailable))
      return counted ?? (await readStored(request).catch(throwUnavailable))
    },
    async readQuota(credential) {
      const today = utcDateOf(clock.now())
      const wanted = { kinds: [], range: { from: today, to: today }, profile: false }
      const snapshot = await readHealthSnapshot(pool, credential, wanted, clock.now()).catch(throwUnavailable)
      if (!snapshot) return refuseUnknown()
      notes.noteRead(credential, snapshot)
      return { outcome: "quota", quota: quotaOf(plans[snapshot.plan], snapshot.used, clock) }
    },
  }
}

/** The same text for requests that get the same response. */
function cacheKeyOf({ credential, query: { type, days, start_date, end_date } }: HealthReadRequest): string {
  const reader = "keyHash" in credential ? credential.keyHash : credential.userId
  return `${reader} ${type} ${days ?? ""} ${start_date ?? ""} ${end_date ?? ""}`
}

/** How a read is counted. Reads by key are also logged. An assistant's calls are logged by the connector. */
function countedRead({ credential, query: { type } }: HealthReadRequest, response: HealthResponse): CountedRead {
  if ("userId" in credential) return { user_id: credential.userId }
  const { range, recordCount } = response
  const dates = type === "profile" ? {} : { start_date: range.from, end_date: range.to }
  return { key_hash: credential.keyHash, type, ...dates, record_count: recordCount }
}

function throwUnavailable(error: unknown): never {
  const trouble = databaseTrouble(error)
  throw trouble === undefined ? error : new Unavailable(trouble, RETRY_AFTER_SECONDS, { cause: error })
}
