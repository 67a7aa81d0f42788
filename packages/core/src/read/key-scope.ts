/* What a key with a name may read: types of data and the last dates. A read beyond them is refused, and a range by default is cut. */

import type { KeyType } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { countDates, type DateRange, midnightIn, type TimeZone } from "../base/calendar.ts"
import { Forbidden } from "../context/errors.ts"
import type { KeyScope } from "../store/statements/read-health.ts"
import type { InsightQuery } from "./insight-query.ts"
import { groupsNeededBy } from "./insights.ts"
import { METRIC_GROUPS } from "./metric-groups.ts"
import type { PageQuery } from "./pages.ts"
import { type AllowedAnswer, type AnyQuery, datesOfQuery } from "./query-types.ts"

/** A query within a key, and what its answer may be made from. */
interface Allowed extends AllowedAnswer {
  readonly query: AnyQuery
}

interface Reader extends TimeZone {
  readonly key: KeyScope | null
}

/** @param today the person's date @throws {Forbidden} for a type or dates that the key does not open */
export function withinKey({ query, limits }: Allowed, reader: Reader, today: string): Allowed {
  const { key } = reader
  if (key === null) return { query, limits }
  requireType(key, typeOf(query))
  if (isOfStatistics(query)) for (const group of groupsNeededBy(query)) requireType(key, group)
  const from = key.days === null ? null : addDays(today, 1 - key.days)
  const within = {
    isForAssistant: limits?.isForAssistant === true,
    groups: [...METRIC_GROUPS, "profile" as const].filter((group) => opens(key, group)),
    from,
  }
  // A page is of the dates that its endpoint chooses, and its answer of what is open of them.
  if (query.type === "page") return { query, limits: within }
  return { limits: within, ...(from === null ? { query } : withinDates(query, { from, today, reader })) }
}

const opens = ({ types }: KeyScope, type: KeyType): boolean => types === null || types.includes(type)

/** @throws {Forbidden} */
function requireType(key: KeyScope, type: KeyType | null): void {
  if (type === null || opens(key, type)) return
  const opened = key.types?.join(", ") ?? ""
  throw new Forbidden(`this key does not open ${type}, it opens ${opened}: use another key, or make one that does`, {
    scope: type,
  })
}

/** The type that the path of a query is of. Null where every key has an answer. */
function typeOf({ type }: AnyQuery): KeyType | null {
  switch (type) {
    case "page":
    case "sources":
      return null
    case "metrics":
    case "trend":
    case "compare":
    case "relate":
    case "sports":
    case "signs":
    case "day":
      return "statistics"
    default:
      return type
  }
}

const isOfStatistics = (query: AnyQuery): query is InsightQuery => typeOf(query) === "statistics"

/** A query whose dates may be refused. */
type DatedQuery = Exclude<AnyQuery, PageQuery>

interface Window {
  /** The first date of the key. */
  readonly from: string
  readonly today: string
  readonly reader: Reader
}

/** @throws {Forbidden} for dates that were asked for and are older */
function withinDates(query: DatedQuery, window: Window): Pick<Allowed, "query" | "note"> {
  const { from, today } = window
  const range = rangeOf(query, today)
  if (startsBefore(query, window)) throw tooOld(window)
  if (range === null || range.from >= from) return { query }
  if (!isOfRange(query) || hasOwnStart(query, from)) throw tooOld(window)
  const open = countDates({ from, to: query.end_date ?? today })
  // With the dates before, each of both periods has a half of what the key opens.
  const days = isWithDatesBefore(query) ? Math.floor(open / 2) : open
  if (days < 1) throw tooOld(window)
  return { query: { ...query, days }, note: `this key opens dates from ${from} on, so the range begins there` }
}

/** Whether a period is compared with as many dates before it. */
const isWithDatesBefore = (query: DatedQuery): boolean =>
  query.type === "compare" && query.with_source === undefined && query.with_start_date === undefined

function tooOld({ from, reader }: Window): Forbidden {
  const days = reader.key?.days ?? 0
  const dates = days === 1 ? "today" : `the last ${days} dates`
  return new Forbidden(`this key opens ${dates}: ask for dates from ${from} on, or use another key`, { fromDate: from })
}

const isOfRange = (query: DatedQuery): query is Exclude<DatedQuery, InsightQuery<"day" | "metrics">> =>
  query.type !== "day" && query.type !== "metrics"

/** Whether a query says when its range begins, and not only when it ends, or asks for a period of older dates. */
const hasOwnStart = (query: DatedQuery, from: string): boolean =>
  ("days" in query && query.days !== undefined) ||
  ("start_date" in query && query.start_date !== undefined) ||
  ("with_start_date" in query && query.with_start_date !== undefined && query.with_start_date < from)

/** Whether instants begin before the first local date of the key. */
const startsBefore = (query: DatedQuery, { from, reader }: Window): boolean =>
  query.type === "series" && query.start !== undefined && Date.parse(query.start) < earliestMidnight(reader, from)

/**
 * When a date begins by the newest offset or in the account's time zone, whichever is earlier: clocks may have changed since the date.
 * The values of an answer are those of the key's local dates in any case. Epoch milliseconds.
 */
const earliestMidnight = (reader: Reader, date: string): number =>
  Math.min(
    midnightIn(reader, date).getTime(),
    ...(reader.timeZone === null ? [] : [midnightIn({ ...reader, utcOffsetMinutes: null }, date).getTime()]),
  )

/** The dates of a query. Null where it has none, and for instants, which have been looked at. @throws {InvalidRequest} */
function rangeOf(query: DatedQuery, today: string): DateRange | null {
  if (query.type === "series" && query.start !== undefined) return null
  const range = datesOfQuery(query, today)
  // A day is its date alone. Its answer has what may be read of the dates before.
  return query.type === "day" && range ? { ...range, from: range.to } : range
}
