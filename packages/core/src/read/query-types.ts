/** What a read of each type of query needs. Reads ask here, and nowhere else, what depends on the type. */
import { DAYS } from "@restwell/client"
import type { Pool } from "pg"
import { countDates, type DateRange, resolveDateRange, widestDateRange } from "../base/calendar.ts"
import type { ConnectedSnapshot, WantedData } from "../store/statements/read-health.ts"
import { RECORD_TYPES, type ReadQuery } from "./answer.ts"
import { PERSON_ONLY, planComputed } from "./compute-statistics.ts"
import type { InsightLimits, InsightQuery } from "./insight-query.ts"
import type { MetricGroup } from "./metric-groups.ts"
import type { PageQuery } from "./pages.ts"
import { type PreparedResponse, prepareComputed, prepareRecords } from "./prepare-response.ts"
import { versionOfTag } from "./response-cache.ts"
import { planSeries, type SeriesReadQuery } from "./series.ts"
import type { Statistics } from "./statistics-thread.ts"

/** Everything that can be read. */
export type AnyQuery = ReadQuery | InsightQuery | SeriesReadQuery | PageQuery

/** What an answer may be made from, and what it says of that. */
export interface AllowedAnswer {
  /** Left out for everything. */
  readonly limits?: InsightLimits | undefined
  /** What was left out of a range by default. */
  readonly note?: string | undefined
}

/** The dates and the types of data of an answer. */
interface AnswerPlan {
  /** Of a comparison from the first to the last of both periods. Null without dates. */
  readonly range: DateRange | null
  readonly groups: readonly MetricGroup[]
}

/** A query with all that depends on its type. */
interface TypedQuery {
  /** Equal texts for queries that get the same answer from the same data. */
  key(limits: InsightLimits | undefined): string
  /** How a credential's reads of it wait for each other. What a thread computes has a limit of its own. */
  readonly turn: "some at a time" | "alone" | "thread"
  /** Whether what the person entered is a source of it. */
  readonly hasOwnEntries: boolean
  /** Whether a person without a connected source has it of the first one that was disconnected. */
  readonly hasFormerSource: boolean
  /** What its answer is made from. @throws {InvalidRequest} */
  plan(today: string, limits?: InsightLimits): AnswerPlan
  /** @param ifNoneMatch entity tags of answers that the client has. Null where no data are needed, as for HEAD. */
  wanted(utcDate: string, ifNoneMatch: readonly string[] | null): WantedData
  /** @param today the person's date @throws {InvalidRequest} */
  prepare(
    services: { readonly pool: Pool; readonly statistics: Statistics },
    allowed: AllowedAnswer,
    snapshot: ConnectedSnapshot,
    today: string,
  ): PreparedResponse
}

export const typed = (query: AnyQuery): TypedQuery => (isOfRecords(query) ? ofRecords(query) : computed(query))

/** The dates that an answer is of. Null without dates. @param today the person's date @throws {InvalidRequest} */
export const datesOfQuery = (query: AnyQuery, today: string): DateRange | null => typed(query).plan(today).range

const isOfRecords = (query: AnyQuery): query is ReadQuery => Object.hasOwn(RECORD_TYPES, query.type)

function ofRecords(query: ReadQuery): TypedQuery {
  const { type, days, start_date, end_date, source, sport, format, fields } = query
  const { kinds, isDated, hasProfile = false, hasOwnEntries = false } = RECORD_TYPES[type]
  return {
    // Schemas give parameters in one order.
    key: () =>
      `${type} ${days ?? ""} ${start_date ?? ""} ${end_date ?? ""} ${source ?? ""} ${sport ?? ""} ${format ?? ""} ${fields ?? ""}`,
    // The records of all sources, or a table of them, take this thread several times as long.
    turn: source === "all" || format === "csv" ? "alone" : "some at a time",
    hasOwnEntries,
    hasFormerSource: false,
    plan: (today) => ({ range: isDated ? resolveDateRange(query, today) : null, groups: kinds }),
    wanted(utcDate, ifNoneMatch) {
      const range = widestDateRange(query, utcDate)
      // A range that is too long is refused once the person's today is known.
      const needsRecords = ifNoneMatch !== null && countDates(range) <= DAYS.max + 2
      return {
        kinds: needsRecords ? kinds : [],
        range,
        profile: hasProfile,
        source: source === "all" ? undefined : source,
        allRecords: source === "all",
        knownVersions: (ifNoneMatch ?? []).flatMap(versionOfTag),
      }
    },
    prepare: ({ pool }, { limits, note }, snapshot, today) =>
      prepareRecords(pool, { query, limits, note }, snapshot, today),
  }
}

const computed = (query: InsightQuery | SeriesReadQuery | PageQuery): TypedQuery => ({
  key: (limits) => JSON.stringify([query, limits]),
  turn: "thread",
  hasOwnEntries: false,
  hasFormerSource: query.type === "day" || query.type === "page",
  plan: (today, limits) =>
    query.type === "series" ? planSeries(query, today, limits) : planComputed(query, today, limits),
  wanted: () => PERSON_ONLY,
  prepare({ statistics }, { limits, note }, snapshot, today) {
    const beside = { limits, note, snapshot, today }
    return query.type === "series"
      ? prepareComputed(statistics, { kind: "series", query, ...beside })
      : prepareComputed(statistics, { kind: "insight", query, ...beside })
  },
})
