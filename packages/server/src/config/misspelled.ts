import { nearest } from "../text/edit-distance.ts"

/** Prefixes that only variables of Restwell have. */
const OUR_PREFIXES = ["WHOOP_", "RESTWELL_", "FREE_MONTHLY", "PRO_MONTHLY"]

/** Set for tests, not for the service. */
const NOT_SETTINGS = ["RESTWELL_TEST_"]

/** A line for each variable that looks like a setting and is none: a setting without effect is worse than an error. */
export function misspelled(given: readonly string[], known: readonly string[]): string[] {
  return given
    .filter((name) => !known.includes(name) && !NOT_SETTINGS.some((prefix) => name.startsWith(prefix)))
    .filter((name) => OUR_PREFIXES.some((prefix) => name.startsWith(prefix)))
    .map((name) => `${name} is not a setting, did you mean ${suggestionFor(name, known)}`)
}

/** People know our prefix, or a shorter name, from other programs. */
function suggestionFor(name: string, known: readonly string[]): string {
  const words = name.replace(/^RESTWELL_/, "").split("_")
  return known.find((other) => words.every((word) => other.split("_").includes(word))) ?? nearest(name, known)
}
