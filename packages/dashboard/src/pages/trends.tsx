import type { AccountResponse, TrendCardId } from "@restwell/client"
import { lazy, type ReactNode, Suspense, useState } from "react"
import { Redirect } from "wouter"
import { dataVersion, useAccount, useJournal } from "../api/account.ts"
import { type CardChoice, useTrendCards } from "../api/preferences.ts"
import { type PeriodContent, usePeriod, WithPeriod } from "../cards/period-page.tsx"
import { availableCards, CARD_TITLES, cardsOf, inChosenOrder, TrendCard } from "../cards/trend-card.tsx"
import { FactorPicker, MarksContext, useMarkedFactor } from "../charts/journal-marks.tsx"
import { Button, ButtonLink } from "../components/button.tsx"
import { ConnectionNotices } from "../components/connection-notice.tsx"
import { Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { moved, OrderList } from "../components/order-list.tsx"
import { Page, Panel } from "../components/page.tsx"
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

interface CardEditorProps {
  /** Cards that have values. */
  readonly available: readonly TrendCardId[]
  readonly chosen: CardChoice
  /** Why the last change was not saved. */
  readonly failure: string | undefined
  readonly onChange: (chosen: CardChoice) => void
}

/** Changes the order of the cards, and hides some. Each change is saved at once. A hidden card keeps its place. */
export function CardEditor({ available, chosen: stored, failure, onChange }: CardEditorProps) {
  // A second press must not wait until the first one is saved.
  const [chosen, setChosen] = useState(stored)
  const [status, setStatus] = useState("")
  const all = inChosenOrder(chosen)
  const rows = all.filter((id) => available.includes(id))
  const hidden = chosen.hidden_cards ?? []
  const change = (choice: CardChoice, text: string) => {
    setChosen(choice)
    onChange(choice)
    setStatus(text)
  }
  return (
    <Panel
      title="Your cards"
      description="Their order, and which are hidden. It is kept for your account, in every browser."
      actions={
        <Button onClick={() => change({ trend_cards: null, hidden_cards: null }, "The usual cards are back.")}>
          Reset
        </Button>
      }
    >
      <OrderList
        purpose="of cards"
        items={rows.map((id) => ({ key: id, name: CARD_TITLES[id], ...(hidden.includes(id) && { note: "hidden" }) }))}
        onMove={(from, to) => {
          const name = CARD_TITLES[rows[from] ?? "recovery_score"]
          // Cards without values keep their order, after the others.
          const order = [...new Set([...moved(rows, from, to), ...all])]
          change(
            { trend_cards: order, hidden_cards: [...hidden] },
            `${name} is now number ${to + 1} of ${rows.length}.`,
          )
        }}
        actionOf={({ key, name }) => {
          const isHidden = hidden.some((id) => id === key)
          const others = hidden.filter((id) => id !== key)
          const next = isHidden ? others : [...others, ...rows.filter((id) => id === key)]
          return (
            <Button
              look="quiet"
              className="w-16 max-sm:w-12 max-sm:px-0"
              aria-label={`${isHidden ? "Show" : "Hide"} ${name}`}
              onClick={() => change({ ...chosen, hidden_cards: next }, `${name} is ${isHidden ? "shown" : "hidden"}.`)}
            >
              {isHidden ? "Show" : "Hide"}
            </Button>
          )
        }}
      />
      <p role="status" className="mt-3 min-h-5 text-sm text-muted">
        {failure === undefined ? status : `The change was not saved: ${failure}.`}
      </p>
    </Panel>
  )
}
