import { OWN_SOURCE } from "@restwell/client"
import { utcDateOf } from "@restwell/client/calendar-dates"
import type { Pool } from "pg"
import { limitOfEach } from "../base/batch.ts"
import { todayIn } from "../base/calendar.ts"
import { nextMonth, type Quota } from "../base/plans.ts"
import type { Context } from "../context/context.ts"
import { NotFound, QuotaExceeded, ServiceError, Unauthorized } from "../context/errors.ts"
import type { LimitAtATime } from "../context/limit-at-a-time.ts"
import { openDatabase } from "../store/database.ts"
import { type CountedRead, createReadCounter, openUsage } from "../store/statements/count-reads.ts"
import {
  type ConnectedSnapshot,
  type Credential,
  type HealthSnapshot,
  readHealthSnapshot,
} from "../store/statements/read-health.ts"
import { readStoredSources } from "../store/statements/read-trend-rows.ts"
import { OWN_ENTRIES } from "./answer.ts"
import { withinKey } from "./key-scope.ts"
import type { PreparedResponse } from "./prepare-response.ts"
import { type AnyQuery, typed } from "./query-types.ts"
import {
  type AssistantCall,
  type CallResponses,
  createCallReader,
  createReadNotes,
  type HealthReading,
  type HealthReadRequest,
  isOfSameData,
} from "./read-call.ts"
import { createResponseCache, type HealthResponse } from "./response-cache.ts"
import { computeInThread, limitExpensiveReads, type Statistics } from "./statistics-thread.ts"
import { answering } from "./trends.ts"

/** Reads of records by one credential that are made from the store at a time. More wait: each takes the thread that answers everybody. */
const STORED_READS_AT_A_TIME = 2

export interface HealthReader {
  /** Authenticates, reads and counts. Only an answer with data is counted. @throws {Unauthorized} for an unknown key */
  read(request: HealthReadRequest): Promise<HealthReading>
  /** Reads for a call of an assistant. The call is counted once, and logged with its count. @throws {ServiceError} */
  readCall(call: AssistantCall): Promise<CallResponses>
  /** The quota of a credential, for responses without data. @throws {Unauthorized} */
  readQuota(credential: Credential): Promise<Quota>
}

interface HealthReaderOptions {
  /** Connections that keep the statements prepared. */
  readonly pool: Pool
  /** Memory for cached responses, 0 for none. */
  readonly cacheBytes: number
  /** @default computes in the calling thread */
  readonly statistics?: Statistics
  /** How many statistics of one person may run or wait. @default the limit of a reader alone */
  readonly expensiveReads?: LimitAtATime
}

/**
 * Reads of health data. A cached response is sent after the statement that counts it and that checks its version. Any other read takes
 * one snapshot of the person's data, and is counted before its answer is returned.
 */
