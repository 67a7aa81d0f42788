/** A read of health data and its outcome. */

import type { InsightLimits, InsightQuery } from "../insight-reads/insight-query.ts"
import type { Quota } from "../quota/plans.ts"
import type { Credential } from "../store/read-health.ts"
import type { ReadQuery } from "./read-type.ts"
import type { HealthResponse } from "./response-cache.ts"

export interface HealthReadRequest {
  readonly credential: Credential
  readonly query: ReadQuery | InsightQuery
  /** What an assistant may be told of the statistics. @default everything */
  readonly limits?: InsightLimits
  /** Entity tags with their quotes, or `*`. RFC 9110 13.1.2. */
  readonly ifNoneMatch: readonly string[]
  /** False for a read that is not counted: HEAD, and the dashboard's. */
  readonly isCounted: boolean
  /** An answer of the same call that was just read. Cached responses of the same data are valid too. */
  readonly after?: HealthAnswer
}

export interface HealthAnswer {
  readonly outcome: "answer"
  readonly response: HealthResponse
  readonly quota: Quota
}

export type HealthReading =
  | HealthAnswer
  | { readonly outcome: "not_modified"; readonly etag: string; readonly quota: Quota }
