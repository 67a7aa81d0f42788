/*
 * The statistics as text. Every figure of the structured content is here, so that nobody has to compute one, in the person's units and on
 * the person's clock.
 */
import {
  type AnswerRelationResponse,
  answerRelationText,
  type CompareResponse,
  comparisonVerdictText,
  type DisplayPreferences,
  type Figure,
  type MetricKind,
  NOT_A_CAUSE,
  type NumberRelationResponse,
  numberRelationText,
  preferredAnswers,
  preferredComparison,
  preferredList,
  preferredThirds,
  preferredTrend,
  preferredUnit,
  type RelationsResponse,
  type TrendResponse,
  trendVerdictText,
  WEEKDAYS_OF_WAKING,
  weekdaysFrom,
  weekdayVerdictText,
} from "@restwell/client"
import { metricOf } from "@restwell/core"
import { commas, lines, sourceLine } from "./answer-text.ts"
import { onClock } from "./preferred-text.ts"

/** A list of relations may leave out unclear ones. */
export type RelateOutput =
  | NumberRelationResponse
  | AnswerRelationResponse
  | (RelationsResponse & { readonly left_out?: number | undefined; readonly clear_left_out?: number | undefined })

export function trendText(whole: TrendResponse, { units, clock, first_weekday: first }: DisplayPreferences): string {
  const answer = onClock(preferredTrend(whole, units), clock)
  const { metric, unit, period, n, groups, points, extras, notes, sources } = answer
  const { kind } = metricNamed(metric)
  const spread = spreadUnit(kind, unit)
  return lines(
    `${named(metric, unit)}, ${dates(period)}: ${trendVerdictText(kind, answer)}${methodOf(answer)}`,
    kind === "yes_no" ? answersText(answer) : figuresText(answer, kind, spread),
    answer.slope_per_30_days !== null &&
      `Change per 30 days ${answer.slope_per_30_days}${spread}, ${interval(answer.interval)}`,
    n > 0 && `First third ${meanOf(answer.first_third)}. Last third ${meanOf(answer.last_third)}`,
    beyondText(kind === "clock" ? "After" : "Above", answer.above, n),
    beyondText(kind === "clock" ? "Before" : "Below", answer.below, n),
    groups &&
      `Groups: ${inOrder(groups, first)
        .map((each) => `${each.group} ${groupText(each, { kind, spread })}`)
        .join("; ")}`,
    answer.weekday_of && WEEKDAYS_OF_WAKING,
    points && `Values: ${points.map(([date, value]) => `${date} ${value}`).join(", ")}`,
    extras && extrasText(extras),
    ...notes,
    sourceLine(sources),
  )
}

/** A clock time is late or early, and the newest one is not the latest. */
const EXTREMES = { clock: ["Latest", "Earliest"], number: ["Highest", "Lowest"], yes_no: ["Yes", "No"] } as const

function figuresText(answer: TrendResponse, kind: MetricKind, spread: string): string {
  const { n, sum, usual, latest, p25, p75 } = answer
  const [high, low] = EXTREMES[kind]
  return lines(
    commas(
      `n ${n}`,
      `missing ${answer.missing}`,
      known("mean", answer.mean),
      known("median", answer.median),
      known("sd", answer.sd, spread),
      known("sum", sum),
      p25 !== null && `middle half ${p25} to ${p75}`,
    ),
    dated(high, answer.highest),
    dated(low, answer.lowest),
    latest && dated("Newest", [latest]),
    usual && `Usual before it: ${usual.low} to ${usual.high} (n ${usual.n})`,
  )
}

/** A yes or no has dates, and no usual range. */
function answersText({ n, missing, sum, mean, highest, latest }: TrendResponse): string {
  const yes = highest.filter(({ value }) => value === 1).map(({ date }) => date)
  return lines(
    commas(`n ${n}`, `missing ${missing}`, sum !== null && `yes on ${sum} of ${n} answered dates`, known("mean", mean)),
    yes.length > 0 && `Yes most recently on ${yes.join(", ")}`,
    latest && `Newest answer: ${latest.value === 1 ? "yes" : "no"} on ${latest.date}`,
  )
}

const beyondText = (name: string, beyond: TrendResponse["above"], n: number): string | false =>
  beyond !== null &&
  `${name} ${beyond.limit}: ${beyond.n} of ${n} dates${beyond.n === 0 ? "" : `: ${beyond.dates.join(", ")}`}`

