import type {
  AccountResponse,
  DayResponse,
  DisplayPreferences,
  MetricId,
  TrendDay,
  WeekPage as WeekAnswer,
} from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { averageText, figure, hoursText, scoreText, unbroken } from "@restwell/client/figures"
import { ChevronLeft, ChevronRight } from "lucide-react"
import { dataVersion } from "../api/account.ts"
import { useDay } from "../api/journal.ts"
import { useWeekPage } from "../api/pages.ts"
import { usePreferences } from "../api/preferences.ts"
import { isDrawn, ownDays } from "../cards/own-days.ts"
import { Connected, useVersion } from "../cards/period-page.tsx"
import { Button } from "../components/button.tsx"
import { useUrlState } from "../components/choice.tsx"
import { ConnectionNotices } from "../components/connection-notice.tsx"
import { Loaded, Notice, Refreshing, Skeleton } from "../components/notice.tsx"
import { sourceWords } from "../components/only-source.tsx"
import { Page, Panel } from "../components/page.tsx"
import { weekdayName } from "../format/date.ts"
import { datesText } from "../metrics/answer-text.ts"
import { type Dates, dateOf } from "../trends/days.ts"
import { FIGURES } from "../trends/figures.ts"
import { recoveryBackground } from "../trends/recovery-band.ts"
import { DayBars, WeekFigures } from "../week/figures.tsx"
import { type WeekFigure, weekFigure, weekSentence, worthKnowing } from "../week/sentence.ts"

const WEEK_DAYS = 7
/** Those with a bar for each day. */
const BARS: readonly string[] = ["recovery_score", "asleep"] satisfies MetricId[]

const SKELETON = (
  <>
    <Skeleton className="h-14" label="Loading your week" />
    <Skeleton className="h-56" label="" />
    <Skeleton className="h-56" label="" />
    <Skeleton className="h-80" label="" />
  </>
)

/** The seven days up to today, or up to `?date=2026-11-20`, beside the seven before. */
export default function WeekPage() {
  const [url, change] = useUrlState()
  const asked = dateOf(url.get("date"))
  const page = useWeekPage(asked, useVersion())
  const today = page.data?.today
  const dates = today === undefined ? undefined : weekOf(asked, today)
  const goTo = (end: string) => change({ date: end === today ? undefined : end }, "push")
  return (
    <div className="mx-auto max-w-2xl">
      <Page
        title="Your week"
        subtitle={dates ? datesText(dates) : "\u00a0"}
        actions={<WeekPicker end={dates?.end_date} today={today} onChange={goTo} />}
      >
        <Connected skeleton={SKELETON}>
          {(account) => (
            <Loaded query={page} skeleton={SKELETON}>
              {(answer) => (
                <Refreshing isStale={page.isPlaceholderData} className="flex flex-col gap-4">
                  <Digest account={account} answer={answer} />
                </Refreshing>
              )}
            </Loaded>
          )}
        </Connected>
      </Page>
    </div>
  )
}

/** @param asked the last date. One of the future, or none, is today */
function weekOf(asked: string | undefined, today: string): Dates {
  const end = asked !== undefined && asked < today ? asked : today
  return { start_date: addDays(end, 1 - WEEK_DAYS), end_date: end }
}

interface WeekPickerProps {
  /** Undefined until it is known. */
  readonly end: string | undefined
  readonly today: string | undefined
  /** @param end the last date of another week */
  readonly onChange: (end: string) => void
}

function WeekPicker({ end, today = "", onChange }: WeekPickerProps) {
  const later = end && addDays(end, WEEK_DAYS)
  return (
    <>
      <Button
        aria-label="Previous week"
        disabled={end === undefined}
        onClick={() => end && onChange(addDays(end, -WEEK_DAYS))}
      >
        <ChevronLeft size={16} aria-hidden="true" />
      </Button>
      <Button
        aria-label="Next week"
        disabled={end === undefined || end === today}
        onClick={() => later && onChange(later < today ? later : today)}
      >
        <ChevronRight size={16} aria-hidden="true" />
      </Button>
    </>
  )
}

