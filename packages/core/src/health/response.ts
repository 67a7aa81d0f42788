import type { HealthType } from "@restwell/client"
import { addDays, type DateRange } from "../calendar/date-range.ts"
import { midnightIn } from "../calendar/time-zone.ts"
import type { ConnectedSnapshot, HealthSnapshot } from "../store/read-health.ts"
import { answerOf, type HealthBody } from "./answer.ts"

/** A response as the bytes that are sent, with the conditions under which it is still valid. */
export interface HealthResponse
  extends Pick<HealthSnapshot, "userId" | "provider" | "status" | "lastSyncedAt" | "dataVersion" | "utcOffsetMinutes"> {
  readonly bytes: Buffer
  readonly etag: string
  /** Records in the answer, 1 for a profile. */
  readonly recordCount: number
  readonly range: DateRange
  /** It is valid during the person's day on which it was made: milliseconds since the epoch. */
  readonly validFromMs: number
  readonly validUntilMs: number
}

/** Part of every entity tag. Raise it when the same data get other bytes, so that no cache keeps the old ones. */
const FORMAT_VERSION = "1"

/** The body of a response, for readers that take values instead of bytes. */
export const bodyOf = (bytes: Buffer): HealthBody => JSON.parse(bytes.toString())

/** The entity tag of an answer: equal tags mean equal bytes. RFC 9110 8.8.3. */
export const entityTagOf = (type: HealthType, { from, to }: DateRange, dataVersion: string): string =>
  `"${FORMAT_VERSION}-${type}-${from.replaceAll("-", "")}-${to.replaceAll("-", "")}-${dataVersion}"`

/** The response of a read. @param today the person's date */
export function responseOf(
  type: HealthType,
  snapshot: ConnectedSnapshot,
  range: DateRange,
  today: string,
): HealthResponse {
  const { userId, provider, status, lastSyncedAt, dataVersion, utcOffsetMinutes } = snapshot
  const facts = snapshot.facts.filter(({ date }) => date >= range.from && date <= range.to)
  return {
    ...{ userId, provider, status, lastSyncedAt, dataVersion, utcOffsetMinutes, range },
    bytes: bytesOf(JSON.stringify(answerOf(type, { ...snapshot, facts }, range))),
    etag: entityTagOf(type, range, dataVersion),
    recordCount: type === "profile" ? 1 : facts.length,
    validFromMs: midnightIn(snapshot, today).getTime(),
    validUntilMs: midnightIn(snapshot, addDays(today, 1)).getTime(),
  }
}

/**
 * Bytes in memory of their own. `Buffer.from` would cut short ones out of a shared 64 KiB block, and a cached response would keep all of
 * that block. @see https://nodejs.org/api/buffer.html#static-method-bufferallocunsafesize
 */
function bytesOf(text: string): Buffer {
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(text))
  bytes.write(text)
  return bytes
}
