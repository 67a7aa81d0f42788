import type { AccountResponse, Metric, MetricPage } from "@restwell/client"
import { capitalized, factorNameOf, inSentence, nameOf, ofSource } from "@restwell/client/figures"
import type { useMetricPage } from "../api/pages.ts"
import { Select } from "../components/choice.tsx"
import { ConnectionNotices } from "../components/connection-notice.tsx"
import { Loaded, Notice, Refreshing, Skeleton } from "../components/notice.tsx"
import { TrendDetails } from "./trend-details.tsx"

interface MetricTrendProps {
  readonly account: AccountResponse
  readonly metricId: string
  readonly page: ReturnType<typeof useMetricPage>
  readonly onMetric: (metricId: string) => void
}

/** The trend of one metric, with a choice of the others. */
export default function MetricTrend({ account, metricId, page, onMetric }: MetricTrendProps) {
  return (
    <>
      <ConnectionNotices account={account} />
      <Loaded query={page} skeleton={SKELETON}>
        {({ metrics, figure }) => (
          <>
            <div className="sm:max-w-xs">
              <MetricPicker label="Metric" metrics={metrics} value={metricId} onChange={onMetric} />
            </div>
            {figure !== null && figure.trend.metric !== metricId && page.isPlaceholderData ? (
              SKELETON
            ) : (
              <Refreshing isStale={page.isPlaceholderData} className="flex flex-col gap-4">
                <Details metric={metrics.find(({ id }) => id === metricId)} figure={figure} />
              </Refreshing>
            )}
          </>
        )}
      </Loaded>
    </>
  )
}

const SKELETON = <Skeleton className="h-95" label="Loading the trend" />

interface DetailsProps {
  readonly metric: Metric | undefined
  readonly figure: MetricPage["figure"]
}

function Details({ metric, figure }: DetailsProps) {
  if (!metric) return <Notice title="There is no such metric">Choose one of the list above.</Notice>
  if (figure === null)
    return <Notice title={`No values of ${inSentence(metric.title)} yet`}>None of your sources has any so far.</Notice>
  return <TrendDetails metric={ofSource(metric, figure.trend.source.provider)} {...figure} />
}

interface MetricPickerProps {
  readonly label: string
  readonly metrics: readonly Metric[]
  readonly value: string
  readonly onChange: (metricId: string) => void
  /** An entry before the metrics. */
  readonly first?: readonly [value: string, text: string]
}

/** A choice among the metrics that have values. The current one is always among them, and none is chosen where it is unknown. */
export function MetricPicker({ label, metrics, value, onChange, first }: MetricPickerProps) {
  const choices = metrics.filter(({ id, n }) => n > 0 || id === value)
  const isKnown = value === first?.[0] || choices.some(({ id }) => id === value)
  return (
    <Select
      label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
      options={[
        ...(isKnown ? [] : [[value, "Choose one"] as const]),
        ...(first ? [first] : []),
        ...choices.map((metric) => [metric.id, choiceText(metric)] as const),
      ]}
    />
  )
}

/** Short names, because a phone has little room for a choice. */
const choiceText = (metric: Metric): string =>
  factorNameOf(metric.id) !== null ? `${metric.title} (journal)` : capitalized(nameOf(ofOnlySource(metric)))

/** Oura's people read "Readiness" where WHOOP's read "Recovery". Several sources share the common name. */
export function ofOnlySource(metric: Metric): Metric {
  const [source, other] = metric.sources
  return source !== undefined && other === undefined ? ofSource(metric, source) : metric
}
