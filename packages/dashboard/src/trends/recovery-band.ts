/** WHOOP's bands of recovery: 67 to 100 green, 34 to 66 yellow, 0 to 33 red. */
export type RecoveryBand = "good" | "fair" | "poor"

export const recoveryBand = (score: number): RecoveryBand => (score >= 67 ? "good" : score >= 34 ? "fair" : "poor")

/** Names of the colours, because colour must not be the only sign. WCAG 1.4.1. */
export const BAND_NAMES: Readonly<Record<RecoveryBand, string>> = { good: "Green", fair: "Yellow", poor: "Red" }

/** Colour classes of rings, columns and points. They are brighter than text colours. */
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

/** Legend of the three colours. */
export const BAND_LEGEND = [
  { label: "67 to 100, green", color: "bg-good-mark" },
  { label: "34 to 66, yellow", color: "bg-fair-mark" },
  { label: "0 to 33, red", color: "bg-poor-mark" },
] as const
