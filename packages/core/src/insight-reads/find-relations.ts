import type { RelateQuery, RelateResponse } from "@restwell/client"
import { addDays, type DateRange } from "../calendar/date-range.ts"
import { journalMetric, METRICS } from "../insights/catalogue.ts"
import type { Metric } from "../insights/metric.ts"
import { relate, relateAll } from "../insights/relate.ts"
import { relationFigures, relationsFigures } from "../insights/relate-figures.ts"
import { inRange } from "../insights/series.ts"
import type { InsightAnswer, InsightData } from "./insight-data.ts"
import { presentDates } from "./insight-range.ts"
import { knownMetric } from "./known-metric.ts"
import { groupOfMetric } from "./metric-group.ts"
import { type MetricSeries, measuredOf, metricSeries } from "./metric-series.ts"
import { factorsOf, notesOf } from "./notes.ts"

/** How one factor goes with the outcome, or without a factor each of all. */
export function findRelations(
  data: InsightData,
  { outcome: outcomeId, factor: factorId, ...query }: RelateQuery,
  period: DateRange,
): InsightAnswer<RelateResponse> {
  const lag: 0 | 1 = query.lag ?? 0
  const outcome = metricSeries(data.chosen, knownMetric(outcomeId, "outcome"))
  const { notes, ...envelope } = aboutOutcome(data, outcome, period)
  const recordCount = inRange(outcome.history, period).length
  const question = { outcome: measuredOf(outcome), period, lag } as const
  const answer = { outcome: outcomeId, lag, period: presentDates(period) }
  if (factorId === undefined) {
    const relations = relateAll({ ...question, factors: factorsFor(data, outcome).map(measuredOf) })
    return {
      body: { ...answer, ...relationsFigures(outcome.metric, relations), ...envelope, notes },
      recordCount,
    }
  }
  const factor = metricSeries(data.chosen, knownMetric(factorId, "factor"))
  const relation = relate({ ...question, factor: measuredOf(factor) })
  const figures = relationFigures({ outcome: outcome.metric, factor: factor.metric }, relation)
  const dates = { from: addDays(period.from, -lag), to: addDays(period.to, -lag) }
  const ofFactor = notesOf(factor, { history: data.chosen, period: dates, today: data.today })
  return {
    body: { ...answer, factor: factorId, ...figures, ...envelope, notes: [...new Set([...notes, ...ofFactor])] },
    recordCount,
  }
}

function aboutOutcome({ chosen, today, envelope }: InsightData, outcome: MetricSeries, period: DateRange) {
  const notes = notesOf(outcome, { history: chosen, period, today })
  return { ...envelope(outcome.metric, outcome.source), notes }
}

/** Every other metric and every factor of the journal that has values and may be told. One at a time: all series together are 10 MB. */
function factorsFor({ chosen, groups }: InsightData, { metric: outcome }: MetricSeries): IteratorObject<MetricSeries> {
  const isTold = ({ id }: Metric) => id !== outcome.id && groups.some((group) => group === groupOfMetric(id))
  return [...METRICS, ...factorsOf(chosen.answers).map(journalMetric)]
    .values()
    .filter(isTold)
    .map((metric) => metricSeries(chosen, metric))
    .filter(({ history }) => history.length > 0)
}
