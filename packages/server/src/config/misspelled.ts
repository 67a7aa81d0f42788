import { editDistance, nearestName } from "@restwell/client"
import { VENDOR_PREFIXES } from "./vendor-settings.ts"

/** Prefixes that only variables of Restwell have. */
const OUR_PREFIXES = [...VENDOR_PREFIXES, "RESTWELL_", "FREE_MONTHLY", "PRO_MONTHLY"]

/** Set for tests, not for the service. */
const NOT_SETTINGS = ["RESTWELL_TEST_"]

/** Kubernetes and Docker set these for a service that is called "restwell", and RESTWELL_PORT to such an address. */
const SERVICE_LINK = {
  name: /_(?:SERVICE_(?:HOST|PORT)|PORT_\d+_(?:TCP|UDP|SCTP))(?:_|$)/,
  value: /^(?:tcp|udp|sctp):\/\//,
}

/** Shorter names may differ by these edits: from 8 letters one, from 12 two. Others resemble too many variables of other programs. */
const EDITS = [
  { letters: 12, most: 2 },
  { letters: 8, most: 1 },
]

/**
 * Each variable that looks like a setting and is none, with the setting that was probably meant, because a setting without effect is worse than an error: it has a prefix of
 * ours, or the letters of a setting of several words, or of a long setting with a slip.
 */
export function misspelled(
  given: Readonly<Record<string, string>>,
  known: readonly string[],
): { readonly name: string; readonly meant: string }[] {
  return Object.entries(given)
    .filter(([name]) => !known.includes(name) && !NOT_SETTINGS.some((prefix) => name.startsWith(prefix)))
    .filter(([name, value]) => !SERVICE_LINK.name.test(name) && !SERVICE_LINK.value.test(value))
    .flatMap(([name]) => {
      const meant = OUR_PREFIXES.some((prefix) => name.startsWith(prefix))
        ? suggestionFor(name, known)
        : known.find((other) => resembles(name, other))
      return meant === undefined ? [] : [{ name, meant }]
    })
}

/** HOST and PORT are words of their own: a name that resembles them says nothing. */
function resembles(name: string, known: string): boolean {
  const [letters, meant] = [lettersOf(name), lettersOf(known)]
  if (letters === meant) return known.includes("_")
  const most = EDITS.find(({ letters: least }) => meant.length >= least)?.most ?? 0
  return editDistance(letters, meant, most) <= most
}

const lettersOf = (name: string): string => name.replaceAll("_", "").toUpperCase()

/** People know our prefix, or a shorter name, from other programs. */
function suggestionFor(name: string, known: readonly string[]): string | undefined {
  const words = name.replace(/^RESTWELL_/, "").split("_")
  return (
    known.find((other) => words.every((word) => other.split("_").includes(word))) ??
    nearestName(name, known, Number.POSITIVE_INFINITY)
  )
}
