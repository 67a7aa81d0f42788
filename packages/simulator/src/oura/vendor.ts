import type { SimulatedClock } from "../clock/clock.ts"
import type { Grants } from "../grants/grants.ts"
import type { People } from "../people/people.ts"
import type { OuraRateLimiter } from "./rate-limit.ts"
import type { DocumentsOf } from "./records/person-documents.ts"
import type { OuraSettings } from "./settings.ts"
import type { Subscriptions } from "./subscriptions.ts"

/** The state that all parts of the simulated Oura share. */
export interface OuraVendor {
  readonly settings: OuraSettings
  readonly clock: SimulatedClock
  readonly people: People
  readonly documentsOf: DocumentsOf
  readonly grants: Grants
  readonly rateLimiter: OuraRateLimiter
  readonly subscriptions: Subscriptions
}
