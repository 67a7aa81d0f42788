// What a person does not share with an assistant, as a sentence for answers that are narrower for it.
import type { HealthScope } from "@restwell/core"
import type { Sharing } from "./tool-source.ts"

const NAMES: Readonly<Record<HealthScope, string>> = {
  "sleep:read": "sleep",
  "recovery:read": "recovery",
  "workouts:read": "workouts and strain",
  "profile:read": "the profile",
  "journal:read": "the journal",
  "series:read": "values within the day",
}

/**
 * Undefined where the answer has all that it could have.
 * @param asked the scopes of what the answer has @param isOfAllDates whether it would have older dates than those that are shared
 */
export function notSharedNote(
  { scopes, days }: Sharing,
  asked: readonly HealthScope[],
  { isOfAllDates = false }: { readonly isOfAllDates?: boolean } = {},
): string | undefined {
  const missing = asked.filter((scope) => !scopes.includes(scope)).map((scope) => NAMES[scope])
  if (days !== null && isOfAllDates) missing.push(`dates before the newest ${days}`)
  return notSharedText(missing)
}

/** Undefined without any name. */
export const notSharedText = (names: readonly string[]): string | undefined =>
  names.length === 0 ? undefined : `Not shared with this assistant: ${names.join(", ")}`
