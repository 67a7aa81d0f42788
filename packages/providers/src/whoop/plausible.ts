import { type Bound, boundsOf } from "../normalize/plausible.ts"

const STRAIN = "https://developer.whoop.com/docs/whoop-101: strain is a scale from 0 to 21"

/** Bounds of WHOOP's own scales. */
export const WHOOP_PLAUSIBLE: readonly Bound[] = boundsOf({
  workout: [["data.strain", 0, 21, "of strain", STRAIN]],
  cycle: [["data.strain", 0, 21, "of strain", STRAIN]],
})