export function createHealthReader(context: Context, options: HealthReaderOptions): HealthReader {
  const { clock, plans } = context
  const { pool, cacheBytes, statistics = computeInThread(pool), expensiveReads = limitExpensiveReads(clock) } = options
  const cache = createResponseCache(cacheBytes)
  const noteRead = createReadNotes(context, pool)
  const countRead = createReadCounter({ pool, clock, plans })

  /** @param ifNoneMatch entity tags of answers that the client has. Null where no data are needed, as for HEAD. */
  const readSnapshot = async (credential: Credential, query: AnyQuery, ifNoneMatch: readonly string[] | null) => {
    const wanted = typed(query).wanted(utcDateOf(clock.now()), ifNoneMatch)
    const snapshot = await readHealthSnapshot(pool, credential, wanted, clock.now())
    if (!snapshot) return refuseUnknown()
    refuseExpired(snapshot.key, clock.now())
    noteRead(credential, snapshot)
    return { snapshot, quota: quotaOf(plans[snapshot.plan], snapshot.used ?? 0, clock.now()) }
  }

  /** Undefined where the key is gone, or the response is no longer of the expected data. */
  const answerCounted = async (response: HealthResponse, read: CountedRead): Promise<HealthReading | undefined> => {
    const count = await countRead(read)
    if (!count) return undefined
    const quota = quotaOf(count.monthlyLimit, count.used, clock.now())
    return count.isGranted ? { outcome: "answer", response, quota } : overQuota(quota)
  }

  const readCached = async (request: HealthReadRequest): Promise<HealthReading | undefined> => {
    const { isCounted, after } = request
    const isCacheable = (isCounted || after !== undefined) && !request.isHead && request.ifNoneMatch.length === 0
    const cached = isCacheable ? cache.get(cacheKeyOf(request), clock.now()) : undefined
    if (!cached) return undefined
    const { response, read } = cached
    if (!isCounted) return after && isOfSameData(response, after.response) ? { ...after, response } : undefined
    noteRead(request.credential, response)
    return answerCounted(response, read)
  }

  const readStored = async (request: HealthReadRequest): Promise<HealthReading> => {
    const { credential, query, ifNoneMatch, isHead = false } = request
    const found = await readSnapshot(credential, query, isHead ? null : ifNoneMatch)
    try {
      return await readFrom(request, found.snapshot, found.quota)
    } catch (error) {
      if (error instanceof ServiceError) return { outcome: "refused", error, quota: found.quota }
      throw error
    }
  }

  /** @throws {ServiceError} */
  const readFrom = async (request: HealthReadRequest, found: HealthSnapshot, quota: Quota): Promise<HealthReading> => {
    const { credential, query, ifNoneMatch, isCounted, isHead = false } = request
    const snapshot = forReader(request, requireSource(await withFormerSource(pool, request, found), query))
    const today = todayIn(snapshot, clock.now())
    const allowed = withinKey(request, { ...snapshot, key: request.scope ?? snapshot.key }, today)
    const { turn, prepare } = typed(allowed.query)
    const prepared = prepare({ pool, statistics }, allowed, snapshot, today)
    const { etag } = prepared
    if (ifNoneMatch.includes(etag) || ifNoneMatch.includes("*")) return { outcome: "not_modified", etag, quota }
    if (isCounted && quota.remaining === 0) return overQuota(quota)
    // The data are the same, and another date or question makes the answer another one.
    if (!snapshot.hasRecords) return readStored({ ...request, ifNoneMatch: [] })
    const end = turn === "thread" ? expensiveReads.begin(snapshot.userId) : () => {}
    if (isHead) {
      end()
      return { outcome: "head", etag, quota }
    }
    const response = await prepared.respond().finally(end)
    if (!response) return readStored(request)
    const read = countedRead(credential, prepared, response)
    const { dataVersion: version, utcOffsetMinutes: utc_offset_minutes } = snapshot
    cache.set(cacheKeyOf(request), { response, read: { ...read, version, utc_offset_minutes } })
    if (!isCounted) return { outcome: "answer", response, quota }
    if (snapshot.used === null) await openUsage({ pool, clock, plans }, snapshot.userId)
    // Without a count the key was replaced or the month ended meanwhile.
    return (await answerCounted(response, read)) ?? readStored(request)
  }

  const inTurn = turnsOfReads()
  const read: HealthReader["read"] = async (request) =>
    (await readCached(request)) ?? inTurn(request, () => readStored(request))
  return {
    read,
    readCall: createCallReader({
      read,
      findCached: (request) => cache.get(cacheKeyOf(request), clock.now())?.response,
      count(response, counted) {
        noteRead({ userId: response.userId }, response)
        return answerCounted(response, counted)
      },
      openMonth: (userId) => openUsage({ pool, clock, plans }, userId),
    }),
    readQuota: async (credential) => (await readSnapshot(credential, { type: "summary" }, null)).quota,
  }
}

/** Lets the reads of a credential wait for each other. */
function turnsOfReads() {
  const limits = { "some at a time": limitOfEach(STORED_READS_AT_A_TIME), alone: limitOfEach(1) }
  return ({ credential, query }: HealthReadRequest, work: () => Promise<HealthReading>): Promise<HealthReading> => {
    const { turn } = typed(query)
    return turn === "thread"
      ? work()
      : limits[turn]("keyHash" in credential ? credential.keyHash : credential.userId, work)
  }
}

