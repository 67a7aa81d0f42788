import { type AccountResponse, METRIC_IDS } from "@restwell/client"
import { lagBefore, nameOf } from "@restwell/client/figures"
import type { ReactNode } from "react"
import { Redirect } from "wouter"
import { dataVersion, useAccount } from "../api/account.ts"
import { useInsightsPage } from "../api/pages.ts"
import { Select, useUrlState } from "../components/choice.tsx"
import { ConnectionNotices } from "../components/connection-notice.tsx"
import { Loaded, Notice, Refreshing, Skeleton } from "../components/notice.tsx"
import { askedSource, OnlySourceNotice, sourceWords } from "../components/only-source.tsx"
import { Page } from "../components/page.tsx"
import type { Pairing } from "../insights/findings.ts"
import { MetricPicker, ofOnlySource } from "../insights/metric-trend.tsx"
import { AllRelations, OneFactor, type ReturnedPage } from "../insights/relation.tsx"
import { datesText } from "../metrics/answer-text.ts"
import { MOST_DAYS, type Period, periodOf, periodSearch } from "../trends/days.ts"

const RANGES = [
  ["90", "90 days"],
  ["180", "180 days"],
  ["365", "A year"],
  ["all", "All days"],
] as const
const USUAL_DAYS = 180
/** The value of the entry for the dates of the address. */
const OWN_DATES = "own"

const SAME_DAY = ["0", "the same day"] as const
const DAY_BEFORE = ["1", "the day before"] as const
/** Each factor with the outcome that follows it. */
const BEFORE = ["", "the time before"] as const

/** The value of the entry for all factors. */
const ALL_FACTORS = ""
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

const SKELETON = <Skeleton className="h-[70vh]" label="Computing relations" />

const plainFrame = (content: ReactNode) => (
  <Page title="What affects my recovery?">
    <OnlySourceNotice />
    {content}
  </Page>
)

/** The question that the URL asks. */
function useQuestion() {
  const [url, change] = useUrlState()
  const outcome = METRIC_IDS.find((id) => id === url.get("outcome"))
  const asked = url.get("factor") ?? ALL_FACTORS
  const factor = asked === outcome || asked === ALL_FACTORS ? undefined : asked
  const period = periodOf(url, USUAL_DAYS)
  const source = askedSource(url)
  return { outcome, factor, period, source, pairing: pairingOf(url.get("lag")), change }
}

type Question = ReturnType<typeof useQuestion>

function Insights({ account }: { account: AccountResponse }) {
  const question = useQuestion()
  const { outcome, factor, period, source, pairing } = question
  const lag = pairing === "before" ? undefined : pairing
  const page = useInsightsPage({ outcome, factor, lag, ...datesOf(period), source }, dataVersion(account))
  return (
    <Loaded query={page} skeleton={SKELETON} frame={plainFrame}>
      {({ trend, ...answer }) =>
        trend === null ? (
          plainFrame(
            <>
              <ConnectionNotices account={account} />
              <Notice title="No data yet">Come back after some nights with your device.</Notice>
            </>,
          )
        ) : (
          <Answered
            question={question}
            answer={{ ...answer, trend }}
            isStale={page.isPlaceholderData}
            notices={<ConnectionNotices account={account} />}
          />
        )
      }
    </Loaded>
  )
}

const datesOf = (period: Period) =>
  typeof period === "object"
    ? { days: undefined, ...period }
    : { days: period === "all" ? MOST_DAYS : period, start_date: undefined, end_date: undefined }

interface AnsweredProps {
  readonly question: Question
  readonly answer: ReturnedPage
  /** Whether it answers the question before. */
  readonly isStale: boolean
  readonly notices: ReactNode
}

function Answered({ question, answer: returned, isStale, notices }: AnsweredProps) {
  const metrics = returned.metrics.map(ofOnlySource)
  const answer = { ...returned, metrics }
  const { factor, period, source, pairing, change } = question
  const outcome = question.outcome ?? answer.outcome ?? ""
  const lag = pairing === "before" ? lagBefore(outcome, factor ?? "") : pairing
  const title = metrics.find(({ id }) => id === outcome)
  const from = sourceWords(answer.trend)
  const hrefOf = (chosen: string | undefined) =>
    `/insights?${new URLSearchParams({
      outcome,
      ...(pairing !== "before" && { lag: String(pairing) }),
      ...Object.fromEntries(new URLSearchParams(periodSearch(period))),
      ...(source !== undefined && { source }),
      ...(chosen !== undefined && { factor: chosen }),
    })}`
  return (
    <Page
      title={`What affects my ${title ? nameOf(title) : "recovery"}?`}
      {...(from !== undefined && title && { subtitle: `${title.title} ${from}` })}
    >
      {notices}
      <div className="grid grid-cols-2 items-end gap-3 lg:grid-cols-4">
        <MetricPicker
          label="Outcome"
          metrics={metrics.filter(({ kind }) => kind !== "yes_no")}
          value={outcome}
          onChange={(chosen) => change({ outcome: chosen })}
        />
        <RangePicker
          period={period}
          onChange={(days) => change({ days, start_date: undefined, end_date: undefined })}
        />
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
      <OnlySourceNotice />
      {isOf(answer, factor) ? (
        <Refreshing isStale={isStale} className="flex flex-col gap-4">
          {factor === undefined ? (
            <AllRelations answer={answer} pairing={pairing} hrefOf={hrefOf} />
          ) : (
            <OneFactor answer={answer} hrefOf={hrefOf} />
          )}
        </Refreshing>
      ) : (
        SKELETON
      )}
    </Page>
  )
}

/** Whether an answer is about this factor, or about all. The one before it may be about another one. */
const isOf = ({ relations }: ReturnedPage, factor: string | undefined): boolean =>
  relations.every((relation) => ("relations" in relation ? factor === undefined : relation.factor === factor))

/** A period of the address that is no usual one, or has dates of its own, has an entry of its own. */
function RangePicker({ period, onChange }: { readonly period: Period; readonly onChange: (days: string) => void }) {
  const own =
    typeof period === "object"
      ? ([OWN_DATES, datesText(period)] as const)
      : ([String(period), `${period} days`] as const)
  const isUsual = RANGES.some(([value]) => value === own[0])
  return (
    <Select
      label="Range"
      options={isUsual ? RANGES : [own, ...RANGES]}
      value={own[0]}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

const pairingOf = (lag: string | null): Pairing => (lag === "0" ? 0 : lag === "1" ? 1 : "before")
