import type { AccountResponse, Metric, MetricsResponse } from "@restwell/client"
import { capitalized, factorNameOf, inSentence, nameOf } from "@restwell/client/figures"
import { dataVersion } from "../api/account.ts"
import { useMetrics } from "../api/insights.ts"
import { Select } from "../components/choice.tsx"
import { ConnectionNotices } from "../components/connection-notice.tsx"
import { Loaded, Notice, Skeleton } from "../components/notice.tsx"
import type { Period } from "../trends/days.ts"
import { TrendDetails } from "./trend-details.tsx"

interface MetricTrendProps {
  readonly account: AccountResponse
  readonly metricId: string
  readonly period: Period
  readonly onMetric: (metricId: string) => void
}

/** The trend of one metric, with a choice of the others. */
export default function MetricTrend({ account, metricId, period, onMetric }: MetricTrendProps) {
  const version = dataVersion(account)
  return (
    <>
      <ConnectionNotices account={account} />
      <Loaded query={useMetrics(version)} skeleton={<Skeleton className="h-95" label="Loading the trend" />}>
        {(catalogue) => (
          <>
            <div className="sm:max-w-xs">
              <MetricPicker label="Metric" metrics={catalogue.metrics} value={metricId} onChange={onMetric} />
            </div>
            <Details catalogue={catalogue} metricId={metricId} period={period} version={version} />
          </>
        )}
      </Loaded>
    </>
  )
}

interface DetailsProps {
  readonly catalogue: MetricsResponse
  readonly metricId: string
  readonly period: Period
  readonly version: string
}

function Details({ catalogue, metricId, period, version }: DetailsProps) {
  const metric = catalogue.metrics.find(({ id }) => id === metricId)
  if (!metric) return <Notice title="There is no such metric">Choose one of the list above.</Notice>
  if (metric.n === 0)
    return <Notice title={`No values of ${inSentence(metric.title)} yet`}>None of your sources has any so far.</Notice>
  return <TrendDetails key={metric.id} metric={metric} period={period} version={version} />
}

interface MetricPickerProps {
  readonly label: string
  readonly metrics: readonly Metric[]
  readonly value: string
  readonly onChange: (metricId: string) => void
  /** An entry before the metrics. */
  readonly first?: readonly [value: string, text: string]
}

/** A choice among the metrics that have values. The current one is always among them. */
export function MetricPicker({ label, metrics, value, onChange, first }: MetricPickerProps) {
  const choices = metrics.filter(({ id, n }) => n > 0 || id === value)
  return (
    <Select
      label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[...(first ? [first] : []), ...choices.map((metric) => [metric.id, choiceText(metric)] as const)]}
    />
  )
}

/** Short names, because a phone has little room for a choice. */
const choiceText = (metric: Metric): string =>
  factorNameOf(metric.id) !== null ? `${metric.title} (journal)` : capitalized(nameOf(metric))
