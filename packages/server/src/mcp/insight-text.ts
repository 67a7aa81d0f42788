import type {
  AnswerRelationResponse,
  CompareResponse,
  Figure,
  NumberRelationResponse,
  TrendResponse,
} from "@restwell/client"
import { lines, sourceLine, words } from "./answer-text.ts"
import type { RelateOutput } from "./insight-schemas.ts"

/*
 * The statistics as text. Every figure of the structured content is here, so that nobody has to compute one.
 */

export function trendText(answer: TrendResponse): string {
  const { metric, unit, period, n, verdict, usual, latest, groups, points, extras, notes, sources } = answer
  const spread = spreadUnit(answer.mean, unit)
  return lines(
    `${named(metric, unit)}, ${dates(period)}: ${plain(verdict)}${methodOf(answer)}`,
    words(
      `n ${n}, missing ${answer.missing},`,
      joined([
        known("mean", answer.mean),
        known("median", answer.median),
        known("sd", answer.sd, spread),
        answer.p25 !== null && `middle half ${answer.p25} to ${answer.p75}`,
      ]),
    ),
    answer.slope_per_30_days !== null &&
      `Change per 30 days ${answer.slope_per_30_days}${spread}, ${interval(answer.interval)}`,
    n > 0 && `First third ${meanOf(answer.first_third)}. Last third ${meanOf(answer.last_third)}`,
    dated("Highest", answer.highest),
    dated("Lowest", answer.lowest),
    latest && dated("Latest", [latest]),
    usual && `Usual before it: ${usual.low} to ${usual.high} (n ${usual.n})`,
    groups && `Groups: ${groups.map((each) => `${each.group} ${groupText(each, spread)}`).join("; ")}`,
    points && `Values: ${points.map(([date, value]) => `${date} ${value}`).join(", ")}`,
    extras && extrasText(extras),
    ...notes,
    sourceLine(sources),
  )
}

export function compareText(answer: CompareResponse): string {
  const { metric, unit, period, with: other, difference, effect_size: effect, verdict, notes, sources } = answer
  const spread = spreadUnit(period.mean ?? other.mean, unit)
  const side = (name: string, each: CompareResponse["period"]) =>
    `${name} ${dates(each)}: ${joined([
      `n ${each.n}`,
      `missing ${each.missing}`,
      known("mean", each.mean),
      known("median", each.median),
      known("sd", each.sd, spread),
    ])}`
  return lines(
    `${named(metric, unit)}: the period is ${plain(verdict)}${methodOf(answer)}`,
    side("Period", period),
    side("Compared with", other),
    difference !== null &&
      `Difference of the means ${difference}${spread}, ${interval(answer.interval)}${effect === null ? "" : `, effect size ${effect}`}`,
    ...notes,
    sourceLine(sources),
  )
}

const CAUTION = "An association, not a cause."

export function relateText(answer: RelateOutput): string {
  const { outcome, lag, period, notes, sources } = answer
  const about = `${outcome}, lag ${lag}${lag === 1 ? " (factor of the day before)" : ""}, ${dates(period)}`
  return lines(
    ...("relations" in answer ? foundText(about, answer) : []),
    ...("groups" in answer ? numberText(about, answer) : []),
    ...("yes" in answer ? answerText(about, answer) : []),
    ...notes,
    CAUTION,
    sourceLine(sources),
  )
}

const numberText = (about: string, { factor, n, rho, verdict, groups, interval: range }: NumberRelationResponse) => [
  `${factor} with ${about}: ${plain(verdict)}`,
  words(`n ${n}`, rho !== null && `, rank correlation ${rho}, ${interval(range)}`),
  groups.length > 0 &&
    `Mean of the outcome by thirds of the factor: ${groups.map(({ from, to, n: count, mean }) => `${from} to ${to}: ${mean} (n ${count})`).join("; ")}`,
]

const answerText = (
  about: string,
  { factor, n, unanswered, yes, no, difference, ...answer }: AnswerRelationResponse,
) => [
  `${factor} with ${about}: ${answer.verdict === "higher" || answer.verdict === "lower" ? `${answer.verdict} on dates with yes` : plain(answer.verdict)}`,
  `n ${n}, unanswered ${unanswered}. Yes: ${meanOf(yes)}. No: ${meanOf(no)}`,
  difference !== null && `Yes minus no, without drift, ${difference}, ${interval(answer.interval)}`,
]

type Relations = Extract<RelateOutput, { tried: number }>

const foundText = (about: string, { tried, false_discovery_rate: rate, relations, ...answer }: Relations) => [
  `What goes with ${about}. Tried ${tried} factors, false discovery rate ${rate}`,
  ...relations.map(({ factor, kind, n, rho, difference, interval: range, verdict }) =>
    joined([
      `${factor} (${plain(kind)}): ${plain(verdict)}`,
      `n ${n}`,
      rho !== undefined && rho !== null && `rank correlation ${rho}`,
      difference !== undefined && difference !== null && `yes minus no ${difference}`,
      interval(range),
    ]),
  ),
  answer.left_out !== undefined &&
    `${answer.left_out} others left out, ${answer.clear_left_out ?? "none"} of them clear`,
]

type Dates = Pick<TrendResponse["period"], "start_date" | "end_date" | "days">

const dates = ({ start_date: start, end_date: end, days }: Dates): string => `${start} to ${end} (${days} days)`
const named = (metric: string, unit: string | null): string => (unit === null ? metric : `${metric} (${unit})`)
const plain = (name: string): string => name.replaceAll("_", " ")
const joined = (parts: readonly (string | false)[]): string => parts.filter((part) => part !== false).join(", ")
const known = (name: string, value: Figure | null, unit = ""): string | false =>
  value !== null && `${name} ${value}${unit}`

/** A clock time's spread, change and difference are minutes. */
const spreadUnit = (mean: Figure | null, unit: string | null): string =>
  typeof mean === "string" ? " minutes" : unit === null ? "" : ` ${unit}`

const interval = (range: readonly [number, number] | null): string =>
  range === null ? "no 95 % interval" : `95 % interval ${range[0]} to ${range[1]}`

const meanOf = ({ n, mean }: { readonly n: number; readonly mean: Figure | null }): string =>
  mean === null ? `n ${n}` : `mean ${mean} (n ${n})`

const groupText = ({ n, mean, sd }: NonNullable<TrendResponse["groups"]>[number], spread: string): string =>
  `${mean} (n ${n}${sd === null ? "" : `, sd ${sd}${spread}`})`

const dated = (name: string, values: TrendResponse["highest"]): string | false =>
  values.length > 0 && `${name}: ${values.map(({ date, value }) => `${value} on ${date}`).join(", ")}`

const methodOf = ({ method }: { readonly method: string | null }): string => (method === null ? "" : ` (${method})`)

function extrasText({ sleep_debt: debt, load, ...extras }: NonNullable<TrendResponse["extras"]>): string {
  const { social_jetlag_minutes: jetlag, regularity_index: regularity } = extras
  return joined([
    debt !== undefined && `Sleep debt of the last 14 dates: ${debt.hours} h over ${debt.n} nights`,
    load !== undefined &&
      `Mean of the last 7 dates ${load.mean_7_days ?? "unknown"} (n ${load.n_7_days}), of the last 28 ${load.mean_28_days ?? "unknown"} (n ${load.n_28_days})`,
    jetlag !== undefined && `weekend minus other days ${jetlag} minutes`,
    regularity !== undefined && `Sleep Regularity Index ${regularity} of 100`,
  ])
}
