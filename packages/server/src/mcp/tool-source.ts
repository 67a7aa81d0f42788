import type { DisplayPreferences } from "@restwell/client"
import type { HealthScope, InsightQuery, MetricGroup, ReadQuery, ReadType, SeriesReadQuery } from "@restwell/core"

/** What a tool may read in one call: records, values within the day, or a question about the statistics. */
export type Query = ReadQuery<ReadType> | SeriesReadQuery | InsightQuery

/** What an assistant may read of a person. */
export interface Sharing {
  readonly scopes: readonly HealthScope[]
  /** How many dates back, today included; null for all. */
  readonly days: number | null
}

/** The types of data that an answer needs. No other is read, or logged as read. */
interface NeededData {
  readonly groups: readonly MetricGroup[]
}

/** What the tools read from: the service's own store for the connector, its HTTP API for `restwell mcp`. */
export interface ToolSource {
  readonly sharing: Sharing
  /** The address of the dashboard, for links. */
  readonly baseUrl: string
  /** How texts and charts write figures and clock times. Structured results have those of REST. */
  readonly preferences: DisplayPreferences
  /** The person's local date now. */
  today(): Promise<string>
  /** The person's local date and clock now. The time is as in 02:18. */
  now(): Promise<{ readonly date: string; readonly time: string }>
  /**
   * Reads for one call, in order: the bodies of REST. All of them together count as one request. @throws {ServiceError}
   * @param operation the tool or resource, for the person's access log
   */
  read(operation: string, queries: readonly Query[], needed?: NeededData): Promise<readonly unknown[]>
  /** Reads on for a call that has counted as a request. Over HTTP every read counts. @throws {ServiceError} */
  readMore(operation: string, queries: readonly Query[], needed?: NeededData): Promise<readonly unknown[]>
}