export function compareText(whole: CompareResponse, { units, clock }: DisplayPreferences): string {
  const answer = onClock(preferredComparison(whole, units), clock)
  const { metric, unit, period, with: other, difference, effect_size: effect, notes, sources } = answer
  const { kind } = metricNamed(metric)
  const spread = spreadUnit(kind, unit)
  const side = (name: string, each: CompareResponse["period"]) =>
    `${name} ${dates(each)}: ${commas(
      `n ${each.n}`,
      `missing ${each.missing}`,
      known("mean", each.mean),
      known("median", each.median),
      known("sd", each.sd, spread),
    )}`
  return lines(
    `${named(metric, unit)}: ${comparisonVerdictText(kind, answer)}${methodOf(answer)}`,
    side("Period", period),
    side("Compared with", other),
    difference !== null &&
      `Difference of the means ${difference}${spread}, ${interval(answer.interval)}${effect === null ? "" : `, effect size ${effect}`}`,
    ...notes,
    sourceLine(sources),
  )
}

export function relateText(whole: RelateOutput, { units, clock }: DisplayPreferences): string {
  const answer = onClock(preferredRelation(whole, units), clock)
  const { outcome, lag, period, notes, sources } = answer
  const about = `${outcome}, lag ${lag}${lag === 1 ? " (factor of the day before)" : ""}, ${dates(period)}`
  return lines(
    ...("relations" in answer ? foundText(about, answer) : []),
    ...("groups" in answer ? numberText(about, answer, units) : []),
    ...("yes" in answer ? answerText(about, answer, units) : []),
    ...notes,
    NOT_A_CAUSE,
    sourceLine(sources),
  )
}

type Units = DisplayPreferences["units"]

/** The outcome and the factor of an answer in the person's units. */
export function preferredRelation(answer: RelateOutput, units: Units): RelateOutput {
  const outcome = metricNamed(answer.outcome).unit
  if ("relations" in answer) return preferredList(answer, { outcome, units })
  if ("yes" in answer) return preferredAnswers(answer, { outcome, units })
  return preferredThirds(answer, { outcome, factor: metricNamed(answer.factor).unit, units })
}

function numberText(about: string, answer: NumberRelationResponse, units: Units) {
  const { factor, n, rho, groups, interval: range } = answer
  const outcome = metricNamed(answer.outcome)
  const outcomeSpread = spreadUnit(outcome.kind, written(outcome.unit, units))
  return [
    `${factor} with ${about}: ${numberRelationText(outcome, metricNamed(factor), answer)}`,
    commas(`n ${n}`, rho !== null && `rank correlation ${rho}, ${interval(range)}`),
    groups.length > 0 &&
      `Mean of the outcome by thirds of the factor: ${groups.map(({ from, to, n: count, mean, sd }) => `${from} to ${to}: ${meanAndSpread({ n: count, mean, sd }, outcomeSpread)}`).join("; ")}`,
  ]
}

function answerText(about: string, answer: AnswerRelationResponse, units: Units) {
  const { factor, n, unanswered, yes, no, difference, lag_0: sameMorning } = answer
  const outcome = metricNamed(answer.outcome)
  const spread = spreadUnit(outcome.kind, written(outcome.unit, units))
  return [
    `${factor} with ${about}: ${answerRelationText(outcome, answer)}`,
    `n ${n}, unanswered ${unanswered}. Yes: ${answeredText(yes, spread)}. No: ${answeredText(no, spread)}`,
    difference !== null && `Yes minus no, without drift and week, ${difference}${spread}, ${interval(answer.interval)}`,
    sameMorning &&
      commas(
        `Lag 0, the morning after: ${answerRelationText(outcome, { yes, no, verdict: sameMorning.verdict })}`,
        known("yes minus no", sameMorning.difference, spread),
        interval(sameMorning.interval),
      ),
  ]
}

type Relations = Extract<RelateOutput, { tried: number }>

