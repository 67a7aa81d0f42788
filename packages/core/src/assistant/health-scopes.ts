import type { ReadType } from "../health/read-type.ts"

/** Scopes of an access token. The person allows or declines each. RFC 6749 3.3 */
export const HEALTH_SCOPES = ["sleep:read", "recovery:read", "workouts:read", "profile:read", "journal:read"] as const

export type HealthScope = (typeof HEALTH_SCOPES)[number]

/** The scope each type of data requires. A summary contains what its scopes allow. */
export const SCOPE_OF: Readonly<Record<Exclude<ReadType, "summary">, HealthScope>> = {
  sleep: "sleep:read",
  recovery: "recovery:read",
  workout: "workouts:read",
  cycle: "workouts:read",
  profile: "profile:read",
  journal: "journal:read",
}

/** Scopes that the consent page leaves unchecked: people write about more than their measurements in a journal. */
export const UNCHECKED_SCOPES: readonly HealthScope[] = ["journal:read"]

/** The scopes of the parts of a summary. */
export const SUMMARY_SCOPES = ["sleep:read", "recovery:read", "workouts:read"] as const satisfies readonly HealthScope[]

/** The numbers of newest dates a person can allow. Null is all of them. */
export const SHARED_DAYS = [7, 30, 90, null] as const

export const isHealthScope = (text: string): text is HealthScope => HEALTH_SCOPES.some((scope) => scope === text)
