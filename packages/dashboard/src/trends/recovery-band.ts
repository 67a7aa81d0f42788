/** WHOOP's bands of recovery: 67 to 100 green, 34 to 66 yellow, 0 to 33 red. */
export type RecoveryBand = "good" | "fair" | "poor"

/** Returns the band of a score. Undefined for other vendors' scores, which have no such bands. */
export function recoveryBand(score: number, source: string | null): RecoveryBand | undefined {
  if (source !== "whoop") return undefined
  return score >= 67 ? "good" : score >= 34 ? "fair" : "poor"
}

/** Names of the colours, because colour must not be the only sign. WCAG 1.4.1. */
export const BAND_NAMES: Readonly<Record<RecoveryBand, string>> = { good: "Green", fair: "Yellow", poor: "Red" }

/** Colour classes of rings. They are brighter than text colours. */
export const BAND_TEXT: Readonly<Record<RecoveryBand, string>> = {
  good: "text-good-mark",
  fair: "text-fair-mark",
  poor: "text-poor-mark",
}

const BAND_FILL: Readonly<Record<RecoveryBand, string>> = {
  good: "fill-good-mark",
  fair: "fill-fair-mark",
  poor: "fill-poor-mark",
}

/** Colour class of a column or point. A score without a band has the neutral colour. */
export function recoveryFill(score: number, source: string | null): string {
  const band = recoveryBand(score, source)
  return band === undefined ? "fill-accent" : BAND_FILL[band]
}

/** The name of the score's colour in lower case. Undefined without a band. */
export function recoveryColor(score: number, source: string | null): string | undefined {
  const band = recoveryBand(score, source)
  return band && BAND_NAMES[band].toLowerCase()
}

const BANDS = [
  { label: "67 to 100, green", color: "bg-good-mark" },
  { label: "34 to 66, yellow", color: "bg-fair-mark" },
  { label: "0 to 33, red", color: "bg-poor-mark" },
] as const

/** Legend and lines of a chart of scores of these sources. */
export function recoveryScale(sources: readonly (string | null)[]) {
  const hasBands = sources.includes("whoop")
  const hasOthers = sources.some((source) => source !== null && source !== "whoop")
  const others = { label: hasBands ? "score without colours" : "recovery score", color: "bg-accent" }
  return {
    ticks: hasBands || !hasOthers ? [0, 34, 67, 100] : [0, 25, 50, 75, 100],
    legend: [...(hasBands || !hasOthers ? BANDS : []), ...(hasOthers ? [others] : [])],
  }
}
