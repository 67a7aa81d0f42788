/** Answers of the statistics in the person's units, for texts and charts. Those of the API are metric. */
import type { CompareResponse, Figure, TrendResponse } from "../rest/insights.ts"
import type {
  AnswerRelationResponse,
  FoundRelation,
  NumberRelationResponse,
  RelationsResponse,
} from "../rest/relate.ts"
import type { DisplayPreferences } from "./preferences.ts"
import { preferredAmount, preferredUnit } from "./preferred.ts"

type Units = DisplayPreferences["units"]
type Interval = TrendResponse["interval"]

/** The metric with the unit and the decimals that its figures are written in. */
export function preferredMetric<Metric extends { readonly unit: string | null; readonly decimals: number }>(
  metric: Metric,
  units: Units,
): Metric {
  if (metric.unit === null) return metric
  const { unit, decimals = metric.decimals } = preferredUnit(metric.unit, units)
  return { ...metric, unit, decimals }
}

/** Writes the figures of one metric. Clock times and missing figures stay as they are. */
function writerOf(unit: string | null, units: Units) {
  const written = (value: number, more?: number) => (unit === null ? value : preferredAmount(value, unit, units, more))
  const figure = (value: Figure): Figure => (typeof value === "number" ? written(value) : value)
  // A slope or a difference has one decimal more than a value.
  const change = (value: number | null) => (value === null ? null : written(value, 1))
  return {
    unit: unit === null ? null : preferredUnit(unit, units).unit,
    figure,
    mean: (value: Figure | null): Figure | null => (value === null ? null : figure(value)),
    amount: (value: number | null) => (value === null ? null : written(value)),
    change,
    interval: (range: Interval): Interval => range && [written(range[0], 1), written(range[1], 1)],
  }
}

export function preferredTrend(answer: TrendResponse, units: Units): TrendResponse {
  const { unit, figure, mean, amount, change, interval } = writerOf(answer.unit, units)
  const dated = ({ date, value }: TrendResponse["highest"][number]) => ({ date, value: figure(value) })
  const { above, below, latest, usual, first_third: first, last_third: last } = answer
  return {
    ...answer,
    unit,
    mean: mean(answer.mean),
    median: mean(answer.median),
    p25: mean(answer.p25),
    p75: mean(answer.p75),
    sd: amount(answer.sd),
    sum: amount(answer.sum),
    above: above && { ...above, limit: figure(above.limit) },
    below: below && { ...below, limit: figure(below.limit) },
    highest: answer.highest.map(dated),
    lowest: answer.lowest.map(dated),
    latest: latest && dated(latest),
    usual: usual && { ...usual, low: figure(usual.low), high: figure(usual.high) },
    slope_per_30_days: change(answer.slope_per_30_days),
    interval: interval(answer.interval),
    first_third: { ...first, mean: mean(first.mean) },
    last_third: { ...last, mean: mean(last.mean) },
    groups:
      answer.groups?.map((group) => ({
        ...group,
        mean: figure(group.mean),
        sd: amount(group.sd),
        ...(group.difference !== undefined && { difference: change(group.difference) }),
        ...(group.interval !== undefined && { interval: interval(group.interval) }),
      })) ?? null,
    points: answer.points?.map(([date, value]): [string, Figure] => [date, figure(value)]) ?? null,
  }
}

export function preferredComparison(answer: CompareResponse, units: Units): CompareResponse {
  const { unit, mean, amount, change, interval } = writerOf(answer.unit, units)
  const side = (period: CompareResponse["period"]) => ({
    ...period,
    mean: mean(period.mean),
    median: mean(period.median),
    sd: amount(period.sd),
  })
  return {
    ...answer,
    unit,
    period: side(answer.period),
    with: side(answer.with),
    difference: change(answer.difference),
    interval: interval(answer.interval),
  }
}

interface RelationUnits {
  readonly outcome: string | null
  readonly factor: string | null
  readonly units: Units
}

export function preferredThirds(
  answer: NumberRelationResponse,
  { outcome, factor, units }: RelationUnits,
): NumberRelationResponse {
  const [ofOutcome, ofFactor] = [writerOf(outcome, units), writerOf(factor, units)]
  return {
    ...answer,
    groups: answer.groups.map((third) => ({
      ...third,
      from: ofFactor.figure(third.from),
      to: ofFactor.figure(third.to),
      mean: ofOutcome.figure(third.mean),
      sd: ofOutcome.amount(third.sd),
    })),
  }
}

export function preferredAnswers(
  answer: AnswerRelationResponse,
  { outcome, units }: Pick<RelationUnits, "outcome" | "units">,
): AnswerRelationResponse {
  const { mean, amount, change, interval } = writerOf(outcome, units)
  const side = (each: AnswerRelationResponse["yes"]) => ({ ...each, mean: mean(each.mean), sd: amount(each.sd) })
  const sameMorning = answer.lag_0
  return {
    ...answer,
    yes: side(answer.yes),
    no: side(answer.no),
    difference: change(answer.difference),
    interval: interval(answer.interval),
    ...(sameMorning && {
      lag_0: {
        ...sameMorning,
        difference: change(sameMorning.difference),
        interval: interval(sameMorning.interval),
      },
    }),
  }
}

/** A list keeps its correlations, which have no unit. */
export function preferredList<List extends Pick<RelationsResponse, "relations">>(
  list: List,
  { outcome, units }: Pick<RelationUnits, "outcome" | "units">,
): List {
  const { change, interval } = writerOf(outcome, units)
  const written = (found: FoundRelation): FoundRelation =>
    found.difference === undefined
      ? found
      : { ...found, difference: change(found.difference), interval: interval(found.interval) }
  return { ...list, relations: list.relations.map(written) }
}
