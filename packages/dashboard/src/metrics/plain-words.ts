import {
  type ChartedMetric,
  type CompareResponse,
  type DisplayPreferences,
  type Figure,
  type Metric,
  preferredUnit,
  round,
} from "@restwell/client"
import { figure, hoursText, minutesText, NONE, plural } from "../format/number.ts"
import { formatClock, formatDistance, formatTemperatureChange, formatWeight } from "../format/preferred.ts"
import { scoreUnit } from "../trends/recovery-band.ts"
import { figureText } from "./metric-text.ts"

/*
 * Averages and differences for a first look: few decimals, the person's units, and words in place of signs. Answers, details and tables
 * have all decimals.
 */

/** Whole numbers of other metrics are enough at first sight. */
const WITH_DECIMAL = ["strain", "spo2", "respiratory_rate", "workout_count", "body_fat"]

const calmDecimals = ({ id, unit }: ChartedMetric): 0 | 1 =>
  WITH_DECIMAL.includes(id) || ["C", "kg", "m"].includes(unit ?? "") ? 1 : 0

/** The metric as its source gives it: not every vendor's recovery is a percentage. */
export const ofSource = <Metric extends ChartedMetric>(metric: Metric, provider: string): Metric =>
  metric.id === "recovery_score" ? { ...metric, unit: scoreUnit(provider) || null } : metric

/** "74 %", "7 h 29 min", "23:41". A dash without a value. */
export function averageText(
  metric: ChartedMetric,
  value: Figure | null,
  { units, clock }: Pick<DisplayPreferences, "units" | "clock">,
): string {
  if (value === null) return NONE
  const { kind, unit } = metric
  if (kind === "clock") return formatClock(value, clock)
  const number = Number(value)
  if (kind === "yes_no") return figureText(metric, value)
  if (unit === "h") return hoursText(number)
  if (unit === "kg") return formatWeight(number, units)
  if (unit === "m") return formatDistance(number, units)
  if (unit === "C") return round(number, 1) === 0 ? "about zero" : formatTemperatureChange(number, units)
  return withUnit(unit, figure(number, calmDecimals(metric)))
}

const UNIT_TEXTS: Readonly<Record<string, string>> = { C: "°C", F: "°F", "/min": "a minute" }

const withUnit = (unit: string | null, text: string): string =>
  unit === null ? text : `${text} ${UNIT_TEXTS[unit] ?? unit}`

/** Amounts, of which there is more or less. Other figures are higher or lower. */
const isAmount = ({ id, unit }: ChartedMetric): boolean =>
  ["h", "kcal", "m"].includes(unit ?? "") || ["steps", "workout_count"].includes(id)

/** "31 minutes", "1 h 05 min" */
const minutesWords = (minutes: number): string => (minutes < 60 ? plural(minutes, "minute") : minutesText(minutes))

/** A clear difference as words: "4 points higher", "31 minutes more", "24 minutes earlier". */
export function differenceWords(metric: ChartedMetric, difference: number, units: DisplayPreferences["units"]): string {
  const [more, less] = metric.kind === "clock" ? ["later", "earlier"] : isAmount(metric) ? ["more", "less"] : LEVELS
  return `${sizeWords(metric, Math.abs(difference), units)} ${difference > 0 ? more : less}`
}

const LEVELS = ["higher", "lower"] as const

/** The size of a difference or a spread: "4 points", "31 minutes", "0.5 mi". */
export function sizeWords(metric: ChartedMetric, size: number, units: DisplayPreferences["units"]): string {
  const { id, kind, unit } = metric
  if (kind === "clock") return minutesWords(round(size, 0))
  if (unit === "h") return minutesWords(round(size * 60, 0))
  if (unit === "m") return formatDistance(size, units)
  if (kind === "yes_no") return plural(round(size * 100, 0), "point")
  const preferred = unit === null ? { unit, factor: 1 } : preferredUnit(unit, units)
  const amount = size * preferred.factor
  // A clear difference is never called zero.
  const decimals = round(amount, calmDecimals(metric)) === 0 ? 1 : calmDecimals(metric)
  const text = figure(amount, decimals)
  if (unit === "%" || id === "recovery_score") return `${text} ${text === "1" ? "point" : "points"}`
  return withUnit(preferred.unit, text)
}

/** Whether a difference is one that is usually wanted. */
type Tone = "good" | "poor" | "neutral"

/** A difference as words, and what it is worth. Only the answer's verdict says that there is one. */
export interface Compared {
  readonly words: string
  /** The word before what it is compared with: "4 points higher than the week before". */
  readonly than: "than" | "as" | "from" | "with"
  readonly tone: Tone
  /** Null where no difference is clear. */
  readonly direction: "up" | "down" | null
}

/** Standard deviations. The service calls no smaller change over a period a trend either. */
const SMALL_EFFECT = 0.2

const unclear = (words: string, than: Compared["than"]): Compared => ({ words, than, tone: "neutral", direction: null })

/** "4 points higher", "about the same", "no clear difference", "too few values to compare" */
export function comparedOf(
  metric: Metric,
  { verdict, difference, effect_size: effect }: Pick<CompareResponse, "verdict" | "difference" | "effect_size">,
  { units }: Pick<DisplayPreferences, "units">,
): Compared {
  if (verdict === "not_enough_data" || difference === null) return unclear("too few values to compare", "with")
  if (verdict === "no_clear_difference")
    return effect !== null && Math.abs(effect) >= SMALL_EFFECT
      ? unclear("no clear difference", "from")
      : unclear("about the same", "as")
  const isWanted = metric.better === verdict
  return {
    words: differenceWords(metric, difference, units),
    than: "than",
    tone: metric.better === "neither" ? "neutral" : isWanted ? "good" : "poor",
    direction: difference > 0 ? "up" : "down",
  }
}

/** Colour classes of words. The words say the same. */
export const TONE_TEXT: Readonly<Record<Tone, string>> = {
  good: "text-good",
  poor: "text-poor",
  neutral: "text-muted",
}
