/*
 * The statistics as text. Every figure of the structured content is here, so that nobody has to compute one, in the person's units and on
 * the person's clock.
 */

import type {
  AnswerRelationResponse,
  CompareResponse,
  DisplayPreferences,
  Figure,
  NumberRelationResponse,
  RelationsResponse,
  TrendResponse,
} from "@restwell/client"
import {
  type AnswerWriter,
  answerRelationText,
  answerWriter,
  capitalized,
  comparisonVerdictText,
  type MetricDescription,
  metricNamed,
  metricOfAnswer,
  NOT_A_CAUSE,
  numberRelationText,
  plural,
  preferredUnit,
  sourcesVerdictText,
  trendVerdictText,
  WEEKDAYS_OF_WAKING,
  weekdaysFrom,
  weekdayVerdictText,
  wordsOf,
} from "@restwell/client/figures"
import { commas, lines, sourceLine } from "./answer-text.ts"

/** A list of relations may leave out unclear ones. */
export type RelateOutput =
  | NumberRelationResponse
  | AnswerRelationResponse
  | (RelationsResponse & { readonly left_out?: number | undefined; readonly clear_left_out?: number | undefined })

/** @param sport that the workouts are of. Left out for all */
export function trendText(answer: TrendResponse, preferences: DisplayPreferences, sport?: string): string {
  const { n, groups, points, extras, notes, sources } = answer
  const metric = metricOfAnswer(answer)
  const writer = answerWriter(metric, preferences)
  const { above, below } = wordsOf(metric)
  const isClock = metric.kind === "clock"
  return lines(
    `${named(answer.metric, writer)}${sport === undefined ? "" : ` of ${sport} alone`}, ${dates(answer.period)}: ${trendVerdictText(metric, answer)}${methodOf(answer)}`,
    metric.kind === "yes_no" ? answersText(answer, writer) : figuresText(answer, metric, writer),
    answer.slope_per_30_days !== null &&
      `Change per 30 days ${writer.change(answer.slope_per_30_days)}, ${writer.interval(answer.interval)}`,
    n > 0 && `First third ${meanOf(answer.first_third, writer)}. Last third ${meanOf(answer.last_third, writer)}`,
    beyondText(isClock ? "After" : capitalized(above), answer.above, { answer, writer, preferences }),
    beyondText(isClock ? "Before" : capitalized(below), answer.below, { answer, writer, preferences }),
    streakText("Longest streak", answer.streaks?.longest),
    streakText("Current streak", answer.streaks?.current),
    groups &&
      `Groups: ${inOrder(groups, preferences.first_weekday)
        .map((each) => `${each.group} ${groupText(each, metric, writer)}`)
        .join("; ")}`,
    answer.weekday_of && WEEKDAYS_OF_WAKING,
    points && `Values: ${points.map(([date, value]) => `${date} ${writer.figure(value)}`).join(", ")}`,
    extras && extrasText(extras),
    ...notes,
    sourceLine(sources, [answer.source.provider]),
  )
}

function figuresText(answer: TrendResponse, metric: MetricDescription, writer: AnswerWriter): string {
  const { n, sum, usual, latest, p25, p75 } = answer
  const { highest, lowest } = wordsOf(metric)
  const { figure } = writer
  return lines(
    commas(
      `n ${n}`,
      `missing ${answer.missing}`,
      known("mean", answer.mean, figure),
      known("median", answer.median, figure),
      known("sd", answer.sd, writer.spread),
      known("sum", sum, figure),
      p25 !== null && p75 !== null && `middle half ${figure(p25)} to ${figure(p75)}`,
    ),
    dated(highest, answer.highest, writer),
    dated(lowest, answer.lowest, writer),
    latest && dated("Newest", [latest], writer),
    usual && `Usual before it: ${figure(usual.low)} to ${figure(usual.high)} (n ${usual.n})`,
  )
}

/** A yes or no has dates, and no usual range. */
function answersText({ n, missing, sum, mean, highest, latest }: TrendResponse, { figure }: AnswerWriter): string {
  const yes = highest.filter(({ value }) => value === 1).map(({ date }) => date)
  return lines(
    commas(
      `n ${n}`,
      `missing ${missing}`,
      sum !== null && `yes on ${sum} of ${n} answered dates`,
      known("mean", mean, figure),
    ),
    yes.length > 0 && `Yes most recently on ${yes.join(", ")}`,
    latest && `Newest answer: ${latest.value === 1 ? "yes" : "no"} on ${latest.date}`,
  )
}

interface BeyondText {
  readonly answer: TrendResponse
  readonly writer: AnswerWriter
  readonly preferences: DisplayPreferences
}

