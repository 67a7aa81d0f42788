import type { AssistantReading } from "../audit/access-log.ts"
import type { InsightLimits, InsightQuery } from "../insight-reads/insight-query.ts"
import type { CountedRead } from "../store/count-reads.ts"
import type { ReadQuery } from "./read-type.ts"
import type { HealthAnswer, HealthReading, HealthReadRequest } from "./reading.ts"
import type { HealthResponse } from "./response-cache.ts"

/** A call of an assistant: all of its reads count as one. */
export interface AssistantCall {
  readonly userId: string
  readonly queries: readonly [ReadQuery | InsightQuery, ...(ReadQuery | InsightQuery)[]]
  readonly limits: InsightLimits
  /** How the access log names the call. */
  readonly entry: Omit<AssistantReading, "recordCount" | "outcome">
}

/** The responses of a call, in the order of its queries. */
export type CallResponses = readonly [HealthResponse, ...HealthResponse[]]

export interface CallReading {
  readonly read: (request: HealthReadRequest) => Promise<HealthReading>
  /** The cached response of a request. It is not known to be valid. */
  readonly findCached: (request: HealthReadRequest) => HealthResponse | undefined
  /** Counts and logs. Undefined if the data changed, or the month has no usage row yet. @throws {QuotaExceeded} */
  readonly count: (response: HealthResponse, read: CountedRead) => Promise<unknown>
  /** @throws {QuotaExceeded} if the month has no room */
  readonly requireRoom: (answer: HealthAnswer) => void
  readonly openMonth: (userId: string) => Promise<void>
}

/**
 * Reads for a call, and counts and logs it in one statement. If all responses are cached, this statement also checks that they are valid.
 * Otherwise the first response is read from the store, and the others are valid if they were made from the same data.
 */
export function createCallReader(reading: CallReading) {
  return async function readCall(call: AssistantCall): Promise<CallResponses> {
    const cached = findAllCached(reading, call)
    if (cached && (await reading.count(cached[0], { ...countedCall(call, cached), ...versionOf(cached) })))
      return cached
    const stored = await readAllStored(reading, call)
    if (await reading.count(stored[0], countedCall(call, stored))) return stored
    await reading.openMonth(call.userId)
    return readCall(call)
  }
}

/** The data that the responses of a call were made from. */
export const versionOf = ([{ dataVersion: version, utcOffsetMinutes: utc_offset_minutes }]: CallResponses) => ({
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

async function readAllStored({ read, requireRoom }: CallReading, call: AssistantCall): Promise<CallResponses> {
  const [query, ...others] = call.queries
  const first = answerOnly(await read(requestOf(call, query)))
  requireRoom(first)
  const rest = others.map(async (other) => answerOnly(await read({ ...requestOf(call, other), after: first })))
  return [first.response, ...(await Promise.all(rest)).map(({ response }) => response)]
}

function answerOnly(reading: HealthReading): HealthAnswer {
  if (reading.outcome !== "answer") throw new Error(`unexpected outcome of an assistant's read: ${reading.outcome}`)
  return reading
}

const requestOf = ({ userId, limits }: AssistantCall, query: ReadQuery | InsightQuery): HealthReadRequest => ({
  credential: { userId },
  query,
  limits,
  ifNoneMatch: [],
  isCounted: false,
})

/** How a call is counted and logged. */
export const countedCall = ({ userId, entry }: AssistantCall, responses: CallResponses): CountedRead => ({
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
