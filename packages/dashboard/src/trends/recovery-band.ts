/** WHOOP's bands of recovery: 67 to 100 green, 34 to 66 yellow, 0 to 33 red. */
export type RecoveryBand = "good" | "fair" | "poor"

export const recoveryBand = (score: number): RecoveryBand => (score >= 67 ? "good" : score >= 34 ? "fair" : "poor")

/** Colour is never the only sign: the words say the same. */
export const BAND_WORDS: Readonly<Record<RecoveryBand, string>> = { good: "Green", fair: "Yellow", poor: "Red" }

export const BAND_TEXT: Readonly<Record<RecoveryBand, string>> = {
  good: "text-good",
  fair: "text-fair",
  poor: "text-poor",
}
export const BAND_FILL: Readonly<Record<RecoveryBand, string>> = {
  good: "fill-good",
  fair: "fill-fair",
  poor: "fill-poor",
}