/** Limits are in the metric's own unit, and texts may be in another one: then the limit is repeated as it was understood. */
function beyondText(name: string, beyond: TrendResponse["above"], { answer, writer, preferences }: BeyondText) {
  if (beyond === null) return false
  const { n, unit } = answer
  const isOther = unit !== null && preferredUnit(unit, preferences.units).unit !== unit
  const limit = `${writer.figure(beyond.limit)}${isOther ? ` (the limit is read as ${beyond.limit} ${unit})` : ""}`
  const older = beyond.n - beyond.dates.length
  const listed = `${beyond.dates.join(", ")}${older > 0 ? ` and ${older} older ones, which a shorter period lists` : ""}`
  return `${name} ${limit}: ${beyond.n} of ${n} dates${beyond.n === 0 ? "" : `: ${listed}`}`
}

type Streak = NonNullable<TrendResponse["streaks"]>["longest"]

const streakText = (name: string, streak: Streak | undefined): string | false =>
  streak != null && `${name}: ${plural(streak.n, "date")}, ${streak.start} to ${streak.end}`

/** @param pair the sources that are compared. Left out for two periods */
export function compareText(
  answer: CompareResponse,
  preferences: DisplayPreferences,
  pair?: readonly [string, string],
): string {
  const { period, with: other, difference, effect_size: effect, notes, sources } = answer
  const metric = metricOfAnswer(answer)
  const writer = answerWriter(metric, preferences)
  const side = (name: string, each: CompareResponse["period"]) =>
    `${name} ${dates(each)}: ${commas(
      `n ${each.n}`,
      `missing ${each.missing}`,
      known("mean", each.mean, writer.figure),
      known("median", each.median, writer.figure),
      known("sd", each.sd, writer.spread),
    )}`
  return lines(
    `${named(answer.metric, writer)}: ${pair ? sourcesVerdictText(metric, answer, pair) : comparisonVerdictText(metric, answer)}${methodOf(answer)}`,
    side(pair ? capitalized(pair[0]) : "Period", period),
    side(pair ? capitalized(pair[1]) : "Compared with", other),
    difference !== null &&
      `Difference of the means ${writer.change(difference)}, ${writer.interval(answer.interval)}${effect === null ? "" : `, effect size ${effect}`}`,
    ...notes,
    sourceLine(sources, pair ?? [answer.source.provider]),
  )
}

export function relateText(answer: RelateOutput, preferences: DisplayPreferences): string {
  const { outcome, lag, period, notes, sources } = answer
  const about = `${outcome}, lag ${lag}${lag === 1 ? " (factor of the day before)" : ""}, ${dates(period)}`
  const writer = answerWriter(outcomeOf(answer), preferences)
  return lines(
    ...("relations" in answer ? foundText(about, answer, writer) : []),
    ...("groups" in answer ? numberText(about, answer, { writer, preferences }) : []),
    ...("yes" in answer ? answerText(about, answer, writer) : []),
    ...notes,
    NOT_A_CAUSE,
    sourceLine(sources, [answer.source.provider]),
  )
}

/** What an answer is about, as its source gives it. */
const outcomeOf = ({ outcome, source }: RelateOutput): MetricDescription => metricOfAnswer({ metric: outcome, source })

/** A correlation has no unit. */
const rhoInterval = (range: NumberRelationResponse["interval"]): string =>
  range === null ? "no 95 % interval" : `95 % interval ${range[0]} to ${range[1]}`

interface Writing {
  readonly writer: AnswerWriter
  readonly preferences: DisplayPreferences
}

function numberText(about: string, answer: NumberRelationResponse, { writer, preferences }: Writing) {
  const { n, rho, groups, interval } = answer
  const [outcome, factor] = [outcomeOf(answer), metricNamed(answer.factor)]
  const { figure } = answerWriter(factor, preferences)
  return [
    `${answer.factor} with ${about}: ${numberRelationText(outcome, factor, answer)}`,
    commas(`n ${n}`, rho !== null && `rank correlation ${rho}, ${rhoInterval(interval)}`),
    groups.length > 0 &&
      `Raw mean of the outcome by thirds of the factor: ${groups.map((group) => `${figure(group.from)} to ${figure(group.to)}: ${meanAndSpread(group, writer)}`).join("; ")}`,
  ]
}

function answerText(about: string, answer: AnswerRelationResponse, writer: AnswerWriter) {
  const { factor, n, unanswered, yes, no, difference, lag_0: sameMorning } = answer
  const outcome = outcomeOf(answer)
  return [
    `${factor} with ${about}: ${answerRelationText(outcome, answer)}`,
    `n ${n}, unanswered ${unanswered}. Raw means: yes ${answeredText(yes, writer)}; no ${answeredText(no, writer)}`,
    difference !== null &&
      `Yes minus no, without drift and week, ${writer.change(difference)}, ${writer.interval(answer.interval)}`,
    sameMorning &&
      commas(
        `Lag 0, the morning after: ${answerRelationText(outcome, {
          yes: { n: sameMorning.yes_n },
          no: { n: sameMorning.no_n },
          verdict: sameMorning.verdict,
        })}`,
        known("yes minus no", sameMorning.difference, writer.change),
        writer.interval(sameMorning.interval),
      ),
  ]
}