const foundText = (about: string, { tried, false_discovery_rate: rate, relations, ...answer }: Relations) => [
  `What goes with ${about}. Tried ${tried} factors, false discovery rate ${rate}`,
  ...relations.map(({ factor, kind, n, rho, difference, interval: range, verdict, part_of_outcome: isPart }) =>
    commas(
      `${factor} (${plain(kind)}${isPart ? ", part of the outcome" : ""}): ${verdict === "not_enough_data" ? "too few values to judge" : plain(verdict)}`,
      `n ${n}`,
      rho !== undefined && rho !== null && `rank correlation ${rho}`,
      difference !== undefined && difference !== null && `yes minus no ${difference}`,
      interval(range),
    ),
  ),
  answer.left_out !== undefined &&
    `${answer.left_out} others left out, ${answer.clear_left_out ?? "none"} of them clear`,
]

type Dates = Pick<TrendResponse["period"], "start_date" | "end_date" | "days">

const dates = ({ start_date: start, end_date: end, days }: Dates): string => `${start} to ${end} (${days} days)`
const named = (metric: string, unit: string | null): string => (unit === null ? metric : `${metric} (${unit})`)
const plain = (name: string): string => name.replaceAll("_", " ")
const known = (name: string, value: Figure | null, unit = ""): string | false =>
  value !== null && `${name} ${value}${unit}`

/** An id of another version of Restwell is a number. */
const metricNamed = (id: string): { title: string; kind: MetricKind; unit: string | null } =>
  metricOf(id) ?? { title: id, kind: "number", unit: null }

/** A clock time's spread, change and difference are minutes, and a difference of percentages is no percentage. */
function spreadUnit(kind: MetricKind, unit: string | null): string {
  if (kind === "clock") return " minutes"
  if (unit === "%") return " percentage points"
  return unit === null ? "" : ` ${unit}`
}

const interval = (range: readonly [number, number] | null): string =>
  range === null ? "no 95 % interval" : `95 % interval ${range[0]} to ${range[1]}`

const meanOf = ({ n, mean }: { readonly n: number; readonly mean: Figure | null }): string =>
  mean === null ? `n ${n}` : `mean ${mean} (n ${n})`

interface GroupFigures {
  readonly n: number
  readonly mean: Figure
  readonly sd: number | null
}

const meanAndSpread = ({ n, mean, sd }: GroupFigures, spread: string): string =>
  `${mean} (n ${n}${sd === null ? "" : `, sd ${sd}${spread}`})`

const answeredText = ({ n, mean, sd }: AnswerRelationResponse["yes"], spread: string): string =>
  mean === null ? `n ${n}` : `mean ${meanAndSpread({ n, mean, sd }, spread)}`

function groupText(group: Group, { kind, spread }: { readonly kind: MetricKind; readonly spread: string }): string {
  const { difference = null, interval: range = null } = group
  const verdict = weekdayVerdictText(kind, group) ?? "from other days"
  const beside = difference === null ? "" : `, ${verdict} ${difference}${spread}, ${interval(range)}`
  return `${meanAndSpread(group, spread)}${beside}`
}

type Group = NonNullable<TrendResponse["groups"]>[number]

const written = (unit: string | null, units: Units): string | null =>
  unit === null ? null : preferredUnit(unit, units).unit

/** Weekdays begin with the person's first one. Weeks and months stay in their order. */
function inOrder(groups: readonly Group[], first: DisplayPreferences["first_weekday"]): readonly Group[] {
  const names = weekdaysFrom(first)
  return groups.toSorted((one, other) => names.indexOf(one.group) - names.indexOf(other.group))
}

const dated = (name: string, values: TrendResponse["highest"]): string | false =>
  values.length > 0 && `${name}: ${values.map(({ date, value }) => `${value} on ${date}`).join(", ")}`

const methodOf = ({ method }: { readonly method: string | null }): string => (method === null ? "" : ` (${method})`)

function extrasText({ sleep_debt: debt, load, ...extras }: NonNullable<TrendResponse["extras"]>): string {
  const { social_jetlag_minutes: jetlag, regularity_index: regularity } = extras
  return commas(
    debt !== undefined &&
      `Last 14 dates: ${Math.abs(debt.hours)} h ${debt.hours < 0 ? "more" : "less"} sleep than needed, sum of ${debt.n} nights`,
    load !== undefined &&
      `Mean of the last 7 dates ${load.mean_7_days ?? "unknown"} (n ${load.n_7_days}), of the last 28 ${load.mean_28_days ?? "unknown"} (n ${load.n_28_days})`,
    jetlag !== undefined && `weekend minus other days ${jetlag} minutes`,
    regularity !== undefined && `Sleep Regularity Index ${regularity} of 100`,
  )
}
