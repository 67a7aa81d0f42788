import type { AccountResponse, TrendsResponse } from "@restwell/client"
import { useState } from "react"
import { Redirect } from "wouter"
import { useAccount } from "../api/account.ts"
import { dataVersion, type TrendDays, useTrends } from "../api/trends.ts"
import { ColumnChart } from "../charts/column-chart.tsx"
import { LineChart } from "../charts/line-chart.tsx"
import { StagesChart } from "../charts/stages-chart.tsx"
import { StrainRecoveryChart } from "../charts/strain-recovery-chart.tsx"
import { TimingChart } from "../charts/timing-chart.tsx"
import { activeConnection, ConnectionNotice } from "../components/connection-notice.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { Notice } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { Segmented } from "../components/segmented.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { fullDate } from "../format/date.ts"
import { figure, signed } from "../format/number.ts"
import { bucketsOf, type Grain, grainOf } from "../trends/buckets.ts"
import { FIGURES } from "../trends/figures.ts"
import { BAND_FILL, BAND_LEGEND, BAND_WORDS, recoveryBand } from "../trends/recovery-band.ts"

const RANGES = [
  { value: "7", label: "7 days", days: 7 },
  { value: "30", label: "30 days", days: 30 },
  { value: "90", label: "90 days", days: 90 },
  { value: "all", label: "All", days: "all" },
] as const satisfies readonly { value: string; label: string; days: TrendDays }[]

type Range = (typeof RANGES)[number]["value"]

const GRAIN_TEXT: Readonly<Record<Grain, string>> = {
  day: "day by day",
  week: "by the week, means of its days",
  month: "by the month, means of its days",
}

export default function TrendsPage() {
  const account = useAccount()
  const [range, setRange] = useState<Range>("30")
  if (account.isPending) return <Frame range={range} onRange={setRange} />
  if (account.isError)
    return (
      <Page title="Trends">
        <FailureNotice error={account.error} onRetry={() => account.refetch()} />
      </Page>
    )
  if (account.data.connections.length === 0) return <Redirect to="/start" replace />
  return <Range account={account.data} range={range} onRange={setRange} />
}

interface RangeProps {
  readonly range: Range
  readonly onRange: (range: Range) => void
}

function Range({ account, range, onRange }: RangeProps & { account: AccountResponse }) {
  const days = RANGES.find(({ value }) => value === range)?.days ?? 30
  const trends = useTrends(days, dataVersion(account))
  const connection = activeConnection(account)
  if (trends.isPending) return <Frame range={range} onRange={onRange} />
  if (trends.isError)
    return (
      <Page title="Trends">
        <FailureNotice error={trends.error} onRetry={() => trends.refetch()} />
      </Page>
    )
  const grain = grainOf(trends.data.days.length)
  return (
    <Page
      title="Trends"
      subtitle={`${periodText(trends.data)}, ${GRAIN_TEXT[grain]}`}
      actions={<Segmented label="Range" options={RANGES} value={range} onChange={onRange} />}
    >
      {connection && <ConnectionNotice connection={connection} />}
      {/* The range before stays, and is told apart, until the one that was chosen is there. */}
      <div aria-busy={trends.isPlaceholderData} className={trends.isPlaceholderData ? "opacity-60" : ""}>
        <Charts trends={trends.data} grain={grain} />
      </div>
    </Page>
  )
}

const periodText = ({ period }: TrendsResponse): string =>
  `${fullDate(period.start_date)} to ${fullDate(period.end_date)}`

/** The page while it is being read: the charts' places in their sizes. */
const Frame = ({ range, onRange }: RangeProps) => (
  <Page
    title="Trends"
    subtitle={"\u00a0"}
    actions={<Segmented label="Range" options={RANGES} value={range} onChange={onRange} />}
  >
    <div className="grid gap-4 xl:grid-cols-2">
      <Skeleton className="h-95" label="Your charts are being read" />
      <Skeleton className="h-95" label="" />
    </div>
  </Page>
)

function Charts({ trends: { days }, grain }: { trends: TrendsResponse; grain: Grain }) {
  const buckets = bucketsOf(days, grain)
  const isEmpty = days.every(({ sleep, recovery, strain }) => sleep === null && recovery === null && strain === null)
  if (isEmpty)
    return (
      <Notice title="Nothing was recorded in these dates">
        Choose a longer range, or look again after a night with the band.
      </Notice>
    )
  return (
    <div className="grid gap-4 xl:grid-cols-2">
      <ColumnChart
        title="Recovery"
        description="How ready each morning was, percent."
        buckets={buckets}
        figureOf={FIGURES.recovery}
        text={(score) => `${figure(score)} %, ${BAND_WORDS[recoveryBand(score)].toLowerCase()}`}
        fillOf={(score) => BAND_FILL[recoveryBand(score)]}
        ticks={[0, 34, 67, 100]}
        legend={BAND_LEGEND}
      />
      <StrainRecoveryChart buckets={buckets} />
      <LineChart
        title="Heart rate variability"
        description="RMSSD in the night, over the range that is usual for you."
        unit="ms"
        text={(value) => figure(value)}
        buckets={buckets}
        figureOf={FIGURES.hrv}
        bandOf={(day) => day.hrv_band}
        color={{ stroke: "stroke-hrv", fill: "fill-hrv", background: "bg-hrv" }}
      />
      <LineChart
        title="Resting heart rate"
        description="In the night, over the range that is usual for you."
        unit="bpm"
        text={(value) => figure(value)}
        buckets={buckets}
        figureOf={FIGURES.restingHeartRate}
        bandOf={(day) => day.resting_heart_rate_band}
        color={{ stroke: "stroke-heart", fill: "fill-heart", background: "bg-heart" }}
      />
      <StagesChart buckets={buckets} />
      <TimingChart buckets={buckets} />
      <ColumnChart
        title="Strain"
        description="How much each day asked, 0 to 21. Today still grows."
        buckets={buckets}
        figureOf={FIGURES.strain}
        text={(strain) => figure(strain, 1)}
        fillOf={() => "fill-strain"}
        ticks={[0, 7, 14, 21]}
        legend={[{ label: "strain", color: "bg-strain" }]}
      />
      <LineChart
        title="Skin temperature"
        description="Difference from the 30 nights before, degrees Celsius."
        unit="°C"
        text={(value) => signed(value, 1)}
        buckets={buckets}
        figureOf={FIGURES.skinTempDeviation}
        color={{ stroke: "stroke-fair", fill: "fill-fair", background: "bg-fair" }}
      />
    </div>
  )
}
