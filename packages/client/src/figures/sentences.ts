/** The verdict of each kind of answer as one sentence, with its figures. */
import type { ChartedMetric } from "../account/chart.ts"
import type { CompareResponse, Figure, TrendResponse } from "../rest/insights.ts"
import type {
  AnswerRelationResponse,
  FoundRelation,
  NumberRelationResponse,
  RelationsResponse,
} from "../rest/relate.ts"
import { changeText, figureText, intervalText, plotted, spreadAround, spreadText } from "./figure-text.ts"
import { capitalized, figure, NONE, plural } from "./numbers.ts"
import {
  answerRelationText,
  comparisonVerdictText,
  isClear,
  numberRelationText,
  trendVerdictText,
  WEEKDAYS_OF_WAKING,
  weekdayVerdictText,
} from "./verdict-text.ts"

type Interval = readonly [number, number] | null

const certainty = (metric: ChartedMetric, interval: Interval): string =>
  interval === null ? "" : `, 95 % interval ${intervalText(metric, interval)}`

const missingText = (missing: number): string => (missing === 0 ? "" : `, ${figure(missing)} missing`)

export function trendSentence(metric: ChartedMetric, answer: TrendResponse): string {
  const { slope_per_30_days: slope, interval, n, missing } = answer
  if (n === 0) return "No values in this period."
  const words = capitalized(trendVerdictText(metric, answer))
  const change = slope === null ? "" : `: ${changeText(metric, slope)} in 30 days${certainty(metric, interval)}`
  return `${words}${change}. ${plural(n, "value")}${missingText(missing)}.`
}

export function comparisonSentence(metric: ChartedMetric, answer: CompareResponse): string {
  const { verdict, difference, interval, period, with: other } = answer
  const counts = `${figure(period.n)} and ${plural(other.n, "value")}${missingText(period.missing + other.missing)}`
  const words = capitalized(comparisonVerdictText(metric, answer))
  const isJudged = verdict !== "not_enough_data" && difference !== null
  const figures = isJudged ? `: ${changeText(metric, difference)}${certainty(metric, interval)}` : ""
  return `${words}${figures}. ${counts}.`
}

/** The weekdays that clearly differ from the others. */
export function differingWeekdays(metric: ChartedMetric, { groups, weekday_of: of }: TrendResponse): string {
  const differing = (groups ?? []).flatMap((group) => {
    const words = weekdayVerdictText(metric, group)
    return words === undefined ? [] : [`${capitalized(group.group)}: ${words}.`]
  })
  const verdict = differing.length > 0 ? differing.join(" ") : "No weekday clearly differs from the others."
  return of === null ? verdict : `${verdict} ${WEEKDAYS_OF_WAKING}`
}

/** Signed, two decimals. */
export const rhoText = (rho: number): string => `${rho < 0 ? "\u2212" : rho > 0 ? "+" : ""}${figure(Math.abs(rho), 2)}`

/** "The next day" where the outcome is that of the date after the factor's. */
export const lagText = (lag: 0 | 1): string => (lag === 1 ? ", the next day" : "")

export function numberRelationSentence(outcome: ChartedMetric, factor: ChartedMetric, answer: NumberRelationResponse) {
  const { verdict, rho, interval, n } = answer
  const words = capitalized(numberRelationText(outcome, factor, answer))
  if (verdict === "not_enough_data" || rho === null) return `${words}.`
  const certain = interval === null ? "" : `, 95 % interval ${rhoText(interval[0])} to ${rhoText(interval[1])}`
  return `${words}: rank correlation ${rhoText(rho)}${certain}, ${plural(n, "date")}.`
}

export function answerRelationSentence(outcome: ChartedMetric, answer: AnswerRelationResponse): string {
  const { verdict, difference, interval, yes, no, unanswered } = answer
  const counts = `${plural(yes.n, "date")} with yes, ${figure(no.n)} with no, ${figure(unanswered)} without an answer`
  const words = capitalized(answerRelationText(outcome, answer))
  const isJudged = verdict !== "not_enough_data" && difference !== null
  const figures = isJudged ? `: ${changeText(outcome, difference)}${certainty(outcome, interval)}` : ""
  return `${words}${figures}. ${counts}.`
}

