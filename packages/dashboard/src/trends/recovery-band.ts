/** WHOOP's bands of recovery: 67 to 100 green, 34 to 66 yellow, 0 to 33 red. */
export type RecoveryBand = "good" | "fair" | "poor"

export const recoveryBand = (score: number): RecoveryBand => (score >= 67 ? "good" : score >= 34 ? "fair" : "poor")

/** Colour is never the only sign: the words say the same. */
export const BAND_WORDS: Readonly<Record<RecoveryBand, string>> = { good: "Green", fair: "Yellow", poor: "Red" }

/** Classes of rings, columns and points: brighter than a text may be. */
export const BAND_TEXT: Readonly<Record<RecoveryBand, string>> = {
  good: "text-good-mark",
  fair: "text-fair-mark",
  poor: "text-poor-mark",
}
export const BAND_FILL: Readonly<Record<RecoveryBand, string>> = {
  good: "fill-good-mark",
  fair: "fill-fair-mark",
  poor: "fill-poor-mark",
}

/** What the three colours of a chart mean. */
export const BAND_LEGEND = [
  { label: "67 to 100, green", color: "bg-good-mark" },
  { label: "34 to 66, yellow", color: "bg-fair-mark" },
  { label: "0 to 33, red", color: "bg-poor-mark" },
] as const