/** @throws {NotFound} without a source, or without the one that the query asks for */
function requireSource(found: HealthSnapshot, query: AnyQuery): ConnectedSnapshot {
  const snapshot = typed(query).hasOwnEntries ? withOwnEntries(found, query.source) : found
  if (!isConnected(snapshot)) throw new NotFound("no health provider connected, connect one in the dashboard")
  const unreadable = sourcesOf(query).find((name) => !snapshot.sources.some(({ provider }) => provider === name))
  if (unreadable === undefined) return snapshot
  const names = snapshot.sources.map(({ provider }) => provider).join(", ")
  throw new NotFound(`${unreadable} is not connected, the sources of this account are: ${names}`)
}

/** Only assistants are told when an archive was uploaded: the contract of REST has no such field. */
function forReader({ limits }: HealthReadRequest, snapshot: ConnectedSnapshot): ConnectedSnapshot {
  if (limits?.isForAssistant) return snapshot
  const [first, ...others] = snapshot.sources
  return {
    ...snapshot,
    sources: [{ ...first, archivedAt: null }, ...others.map((one) => ({ ...one, archivedAt: null }))],
  }
}

/** Without a connected source, the person still sees the days of the first one that was disconnected with its data kept. */
async function withFormerSource(
  pool: Pool,
  { credential, query, limits }: HealthReadRequest,
  snapshot: HealthSnapshot,
): Promise<HealthSnapshot> {
  const isOwnPage = "userId" in credential && limits === undefined
  if (snapshot.sources.length > 0 || !typed(query).hasFormerSource || !isOwnPage) return snapshot
  const stored = await readStoredSources({ database: openDatabase(pool) }, snapshot.userId)
  const former = answering(stored).map(({ provider, lastSyncedAt, addedAt }) => ({
    provider,
    lastSyncedAt,
    archivedAt: null,
    addedAt,
    // As of an archive, nothing newer comes.
    status: "archive" as const,
    waiting: null,
  }))
  return { ...snapshot, sources: former }
}

/** The journal has one more source: what the person entered, which needs no vendor. */
function withOwnEntries(snapshot: HealthSnapshot, source: AnyQuery["source"]): HealthSnapshot {
  if (!snapshot.hasOwnJournal && (source !== OWN_SOURCE || !isConnected(snapshot))) return snapshot
  return { ...snapshot, sources: [...snapshot.sources, OWN_ENTRIES] }
}

const isConnected = (snapshot: HealthSnapshot): snapshot is ConnectedSnapshot => snapshot.sources.length > 0

/** The sources that the query names. */
const sourcesOf = (query: AnyQuery): string[] => {
  const other = query.type === "compare" ? query.with_source : undefined
  return [query.source, other].flatMap((name) => (name === undefined || name === "all" ? [] : name))
}

/** The same text for requests that get the same response. */
function cacheKeyOf({ credential, query, limits, scope }: HealthReadRequest): string {
  const who = "keyHash" in credential ? credential.keyHash : credential.userId
  const reader = scope ? `share ${JSON.stringify([scope.types, scope.days])} of ` : ""
  return `${reader}${limits?.isForAssistant ? "assistant of " : ""}${who} ${typed(query).key(limits)}`
}

/** How a read by key is counted and logged. */
function countedRead(
  credential: Credential,
  { logged }: PreparedResponse,
  { recordCount }: HealthResponse,
): CountedRead {
  const reader = "keyHash" in credential ? { key_hash: credential.keyHash } : { user_id: credential.userId }
  return { ...reader, ...logged, record_count: recordCount }
}

/** @throws {Unauthorized} after the end of a key */
function refuseExpired(key: HealthSnapshot["key"], now: Date): void {
  if (key?.expiresAt == null || key.expiresAt > now) return
  const end = key.expiresAt.toISOString()
  throw new Unauthorized(`this API key ended at ${end}, its owner can make a new one on the page API`)
}

function refuseUnknown(): never {
  throw new Unauthorized("invalid API key: it is unknown, or it was replaced in the dashboard")
}

/** What `used` counted reads leave of the month. */
const quotaOf = (limit: number, used: number, now: Date): Quota => ({
  limit,
  remaining: Math.max(limit - used, 0),
  reset: nextMonth(now),
})

const overQuota = (quota: Quota): HealthReading => ({
  outcome: "refused",
  error: new QuotaExceeded(quota.limit, quota.reset),
  quota: { ...quota, remaining: 0 },
})
