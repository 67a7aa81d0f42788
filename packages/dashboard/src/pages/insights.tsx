import { type AccountResponse, METRIC_IDS, type MetricId, type MetricsResponse, PROVIDERS } from "@restwell/client"
import { nameOf } from "@restwell/client/figures"
import type { ReactNode } from "react"
import { Redirect } from "wouter"
import { dataVersion, useAccount } from "../api/account.ts"
import { useMetrics } from "../api/insights.ts"
import { ButtonLink } from "../components/button.tsx"
import { Select, useUrlState } from "../components/choice.tsx"
import { ConnectionNotices } from "../components/connection-notice.tsx"
import { Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { providerName } from "../format/provider-name.ts"
import { lagBefore, type Pairing } from "../insights/findings.ts"
import { MetricPicker } from "../insights/metric-trend.tsx"
import { AllRelations, OneFactor } from "../insights/relation.tsx"
import { daysOf, type TrendDays } from "../trends/days.ts"

const RANGES = [
  ["90", "90 days"],
  ["180", "180 days"],
  ["365", "A year"],
  ["all", "All days"],
] as const
const USUAL_DAYS = 180

const SAME_DAY = ["0", "the same day"] as const
const DAY_BEFORE = ["1", "the day before"] as const
/** Each factor with the outcome that follows it. */
const BEFORE = ["", "the time before"] as const

/** The value of the entry for all factors. */
const ALL_FACTORS = ""
/** What people ask about first. */
const FIRST_OUTCOMES: readonly MetricId[] = ["recovery_score", "hrv", "asleep"]

/** What goes with an outcome: `/insights?outcome=hrv&factor=strain&lag=1&days=180`. */
export default function InsightsPage() {
  return (
    <Loaded query={useAccount()} skeleton={SKELETON} frame={plainFrame}>
      {(account) =>
        account.connections.length === 0 ? <Redirect to="/start" replace /> : <Insights account={account} />
      }
    </Loaded>
  )
}

const SKELETON = <Skeleton className="h-[70vh]" label="Loading your metrics" />

const plainFrame = (content: ReactNode) => <Page title="What affects my recovery?">{content}</Page>

function Insights({ account }: { account: AccountResponse }) {
  const version = dataVersion(account)
  return (
    <Loaded query={useMetrics(version)} skeleton={SKELETON} frame={plainFrame}>
      {(catalogue) =>
        catalogue.metrics.some(({ n }) => n > 0) ? (
          <Question catalogue={catalogue} version={version} notices={<ConnectionNotices account={account} />} />
        ) : (
          plainFrame(
            <>
              <ConnectionNotices account={account} />
              <Notice title="No data yet">Come back after some nights with your device.</Notice>
            </>,
          )
        )
      }
    </Loaded>
  )
}

interface QuestionProps {
  readonly catalogue: MetricsResponse
  readonly version: string
  readonly notices: ReactNode
}

function Question({ catalogue: { metrics }, version, notices }: QuestionProps) {
  const [url, change] = useUrlState()
  const outcome = outcomeOf(url.get("outcome"), metrics)
  const asked = url.get("factor") ?? ALL_FACTORS
  const factor = asked === outcome || asked === ALL_FACTORS ? undefined : asked
  const pairing = pairingOf(url.get("lag"))
  const lag = pairing === "before" ? lagBefore(outcome, factor ?? "") : pairing
  const days = daysOf(url.get("days"), USUAL_DAYS)
  const source = PROVIDERS.find((provider) => provider === url.get("source"))
  const title = metrics.find(({ id }) => id === outcome)
  const hrefOf = (chosen: string | undefined) =>
    `/insights?${new URLSearchParams({
      outcome,
      ...(pairing !== "before" && { lag: String(pairing) }),
      days: String(days),
      ...(source !== undefined && { source }),
      ...(chosen !== undefined && { factor: chosen }),
    })}`
  const common = { metrics, outcome, days, source, version, hrefOf }
  return (
    <Page title={`What affects my ${title ? nameOf(title) : "recovery"}?`}>
      {notices}
      <div className="grid grid-cols-2 items-end gap-3 lg:grid-cols-4">
        <MetricPicker
          label="Outcome"
          metrics={metrics.filter(({ kind }) => kind !== "yes_no")}
          value={outcome}
          onChange={(chosen) => change({ outcome: chosen })}
        />
        <RangePicker days={days} onChange={(chosen) => change({ days: chosen })} />
        <MetricPicker
          label="Factor"
          metrics={metrics.filter(({ id }) => id !== outcome)}
          value={factor ?? ALL_FACTORS}
          onChange={(chosen) => change({ factor: chosen === ALL_FACTORS ? undefined : chosen })}
          first={[ALL_FACTORS, "All factors"]}
        />
        <Select
          label="Compare with"
          options={factor === undefined ? [BEFORE, SAME_DAY, DAY_BEFORE] : [SAME_DAY, DAY_BEFORE]}
          value={factor === undefined ? (pairing === "before" ? BEFORE[0] : String(pairing)) : String(lag)}
          onChange={({ target }) => change({ lag: target.value === BEFORE[0] ? undefined : target.value })}
        />
      </div>
      {source !== undefined && (
        <Notice
          title={`Only values of ${providerName(source)}`}
          action={<ButtonLink to={hrefOf(factor).replace(/&source=\w+/, "")}>Show the usual source</ButtonLink>}
        />
      )}
      {factor === undefined ? (
        <AllRelations {...common} pairing={pairing} />
      ) : (
        <OneFactor {...common} factor={factor} lag={lag} />
      )}
    </Page>
  )
}

/** A range of the address that is no usual one has an entry of its own. */
const RangePicker = ({ days, onChange }: { days: TrendDays; onChange: (days: string) => void }) => (
  <Select
    label="Range"
    options={
      RANGES.some(([value]) => value === String(days)) ? RANGES : [[String(days), `${days} days`] as const, ...RANGES]
    }
    value={String(days)}
    onChange={({ target }) => onChange(target.value)}
  />
)

const pairingOf = (lag: string | null): Pairing => (lag === "0" ? 0 : lag === "1" ? 1 : "before")

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
