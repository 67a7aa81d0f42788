import type { PeriodFigure, TrendCardId } from "@restwell/client"
import { lazy, Suspense, useState } from "react"
import { useMetricPage, usePeriodPage } from "../api/pages.ts"
import { type CardChoice, usePreferences, useTrendCards } from "../api/preferences.ts"
import {
  Connected,
  datesOf,
  type PeriodContent,
  RangePicker,
  usePeriod,
  useVersion,
  WithPeriod,
} from "../cards/period-page.tsx"
import { availableCards, cardsOf, cardTitle, inChosenOrder, TrendCard } from "../cards/trend-card.tsx"
import { FactorPicker, MarksContext, useMarkedFactor } from "../charts/journal-marks.tsx"
import { Button, ButtonLink } from "../components/button.tsx"
import { useUrlState } from "../components/choice.tsx"
import { ConnectionNotices } from "../components/connection-notice.tsx"
import { Notice, Refreshing, Skeleton } from "../components/notice.tsx"
import { askedSource, OnlySourceNotice } from "../components/only-source.tsx"
import { moved, OrderList } from "../components/order-list.tsx"
import { Page, Panel } from "../components/page.tsx"
import { sportName } from "../format/provider-name.ts"
import { ChangedLine, changedSentence, comparedFigures } from "../insights/what-changed.tsx"
import { datesText } from "../metrics/answer-text.ts"
import { type Period, periodSearch } from "../trends/days.ts"

const MetricTrend = lazy(() => import("../insights/metric-trend.tsx"))

const USUAL_DAYS = 30

/** Cards of the person's figures, or with `?metric=hrv&days=90` the trend of one metric. */
export default function TrendsPage() {
  const [url] = useUrlState()
  const metric = url.get("metric")
  return metric === null ? <CardsPage /> : <MetricPage metric={metric} />
}

function CardsPage() {
  const { period, choose } = usePeriod(USUAL_DAYS)
  const page = usePeriodPage("trends", period, useVersion())
  const dates = datesOf(period, page.data?.period)
  return (
    <Page
      title="Trends"
      subtitle={dates ? datesText(dates) : "\u00a0"}
      actions={<RangePicker period={period} dates={dates} onChange={choose} />}
    >
      <WithPeriod period={period} page={page} skeleton={SKELETON}>
        {(content) => <Cards {...content} period={period} />}
      </WithPeriod>
    </Page>
  )
}

function MetricPage({ metric }: { metric: string }) {
  const { url, change, period, choose } = usePeriod(USUAL_DAYS)
  const sport = url.get("sport") ?? undefined
  const page = useMetricPage({ metric, period, source: askedSource(url), sport }, useVersion())
  const dates = datesOf(period, page.data?.figure?.trend.period)
  return (
    <Page
      title="Trends"
      subtitle={dates ? datesText(dates) : "\u00a0"}
      actions={
        <>
          <RangePicker period={period} dates={dates} onChange={choose} />
          <ButtonLink to={`/trends?${periodSearch(period)}`}>All charts</ButtonLink>
        </>
      }
    >
      <OnlySourceNotice />
      {sport !== undefined && (
        <Notice
          title={`Only workouts of ${sportName(sport)}`}
          action={<Button onClick={() => change({ sport: undefined })}>Show all sports</Button>}
        />
      )}
      <Connected skeleton={SKELETON}>
        {(account) => (
          <Suspense fallback={SKELETON}>
            <MetricTrend
              account={account}
              metricId={metric}
              page={page}
              onMetric={(chosen) => change({ metric: chosen, sport: undefined })}
            />
          </Suspense>
        )}
      </Connected>
    </Page>
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

/** Whether any date of the period has a value: of the source of its trend, or of its comparison. */
const hasValues = ({ trend, comparison }: PeriodFigure): boolean =>
  trend.n > 0 || (comparison !== null && comparison.period.n > 0)

interface CardsProps extends PeriodContent {
  readonly period: Period
}

function Cards({ account, period, view, answer, figures, isStale }: CardsProps) {
  const preferences = usePreferences()
  const { marks, ...picker } = useMarkedFactor(answer.journal)
  const { chosen, choose, error } = useTrendCards()
  const [isEditing, setEditing] = useState(false)
  if (chosen === undefined) return SKELETON
  const available = availableCards(figures)
  const cards = cardsOf(figures, chosen)
  const compared = comparedFigures(cards.flatMap((id) => figures?.find(({ metric }) => metric.id === id) ?? []))
  const isEmpty = figures !== undefined && figures.length > 0 && !figures.some(hasValues)
  return (
    <>
      <ConnectionNotices account={account} />
      {compared.length > 0 && !isEmpty && (
        <ChangedLine>{changedSentence(compared, view.days, preferences)}</ChangedLine>
      )}
      {/* One line on a phone, whose bar and page More have the other links. */}
      <div className="flex min-h-11 flex-wrap items-center gap-2 max-sm:flex-nowrap max-sm:gap-1.5">
        <div className="contents max-sm:hidden">
          <ButtonLink to="/week">Your week</ButtonLink>
          <ButtonLink to="/insights">What affects my recovery?</ButtonLink>
        </div>
        <ButtonLink to={`/report?${periodSearch(period)}`}>Report</ButtonLink>
        {available.length > 0 && (
          <Button aria-expanded={isEditing} onClick={() => setEditing(!isEditing)}>
            {isEditing ? (
              "Done"
            ) : (
              <span>
                <span className="max-sm:sr-only">Choose </span>
                <span className="max-sm:capitalize">cards</span>
              </span>
            )}
          </Button>
        )}
        {picker.factors.length > 0 && <FactorPicker {...picker} />}
      </div>
      {isEditing && <CardEditor available={available} chosen={chosen} failure={error?.message} onChange={choose} />}
      {cards.length === 0 && available.length > 0 && (
        <Notice title="All cards are hidden">Choose cards to see some.</Notice>
      )}
      {available.length === 0 && (
        <Notice title="No data yet">Your cards appear after the first nights with your device.</Notice>
      )}
      <Refreshing isStale={isStale}>
        {isEmpty && <Notice title="No data in these dates">Choose other dates to see your charts.</Notice>}
        <MarksContext value={marks}>
          <div className="grid gap-4 xl:grid-cols-2">
            {(isEmpty ? [] : cards).map((id) => (
              <TrendCard
                key={id}
                id={id}
                figures={figures}
                strainByRecovery={answer.strain_by_recovery}
                view={view}
                period={period}
              />
            ))}
          </div>
        </MarksContext>
      </Refreshing>
    </>
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
function CardEditor({ available, chosen: stored, failure, onChange }: CardEditorProps) {
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
        items={rows.map((id) => ({ key: id, name: cardTitle(id), ...(hidden.includes(id) && { note: "hidden" }) }))}
        onMove={(from, to) => {
          const name = cardTitle(rows[from] ?? "recovery_score")
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