interface DigestProps {
  readonly account: AccountResponse
  readonly answer: WeekAnswer
}

function Digest({ account, answer }: DigestProps) {
  const preferences = usePreferences()
  const { data: today } = useDay(undefined, dataVersion(account))
  const figures = answer.figures.map(({ metric, before }) => weekFigure(metric, before))
  const sourced = answer.figures.flatMap(({ metric: { id }, before: { source } }) =>
    isDrawn(id) && BARS.includes(id) ? [{ id, source: source.provider }] : [],
  )
  const days = ownDays(answer, sourced)
  const facts = worthKnowing(days, answer.journal)
  return (
    <>
      <ConnectionNotices account={account} />
      <p className="text-lg text-balance">{unbroken(weekSentence(figures, preferences))}</p>
      {figures.length === 0 && <Notice title="No data yet">Come back after some nights with your device.</Notice>}
      <Bars
        days={days}
        today={answer.today}
        awaited={today?.awaited ?? []}
        figures={figures}
        preferences={preferences}
      />
      {figures.length > 0 && (
        <WeekFigures figures={figures} usual={answer.figures.map(({ usual }) => usual)} preferences={preferences} />
      )}
      {facts.length > 0 && (
        <Panel title="Worth knowing">
          <ul className="flex flex-col gap-1.5">
            {facts.map((fact) => (
              <li key={fact}>{fact}</li>
            ))}
          </ul>
        </Panel>
      )}
      <PendingToday days={days} />
    </>
  )
}

interface BarsProps {
  readonly days: readonly TrendDay[]
  readonly today: string
  /** What of today's morning may still come. */
  readonly awaited: DayResponse["awaited"]
  readonly figures: readonly WeekFigure[]
  readonly preferences: DisplayPreferences
}

/** Top of the scale of hours asleep. A longer night fills it. */
const MOST_HOURS = 10

function Bars({ days, today, awaited, figures, preferences }: BarsProps) {
  const summaryOf = (id: MetricId): string => {
    const found = figures.find(({ metric }) => metric.id === id)
    if (!found) return ""
    const { period, with: other } = found.answer
    const before = other.mean === null ? "" : `, ${averageText(found.metric, other.mean, preferences)} the week before`
    return `${averageText(found.metric, period.mean, preferences)} on average${before}`
  }
  const has = (id: MetricId): boolean => figures.some(({ metric }) => metric.id === id)
  const fromOf = (id: MetricId): string | undefined => {
    const found = figures.find(({ metric }) => metric.id === id)
    return found && sourceWords(found.answer)
  }
  return (
    <>
      {has("recovery_score") && (
        <DayBars
          title={figures.find(({ metric }) => metric.id === "recovery_score")?.metric.title ?? "Recovery"}
          from={fromOf("recovery_score")}
          summary={summaryOf("recovery_score")}
          days={days}
          today={awaited.includes("recovery") ? today : undefined}
          figureOf={FIGURES.recovery}
          max={100}
          short={figure}
          text={scoreText}
          colorOf={recoveryBackground}
        />
      )}
      {has("asleep") && (
        <DayBars
          title="Asleep"
          from={fromOf("asleep")}
          summary={summaryOf("asleep")}
          days={days}
          today={awaited.includes("sleep") ? today : undefined}
          figureOf={FIGURES.asleepHours}
          max={MOST_HOURS}
          short={(hours) => hoursText(hours).replace(" h ", ":").replace(" min", "")}
          text={hoursText}
          colorOf={() => "bg-deep"}
        />
      )}
    </>
  )
}

/** Nothing of a day in progress counts as zero. */
function PendingToday({ days }: { days: readonly TrendDay[] }) {
  const last = days.at(-1)
  if (!last || FIGURES.recovery(last).missing !== "pending") return null
  return (
    <p className="text-sm text-muted">{weekdayName(last.date)} is not scored yet and is left out of the averages.</p>
  )
}
