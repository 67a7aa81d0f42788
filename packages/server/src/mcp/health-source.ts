import type { HealthQuery } from "@restwell/client"
import type { HealthBody, HealthScope } from "@restwell/core"

/** What an assistant may read of a person. */
export interface Sharing {
  readonly scopes: readonly HealthScope[]
  /** How many dates back, today included; null for all. */
  readonly days: number | null
}

/** Where the tools read from: the connector reads the service's own store, the desktop command its HTTP API. */
export interface HealthSource {
  readonly sharing: Sharing
  /** The address of the dashboard, for links. */
  readonly baseUrl: string
  /**
   * The answers to the reads of one call, in order; a call counts as one request of the month however many it takes. @throws {ServiceError}
   * @param operation the tool or resource, for the person's access log
   */
  read(operation: string, queries: readonly HealthQuery[]): Promise<HealthBody[]>
}
