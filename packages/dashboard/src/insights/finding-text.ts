import { type ChartedMetric, inSentence, isClear, isOfDaytime, type Metric } from "@restwell/client"
import { factorName } from "../charts/journal-marks.tsx"
import { figure, minutesText, plainFigure, plural } from "../format/number.ts"
import { sportName } from "../format/provider-name.ts"
import { rhoText } from "../metrics/answer-text.ts"
import { type ReadMetric, unitOf } from "../metrics/metric-text.ts"
import type { Finding } from "./findings.ts"

/* A relation as a sentence that a person would say. It says what goes together, and never what causes what. */

/** Factors of journals whose title is no word of a sentence. Others are quoted. */
const AFTER: Readonly<Record<string, string>> = {
  alcohol: "After alcohol",
  caffeine: "After caffeine",
  late_meal: "After a late meal",
  nicotine: "After nicotine",
  screen_in_bed: "After a screen in bed",
  read_in_bed: "After reading in bed",
  shared_bed: "After a night in a shared bed",
  sick: "When you were sick",
  stress: "After stress",
  meditation: "After meditation",
  melatonin: "After melatonin",
  magnesium: "After magnesium",
  sauna: "After a sauna",
  travel: "After travel",
}

const JOURNAL = "journal:"
const WORKOUT = "workout:"

/** What a factor is called in a list. Sports, and topics of a journal without answers, have no entry in the catalogue. */
export function factorTitle(factor: string, metrics: readonly Metric[]): string {
  if (factor.startsWith(WORKOUT)) return sportName(factor.slice(WORKOUT.length))
  const known = metrics.find(({ id }) => id === factor)
  return known?.title ?? (factor.startsWith(JOURNAL) ? factorName(factor.slice(JOURNAL.length)) : factor)
}

/** "After alcohol", "With a later bedtime", "With more strain the day before" */
function factorPhrase({ factor, kind, lag }: Finding, metrics: readonly Metric[]): string {
  const title = factorTitle(factor, metrics)
  if (factor.startsWith(WORKOUT)) return `${lag === 1 ? "The day after" : "On days with"} ${inSentence(title)}`
  if (kind === "yes_no") {
    const after = AFTER[factor.slice(JOURNAL.length)] ?? `With \u201c${title}\u201d`
    return lag === 1 ? `${after}, one day later,` : after
  }
  const more = kind === "clock" ? "a later" : isAmount(metrics, factor) ? "more" : "higher"
  return `With ${more} ${inSentence(title)}${lag === 1 ? " the day before" : ""}`
}

/** Units of things of which there is more or less, and not a higher or lower level. */
const AMOUNTS: readonly (string | null)[] = ["h", "kcal", "m", null]

const isAmount = (metrics: readonly Metric[], factor: string): boolean => {
  const metric = metrics.find(({ id }) => id === factor)
  return metric !== undefined && AMOUNTS.includes(metric.unit)
}

/** An outcome within a sentence. */
const SHORT_NAMES: Readonly<Record<string, string>> = { hrv: "HRV" }
export const outcomeName = ({ id, title }: ChartedMetric): string => SHORT_NAMES[id] ?? inSentence(title)

/** What the outcome has a value for. */
const occasions = (n: number, { id }: ChartedMetric): string =>
  plural(n, isOfDaytime(id) || id.startsWith(JOURNAL) ? "day" : "morning")

interface Direction {
  readonly higher: string
  readonly lower: string
}

const directionOf = ({ kind, unit }: ChartedMetric): Direction => {
  if (kind === "clock") return { higher: "later", lower: "earlier" }
  return unit === "h" ? { higher: "longer", lower: "shorter" } : { higher: "higher", lower: "lower" }
}

/** "9 ms", "14 points", "25 min": a difference without its sign, no finer than its interval. */
export function amountText(metric: ReadMetric, amount: number): string {
  if (metric.kind === "clock") return minutesText(Math.round(amount))
  if (metric.unit === "h") return minutesText(Math.round(amount * 60))
  const { unit, factor } = unitOf(metric)
  // A score is in points, whether its vendor calls it a percentage or not.
  const written = metric.id === "recovery_score" ? POINTS : unit === null ? "" : (UNITS[unit] ?? ` ${unit}`)
  return `${amountFigure(amount * factor)}${written}`
}

