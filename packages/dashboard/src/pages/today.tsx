import type { AccountResponse, TrendsResponse } from "@restwell/client"
import { ChevronLeft, ChevronRight } from "lucide-react"
import { type ReactNode, useState } from "react"
import { Redirect } from "wouter"
import { dataVersion, hasSeveralSources, lastSynced, useAccount, useJournal, useTrends } from "../api/account.ts"
import { MarksContext, useMarkedFactor } from "../charts/journal-marks.tsx"
import { Button } from "../components/button.tsx"
import { ConnectionNotices } from "../components/connection-notice.tsx"
import { Loaded, Skeleton } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { TimeAgo } from "../components/time-ago.tsx"
import { longDate } from "../format/date.ts"
import { JournalPanel } from "../today/journal-panel.tsx"
import { NightPanel } from "../today/night-panel.tsx"
import { Overview } from "../today/overview.tsx"
import { Vitals } from "../today/vitals.tsx"
import { WorkoutsPanel } from "../today/workouts-panel.tsx"

const SPARKLINE_DAYS = 14

/** Last night and today, or one of the 29 days before. */
export const TodayPage = () => (
  <Loaded query={useAccount()} skeleton={SKELETON} frame={frame}>
    {(account) => (account.connections.length === 0 ? <Redirect to="/start" replace /> : <Days account={account} />)}
  </Loaded>
)

const frame = (content: ReactNode) => (
  <Page title="Today" subtitle={"\u00a0"}>
    {content}
  </Page>
)

const SKELETON = (
  <>
    <Skeleton className="h-43" label="Loading your day" />
    <Skeleton className="h-36" label="" />
    <Skeleton className="h-48" label="" />
  </>
)

function Days({ account }: { account: AccountResponse }) {
  const [daysAgo, setDaysAgo] = useState(0)
  return (
    <Loaded query={useTrends(30, dataVersion(account))} skeleton={SKELETON} frame={frame}>
      {(trends) => <Day account={account} trends={trends} daysAgo={daysAgo} onChange={setDaysAgo} />}
    </Loaded>
  )
}

function Day({
  account,
  trends: { days },
  daysAgo,
  onChange,
}: {
  account: AccountResponse
  trends: TrendsResponse
  daysAgo: number
  onChange: (daysAgo: number) => void
}) {
  const journal = useJournal(30, dataVersion(account)).data?.days ?? []
  const { marks, ...picker } = useMarkedFactor(journal)
  const index = days.length - 1 - daysAgo
  const day = days[index]
  if (!day) return <Redirect to="/start" replace />
  const isToday = daysAgo === 0
  const shown = days.slice(Math.max(index + 1 - SPARKLINE_DAYS, 0), index + 1)
  const parts = { day, isToday, namesSources: hasSeveralSources(account) }
  const syncedAt = lastSynced(account)
  return (
    <Page
      title={isToday ? "Today" : longDate(day.date)}
      subtitle={isToday ? longDate(day.date) : daysAgo === 1 ? "Yesterday" : `${daysAgo} days ago`}
      actions={
        <>
          {syncedAt !== undefined && (
            <p className="mr-1 text-sm text-muted">
              Synced <TimeAgo instant={syncedAt} />
            </p>
          )}
          <Button onClick={() => onChange(daysAgo + 1)} disabled={index === 0} aria-label="Previous day">
            <ChevronLeft size={16} aria-hidden="true" />
          </Button>
          <Button onClick={() => onChange(daysAgo - 1)} disabled={isToday} aria-label="Next day">
            <ChevronRight size={16} aria-hidden="true" />
          </Button>
        </>
      }
    >
      <ConnectionNotices account={account} />
      <Overview {...parts} />
      <MarksContext value={marks}>
        <Vitals {...parts} days={shown} />
      </MarksContext>
      {picker.factors.length > 0 && (
        <JournalPanel day={journal.find(({ date }) => date === day.date)} days={shown} marks={marks} picker={picker} />
      )}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <NightPanel {...parts} />
        <WorkoutsPanel {...parts} />
      </div>
    </Page>
  )
}
