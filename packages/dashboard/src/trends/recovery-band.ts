import { type ScoreBand, type ScoreStep, scoreSteps, scoreText, scoreUnit } from "@restwell/client/figures"

const stepOf = (score: number, source: string | null) =>
  // The page displays whole scores, so the colour follows the displayed one.
  scoreSteps(source)?.find(({ from }) => Math.round(score) >= from)

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
  const scales = names.flatMap((name) => {
    const steps = scoreSteps(name)
    return steps === undefined ? [] : [steps]
  })
  const [scale, ...others] = scales
  const withoutBands = { label: scale ? "score without bands" : "recovery score", color: "bg-accent" }
  const bands = scale ? (others.length > 0 ? COMMON : limitsOf(scale)) : []
  return {
    /** After each line's number. Points and percentages together have none. */
    unit: names.length > 0 && names.every((name) => scoreUnit(name) === "%") ? "%" : "",
    ticks: scale && others.length === 0 ? ticksOf(scale) : DEFAULT_TICKS,
    legend: [...bands, ...(scales.length < names.length ? [withoutBands] : [])],
  }
}

const ticksOf = (steps: readonly ScoreStep[]): number[] =>
  [...new Set([...steps.map(({ from }) => from), 100])].sort((a, b) => a - b)

const limitsOf = (steps: readonly ScoreStep[]) =>
  steps.map(({ from, band, name }, index) => ({
    label: `${from} to ${(steps[index - 1]?.from ?? 101) - 1}, ${name.toLowerCase()}`,
    color: BAND_BACKGROUND[band],
  }))

const COMMON = (["best", "good", "fair", "poor"] as const).map((band) => ({
  label: band === "best" ? "optimal" : band,
  color: BAND_BACKGROUND[band],
}))
