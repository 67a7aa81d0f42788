/** Answers of the statistics in the person's units, for texts and charts. Those of the API are metric. */
import type { CompareResponse, Figure, TrendResponse } from "../rest/insights.ts"
import type {
  AnswerRelationResponse,
  FoundRelation,
  NumberRelationResponse,
  RelationsResponse,
} from "../rest/relate.ts"
import { round } from "../rest/rounding.ts"
import type { DisplayPreferences } from "./preferences.ts"

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

/** Figures and clock times as a person prefers them. Every program that shows one takes the conversion from here. */
type Clock = DisplayPreferences["clock"]

const NOON_HOUR = 12

/** A clock time on the preferred clock: "23:41" or "11:41 PM". @param time as in 23:41, or the local time of a record */
export function clockText(time: string, clock: Clock): string {
  const start = time.indexOf("T") + 1
  const text = time.slice(start, start + 5)
  if (clock === "24h") return text
  const hour = Number(text.slice(0, 2))
  return `${hour % NOON_HOUR === 0 ? NOON_HOUR : hour % NOON_HOUR}${text.slice(2)} ${hour < NOON_HOUR ? "AM" : "PM"}`
}

/** A unit that figures are written in, and what a figure is multiplied by. */
export interface PreferredUnit {
  readonly unit: string
  readonly factor: number
  /** Decimals of a figure. Left out for units of the API, whose figures have their own. */
  readonly decimals?: number
}

/** A mile has 1609.344 metres, and a pound 0.45359237 kilograms: international yard and pound agreement of 1959. */
const IMPERIAL: Readonly<Record<string, PreferredUnit>> = {
  m: { unit: "mi", factor: 1 / 1609.344, decimals: 2 },
  kg: { unit: "lb", factor: 1 / 0.45359237, decimals: 1 },
  C: { unit: "F", factor: 1.8, decimals: 1 },
}

/** How amounts and differences of a unit of the API are written. A temperature that is no difference is {@link fahrenheitOf}. */
export const preferredUnit = (unit: string, units: Units): PreferredUnit =>
  (units === "imperial" ? IMPERIAL[unit] : undefined) ?? { unit, factor: 1 }

/** An amount or a difference of the API in the preferred unit. @param more decimals that it has beyond a value's */
export function preferredAmount(value: number, unit: string, units: Units, more = 0): number {
  const { factor, decimals } = preferredUnit(unit, units)
  return decimals === undefined ? value : round(value * factor, decimals + more)
}

const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const

/** The weekdays from a first one on, by their names in answers. */
export function weekdaysFrom(first: DisplayPreferences["first_weekday"]): readonly string[] {
  const at = WEEKDAYS.indexOf(first)
  return [...WEEKDAYS.slice(at), ...WEEKDAYS.slice(0, at)]
}

/** A temperature in degrees Fahrenheit. */
export const fahrenheitOf = (celsius: number): number => celsius * 1.8 + 32
