import type { HealthType } from "@restwell/client"

/** What a person allows or declines, each the scope of an access token. RFC 6749 3.3 */
export const HEALTH_SCOPES = ["sleep:read", "recovery:read", "workouts:read", "profile:read"] as const

export type HealthScope = (typeof HEALTH_SCOPES)[number]

/** The scope that each type of data needs. A summary is of several: it has what its scopes allow. */
export const SCOPE_OF: Readonly<Record<Exclude<HealthType, "summary">, HealthScope>> = {
  sleep: "sleep:read",
  recovery: "recovery:read",
  workout: "workouts:read",
  cycle: "workouts:read",
  profile: "profile:read",
}

/** The scopes that a summary is made of. */
export const SUMMARY_SCOPES = ["sleep:read", "recovery:read", "workouts:read"] as const satisfies readonly HealthScope[]

/** The windows of dates that a person may allow, newest dates first; null is all there is. */
export const SHARED_DAYS = [7, 30, 90, null] as const

export const isHealthScope = (text: string): text is HealthScope => HEALTH_SCOPES.some((scope) => scope === text)
