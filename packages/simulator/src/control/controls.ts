/** Everything that steers a simulator, in one place for its own process and for the control API. */
import type { SimulatedClock } from "../clock/clock.ts"
import type { Faults } from "../faults/faults.ts"
import type { RateLimits } from "../options.ts"
import type { People, PersonReference } from "../people/people.ts"
import type { RequestLog } from "../requests/request-log.ts"
import type { Webhooks } from "../webhooks/webhooks.ts"
import type { Edits } from "../whoop/edits.ts"
import type { WireRecords } from "../whoop/records/wire.ts"

/** Control over tokens that have been given out. */
export interface TokenControl {
  /** Ends every grant of a person, as if they had disconnected the app at WHOOP. */
  revokeAll(person: PersonReference): void
  /** Makes the access tokens of a person expire now; their refresh tokens live on. */
  expireAccess(person: PersonReference): void
  /** Whether a refresh token could be used: it was given out, not used since, and its grant lives. */
  isRefreshable(refreshToken: string): boolean
  counts(): { codes: number; accessTokens: number; refreshTokens: number }
}

export interface Controls {
  readonly clock: SimulatedClock
  readonly people: People
  readonly edit: Edits
  readonly faults: Faults
  readonly tokens: TokenControl
  readonly webhooks: Webhooks
  readonly requestLog: RequestLog
  /** Has other rate limits hold from now on. */
  limitRates(limits: RateLimits | "off"): void
  /** Every record of a person as it is visible now, as plain JSON. */
  records(person: PersonReference): WireRecords
}
