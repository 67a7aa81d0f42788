/** The verdicts of statistical answers in words. Every program that shows one takes them from here. */
import type { CompareResponse, TrendResponse } from "../rest/insights.ts"
import type { AnswerRelationResponse, NumberRelationResponse, RelationsResponse } from "../rest/relate.ts"
import { wordsOf } from "./directions.ts"
import { inSentence, type NamedMetric } from "./metric-table.ts"

/** Beside every relation. */
export const NOT_A_CAUSE = "Relations are associations, not causes."

const FEWEST_TREND_VALUES = 14
const FEWEST_COMPARED_VALUES = 5
const FEWEST_PAIRS = 20
const FEWEST_ANSWERS = 8

/** "rising", "getting later", or why nothing can be said. */
export function trendVerdictText(
  metric: NamedMetric,
  { verdict, n, missing }: Pick<TrendResponse, "verdict" | "n" | "missing">,
): string {
  if (verdict === "no_clear_change") return "no clear change"
  if (verdict !== "not_enough_data") return wordsOf(metric)[verdict]
  const why =
    n < FEWEST_TREND_VALUES
      ? `too few values to judge a trend (${n}, ${FEWEST_TREND_VALUES} needed)`
      : `values on too few dates to judge a trend (${n} of ${n + missing}, half needed)`
  return n === 0 ? why : `${why}; mean and range are valid`
}

const verdictWord = (metric: NamedMetric, verdict: "higher" | "lower"): string =>
  wordsOf(metric)[verdict === "higher" ? "up" : "down"]

type Compared = Pick<CompareResponse, "verdict" | "period" | "with">

const ALWAYS_THE_SAME = "values that are always the same, so nothing says how much they vary"

/** "later than in the other period", or why nothing can be said. */
export function comparisonVerdictText(metric: NamedMetric, { verdict, period, with: other }: Compared): string {
  if (verdict === "no_clear_difference") return "no clear difference between the periods"
  if (verdict === "higher" || verdict === "lower") return `${verdictWord(metric, verdict)} than in the other period`
  if (Math.min(period.n, other.n) >= FEWEST_COMPARED_VALUES) return ALWAYS_THE_SAME
  return `too few values to compare the periods (${period.n} and ${other.n}, ${FEWEST_COMPARED_VALUES} of each needed)`
}

/** "garmin is higher than whoop", or why nothing can be said. @param pair the source, and the one that it is compared with */
export function sourcesVerdictText(
  metric: NamedMetric,
  { verdict, period, comparable }: Compared & Pick<CompareResponse, "comparable">,
  [one, other]: readonly [string, string],
): string {
  if (!comparable) return `${one} and ${other} are not on one scale, so they have no difference`
  if (verdict === "no_clear_difference") return `no clear difference between ${one} and ${other}`
  if (verdict !== "not_enough_data") return `${one} is ${verdictWord(metric, verdict)} than ${other}`
  if (period.n >= FEWEST_COMPARED_VALUES) return `${one} minus ${other}: ${ALWAYS_THE_SAME}`
  return `too few dates with a value of both ${one} and ${other} (${period.n}, ${FEWEST_COMPARED_VALUES} needed)`
}

const NEXT_DAY = { 0: "", 1: ", the next day" } as const

/** "more strain goes with a lower recovery, the next day", or why nothing can be said. */
export function numberRelationText(
  outcome: NamedMetric,
  factor: NamedMetric,
  { verdict, n, lag }: Pick<NumberRelationResponse, "verdict" | "n" | "lag">,
): string {
  if (verdict === "no_clear_relation") return "no clear relation"
  if (verdict === "not_enough_data") return `too few dates with both figures to judge (${n}, ${FEWEST_PAIRS} needed)`
  const way = wordsOf(outcome)[verdict === "positive" ? "upBefore" : "downBefore"]
  return `${wordsOf(factor).upBefore} ${inSentence(factor.title)} goes with ${way} ${inSentence(outcome.title)}${NEXT_DAY[lag]}`
}

/** "lower on dates with yes", or why nothing can be said. */
export function answerRelationText(
  outcome: NamedMetric,
  { verdict, yes, no }: Pick<AnswerRelationResponse, "verdict"> & Record<"yes" | "no", { readonly n: number }>,
): string {
  if (verdict === "no_clear_difference") return "no clear difference between dates with yes and with no"
  if (verdict !== "not_enough_data") return `${verdictWord(outcome, verdict)} on dates with yes`
  return Math.min(yes.n, no.n) < FEWEST_ANSWERS
    ? `too few dates with one of the answers to judge (${yes.n} yes, ${no.n} no, ${FEWEST_ANSWERS} of each needed)`
    : "the answer follows from the weekday, so the two cannot be told apart"
}

/** "higher than on other days", or undefined where a weekday has no clear difference. */
export function weekdayVerdictText(
  metric: NamedMetric,
  { verdict }: Pick<NonNullable<TrendResponse["groups"]>[number], "verdict">,
): string | undefined {
  if (verdict !== "higher" && verdict !== "lower") return undefined
  return `${verdictWord(metric, verdict)} than on other days`
}

/** Beside weekdays of metrics about a night. */
export const WEEKDAYS_OF_WAKING = "Weekdays are those of waking: Monday is the night from Sunday to Monday."

const CLEAR: readonly string[] = ["positive", "negative", "higher", "lower"]

/** Whether a relation of a list goes clearly with the outcome, or two periods clearly differ. */
export const isClear = (
  verdict: RelationsResponse["relations"][number]["verdict"] | CompareResponse["verdict"],
): boolean => CLEAR.includes(verdict)