const POINTS = " points"
const UNITS: Readonly<Record<string, string>> = {
  "%": POINTS,
  C: " \u00b0C",
  F: " \u00b0F",
  "/min": " breaths a minute",
}

/** From here on a decimal says nothing. */
const WHOLE_FROM = 3
const amountFigure = (amount: number): string =>
  amount >= WHOLE_FROM ? figure(amount) : plainFigure(amount, amount < 1 ? 2 : 1)

/** Written in hours and minutes, where each figure has its own unit. */
const isTime = ({ kind, unit }: ChartedMetric): boolean => kind === "clock" || unit === "h"

/** "between 4 and 14 ms lower", "up to 15 ms lower", "between 2 points lower and 6 points higher" */
export function rangeText(metric: ReadMetric, [low, high]: readonly [number, number]): string {
  const { higher, lower } = directionOf(metric)
  const way = (value: number) => (value < 0 ? lower : higher)
  if (low < 0 && high > 0)
    return `between ${amountText(metric, -low)} ${lower} and ${amountText(metric, high)} ${higher}`
  const [small, large] = [Math.min(Math.abs(low), Math.abs(high)), Math.max(Math.abs(low), Math.abs(high))]
  const direction = way(low + high)
  const { factor } = unitOf(metric)
  const isWhole = large * factor >= WHOLE_FROM
  const from = isTime(metric) ? amountText(metric, small) : (isWhole ? figure : amountFigure)(small * factor)
  if (/^0(?: |$)/.test(from)) return `up to ${amountText(metric, large)} ${direction}`
  return `between ${from} and ${amountText(metric, large)} ${direction}`
}

export interface FindingText {
  /** The factor: "After alcohol". */
  readonly lead: string
  readonly middle: string
  /** The direction, with the amount where there is one: "9 ms lower". */
  readonly strong: string
  readonly rest: string
  /** Counts, and the rank correlation of a number. */
  readonly small: string
}

/** A relation with a clear link as a sentence. */
export function findingText(found: Finding, outcome: ChartedMetric, metrics: readonly Metric[]): FindingText {
  const lead = factorPhrase(found, metrics)
  const { higher, lower } = directionOf(outcome)
  const { difference, interval, n, yes_n: yes, verdict } = found
  if (typeof difference === "number") {
    const rest = interval === null ? "." : `, ${rangeText(outcome, interval)}.`
    return {
      lead,
      middle: `your ${outcomeName(outcome)} was`,
      strong: `${amountText(outcome, Math.abs(difference))} ${difference < 0 ? lower : higher}`,
      rest,
      small: yes === undefined ? occasions(n, outcome) : `${figure(yes)} of ${occasions(n, outcome)}`,
    }
  }
  return {
    lead,
    middle: `your ${outcomeName(outcome)} tends to be`,
    strong: verdict === "negative" ? lower : higher,
    rest: ".",
    small: correlationText(found, outcome),
  }
}

/** A relation without a clear link in a few words. */
export function unclearText(found: Finding, outcome: ChartedMetric): string {
  const { difference, interval, n, yes_n: yes } = found
  if (typeof difference !== "number") return correlationText(found, outcome)
  const range = interval === null ? "" : ` \u00b7 ${rangeText(outcome, interval)}`
  return `${yes === undefined ? occasions(n, outcome) : `${figure(yes)} of ${occasions(n, outcome)}`}${range}`
}

function correlationText({ n, rho = null, interval }: Finding, outcome: ChartedMetric): string {
  if (rho === null) return occasions(n, outcome)
  const range = interval === null ? "" : `, between ${rhoText(interval[0])} and ${rhoText(interval[1])}`
  return `${occasions(n, outcome)} \u00b7 rank correlation ${rhoText(rho)}${range}`
}

/** Whether a clear link is one that people want. Undefined where neither way is. */
export function isWanted({ verdict }: Finding, { better }: Pick<Metric, "better">): boolean | undefined {
  if (better === "neither" || !isClear(verdict)) return undefined
  return (verdict === "higher" || verdict === "positive") === (better === "higher")
}
