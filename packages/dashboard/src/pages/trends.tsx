import type { AccountResponse, TrendDay } from "@restwell/client"
import { lazy, type ReactNode, Suspense } from "react"
import { Redirect } from "wouter"
import { dataVersion, useAccount, useJournal, useTrends } from "../api/account.ts"
import { ColumnChart, LineChart } from "../charts/figure-charts.tsx"
import { FactorPicker, MarksContext, useMarkedFactor } from "../charts/journal-marks.tsx"
import { meanOf } from "../charts/means.ts"
import { StagesChart, TimingChart } from "../charts/sleep-charts.tsx"
import { StrainRecoveryChart } from "../charts/strain-recovery-chart.tsx"
import { ButtonLink } from "../components/button.tsx"
import { Segmented, useUrlState } from "../components/choice.tsx"
import { ConnectionNotices } from "../components/connection-notice.tsx"
import { Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { fullDate } from "../format/date.ts"
import { figure, signed } from "../format/number.ts"
import { NOTED, type NotedMetric, TrendNote } from "../insights/trend-note.tsx"
import { bucketsOf, daysOf, type Grain, grainOf, type TrendDays } from "../trends/days.ts"
import { FIGURES, MAX_STRAIN } from "../trends/figures.ts"
import { recoveryFill, recoveryScale, scoreAndBand } from "../trends/recovery-band.ts"

const MetricTrend = lazy(() => import("../insights/metric-trend.tsx"))

const RANGES = [
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
  { value: "all", label: "All" },
] as const

const USUAL_DAYS = 30

const GRAIN_TEXT: Readonly<Record<Grain, string>> = {
  day: "daily values",
  week: "weekly means",
  month: "monthly means",
}

/** Charts of every day, or with `?metric=hrv&days=90` the trend of one metric. */
export default function TrendsPage() {
  const [url, change] = useUrlState()
  const days = daysOf(url.get("days"), USUAL_DAYS)
  const metric = url.get("metric")
  const actions = (
    <Segmented label="Range" options={RANGES} value={String(days)} onChange={(chosen) => change({ days: chosen })} />
  )
  return (
    <Loaded query={useAccount()} skeleton={SKELETON} frame={(content) => frame(content, actions)}>
      {(account) => {
        if (account.connections.length === 0) return <Redirect to="/start" replace />
        if (metric === null) return <Trends account={account} days={days} actions={actions} />
        return (
          <Suspense fallback={frame(SKELETON, actions)}>
            <MetricTrend
              account={account}
              metricId={metric}
              days={days}
              actions={actions}
              onMetric={(chosen) => change({ metric: chosen })}
            />
          </Suspense>
        )
      }}
    </Loaded>
  )
}

const SKELETON = (
  <div className="grid gap-4 xl:grid-cols-2">
    <Skeleton className="h-95" label="Loading charts" />
    <Skeleton className="h-95" label="" />
  </div>
)

const frame = (content: ReactNode, actions: ReactNode) => (
  <Page title="Trends" subtitle={"\u00a0"} actions={actions}>
    {content}
  </Page>
)

interface TrendsProps {
  readonly account: AccountResponse
  readonly days: TrendDays
  readonly actions: ReactNode
}

function Trends({ account, days: range, actions }: TrendsProps) {
  const version = dataVersion(account)
  const trends = useTrends(range, version)
  const { marks, ...picker } = useMarkedFactor(useJournal(range, version).data?.days ?? [])
  return (
    <Loaded query={trends} skeleton={SKELETON} frame={(content) => frame(content, actions)}>
      {({ period, days }) => (
        <Page
          title="Trends"
          subtitle={`${fullDate(period.start_date)} to ${fullDate(period.end_date)}, ${GRAIN_TEXT[grainOf(days.length)]}`}
          actions={
            <>
              {picker.factors.length > 0 && <FactorPicker {...picker} />}
              {actions}
              <ButtonLink to="/insights">What goes with my …</ButtonLink>
            </>
          }
        >
          <ConnectionNotices account={account} />
          {/* The previous range stays, dimmed, until the new one is loaded. */}
          <div aria-busy={trends.isPlaceholderData} className={trends.isPlaceholderData ? "opacity-60" : ""}>
            <MarksContext value={marks}>
              <Charts
                days={days}
                noteOf={(metric) => (
                  <TrendNote
                    metric={metric}
                    period={period}
                    href={`/trends?metric=${metric.id}&days=${range}`}
                    version={version}
                  />
                )}
              />
            </MarksContext>
          </div>
        </Page>
      )}
    </Loaded>
  )
}

interface ChartsProps {
  readonly days: readonly TrendDay[]
  /** What is below the chart of a metric. */
  readonly noteOf: (metric: NotedMetric) => ReactNode
}

function Charts({ days, noteOf }: ChartsProps) {
  const buckets = bucketsOf(days, grainOf(days.length))
  const isEmpty = days.every(({ sleep, recovery, strain }) => sleep === null && recovery === null && strain === null)
  if (isEmpty)
    return (
      <Notice title="No data in this period">
        Choose a longer range, or come back after a night with your device.
      </Notice>
    )
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <ColumnChart
        title="Recovery"
        description="Daily recovery, percent."
        buckets={buckets}
        figureOf={FIGURES.recovery}
        text={scoreAndBand}
        fillOf={recoveryFill}
        {...recoveryScale(buckets.map(({ days: grouped }) => meanOf(grouped, FIGURES.recovery).source))}
        footer={noteOf(NOTED.recovery)}
      />
      <StrainRecoveryChart buckets={buckets} />
      <LineChart
        title="Heart rate variability"
        description="Nightly RMSSD, and your usual range."
        unit="ms"
        text={figure}
        buckets={buckets}
        figureOf={FIGURES.hrv}
        bandOf={(day) => day.hrv_band}
        color={{ stroke: "stroke-hrv", fill: "fill-hrv", background: "bg-hrv" }}
        footer={noteOf(NOTED.hrv)}
      />
      <LineChart
        title="Resting heart rate"
        description="Nightly resting heart rate, and your usual range."
        unit="bpm"
        text={figure}
        buckets={buckets}
        figureOf={FIGURES.restingHeartRate}
        bandOf={(day) => day.resting_heart_rate_band}
        color={{ stroke: "stroke-heart", fill: "fill-heart", background: "bg-heart" }}
        footer={noteOf(NOTED.restingHeartRate)}
      />
      <StagesChart buckets={buckets} footer={noteOf(NOTED.asleep)} />
      <TimingChart buckets={buckets} footer={noteOf(NOTED.bedtime)} />
      <ColumnChart
        title="Strain"
        description="Daily strain, 0-21. Today's is still in progress."
        buckets={buckets}
        figureOf={FIGURES.strain}
        text={(strain) => figure(strain, 1)}
        fillOf={() => "fill-strain"}
        ticks={[0, 7, 14, MAX_STRAIN]}
        legend={[{ label: "strain", color: "bg-strain" }]}
        footer={noteOf(NOTED.strain)}
      />
      <LineChart
        title="Skin temperature"
        description="Deviation from your previous 30 nights, degrees Celsius."
        unit="°C"
        text={signed}
        buckets={buckets}
        figureOf={FIGURES.skinTempDeviation}
        color={{ stroke: "stroke-fair", fill: "fill-fair", background: "bg-fair" }}
        footer={noteOf(NOTED.skinTempDeviation)}
      />
    </div>
  )
}
