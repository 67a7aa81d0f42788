// The names of devices and apps, as they are stored and compared.
import { isOfStrava } from "../contract/records.ts"
import { withoutControls } from "./storable-text.ts"

const LONGEST_NAME = 100

/** Characters that nobody sees, but for those that join letters and emoji or select their form. */
const INVISIBLE = /(?!\u200c|\u200d|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}/gu

/** A name of a device or app in one spelling: phones write non-breaking spaces and curly apostrophes in some places. */
export function deviceNameOf(name: string): string {
  const whole = withoutControls(name)
    .normalize("NFKC")
    .replaceAll(INVISIBLE, "")
    .replaceAll(/[\u2018\u2019]/g, "'")
    .replaceAll(/\s+/g, " ")
    .trim()
  const kept = whole.slice(0, LONGEST_NAME).toWellFormed()
  // Of a list of names that is too long, the one that its terms go by stays.
  return isOfStrava(whole) && !isOfStrava(kept) ? "Strava" : kept
}
