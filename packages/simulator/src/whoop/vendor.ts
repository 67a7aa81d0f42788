import type { SimulatedClock } from "../clock/clock.ts"
import type { Grants } from "../grants/grants.ts"
import type { People } from "../people/people.ts"
import type { RateLimiter } from "./rate-limit.ts"
import type { MemberRecords } from "./records/member-records.ts"
import type { WhoopSettings } from "./settings.ts"

/** The state that all parts of the simulated WHOOP share. */
export interface Vendor {
  readonly settings: WhoopSettings
  readonly clock: SimulatedClock
  readonly people: People
  readonly recordsOf: MemberRecords
  readonly grants: Grants
  readonly rateLimiter: RateLimiter
}
