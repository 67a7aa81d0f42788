/** A read of health data and its outcome. */

import { MINUTE_MS } from "@restwell/client/time-units"
import { LRUCache } from "lru-cache"
import type { Pool } from "pg"
import { isOlderThan } from "../base/calendar.ts"
import type { Quota } from "../base/plans.ts"
import type { AssistantReading, Context } from "../context/context.ts"
import { QuotaExceeded, type ServiceError } from "../context/errors.ts"
import type { CountedRead } from "../store/statements/count-reads.ts"
import type { Credential, HealthSnapshot, KeyScope } from "../store/statements/read-health.ts"
import type { InsightLimits } from "./insight-query.ts"
import type { AnyQuery } from "./query-types.ts"
import type { HealthResponse } from "./response-cache.ts"

export interface HealthReadRequest {
  readonly credential: Credential
  readonly query: AnyQuery
  /** What an assistant may read of the statistics. @default everything */
  readonly limits?: InsightLimits
  /** What a share opens. @default what the key of the read opens */
  readonly scope?: KeyScope
  /** Entity tags with their quotes, or `*`. RFC 9110 13.1.2. */
  readonly ifNoneMatch: readonly string[]
  /** Whether an answer with data is counted. The dashboard's reads are not. */
  readonly isCounted: boolean
  /** HEAD: nothing is computed or counted, and what GET is refused without a look at the data is refused. @default false */
  readonly isHead?: boolean
  /** An answer of the same call that was just read. Cached responses of the same data are valid too. */
  readonly after?: HealthAnswer
}

interface HealthAnswer {
  readonly outcome: "answer"
  readonly response: HealthResponse
  readonly quota: Quota
}

export type HealthReading =
  | HealthAnswer
  /** `head`: an answer would be sent to GET. */
  | { readonly outcome: "not_modified" | "head"; readonly etag: string; readonly quota: Quota }
  /** A known person's read that has no answer. The response has the quota too. */
  | { readonly outcome: "refused"; readonly error: ServiceError; readonly quota: Quota }

/** A read of older data requests a sync. */
const STALE_MS = 15 * MINUTE_MS
/** Both notes are made at most once in this time. */
const NOTE_EVERY_MS = MINUTE_MS
/** People whose last note a process remembers. The database itself keeps notes apart, so forgetting one costs a statement. */
const REMEMBERED = 10_000

const KEY_USE = `update restwell.api_key set last_used_at = $2
  where key_hash = $1 and (last_used_at is null or last_used_at < $3 or last_used_at > $2::timestamptz + interval '5 minutes')`
const SYNC_REQUEST = `update restwell.connection set sync_requested_at = $3
  where user_id = $1 and provider = $2 and status not in ('disconnected', 'archive')
    and (sync_requested_at is null or sync_requested_at < $4 or sync_requested_at > $3::timestamptz + interval '5 minutes')
    and (retry_after is null or retry_after <= $3 or retry_after > $3::timestamptz + interval '25 hours')`

/**
 * Notes what a read leaves behind, beside its count: when the key was last used, and a request for a sync of stale data. After a failure
 * the request waits for the retry.
 */
type NoteRead = (credential: Credential, person: Pick<HealthSnapshot, "userId" | "sources">) => void

/** Notes are written in the background. A read neither waits for them nor fails with them. */
export function createReadNotes({ clock, logger, jobs }: Context, pool: Pool): NoteRead {
  const noted = new LRUCache<string, Date>({ max: REMEMBERED })
  const note = (name: string, write: (times: [now: Date, before: Date]) => Promise<unknown>): void => {
    if (!isOlderThan(noted.get(name) ?? null, NOTE_EVERY_MS, clock)) return
    const now = clock.now()
    noted.set(name, now)
    const written = write([now, new Date(now.getTime() - NOTE_EVERY_MS)])
    written.catch((err: unknown) => logger.warn({ err }, "could not note a read"))
  }
  return (credential, { userId, sources }) => {
    if ("keyHash" in credential) {
      const { keyHash } = credential
      note(keyHash, (times) => pool.query(KEY_USE, [Buffer.from(keyHash, "hex"), ...times]))
    }
    for (const { provider, status, lastSyncedAt } of sources) {
      if (status === "reauthorization_required" || status === "archive") continue
      if (!isOlderThan(lastSyncedAt, STALE_MS, clock)) continue
      note(`${userId} ${provider}`, async (times) => {
        const { rowCount } = await pool.query(SYNC_REQUEST, [userId, provider, ...times])
        if (rowCount === 1) await jobs.requestSync({ userId, provider })
      })
    }
  }
}

