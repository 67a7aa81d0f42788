import type { MetricsResponse } from "@restwell/client"
import { journalMetric, METRICS } from "../insights/catalogue.ts"
import { metricFigures } from "../insights/metric-figures.ts"
import { NO_PREFERENCES } from "../sources/preferences.ts"
import { chooseHistory, ofProvider } from "./chosen-history.ts"
import type { InsightAnswer, InsightData } from "./insight-data.ts"
import { groupOfMetric } from "./metric-group.ts"
import { metricSeries } from "./metric-series.ts"
import { factorsOf } from "./notes.ts"

/** The catalogue: every metric, and the journal's factors that were answered, with what each source has of it. */
export function readMetrics({ history, chosen, groups, envelope }: InsightData): InsightAnswer<MetricsResponse> {
  const { facts, recordDates, answers } = history
  const ofRecords = recordDates ? Object.keys(recordDates) : facts.map(({ provider }) => provider)
  const providers = [...new Set([...ofRecords, ...answers.map(({ provider }) => provider)])]
  const bySource = providers.map((provider) => chooseHistory(ofProvider(history, provider), NO_PREFERENCES))
  const metrics = [...METRICS, ...factorsOf(chosen.answers).map(journalMetric)]
    .filter(({ id }) => groups.some((group) => group === groupOfMetric(id)))
    .map((metric) =>
      metricFigures(
        metric,
        bySource.flatMap((ofSource) => metricSeries(ofSource, metric).values),
      ),
    )
  return {
    body: { metrics, count: metrics.length, ...envelope({ id: "asleep" }, null) },
    recordCount: metrics.length,
  }
}
