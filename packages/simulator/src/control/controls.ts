import type { SimulatedClock } from "../clock/clock.ts"
import type { Faults } from "../faults/faults.ts"
import type { Grants } from "../grants/grants.ts"
import type { People, PersonReference } from "../people/people.ts"
import type { RequestLog } from "../requests/request-log.ts"
import type { Webhooks } from "../webhooks/webhooks.ts"

/** Control over issued tokens. */
export interface TokenControl {
  /** Ends every grant of a person, as if they had disconnected the app at the vendor. */
  revokeAll(person: PersonReference): void
  /** Makes the access tokens of a person expire now. Their refresh tokens stay valid. */
  expireAccess(person: PersonReference): void
  /** Whether a refresh token is valid: issued, not used yet, and its grant not ended. */
  isRefreshable(refreshToken: string): boolean
  counts(): { codes: number; accessTokens: number; refreshTokens: number }
}

/** The controls that are the same for every vendor. */
export interface Controls {
  readonly clock: SimulatedClock
  readonly people: People
  readonly faults: Faults
  readonly tokens: TokenControl
  readonly webhooks: Webhooks
  readonly requestLog: RequestLog
}

export function createTokenControl(people: People, grants: Grants): TokenControl {
  return {
    revokeAll: (person) => grants.revoke(people.get(person).userId),
    expireAccess: (person) => grants.expireAccess(people.get(person).userId),
    isRefreshable: (refreshToken) => grants.isRefreshable(refreshToken),
    counts: () => grants.counts(),
  }
}