/** Parts of the outcome do not count. */
export function relationsSentence({ tried, relations, false_discovery_rate: rate }: RelationsResponse): string {
  const clear = relations.filter(({ verdict, part_of_outcome: isPart }) => isClear(verdict) && !isPart).length
  if (tried === 0) return "No factor has enough data."
  const share = `About 1 in ${figure(1 / rate)} of these may be coincidence.`
  return `${figure(clear)} of ${plural(tried, "factor")} ${clear === 1 ? "is" : "are"} clearly associated with it. ${share}`
}

/** What a factor is called in a list. */
export const factorText = (title: string, { part_of_outcome: isPart }: FoundRelation): string =>
  isPart ? `${title} (goes with it by definition)` : title

export type SingleRelation = NumberRelationResponse | AnswerRelationResponse

/** Some dates, with the mean and the standard deviation of their values. */
export interface DateGroup {
  readonly label: string
  /** Without what the title of the chart says. */
  readonly short?: string
  readonly n: number
  readonly mean: Figure | null
  readonly sd: number | null
}

/** Thirds of a number or clock time, yes and no of a factor of the journal. */
export const groupsOf = (answer: SingleRelation, factor: ChartedMetric): readonly DateGroup[] =>
  "groups" in answer ? thirdsOf(answer, factor) : answersOf(answer)

/** A group as it is drawn: its mean, and one standard deviation around it. Clock times are drawn near the first known one. */
export function drawnGroups<Group extends Pick<DateGroup, "mean" | "sd">>(
  metric: ChartedMetric,
  groups: readonly Group[],
) {
  const near = groups.find(({ mean }) => mean !== null)?.mean ?? null
  return groups.map((group) => {
    const value = group.mean === null ? null : plotted(metric, group.mean, near)
    return { ...group, value, range: spreadAround(metric, value, group.sd) }
  })
}

/** "mean 66.4 %, standard deviation 15.1 percentage points" */
export function meanText(metric: ChartedMetric, { mean, sd }: Pick<DateGroup, "mean" | "sd">): string {
  if (mean === null) return "no data"
  return `mean ${figureText(metric, mean)}${sd === null ? "" : `, standard deviation ${spreadText(metric, sd)}`}`
}

/** A standard deviation in a table. */
export const spreadCell = (metric: ChartedMetric, sd: number | null): string =>
  sd === null ? NONE : spreadText(metric, sd)

/** The strength of one of many relations: a correlation, or the difference of yes and no. */
export function strengthText(outcome: ChartedMetric, { rho, difference, verdict }: FoundRelation): string {
  if (verdict === "not_enough_data") return "not enough data"
  if (typeof rho === "number") return rhoText(rho)
  return typeof difference === "number" ? `${changeText(outcome, difference)} with yes` : "no data"
}

/** The interval of one of many relations. */
export function certaintyText(outcome: ChartedMetric, { rho, interval }: FoundRelation): string {
  if (interval === null) return "none"
  return typeof rho === "number"
    ? `${rhoText(interval[0])} to ${rhoText(interval[1])}`
    : intervalText(outcome, interval)
}

const thirdsOf = ({ groups }: NumberRelationResponse, factor: ChartedMetric): readonly DateGroup[] =>
  groups.map(({ from, to, ...group }) => ({
    label: `${factor.title} ${figureText(factor, from)} to ${figureText(factor, to)}`,
    short: `${figureText(factor, from)} to ${figureText(factor, to)}`,
    ...group,
  }))

const answersOf = ({ yes, no }: AnswerRelationResponse): readonly DateGroup[] => [
  { label: "Yes", ...yes },
  { label: "No", ...no },
]
