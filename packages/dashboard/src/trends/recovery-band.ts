import { scoreText, scoreUnit } from "@restwell/client/figures"

/** The bands of a score. Each vendor has limits of its own. */
export type ScoreBand = "best" | "good" | "fair" | "poor"

interface Scale {
  /** The least score of each band, the best first, and the vendor's word for it. */
  readonly bands: readonly { readonly from: number; readonly band: ScoreBand; readonly name: string }[]
}

const SCALES: Readonly<Record<string, Scale>> = {
  // WHOOP's recovery: 67 to 100 green, 34 to 66 yellow, 0 to 33 red.
  whoop: {
    bands: [
      { from: 67, band: "good", name: "Good" },
      { from: 34, band: "fair", name: "Fair" },
      { from: 0, band: "poor", name: "Poor" },
    ],
  },
  // Oura's scores: optimal, good, fair, and below 60 "pay attention".
  oura: {
    bands: [
      { from: 85, band: "best", name: "Optimal" },
      { from: 70, band: "good", name: "Good" },
      { from: 60, band: "fair", name: "Fair" },
      { from: 0, band: "poor", name: "Poor" },
    ],
  },
}

const scaleOf = (source: string | null): Scale | undefined => (source === null ? undefined : SCALES[source])

const stepOf = (score: number, source: string | null) =>
  // The page displays whole scores, so the colour follows the displayed one.
  scaleOf(source)?.bands.find(({ from }) => Math.round(score) >= from)

/** The band of a recovery score, as its own vendor draws it. Undefined for vendors without bands. */
export const scoreBand = (score: number, source: string | null): ScoreBand | undefined => stepOf(score, source)?.band

/** The band in a word, because colour must not be the only sign. WCAG 1.4.1. Undefined without bands. */
export const bandName = (score: number, source: string | null): string | undefined => stepOf(score, source)?.name

/** Colour classes of rings. They are brighter than text colours. */
export const BAND_TEXT: Readonly<Record<ScoreBand, string>> = {
  best: "text-best-mark",
  good: "text-good-mark",
  fair: "text-fair-mark",
  poor: "text-poor-mark",
}

const BAND_FILL: Readonly<Record<ScoreBand, string>> = {
  best: "fill-best-mark",
  good: "fill-good-mark",
  fair: "fill-fair-mark",
  poor: "fill-poor-mark",
}

const BAND_BACKGROUND: Readonly<Record<ScoreBand, string>> = {
  best: "bg-best-mark",
  good: "bg-good-mark",
  fair: "bg-fair-mark",
  poor: "bg-poor-mark",
}

/** Colour class of a column or point. A score without a band has the neutral colour. */
export function recoveryFill(score: number, source: string | null): string {
  const band = scoreBand(score, source)
  return band === undefined ? "fill-accent" : BAND_FILL[band]
}

/** Background class of an element of the page. A score without a band has the neutral colour. */
export function recoveryBackground(score: number, source: string | null): string {
  const band = scoreBand(score, source)
  return band === undefined ? "bg-accent" : BAND_BACKGROUND[band]
}

/** "88 %, good", or "82" for a score without bands. */
export function scoreAndBand(score: number, source: string | null): string {
  const name = bandName(score, source)
  return name === undefined ? scoreText(score, source) : `${scoreText(score, source)}, ${name.toLowerCase()}`
}

const DEFAULT_TICKS = [0, 25, 50, 75, 100]

/** Legend and lines of a chart of scores of these sources. With two vendors' bands, the legend names the colours alone. */
export function recoveryScale(sources: readonly (string | null)[]) {
  const names = [...new Set(sources.filter((source) => source !== null))]
  const scales = names.flatMap((name) => SCALES[name] ?? [])
  const [scale = names.length === 0 ? SCALES["whoop"] : undefined, ...others] = scales
  const withoutBands = { label: scale ? "score without bands" : "recovery score", color: "bg-accent" }
  const bands = scale ? (others.length > 0 ? COMMON : limitsOf(scale)) : []
  return {
    /** After each line's number. Points and percentages together have none. */
    unit: names.every((name) => scoreUnit(name) === "%") ? "%" : "",
    ticks: scale && others.length === 0 ? ticksOf(scale) : DEFAULT_TICKS,
    legend: [...bands, ...(scales.length < names.length ? [withoutBands] : [])],
  }
}

const ticksOf = ({ bands }: Scale): number[] =>
  [...new Set([...bands.map(({ from }) => from), 100])].sort((a, b) => a - b)

const limitsOf = ({ bands }: Scale) =>
  bands.map(({ from, band, name }, index) => ({
    label: `${from} to ${(bands[index - 1]?.from ?? 101) - 1}, ${name.toLowerCase()}`,
    color: BAND_BACKGROUND[band],
  }))

const COMMON = (["best", "good", "fair", "poor"] as const).map((band) => ({
  label: band === "best" ? "optimal" : band,
  color: BAND_BACKGROUND[band],
}))