/** A call of an assistant: all of its reads count as one. */
export interface AssistantCall {
  readonly userId: string
  readonly queries: readonly [AnyQuery, ...AnyQuery[]]
  readonly limits: InsightLimits
  /** How the access log names the call. */
  readonly entry: Omit<AssistantReading, "recordCount" | "outcome">
}

/** The responses of a call, in the order of its queries. */
export type CallResponses = readonly [HealthResponse, ...HealthResponse[]]

interface CallReading {
  readonly read: (request: HealthReadRequest) => Promise<HealthReading>
  /** The cached response of a request. It is not known to be valid. */
  readonly findCached: (request: HealthReadRequest) => HealthResponse | undefined
  /** Counts and logs. Undefined if the data changed, or the month has no usage row yet. */
  readonly count: (response: HealthResponse, read: CountedRead) => Promise<HealthReading | undefined>
  readonly openMonth: (userId: string) => Promise<void>
}

/**
 * Reads for a call, and counts and logs it in one statement. If all responses are cached, this statement also checks that they are valid.
 * Otherwise the first response is read from the store, and the others are valid if they were made from the same data.
 */
export function createCallReader(reading: CallReading) {
  return async function readCall(call: AssistantCall): Promise<CallResponses> {
    const cached = findAllCached(reading, call)
    if (cached && (await isCounted(reading, cached, { ...countedCall(call, cached), ...versionOf(cached) })))
      return cached
    const stored = await readAllStored(reading, call)
    if (await isCounted(reading, stored, countedCall(call, stored))) return stored
    await reading.openMonth(call.userId)
    return readCall(call)
  }
}

/** False if the data changed, or the month has no usage row yet. @throws {QuotaExceeded} */
async function isCounted({ count }: CallReading, [first]: CallResponses, read: CountedRead): Promise<boolean> {
  const reading = await count(first, read)
  return reading !== undefined && answerOnly(reading).outcome === "answer"
}

/** The data that the responses of a call were made from. */
const versionOf = ([{ dataVersion: version, utcOffsetMinutes: utc_offset_minutes }]: CallResponses) => ({
  version,
  utc_offset_minutes,
})

function findAllCached(reading: CallReading, call: AssistantCall): CallResponses | undefined {
  const [query, ...others] = call.queries
  const first = reading.findCached(requestOf(call, query))
  if (!first) return undefined
  const rest = others.flatMap((other) => reading.findCached(requestOf(call, other)) ?? [])
  const isWhole = rest.length === others.length && rest.every((response) => isOfSameData(response, first))
  return isWhole ? [first, ...rest] : undefined
}

async function readAllStored({ read }: CallReading, call: AssistantCall): Promise<CallResponses> {
  const [query, ...others] = call.queries
  const first = answerOnly(await read(requestOf(call, query)))
  // Nothing more is computed for a call that the month has no place for.
  const { remaining, limit, reset } = first.quota
  if (remaining === 0) throw new QuotaExceeded(limit, reset)
  const rest: HealthResponse[] = []
  // One at a time: together, the statistics of one call would reach the limit of a person.
  for (const other of others) rest.push(answerOnly(await read({ ...requestOf(call, other), after: first })).response)
  return [first.response, ...rest]
}

/** @throws {ServiceError} of a read that was refused */
function answerOnly(reading: HealthReading): HealthAnswer {
  if (reading.outcome === "refused") throw reading.error
  if (reading.outcome !== "answer") throw new Error(`unexpected outcome of an assistant's read: ${reading.outcome}`)
  return reading
}

const requestOf = ({ userId, limits }: AssistantCall, query: AnyQuery): HealthReadRequest => ({
  credential: { userId },
  query,
  limits,
  ifNoneMatch: [],
  isCounted: false,
})

/** How a call is counted and logged. */
const countedCall = ({ userId, entry }: AssistantCall, responses: CallResponses): CountedRead => ({
  user_id: userId,
  client_id: entry.clientId,
  assistant: entry.assistant,
  operation: entry.operation,
  types: entry.types,
  start_date: entry.startDate,
  end_date: entry.endDate,
  record_count: responses.reduce((sum, { recordCount }) => sum + recordCount, 0),
})

/** Whether two responses were made from the same data and on the same clock. */
export const isOfSameData = (one: HealthResponse, other: HealthResponse): boolean =>
  one.dataVersion === other.dataVersion && one.utcOffsetMinutes === other.utcOffsetMinutes
