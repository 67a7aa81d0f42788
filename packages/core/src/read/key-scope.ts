/* What a key with a name may read: types of data and the last dates. A read beyond them is refused, and a range by default is cut. */
import type { KeyType } from "@restwell/client"
import { addDays, countDates, type DateRange, midnightIn, resolveDateRange, type TimeZone } from "../base/calendar.ts"
import { Forbidden } from "../context/errors.ts"
import type { KeyScope } from "../store/statements/read-health.ts"
import { datesOfDay } from "./day.ts"
import type { InsightQuery } from "./insight-query.ts"
import { groupsNeededBy, planInsight } from "./insights.ts"
import { METRIC_GROUPS } from "./metric-groups.ts"
import type { PageQuery } from "./pages.ts"
import type { AllowedAnswer, AnyQuery } from "./query-types.ts"
import { planSeries } from "./series.ts"

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
  if (!isOfRange(query) || hasOwnStart(query) || range.to < from) throw tooOld(window)
  const note = `this key opens dates from ${from} on, so the range begins there`
  // The period before is compared with: each has a half of what the key opens.
  if (query.type !== "compare") return { query: { ...query, days: countDates({ from, to: range.to }) }, note }
  const half = Math.floor((window.reader.key?.days ?? 0) / 2)
  if (half === 0) throw tooOld(window)
  return { query: { ...query, days: half }, note }
}

function tooOld({ from, reader }: Window): Forbidden {
  const days = reader.key?.days ?? 0
  const dates = days === 1 ? "today" : `the last ${days} dates`
  return new Forbidden(`this key opens ${dates}: ask for dates from ${from} on, or use another key`, { fromDate: from })
}

const isOfRange = (query: DatedQuery): query is Exclude<DatedQuery, InsightQuery<"day" | "metrics">> =>
  query.type !== "day" && query.type !== "metrics"

/** Whether a query says when its range begins, and not only when it ends. */
const hasOwnStart = (query: DatedQuery): boolean =>
  ("days" in query && query.days !== undefined) || ("start_date" in query && query.start_date !== undefined)

/** Whether instants begin before the first local date of the key. */
const startsBefore = (query: DatedQuery, { from, reader }: Window): boolean =>
  query.type === "series" && query.start !== undefined && Date.parse(query.start) < midnightIn(reader, from).getTime()

/** The dates of a query. Null where it has none, and for instants, which have been looked at. @throws {InvalidRequest} */
function rangeOf(query: DatedQuery, today: string): DateRange | null {
  if (query.type === "sources" || query.type === "profile") return null
  if (query.type === "series") return query.start === undefined ? planSeries(query, today).range : null
  if (query.type === "day") {
    // The date itself. Its answer has what may be read of the dates before.
    const { to } = datesOfDay(query, today)
    return { from: to, to }
  }
  return isOfStatistics(query) ? planInsight(query, today).range : resolveDateRange(query, today)
}
