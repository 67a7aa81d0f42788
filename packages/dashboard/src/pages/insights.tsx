import { type AccountResponse, METRIC_IDS, type MetricId, type MetricsResponse, NOT_A_CAUSE } from "@restwell/client"
import type { ReactNode } from "react"
import { Redirect } from "wouter"
import { dataVersion, useAccount } from "../api/account.ts"
import { useMetrics } from "../api/insights.ts"
import { Segmented, useUrlState } from "../components/choice.tsx"
import { ConnectionNotices } from "../components/connection-notice.tsx"
import { Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { MetricPicker } from "../insights/insight-panel.tsx"
import { Relation } from "../insights/relation.tsx"
import { daysOf } from "../trends/days.ts"

const RANGES = [
  { value: "90", label: "90 days" },
  { value: "180", label: "180 days" },
  { value: "365", label: "A year" },
  { value: "all", label: "All" },
] as const
const USUAL_DAYS = 180

const LAGS = [
  { value: "0", label: "Same day" },
  { value: "1", label: "Day before" },
] as const

/** The value of the entry for all factors. */
const ALL_FACTORS = ""
/** What people ask about first. */
const FIRST_OUTCOMES: readonly MetricId[] = ["recovery_score", "hrv", "asleep"]

/** What goes with an outcome: `/insights?outcome=hrv&factor=strain&lag=1&days=180`. */
export default function InsightsPage() {
  return (
    <Loaded query={useAccount()} skeleton={SKELETON} frame={frame}>
      {(account) =>
        account.connections.length === 0 ? <Redirect to="/start" replace /> : <Insights account={account} />
      }
    </Loaded>
  )
}

const SKELETON = <Skeleton className="h-95" label="Loading your metrics" />

const frame = (content: ReactNode) => (
  <Page title="What goes with my …" subtitle="Relations between your own figures.">
    {content}
  </Page>
)

function Insights({ account }: { account: AccountResponse }) {
  const version = dataVersion(account)
  return (
    <Loaded query={useMetrics(version)} skeleton={SKELETON} frame={frame}>
      {(catalogue) =>
        frame(
          <>
            <ConnectionNotices account={account} />
            {catalogue.metrics.some(({ n }) => n > 0) ? (
              <Question catalogue={catalogue} version={version} />
            ) : (
              <Notice title="No data yet">Come back after some nights with your device.</Notice>
            )}
          </>,
        )
      }
    </Loaded>
  )
}

function Question({ catalogue: { metrics }, version }: { catalogue: MetricsResponse; version: string }) {
  const [url, change] = useUrlState()
  const outcomes = metrics.filter(({ kind }) => kind !== "yes_no")
  const outcome = outcomeOf(url.get("outcome"), metrics)
  const asked = url.get("factor") ?? ALL_FACTORS
  const factor = asked === outcome ? ALL_FACTORS : asked
  const lag = url.get("lag") === "1" ? 1 : 0
  const days = daysOf(url.get("days"), USUAL_DAYS)
  return (
    <>
      <div className="grid items-end gap-4 rounded-2xl border border-line bg-surface p-4 sm:grid-cols-2 sm:p-6">
        <MetricPicker
          label="What goes with my"
          metrics={outcomes}
          value={outcome}
          onChange={(chosen) => change({ outcome: chosen })}
        />
        <MetricPicker
          label="Factor"
          metrics={metrics.filter(({ id }) => id !== outcome)}
          value={factor}
          onChange={(chosen) => change({ factor: chosen === ALL_FACTORS ? undefined : chosen })}
          first={[ALL_FACTORS, "All factors"]}
        />
        <Choice title="Factor of">
          <Segmented
            label="Factor of"
            options={LAGS}
            value={String(lag)}
            onChange={(chosen) => change({ lag: chosen })}
          />
        </Choice>
        <Choice title="Range">
          <Segmented
            label="Range"
            options={RANGES}
            value={String(days)}
            onChange={(chosen) => change({ days: chosen })}
          />
        </Choice>
      </div>
      <Relation
        metrics={metrics}
        outcome={outcome}
        factor={factor === ALL_FACTORS ? undefined : factor}
        lag={lag}
        days={days}
        version={version}
        hrefOf={(chosen) =>
          `/insights?${new URLSearchParams({ outcome, lag: String(lag), days: String(days), ...(chosen !== undefined && { factor: chosen }) })}`
        }
      />
      <Notice title="Associated, not caused">
        {NOT_A_CAUSE} A third thing may move both. These are your own figures, and no advice.
      </Notice>
    </>
  )
}

const Choice = ({ title, children }: { title: string; children: ReactNode }) => (
  <div className="flex flex-col items-start gap-1.5 text-sm font-medium">
    <span aria-hidden="true">{title}</span>
    {children}
  </div>
)

/** The outcome that the URL names, or else the first of the usual ones that has values. */
function outcomeOf(asked: string | null, metrics: MetricsResponse["metrics"]): MetricId {
  const hasValues = (id: MetricId) => metrics.some((metric) => metric.id === id && metric.n > 0)
  return (
    METRIC_IDS.find((id) => id === asked) ??
    FIRST_OUTCOMES.find(hasValues) ??
    METRIC_IDS.find(hasValues) ??
    METRIC_IDS[0]
  )
}