type Relations = Extract<RelateOutput, { tried: number }>

const foundText = (
  about: string,
  { tried, false_discovery_rate: rate, relations, ...answer }: Relations,
  writer: AnswerWriter,
) => [
  `What goes with ${about}. Tried ${tried} factors, false discovery rate ${rate}`,
  ...relations.map(
    ({ factor, kind, n, yes_n: yes, rho, difference, interval: range, verdict, part_of_outcome: isPart }) =>
      commas(
        `${factor} (${plain(kind)}${isPart ? ", part of the outcome" : ""}): ${verdict === "not_enough_data" ? "too few values to judge" : plain(verdict)}`,
        `n ${n}${yes === undefined ? "" : ` (yes ${yes})`}`,
        rho !== undefined && rho !== null && `rank correlation ${rho}`,
        difference !== undefined && known("yes minus no", difference, writer.change),
        difference === undefined ? rhoInterval(range) : writer.interval(range),
      ),
  ),
  answer.left_out !== undefined &&
    `${answer.left_out} others left out, ${answer.clear_left_out ?? "none"} of them clear`,
]

type Dates = Pick<TrendResponse["period"], "start_date" | "end_date" | "days">

const dates = ({ start_date: start, end_date: end, days }: Dates): string => `${start} to ${end} (${days} days)`
const named = (id: string, { unit }: AnswerWriter): string => (unit === null ? id : `${id} (${unit})`)
const plain = (name: string): string => name.replaceAll("_", " ")
const known = <Value extends Figure>(
  name: string,
  value: Value | null,
  written: (value: Value) => Figure,
): string | false => value !== null && `${name} ${written(value)}`

const meanOf = ({ n, mean }: { readonly n: number; readonly mean: Figure | null }, { figure }: AnswerWriter): string =>
  mean === null ? `n ${n}` : `mean ${figure(mean)} (n ${n})`

interface GroupFigures {
  readonly n: number
  readonly mean: Figure
  readonly sd: number | null
}

const meanAndSpread = ({ n, mean, sd }: GroupFigures, { figure, spread }: AnswerWriter): string =>
  `${figure(mean)} (n ${n}${sd === null ? "" : `, sd ${spread(sd)}`})`

const answeredText = ({ n, mean, sd }: AnswerRelationResponse["yes"], writer: AnswerWriter): string =>
  mean === null ? `n ${n}` : `mean ${meanAndSpread({ n, mean, sd }, writer)}`

function groupText(group: Group, metric: MetricDescription, writer: AnswerWriter): string {
  const { difference = null, interval = null } = group
  const verdict = weekdayVerdictText(metric, group) ?? "from other days"
  const beside = difference === null ? "" : `, ${verdict} ${writer.change(difference)}, ${writer.interval(interval)}`
  const total = group.sum === undefined ? "" : `, sum ${writer.figure(group.sum)}`
  return `${meanAndSpread(group, writer)}${total}${beside}`
}

type Group = NonNullable<TrendResponse["groups"]>[number]

/** Weekdays begin with the person's first one. Weeks and months stay in their order. */
function inOrder(groups: readonly Group[], first: DisplayPreferences["first_weekday"]): readonly Group[] {
  const names: readonly string[] = weekdaysFrom(first)
  return groups.toSorted((one, other) => names.indexOf(one.group) - names.indexOf(other.group))
}

const dated = (name: string, values: TrendResponse["highest"], { figure }: AnswerWriter): string | false =>
  values.length > 0 && `${name}: ${values.map(({ date, value }) => `${figure(value)} on ${date}`).join(", ")}`

const methodOf = ({ method }: { readonly method: string | null }): string => (method === null ? "" : ` (${method})`)

function extrasText({ sleep_debt: debt, load, ...extras }: NonNullable<TrendResponse["extras"]>): string {
  const { social_jetlag_minutes: jetlag, regularity_index: regularity } = extras
  return commas(
    debt !== undefined &&
      `Last 14 dates: ${Math.abs(debt.hours)} h ${debt.hours < 0 ? "more" : "less"} sleep than needed, sum of ${debt.n} nights`,
    load !== undefined &&
      `Mean of the last 7 dates ${load.mean_7_days ?? "unknown"} (n ${load.n_7_days}), of the last 28 ${load.mean_28_days ?? "unknown"} (n ${load.n_28_days})`,
    jetlag !== undefined && `days off minus other days ${jetlag} minutes`,
    regularity !== undefined && `Sleep Regularity Index ${regularity} of 100`,
  )
}
