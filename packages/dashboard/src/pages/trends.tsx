import type { AccountResponse } from "@restwell/client"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { Redirect } from "wouter"
import { dataVersion, useAccount, useJournal } from "../api/account.ts"
import { useTrendCards } from "../api/preferences.ts"
import { CardEditor } from "../cards/card-editor.tsx"
import { type PeriodContent, usePeriod, WithPeriod } from "../cards/period-page.tsx"
import { availableCards, cardsOf, TrendCard } from "../cards/trend-card.tsx"
import { FactorPicker, MarksContext, useMarkedFactor } from "../charts/journal-marks.tsx"
import { Button, ButtonLink } from "../components/button.tsx"
import { ConnectionNotices } from "../components/connection-notice.tsx"
import { Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { datesText } from "../metrics/answer-text.ts"
import { type Dates, type Period, periodSearch } from "../trends/days.ts"

const MetricTrend = lazy(() => import("../insights/metric-trend.tsx"))

const USUAL_DAYS = 30

/** Cards of the person's figures, or with `?metric=hrv&days=90` the trend of one metric. */
export default function TrendsPage() {
  const { url, change, period, pickRange } = usePeriod(USUAL_DAYS)
  const metric = url.get("metric")
  const inFrame = (content: ReactNode) => frame(content, pickRange(undefined))
  return (
    <Loaded query={useAccount()} skeleton={SKELETON} frame={inFrame}>
      {(account) => {
        if (account.connections.length === 0) return <Redirect to="/start" replace />
        if (metric === null)
          return (
            <WithPeriod account={account} period={period} skeleton={SKELETON} frame={inFrame}>
              {(content) => <Trends {...content} account={account} period={period} pickRange={pickRange} />}
            </WithPeriod>
          )
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

interface TrendsProps extends PeriodContent {
  readonly account: AccountResponse
  readonly period: Period
  readonly pickRange: (dates: Dates) => ReactNode
}

function Trends({ account, period, pickRange, view, metrics, isStale }: TrendsProps) {
  const { marks, ...picker } = useMarkedFactor(useJournal(period, dataVersion(account)).data?.days ?? [])
  const { chosen, choose, error } = useTrendCards()
  const [isEditing, setEditing] = useState(false)
  if (chosen === undefined) return frame(SKELETON, pickRange(view.dates))
  const available = availableCards(metrics)
  const cards = cardsOf(metrics, chosen)
  return (
    <Page title="Trends" subtitle={datesText(view.dates)} actions={pickRange(view.dates)}>
      <ConnectionNotices account={account} />
      <div className="flex flex-wrap items-center gap-2">
        {picker.factors.length > 0 && <FactorPicker {...picker} />}
        <ButtonLink to="/week">Your week</ButtonLink>
        <ButtonLink to={`/report?${periodSearch(period)}`}>Report</ButtonLink>
        <ButtonLink to="/insights">What affects my recovery?</ButtonLink>
        {available.length > 0 && (
          <Button aria-expanded={isEditing} onClick={() => setEditing(!isEditing)}>
            {isEditing ? "Done" : "Choose cards"}
          </Button>
        )}
      </div>
      {isEditing && <CardEditor available={available} chosen={chosen} failure={error?.message} onChange={choose} />}
      {cards.length === 0 && available.length > 0 && (
        <Notice title="All cards are hidden">Choose cards to see some.</Notice>
      )}
      {available.length === 0 && (
        <Notice title="No data yet">Your cards appear after the first nights with your device.</Notice>
      )}
      {/* The previous range stays, dimmed, until the new one is loaded. */}
      <div aria-busy={isStale} className={isStale ? "opacity-60" : ""}>
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
