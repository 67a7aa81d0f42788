/** Scopes of access tokens, and the data that each opens. */
import type { ReadType } from "../read/answer.ts"

/** Scopes of an access token. The person allows or declines each. RFC 6749 3.3 */
export const HEALTH_SCOPES = [
  "sleep:read",
  "recovery:read",
  "workouts:read",
  "profile:read",
  "journal:read",
  "series:read",
] as const

export type HealthScope = (typeof HEALTH_SCOPES)[number]

/** The scope each type of data requires. A summary contains what its scopes allow. */
export const SCOPE_OF: Readonly<Record<Exclude<ReadType, "summary"> | "series", HealthScope>> = {
  sleep: "sleep:read",
  recovery: "recovery:read",
  workout: "workouts:read",
  cycle: "workouts:read",
  profile: "profile:read",
  journal: "journal:read",
  series: "series:read",
}

/** Scopes that the consent page leaves unchecked. What people write in a journal and weigh is more private than a night. */
export const UNCHECKED_SCOPES: readonly HealthScope[] = ["journal:read", "series:read"]

/** The scopes of the parts of a summary. */
export const SUMMARY_SCOPES = ["sleep:read", "recovery:read", "workouts:read"] as const satisfies readonly HealthScope[]

export const isHealthScope = (text: string): text is HealthScope => HEALTH_SCOPES.some((scope) => scope === text)
