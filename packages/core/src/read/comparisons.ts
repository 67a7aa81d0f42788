/** Comparisons of one metric: of two periods of one source, or of two sources on the dates that both have. */
import type { CompareQuery, CompareResponse, HrvMethod } from "@restwell/client"
import { factorNameOf, inSentence, isOnOwnScales, type MetricDescription } from "@restwell/client/figures"
import type { DateRange } from "../base/calendar.ts"
import { InvalidRequest } from "../context/errors.ts"
import { NO_PREFERENCES } from "../sources/rank.ts"
import { type Comparison, compareOnSameDates, comparePeriods, isWithoutSpread } from "../statistics/compare.ts"
import { compareFigures } from "../statistics/figures.ts"
import { chooseHistory, ofProvider } from "./chosen-history.ts"
import { type InsightAnswer, type InsightData, knownMetric, presentDates } from "./insight-query.ts"
import { notesOf } from "./metric-notes.ts"
import { metricSeries } from "./metric-series.ts"

/** From the first to the last date of both. */
export function spanOf(period: DateRange, other: DateRange): DateRange {
  const [first, last] = period.from < other.from ? [period, other] : [other, period]
  return { from: first.from, to: last.to }
}

const WITHOUT_SPREAD = "What the comparison rests on is always the same: nothing says how much it varies."

/** How the values of two periods differ. The device of the later one answers for both, so that the same week has one device beside any dates. */
export function readComparison(
  { chosen, today, envelope }: InsightData,
  { metric: id }: Pick<CompareQuery, "metric">,
  { period, other }: { readonly period: DateRange; readonly other: DateRange },
): InsightAnswer<CompareResponse> {
  const metric = knownMetric(id, "metric")
  const series = metricSeries(chosen, metric, period.from > other.from ? period : other)
  return presentComparison(metric, comparePeriods({ kind: metric.kind, history: series.history, period, other }), {
    period,
    other,
    ...envelope(metric, series.source),
    method: series.method,
    notes: [period, other].flatMap((range) => notesOf(series, { history: chosen, period: range, today })),
  })
}

interface Beside extends Pick<CompareResponse, "source" | "sources" | "method" | "notes"> {
  readonly period: DateRange
  readonly other: DateRange
  /** Why the two have no difference, whatever their values are. */
  readonly apart?: string | undefined
}

/** Of figures that are on different scales. */
const NO_DIFFERENCE = { difference: null, interval: null, effect_size: null, verdict: "not_enough_data" } as const

/** The answer of a comparison, whatever is compared. */
function presentComparison(
  metric: MetricDescription,
  comparison: Comparison,
  { period, other, source, sources, method, notes, apart }: Beside,
): InsightAnswer<CompareResponse> {
  const figures = compareFigures(metric, comparison)
  const why = apart ?? (isWithoutSpread(comparison) ? WITHOUT_SPREAD : undefined)
  return {
    body: {
      metric: metric.id,
      unit: metric.unit,
      ...figures,
      ...(apart !== undefined && NO_DIFFERENCE),
      comparable: apart === undefined,
      period: { ...presentDates(period), ...figures.period },
      with: { ...presentDates(other), ...figures.with },
      source,
      method,
      notes: [...new Set([...notes, ...(why === undefined ? [] : [why])])],
      sources,
    },
    recordCount: comparison.period.n + comparison.other.n,
  }
}

/** Two sources, the first of which is compared with the other one. */
export type SourcePair = readonly [string, string]

/** The sources that a question compares. Undefined for a question about two periods. @throws {InvalidRequest} for one that is about neither */
export function comparedSources({
  metric,
  source,
  with_source: other,
  ...dates
}: Omit<CompareQuery, "days" | "start_date" | "end_date">): SourcePair | undefined {
  if (other === undefined) return undefined
  if (factorNameOf(metric) !== null)
    throw new InvalidRequest(
      `with_source compares what devices measure, ${metric} is an answer of the person`,
      "with_source",
    )
  if (dates.with_start_date !== undefined || dates.with_end_date !== undefined)
    throw new InvalidRequest(
      "with_source compares two sources on the same dates, send it without with_start_date and with_end_date",
      "with_source",
    )
  if (source === undefined || source === "all")
    throw new InvalidRequest("source must be the one source that with_source is compared with", "source")
  if (source === other)
    throw new InvalidRequest(`with_source must be another source than source, both are ${other}`, "with_source")
  return [source, other]
}

/** How two sources differ on the dates of a period on which both have a value. */
export function readSourceComparison(
  { history, today, snapshot, envelope }: InsightData,
  { metric: id }: Pick<CompareQuery, "metric">,
  { pair, period }: { readonly pair: SourcePair; readonly period: DateRange },
): InsightAnswer<CompareResponse> {
  const metric = knownMetric(id, "metric")
  const person = { today, homeZone: snapshot.timeZone }
  const read = (provider: string) => {
    const chosen = chooseHistory(ofProvider(history, provider), NO_PREFERENCES, person)
    return { chosen, provider, series: metricSeries(chosen, metric, period) }
  }
  const [one, other] = [read(pair[0]), read(pair[1])]
  const comparison = compareOnSameDates({
    kind: metric.kind,
    history: one.series.history,
    other: other.series.history,
    period,
  })
  const [method, otherMethod] = [one.series.method, other.series.method]
  const notes = [
    `Only the dates of the period on which both have a value count: ${comparison.period.n}. The difference is ${pair[0]} minus ${pair[1]}, date by date.`,
    ...[one, other].flatMap(({ chosen, provider, series }) =>
      series.history.length === 0
        ? [withoutValues(metric, provider)]
        : notesOf(series, { history: chosen, period, today }),
    ),
  ]
  return presentComparison(metric, comparison, {
    period,
    other: period,
    ...envelope(metric, one.provider),
    method: method === otherMethod ? method : null,
    notes,
    apart: whyApart(metric, pair, [method, otherMethod]),
  })
}

/** Why figures of two sources are no more or less than one another. Undefined for what both measure alike. */
function whyApart(
  metric: MetricDescription,
  [one, other]: SourcePair,
  [method, otherMethod]: readonly [HrvMethod | null, HrvMethod | null],
): string | undefined {
  if (isOnOwnScales(metric))
    return `${metric.title} of ${one} and of ${other} is each on a scale of its own, so the two have no difference.`
  return method !== otherMethod && method !== null && otherMethod !== null
    ? `${one} computes HRV as ${method} and ${other} as ${otherMethod}: these are two different figures, which have no difference.`
    : undefined
}

const withoutValues = ({ title }: MetricDescription, provider: string): string =>
  `${provider} has no values of ${inSentence(title)}.`
