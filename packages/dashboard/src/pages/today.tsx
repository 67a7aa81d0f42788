import type { AccountResponse, DayResponse } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { unbroken } from "@restwell/client/figures"
import { ChevronLeft, ChevronRight } from "lucide-react"
import type { ReactNode } from "react"
import { Redirect, useLocation, useSearchParams } from "wouter"
import { dataVersion, hasSeveralSources, lastSynced, useAccount } from "../api/account.ts"
import { useDay } from "../api/journal.ts"
import { usePreferences } from "../api/preferences.ts"
import { ServiceFailure } from "../api/send.ts"
import { Button, ButtonLink } from "../components/button.tsx"
import { ConnectionNotices } from "../components/connection-notice.tsx"
import { Loaded, Notice, Skeleton } from "../components/notice.tsx"
import { OnPhone, Page } from "../components/page.tsx"
import { TimeAgo } from "../components/time-ago.tsx"
import { daysBetween, fullDate, longDate, mediumDate, shortDate } from "../format/date.ts"
import { Arrangement } from "../today/arrangement.tsx"
import { CalendarButton } from "../today/calendar-button.tsx"
import { awaitedOn } from "../today/day.tsx"
import { EndedNotice } from "../today/ended.tsx"
import { MissingNotice } from "../today/missing-notice.tsx"
import { Overview } from "../today/overview.tsx"
import { partsOfNeed, scorePartsOf } from "../today/score-parts.ts"
import { storyOf } from "../today/story.ts"
import { dateOf } from "../trends/days.ts"

const SPARKLINE_DAYS = 14

/** Last night and today, or the date of the address: `/?date=2026-11-20`. */
export const TodayPage = () => (
  <Loaded query={useAccount()} skeleton={SKELETON} frame={frame}>
    {(account) => (account.connections.length === 0 ? <Redirect to="/start" replace /> : <Days account={account} />)}
  </Loaded>
)

const frame = (content: ReactNode) => (
  <Page title="Today" subtitle={"\u00a0"} lead={<p className="min-h-14 text-xl sm:text-2xl">{"\u00a0"}</p>}>
    {content}
  </Page>
)

const SKELETON = (
  <>
    <Skeleton className="h-50" label="Loading your day" />
    <Skeleton className="h-24" label="" />
    <Skeleton className="h-48" label="" />
  </>
)

function Days({ account }: { account: AccountResponse }) {
  const [search] = useSearchParams()
  const date = dateOf(search.get("date"))
  const query = useDay(date, dataVersion(account))
  if (date !== undefined && query.isLoadingError && query.error instanceof ServiceFailure && query.error.status === 0)
    return <NotKept date={date} />
  return (
    <Loaded query={query} skeleton={SKELETON} frame={frame}>
      {(answer) => (
        <Day account={account} answer={answer} date={date ?? answer.today} isLoading={query.isPlaceholderData} />
      )}
    </Loaded>
  )
}

/** A day that this browser has never shown, while the service is out of reach. */
const NotKept = ({ date }: { date: string }) => (
  <Page title={fullDate(date)} actions={<ButtonLink to="/">Go to Today</ButtonLink>}>
    <Notice tone="fair" title="This day is not kept in this browser">
      Without a connection you see today, the six days before, and days that you have opened before. It is shown again
      when Restwell is reachable.
    </Notice>
  </Page>
)

interface DayViewProps {
  readonly account: AccountResponse
  readonly answer: DayResponse
  readonly date: string
  /** True while the answer is about the date before. */
  readonly isLoading: boolean
}

