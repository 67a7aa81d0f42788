import type { AccountResponse, Metric } from "@restwell/client"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { Redirect } from "wouter"
import { dataVersion, useAccount, useJournal, useTrends } from "../api/account.ts"
import { useMetrics } from "../api/insights.ts"
import { cardsOf } from "../cards/card-list.ts"
import { cardView } from "../cards/card-view.ts"
import { TrendCard } from "../cards/trend-card.tsx"
import { FactorPicker, MarksContext, useMarkedFactor } from "../charts/journal-marks.tsx"
import { ButtonLink } from "../components/button.tsx"
import { useUrlState } from "../components/choice.tsx"
import { ConnectionNotices } from "../components/connection-notice.tsx"
import { Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { RangePicker } from "../components/range-picker.tsx"
import { datesText } from "../metrics/answer-text.ts"
import { type Dates, type Period, periodOf, periodParameters } from "../trends/days.ts"

const MetricTrend = lazy(() => import("../insights/metric-trend.tsx"))

const USUAL_DAYS = 30

/** Cards of the person's figures, or with `?metric=hrv&days=90` the trend of one metric. */
export default function TrendsPage() {
  const [url, change] = useUrlState()
  const period = periodOf(url, USUAL_DAYS)
  const metric = url.get("metric")
  const [askedAt, setAskedAt] = useState<string>()
  const pickRange = (dates: Dates | undefined) => (
    <RangePicker
      period={period}
      dates={dates}
      askedAt={askedAt}
      onAsk={setAskedAt}
      onChange={(chosen) => change(periodParameters(chosen), "push")}
    />
  )
  const inFrame = (content: ReactNode) => frame(content, pickRange(undefined))
  return (
    <Loaded query={useAccount()} skeleton={SKELETON} frame={inFrame}>
      {(account) => {
        if (account.connections.length === 0) return <Redirect to="/start" replace />
        if (metric === null) return <Trends account={account} period={period} pickRange={pickRange} />
        return (
          <Suspense fallback={inFrame(SKELETON)}>
            <MetricTrend
              account={account}
              metricId={metric}
              period={period}
              actions={pickRange(typeof period === "object" ? period : undefined)}
              onMetric={(chosen) => change({ metric: chosen })}
            />
          </Suspense>
        )
      }}
    </Loaded>
  )
}

const SKELETON = (
  <>
    <Skeleton className="h-11" label="" />
    <div className="grid gap-4 xl:grid-cols-2">
      <Skeleton className="h-123" label="Loading charts" />
      <Skeleton className="h-123" label="" />
    </div>
  </>
)

const frame = (content: ReactNode, actions: ReactNode) => (
  <Page title="Trends" subtitle={"\u00a0"} actions={actions}>
    {content}
  </Page>
)

interface TrendsProps {
  readonly account: AccountResponse
  readonly period: Period
  /** The choice of a range. @param dates the dates of the page */
  readonly pickRange: (dates: Dates | undefined) => ReactNode
}

function Trends({ account, period, pickRange }: TrendsProps) {
  const version = dataVersion(account)
  const trends = useTrends(period, version)
  const catalogue = useMetrics(version)
  const { marks, ...picker } = useMarkedFactor(useJournal(period, version).data?.days ?? [])
  // After a disconnect the service computes no statistics. The charts of the stored days stay.
  const hasStatistics = account.connections.some(({ status }) => status !== "disconnected")
  const inFrame = (content: ReactNode) => frame(content, pickRange(undefined))
  return (
    <Loaded query={trends} skeleton={SKELETON} frame={inFrame}>
      {(answer) => {
        const view = cardView(answer, period, version)
        const page = (metrics: readonly Metric[] | undefined) => {
          const cards = cardsOf(metrics)
          return (
            <Page title="Trends" subtitle={datesText(view.dates)} actions={pickRange(view.dates)}>
              <ConnectionNotices account={account} />
              <div className="flex flex-wrap items-center gap-2">
                {picker.factors.length > 0 && <FactorPicker {...picker} />}
                <ButtonLink to="/week">Your week</ButtonLink>
                <ButtonLink to="/insights">What affects my recovery?</ButtonLink>
              </div>
              {cards.length === 0 && (
                <Notice title="No data yet">Your cards appear after the first nights with your device.</Notice>
              )}
              {/* The previous range stays, dimmed, until the new one is loaded. */}
              <div aria-busy={trends.isPlaceholderData} className={trends.isPlaceholderData ? "opacity-60" : ""}>
                <MarksContext value={marks}>
                  <div className="grid gap-4 xl:grid-cols-2">
                    {cards.map((id) => (
                      <TrendCard key={id} id={id} metrics={metrics} view={view} period={period} />
                    ))}
                  </div>
                </MarksContext>
              </div>
            </Page>
          )
        }
        if (!hasStatistics) return page(undefined)
        return (
          <Loaded query={catalogue} skeleton={SKELETON} frame={inFrame}>
            {({ metrics }) => page(metrics)}
          </Loaded>
        )
      }}
    </Loaded>
  )
}
