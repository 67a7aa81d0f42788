import { addDays } from "@restwell/client/calendar-dates"
import { LRUCache } from "lru-cache"
import { type DateRange, midnightIn } from "../base/calendar.ts"
import type { CountedRead } from "../store/statements/count-reads.ts"
import type { ConnectedSnapshot } from "../store/statements/read-health.ts"
import type { Answer, HealthBody, ReadQuery } from "./answer.ts"
import { csvOf, type Listing, partOf } from "./columns.ts"
import type { InsightLimits } from "./insight-query.ts"

/** A response as the bytes that are sent, with what it was made from: it is valid while that is unchanged. */
export interface HealthResponse
  extends Omit<
    ConnectedSnapshot,
    "facts" | "candidates" | "answers" | "preferences" | "profiles" | "setAside" | "gaps" | "used" | "plan" | "key"
  > {
  readonly bytes: Buffer
  readonly etag: string
  /** Records in the answer, 1 for a profile. */
  readonly recordCount: number
  /** Null for an answer without dates. */
  readonly range: DateRange | null
  /** The person's day on which it was made, milliseconds since the epoch. */
  readonly validFromMs: number
  readonly validUntilMs: number
}

/** Part of every entity tag. Raise it when the same data get other bytes, so that no cache keeps the old ones. */
const FORMAT_VERSION = "4"
/** Memory of an entry beside its bytes. */
const OVERHEAD_BYTES = 1_024
/** The bytes, and the same bytes compressed in two ways to at most an eighth each. */
const SHARE_WITH_CODINGS = 1.25

interface Tagged {
  readonly query: ReadQuery
  readonly limits?: InsightLimits | undefined
  /** What the answer says beside its records. */
  readonly note?: string | undefined
}

/** The entity tag of an answer: equal tags mean equal bytes. RFC 9110 8.8.3. */
export function entityTagOf({ query, limits, note }: Tagged, { from, to }: DateRange, dataVersion: string): string {
  const { type, source, sport, format, fields } = query
  const variant = [
    ...(source === undefined ? [] : [source]),
    ...(sport === undefined ? [] : [encodeURIComponent(sport)]),
    ...(fields === undefined ? [] : [fields.join("+")]),
    ...(format === "csv" ? [format] : []),
    ...(note === undefined ? [] : ["cut"]),
    ...(limits ? [limits.isForAssistant ? "assistant" : `key+${limits.groups.join("+")}`] : []),
  ]
  const dates = `${from.replaceAll("-", "")}-${to.replaceAll("-", "")}`
  return `"${FORMAT_VERSION}-${[type, ...variant].join(".")}-${dates}-${dataVersion}"`
}

/** The entity tag of statistics and of values within the day. @param name of the question and the person's date */
export const insightTagOf = (name: string, dataVersion: string): string => `"${FORMAT_VERSION}-${name}-${dataVersion}"`

/** The data version at the end of an entity tag. Empty for a tag that is not ours. */
export const versionOfTag = (etag: string): string[] => /-(\d{1,18})"$/.exec(etag)?.slice(1) ?? []

/** What a response is valid by. */
interface Sealed {
  readonly range: DateRange | null
  /** The person's date. */
  readonly today: string
  readonly etag: string
}

/** The response of a read of records. */
export const responseOf = (
  snapshot: ConnectedSnapshot,
  { body, recordCount }: Answer,
  { listing, ...sealed }: Sealed & { readonly listing: Listing | undefined },
): HealthResponse => sealResponse(snapshot, { bytes: bytesOf(textOf(body, listing)), recordCount }, sealed)

function textOf(body: HealthBody, listing: Listing | undefined): string {
  if (!listing || !("records" in body)) return JSON.stringify(body)
  const { columns, isCsv, isPart } = listing
  if (isCsv) return csvOf(columns, body.records)
  return JSON.stringify(isPart ? { ...body, records: body.records.map((record) => partOf(record, columns)) } : body)
}

/** A response of these bytes, with what it was made from. */
export function sealResponse(
  snapshot: ConnectedSnapshot,
  { bytes, recordCount }: Pick<HealthResponse, "bytes" | "recordCount">,
  { range, today, etag }: Sealed,
): HealthResponse {
  const { facts, candidates, answers, preferences, profiles, setAside, gaps, used, plan, key, ...person } = snapshot
  return {
    ...person,
    range,
    bytes,
    etag,
    recordCount,
    validFromMs: midnightIn(snapshot, today).getTime(),
    validUntilMs: midnightIn(snapshot, addDays(today, 1)).getTime(),
  }
}

/**
 * Bytes in memory of their own: `Buffer.from` would cut short ones out of a block that a cached response would keep whole.
 * @see https://nodejs.org/api/buffer.html#static-method-bufferallocunsafesize
 */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}

/** The body of a response, for readers that take values instead of bytes. */
export const bodyOf = (bytes: Buffer): HealthBody => JSON.parse(bytes.toString())

/** A response, and how a read that gets it is counted: only while the person's data have its version and UTC offset. */
interface CachedResponse {
  readonly response: HealthResponse
  readonly read: CountedRead
}

/** Whether the person's day is still the one on which a response was made. */
const isOfToday = (
  { validFromMs, validUntilMs }: Pick<HealthResponse, "validFromMs" | "validUntilMs">,
  now: Date,
): boolean => now.getTime() >= validFromMs && now.getTime() < validUntilMs

/** Responses by person and canonical query. The ones unused for longest make room. @param maxBytes 0 caches nothing */
export function createResponseCache(maxBytes: number) {
  const cache = new LRUCache<string, CachedResponse>({
    maxSize: Math.max(maxBytes, 1),
    sizeCalculation: ({ response: { bytes } }) => Math.ceil(SHARE_WITH_CODINGS * bytes.length) + OVERHEAD_BYTES,
  })
  return {
    /** The response to send, if counting confirms its version. Undefined if it has certainly expired. */
    get(key: string, now: Date): CachedResponse | undefined {
      const cached = cache.get(key)
      return cached && isOfToday(cached.response, now) ? cached : undefined
    },
    set: (key: string, cached: CachedResponse) => void cache.set(key, cached),
  }
}
