import type {
  AnswerRelationResponse,
  ChartedMetric,
  CompareResponse,
  NumberRelationResponse,
  RelationsResponse,
  TrendResponse,
} from "@restwell/client"
import { figure, plural } from "../format/number.ts"
import { changeText, intervalText } from "./metric-text.ts"

/* The verdict of each kind of answer as one sentence. It says "goes with", never "causes". */

type Interval = readonly [number, number] | null

const certainty = (metric: ChartedMetric, interval: Interval): string =>
  interval === null ? "" : `, 95 % interval ${intervalText(metric, interval)}`

const missingText = (missing: number): string => (missing === 0 ? "" : `, ${figure(missing)} missing`)

const TREND_WORDS = { rising: "Rising", falling: "Falling", no_clear_change: "No clear change" } as const

export function trendSentence(metric: ChartedMetric, answer: TrendResponse): string {
  const { verdict, slope_per_30_days: slope, interval, n, missing } = answer
  const values = `${plural(n, "value")}${missingText(missing)}`
  if (n === 0) return "No values in this period."
  if (verdict === "not_enough_data" || slope === null) return `Not enough data for a trend: ${values}.`
  return `${TREND_WORDS[verdict]}: ${changeText(metric, slope)} in 30 days${certainty(metric, interval)}. ${values}.`
}

const DIFFERENCE_WORDS = { higher: "Higher", lower: "Lower", no_clear_difference: "No clear difference" } as const
/** Clock times are not higher or lower. */
const CLOCK_WORDS = { higher: "Later", lower: "Earlier", no_clear_difference: "No clear difference" } as const

export function comparisonSentence(metric: ChartedMetric, answer: CompareResponse): string {
  const { verdict, difference, interval, period, with: other } = answer
  const counts = `${figure(period.n)} and ${plural(other.n, "value")}${missingText(period.missing + other.missing)}`
  if (verdict === "not_enough_data" || difference === null) return `Not enough data to compare: ${counts}.`
  const words = metric.kind === "clock" ? CLOCK_WORDS : DIFFERENCE_WORDS
  return `${words[verdict]}: ${changeText(metric, difference)}${certainty(metric, interval)}. ${counts}.`
}

/** Signed, two decimals. */
export const rhoText = (rho: number): string => `${rho < 0 ? "\u2212" : rho > 0 ? "+" : ""}${Math.abs(rho).toFixed(2)}`

/** "The next day" where the outcome is that of the date after the factor's. */
export const lagText = (lag: 0 | 1): string => (lag === 1 ? ", the next day" : "")

export function numberRelationSentence(outcome: ChartedMetric, factor: ChartedMetric, answer: NumberRelationResponse) {
  const { verdict, rho, interval, n, lag } = answer
  if (verdict === "not_enough_data" || rho === null) return `Not enough data: ${plural(n, "date")} with both figures.`
  const certain = interval === null ? "" : `, 95 % interval ${rhoText(interval[0])} to ${rhoText(interval[1])}`
  const figures = `rank correlation ${rhoText(rho)}${certain}, ${plural(n, "date")}`
  if (verdict === "no_clear_relation") return `No clear relation: ${figures}.`
  const moreFactor =
    factor.kind === "clock" ? `A later ${factor.title.toLowerCase()}` : `More ${factor.title.toLowerCase()}`
  const [upward, downward] = outcome.kind === "clock" ? ["later", "earlier"] : ["higher", "lower"]
  const way = verdict === "positive" ? upward : downward
  return `${moreFactor} goes with a ${way} ${outcome.title.toLowerCase()}${lagText(lag)}: ${figures}.`
}

export function answerRelationSentence(outcome: ChartedMetric, answer: AnswerRelationResponse): string {
  const { verdict, difference, interval, yes, no, unanswered } = answer
  const counts = `${plural(yes.n, "date")} with yes, ${figure(no.n)} with no, ${figure(unanswered)} without an answer`
  if (verdict === "not_enough_data" || difference === null) return `Not enough data: ${counts}.`
  const words = outcome.kind === "clock" ? CLOCK_WORDS : DIFFERENCE_WORDS
  return `${words[verdict]} on dates with yes: ${changeText(outcome, difference)}${certainty(outcome, interval)}. ${counts}.`
}

export function relationsSentence({ tried, relations, false_discovery_rate: rate }: RelationsResponse): string {
  const clear = relations.filter(({ verdict }) => isClear(verdict)).length
  if (tried === 0) return "No factor has enough data."
  const share = `Of what is called clear, ${figure(rate * 100)} % is expected to be chance.`
  return `${figure(clear)} of ${plural(tried, "factor")} clearly ${clear === 1 ? "goes" : "go"} with it. ${share}`
}

export const isClear = (verdict: RelationsResponse["relations"][number]["verdict"]): boolean =>
  verdict === "positive" || verdict === "negative" || verdict === "higher" || verdict === "lower"
