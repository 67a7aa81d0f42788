import type { AccountResponse, TrendDay } from "@restwell/client"
import { type ReactNode, useState } from "react"
import { Redirect } from "wouter"
import { useAccount } from "../api/account.ts"
import { useJournal } from "../api/journal.ts"
import { dataVersion, type TrendDays, useTrends } from "../api/trends.ts"
import { ColumnChart } from "../charts/column-chart.tsx"
import { LineChart } from "../charts/line-chart.tsx"
import { StagesChart } from "../charts/stages-chart.tsx"
import { StrainRecoveryChart } from "../charts/strain-recovery-chart.tsx"
import { TimingChart } from "../charts/timing-chart.tsx"
import { ConnectionNotices } from "../components/connection-notices.tsx"
import { Loaded } from "../components/loaded.tsx"
import { Notice } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { Segmented } from "../components/segmented.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { fullDate } from "../format/date.ts"
import { figure, signed } from "../format/number.ts"
import { FactorPicker } from "../journal/factor-picker.tsx"
import { MarksContext } from "../journal/marks-context.ts"
import { useMarkedFactor } from "../journal/use-marked-factor.ts"
import { bucketsOf, type Grain, grainOf } from "../trends/buckets.ts"
import { FIGURES, MAX_STRAIN } from "../trends/figures.ts"
import { BAND_FILL, BAND_LEGEND, BAND_NAMES, recoveryBand } from "../trends/recovery-band.ts"

const RANGES = [
  { value: "7", label: "7 days", days: 7 },
  { value: "30", label: "30 days", days: 30 },
  { value: "90", label: "90 days", days: 90 },
  { value: "all", label: "All", days: "all" },
] as const satisfies readonly { value: string; label: string; days: TrendDays }[]

type Range = (typeof RANGES)[number]["value"]

const GRAIN_TEXT: Readonly<Record<Grain, string>> = {
  day: "daily values",
  week: "weekly means",
  month: "monthly means",
}

export default function TrendsPage() {
  const [range, setRange] = useState<Range>("30")
  const actions = <Segmented label="Range" options={RANGES} value={range} onChange={setRange} />
  return (
    <Loaded query={useAccount()} skeleton={SKELETON} frame={(content) => frame(content, actions)}>
      {(account) =>
        account.connections.length === 0 ? (
          <Redirect to="/start" replace />
        ) : (
          <Trends account={account} range={range} actions={actions} />
        )
      }
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

function Trends({ account, range, actions }: { account: AccountResponse; range: Range; actions: ReactNode }) {
  const days = RANGES.find(({ value }) => value === range)?.days ?? 30
  const trends = useTrends(days, dataVersion(account))
  const { marks, ...picker } = useMarkedFactor(useJournal(days, dataVersion(account)).data?.days ?? [])
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
            </>
          }
        >
          <ConnectionNotices account={account} />
          {/* The previous range stays, dimmed, until the new one is loaded. */}
          <div aria-busy={trends.isPlaceholderData} className={trends.isPlaceholderData ? "opacity-60" : ""}>
            <MarksContext value={marks}>
              <Charts days={days} />
            </MarksContext>
          </div>
        </Page>
      )}
    </Loaded>
  )
}

function Charts({ days }: { days: readonly TrendDay[] }) {
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
        text={(score) => `${figure(score)} %, ${BAND_NAMES[recoveryBand(score)].toLowerCase()}`}
        fillOf={(score) => BAND_FILL[recoveryBand(score)]}
        ticks={[0, 34, 67, 100]}
        legend={BAND_LEGEND}
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
      />
      <StagesChart buckets={buckets} />
      <TimingChart buckets={buckets} />
      <ColumnChart
        title="Strain"
        description="Daily strain, 0-21. Today's is still in progress."
        buckets={buckets}
        figureOf={FIGURES.strain}
        text={(strain) => figure(strain, 1)}
        fillOf={() => "fill-strain"}
        ticks={[0, 7, 14, MAX_STRAIN]}
        legend={[{ label: "strain", color: "bg-strain" }]}
      />
      <LineChart
        title="Skin temperature"
        description="Deviation from your previous 30 nights, degrees Celsius."
        unit="°C"
        text={signed}
        buckets={buckets}
        figureOf={FIGURES.skinTempDeviation}
        color={{ stroke: "stroke-fair", fill: "fill-fair", background: "bg-fair" }}
      />
    </div>
  )
}