function Day({ account, answer, date, isLoading }: DayViewProps) {
  const { rows: days, today, oldest_date: oldest } = answer
  const [, navigate] = useLocation()
  const version = dataVersion(account)
  const preferences = usePreferences()
  const signs = answer.figures_date === date ? answer.signs : []
  const index = days.findIndex((each) => each.date === date)
  const day = days[index]
  if (date > today) return <Redirect to="/" replace />
  if (!day) return frame(SKELETON)
  const before = days.slice(0, index)
  const isToday = date === today
  const isThisYear = date.slice(0, 4) === today.slice(0, 4)
  const missing = [answer.sleep, answer.recovery, answer.cycle, answer.workout].flatMap((list) => list?.missing ?? [])
  const ended = isToday ? answer.ended : null
  const lacking = missing.flatMap((one) => (one.date === date ? [one.kind] : []))
  const explained = new Set([...lacking, ...(ended?.kinds ?? [])])
  const figures = answer.date === date ? answer.figures : []
  const awaited = awaitedOn({ ...answer, date })
  const said = { day, isToday, explained, awaited }
  const parts = { ...said, figures, namesSources: hasSeveralSources(account), preferences }
  const syncedAt = lastSynced(account)
  return (
    <Page
      {...(isToday
        ? { title: "Today" }
        : isThisYear
          ? { title: longDate(date), shortTitle: shortDate(date) }
          : { title: fullDate(date), shortTitle: mediumDate(date) })}
      subtitle={
        isToday ? <OnPhone short={shortDate(date)}>{longDate(date)}</OnPhone> : agoText(daysBetween(date, today))
      }
      lead={
        <Lead
          sentences={storyOf({
            ...said,
            before,
            clock: preferences.clock,
            best: answer.date === date ? answer.best : null,
          })}
          syncedAt={isToday ? syncedAt : undefined}
        />
      }
      actions={
        <DayNavigation
          date={date}
          today={today}
          oldest={oldest ?? addDays(today, -SPARKLINE_DAYS)}
          version={version}
          onChange={(next) => navigate(next === today ? "/" : `/?date=${next}`)}
        />
      }
    >
      <ConnectionNotices account={account} />
      {ended && <EndedNotice ended={ended} />}
      <MissingNotice missing={missing} date={date} />
      <div aria-busy={isLoading} className="flex flex-col gap-4">
        <Overview {...parts} before={before} />
        <Arrangement
          {...parts}
          before={before}
          signs={signs}
          scoreParts={answer.date === date ? scorePartsOf(answer) : []}
          need={answer.date === date ? partsOfNeed(answer) : undefined}
          days={days.slice(Math.max(index + 1 - SPARKLINE_DAYS, 0), index + 1)}
          version={version}
        />
      </div>
    </Page>
  )
}

/** The day in a sentence or two, which a screen reader reads again after a change of the date. */
const Lead = ({ sentences, syncedAt }: { sentences: readonly string[]; syncedAt: string | undefined }) => (
  <>
    <p
      aria-live="polite"
      className="min-h-14 max-w-3xl text-xl leading-snug font-semibold tracking-tight text-pretty sm:text-2xl"
    >
      {unbroken(sentences.join(" "))}
    </p>
    {syncedAt !== undefined && (
      <p className="mt-1 text-sm text-muted">
        Synced <TimeAgo instant={syncedAt} />
      </p>
    )}
  </>
)

const agoText = (days: number): string => (days === 1 ? "Yesterday" : `${days} days ago`)

interface DayNavigationProps {
  readonly date: string
  readonly today: string
  /** The first date of the history. */
  readonly oldest: string
  /** From `dataVersion`. */
  readonly version: string
  readonly onChange: (date: string) => void
}

/** One day back or forward, or any day from the calendar. */
const DayNavigation = (props: DayNavigationProps) => {
  const { date, today, oldest, onChange } = props
  return (
    <>
      <Button
        className="min-h-11 min-w-11 px-2"
        onClick={() => onChange(addDays(date, -1))}
        disabled={date <= oldest}
        aria-label="Previous day"
      >
        <ChevronLeft size={18} aria-hidden="true" />
      </Button>
      <CalendarButton {...props} />
      <Button
        className="min-h-11 min-w-11 px-2"
        onClick={() => onChange(addDays(date, 1))}
        disabled={date >= today}
        aria-label="Next day"
      >
        <ChevronRight size={18} aria-hidden="true" />
      </Button>
    </>
  )
}
