/**
 * Figures of REST's answers for texts that name the unit once: with all of their decimals, in the person's units and on the person's clock.
 * Every figure of the structured answer is in such a text as it is.
 */
import type { DisplayPreferences } from "../account/preferences.ts"
import type { Figure, TrendResponse } from "../rest/insights.ts"
import { round } from "../rest/rounding.ts"
import { clockText } from "./clock.ts"
import { type MetricDescription, metricNamed, type NamedMetric } from "./metric-table.ts"
import { ofSource } from "./score-scale.ts"
import { inUnit, preferredUnit, type Units, unitText, withUnit } from "./units.ts"

type Range = TrendResponse["interval"]

export interface AnswerWriter {
  /** A value, a mean or a quantile, without its unit. */
  figure(value: Figure): Figure
  /** A standard deviation with its unit. */
  spread(amount: number): string
  /** A slope or a difference with its unit. It has one decimal more than a value. */
  change(amount: number): string
  /** "95 % interval 0.42 to 3.18" */
  interval(range: Range): string
  /** The unit of values. Null for clock times and counts. */
  readonly unit: string | null
}

export function answerWriter(
  { kind, unit }: NamedMetric,
  { units, clock }: Pick<DisplayPreferences, "units" | "clock">,
): AnswerWriter {
  const { unit: written, factor, decimals } = unit === null ? { unit, factor: 1 } : preferredUnit(unit, units)
  const changed = (amount: number): number => (decimals === undefined ? amount : round(amount * factor, decimals + 1))
  const spreadUnit =
    kind === "clock"
      ? " minutes"
      : unit === "%"
        ? " percentage points"
        : written === null
          ? ""
          : ` ${unitText(written)}`
  return {
    unit: written === null ? null : unitText(written),
    figure: (value) => (typeof value === "string" ? clockText(value, clock) : inUnit(value, unit, units)),
    spread: (amount) => `${inUnit(amount, unit, units)}${spreadUnit}`,
    change: (amount) => `${changed(amount)}${spreadUnit}`,
    interval: (range) =>
      range === null ? "no 95 % interval" : `95 % interval ${changed(range[0])} to ${changed(range[1])}`,
  }
}

/** "64.2 ms", "23:41": a figure of REST with its unit. */
export function answerText(
  metric: NamedMetric,
  value: Figure,
  preferences: Pick<DisplayPreferences, "units" | "clock">,
) {
  const { figure, unit } = answerWriter(metric, preferences)
  return unit === null ? String(figure(value)) : `${figure(value)} ${unit}`
}

/** "12044 m", "7.48 mi": an amount of REST that is no metric. */
export const amountText = (value: number, unit: string, units: Units): string =>
  withUnit(String(inUnit(value, unit, units)), preferredUnit(unit, units).unit)

/** What a statistical answer is about, as its source gives it. */
export const metricOfAnswer = ({ metric, source }: Pick<TrendResponse, "metric" | "source">): MetricDescription =>
  ofSource(metricNamed(metric), source.provider)
