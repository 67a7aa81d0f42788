import {
  type CompareQuery,
  type CompareResponse,
  type DayQuery,
  type DayResponse,
  type MetricsQuery,
  type MetricsResponse,
  nearestMetric,
  type RelateQuery,
  type RelateResponse,
  type SignsQuery,
  type SignsResponse,
  type Source,
  type SportsQuery,
  type SportsResponse,
  type TrendQuery,
  type TrendResponse,
} from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { type MetricDescription, metricOf } from "@restwell/client/figures"
import { countDates, type DateRange } from "../base/calendar.ts"
import { InvalidRequest } from "../context/errors.ts"
import type { ConnectedSnapshot } from "../store/statements/read-health.ts"
import type { StoredSource } from "../store/statements/read-trend-rows.ts"
import type { ChosenHistory, MetricHistory } from "./chosen-history.ts"
import type { MetricGroup } from "./metric-groups.ts"

/** The parameters of each question about all of a person's days. */
interface InsightQueries {
  readonly metrics: MetricsQuery
  readonly trend: TrendQuery
  readonly compare: CompareQuery
  readonly relate: RelateQuery
  readonly sports: SportsQuery
  readonly signs: SignsQuery
  readonly day: DayQuery
}

export type InsightType = keyof InsightQueries

/** A question, as its endpoint parses it. */
export type InsightQuery<Type extends InsightType = InsightType> = {
  [Each in Type]: { readonly type: Each } & InsightQueries[Each]
}[Type]

export type InsightBody =
  | MetricsResponse
  | TrendResponse
  | CompareResponse
  | RelateResponse
  | SportsResponse
  | SignsResponse
  | DayResponse

/** What an assistant or a key may read. Nothing else is read for its answer. */
export interface InsightLimits {
  /** Vendors' terms keep some records from assistants. */
  readonly isForAssistant: boolean
  /** Types of data that are shared. */
  readonly groups: readonly (MetricGroup | "profile")[]
  /** The oldest date that is shared. Null for all. */
  readonly from: string | null
}

/** A query whose answer a thread computes, and what it is answered from. */
export interface QueryTask<Query> {
  readonly query: Query
  readonly limits: InsightLimits | undefined
  /** What was left out of a range by default. The answer says it. */
  readonly note?: string | undefined
  readonly snapshot: ConnectedSnapshot
  /** The person's date. */
  readonly today: string
}

interface RangeQuery {
  readonly days?: number | undefined
  readonly start_date?: string | undefined
  readonly end_date?: string | undefined
}

/** The dates of a question, of any length. Dates win over `days`, and a missing end is today. @throws {InvalidRequest} */
export function insightRange(query: RangeQuery, today: string, defaultDays: number): DateRange {
  const to = query.end_date ?? today
  const from = query.start_date ?? addDays(to, 1 - (query.days ?? defaultDays))
  if (from <= to) return { from, to }
  const end = to === today ? `today, ${today}` : `end_date ${to}`
  throw new InvalidRequest(`start_date ${from} is after ${end}`, "start_date")
}

interface OtherQuery {
  readonly with_start_date?: string | undefined
  readonly with_end_date?: string | undefined
}

/** What a period is compared with: the dates that are given, or as many dates before it. @throws {InvalidRequest} */
export function otherRange({ with_start_date: from, with_end_date: to }: OtherQuery, period: DateRange): DateRange {
  if (from === undefined && to === undefined) return before(period)
  if (from === undefined) throw new InvalidRequest("with_start_date is missing beside with_end_date", "with_start_date")
  if (to === undefined) throw new InvalidRequest("with_end_date is missing beside with_start_date", "with_end_date")
  if (from > to) throw new InvalidRequest(`with_start_date ${from} is after with_end_date ${to}`, "with_start_date")
  if (from <= period.to && to >= period.from)
    throw new InvalidRequest(
      `the periods overlap: ${period.from} to ${period.to} and ${from} to ${to} have dates in common`,
      "with_start_date",
    )
  return { from, to }
}

const before = (period: DateRange): DateRange => ({
  from: addDays(period.from, -countDates(period)),
  to: addDays(period.from, -1),
})

/** The dates as an answer has them. */
export const presentDates = (range: DateRange) => ({
  start_date: range.from,
  end_date: range.to,
  days: countDates(range),
})

/** What a question is answered from. */
export interface InsightData {
  readonly history: MetricHistory
  readonly chosen: ChosenHistory
  /** The person's date. */
  readonly today: string
  /** Metrics that are allowed. */
  readonly groups: readonly MetricGroup[]
  /** The person and the sources. For a day also what the sources lack of it. */
  readonly snapshot: ConnectedSnapshot
  /** For a day: the oldest date of a record that may be read. Null without any. */
  readonly oldestDate: string | null
  /** For a day: the newest date of a record that may be read, today at most. Null without any. */
  readonly newestDate: string | null
  /** For a day: the sources that may answer, and what they have. Else empty. */
  readonly stored: readonly StoredSource[]
  /** The oldest date that may be read. Null for all. */
  readonly readableFrom: string | null
  /** All sources of the person, in the person's order, and the one of the answer. @param provider null for the first */
  envelope(metric: Pick<MetricDescription, "id">, provider: string | null): Envelope
}

export interface Envelope {
  readonly source: Source
  readonly sources: Source[]
}

/** An answer, and how many values or records are behind it. */
export interface InsightAnswer<Body> {
  readonly body: Body
  readonly recordCount: number
}

/** The metric of an id. @throws {InvalidRequest} that names the nearest */
export function knownMetric(id: string, field: string): MetricDescription {
  const metric = metricOf(id)
  if (metric) return metric
  const nearest = nearestMetric(id)
  const meant = nearest === undefined ? "" : `, did you mean ${nearest}?`
  throw new InvalidRequest(`${field} ${id} is unknown${meant || ","} /api/v1/metrics lists all`, field)
}

/** A limit of values: a number, or minutes after midnight for clock metrics. @throws {InvalidRequest} for the other kind */
export function limitOf({ id, kind }: MetricDescription, text: string, field: string): number {
  const [, hours, minutes] = /^(\d{2}):(\d{2})$/.exec(text) ?? []
  const isTime = hours !== undefined && minutes !== undefined
  if (isTime && kind === "clock") return 60 * Number(hours) + Number(minutes)
  if (!isTime && kind !== "clock") return Number(text)
  const wanted = kind === "clock" ? "a time like 23:30" : "a number like 7.5"
  throw new InvalidRequest(`${field} must be ${wanted} for ${id}`, field)
}
