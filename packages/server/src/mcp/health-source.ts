import type { HealthBody, HealthScope, ReadQuery } from "@restwell/core"

/** What an assistant may read of a person. */
export interface Sharing {
  readonly scopes: readonly HealthScope[]
  /** How many dates back, today included; null for all. */
  readonly days: number | null
}

/** What the tools read from: the service's own store for the connector, its HTTP API for `restwell mcp`. */
export interface HealthSource {
  readonly sharing: Sharing
  /** The address of the dashboard, for links. */
  readonly baseUrl: string
  /** The person's local date now. */
  today(): Promise<string>
  /**
   * Reads for one call, in order. All of them together count as one request. @throws {ServiceError}
   * @param operation the tool or resource, for the person's access log
   */
  read(operation: string, queries: readonly ReadQuery[]): Promise<HealthBody[]>
  /** Reads on for a call that has counted as a request. Over HTTP every read counts. @throws {ServiceError} */
  readMore(operation: string, queries: readonly ReadQuery[]): Promise<HealthBody[]>
}
