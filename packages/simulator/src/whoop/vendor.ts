/** What every part of the simulated WHOOP works on. */
import type { SimulatedClock } from "../clock/clock.ts"
import type { Grants } from "../grants/grants.ts"
import type { Settings } from "../options.ts"
import type { People } from "../people/people.ts"
import type { RateLimiter } from "./rate-limit.ts"

export interface Vendor {
  readonly settings: Settings
  readonly clock: SimulatedClock
  readonly people: People
  readonly grants: Grants
  readonly rateLimiter: RateLimiter
}
