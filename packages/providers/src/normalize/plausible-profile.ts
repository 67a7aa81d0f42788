import type { NormalizedProfile } from "../contract/records.ts"
import { known, knownOrNone } from "./known.ts"
import { outsideBounds, PLAUSIBLE } from "./plausible.ts"
import { toStorableJson, toStorableText } from "./storable-text.ts"

/** Longer texts are no name and no address. RFC 5321, 4.5.3.1: an address has at most 254 characters. */
const LONGEST_NAME = 254

/**
 * Returns a profile that can be stored and shown: implausible measurements and endless names are absent, and characters that
 * PostgreSQL cannot store are replaced. A wrong field never costs the profile.
 */
export function plausibleProfile({ data, raw }: NormalizedProfile): NormalizedProfile {
  const { body, firstName, lastName, email, ...ids } = data
  const measured = { ...body }
  for (;;) {
    const outside = outsideBounds({ data: { body: measured } }, "profile", PLAUSIBLE)
    if (!outside) break
    Reflect.deleteProperty(measured, outside.field.slice("data.body.".length))
  }
  return {
    data: {
      ...ids,
      ...known({
        firstName: nameOf(firstName),
        lastName: nameOf(lastName),
        email: nameOf(email),
        body: knownOrNone(measured),
      }),
    },
    raw: toStorableJson(raw),
  }
}

const nameOf = (text: string | undefined): string | undefined =>
  text === undefined || text.length > LONGEST_NAME ? undefined : toStorableText(text)
