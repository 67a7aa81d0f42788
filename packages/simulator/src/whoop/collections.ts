/**
 * Pages of a collection.
 * @see https://developer.whoop.com/docs/developing/pagination
 */

import { badRequest } from "../http/reply-error.ts"
import type { Entry } from "../records/collection.ts"

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

export interface Page<T> {
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
  return Buffer.from(`${startMs}~${key}~${filter}`).toString("base64")
}

function readToken(token: string, filter: string): Position {
  const [startMs, key, ...rest] = Buffer.from(token, "base64").toString().split("~")
  if (key === undefined || !/^\d+$/.test(startMs ?? "")) throw badRequest("nextToken is not valid")
  if (rest.join("~") !== filter) throw badRequest("nextToken belongs to another start, end or limit")
  return { startMs: Number(startMs), key }
}
