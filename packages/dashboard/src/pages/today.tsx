import type { AccountResponse, TrendsResponse } from "@restwell/client"
import { ChevronLeft, ChevronRight } from "lucide-react"
import { useState } from "react"
import { Redirect } from "wouter"
import { useAccount } from "../api/account.ts"
import { dataVersion, useTrends } from "../api/trends.ts"
import { Button } from "../components/button.tsx"
import { activeConnection, ConnectionNotice } from "../components/connection-notice.tsx"
import { FailureNotice } from "../components/failure-notice.tsx"
import { Page } from "../components/page.tsx"
import { Skeleton } from "../components/skeleton.tsx"
import { instantText, longDate, timeAgo } from "../format/date.ts"
import { providerName } from "../format/provider-name.ts"
import { useNow } from "../format/use-now.ts"
import { NightPanel } from "../today/night-panel.tsx"
import { Overview } from "../today/overview.tsx"
import { Vitals } from "../today/vitals.tsx"
import { WorkoutsPanel } from "../today/workouts-panel.tsx"

const SPARK_DAYS = 14

/** Last night and today at a glance, and the days before by the arrows. */
export function TodayPage() {
  const account = useAccount()
  if (account.isPending) return <Loading />
  if (account.isError)
    return (
      <Page title="Today">
        <FailureNotice error={account.error} onRetry={() => account.refetch()} />
      </Page>
    )
  if (account.data.connections.length === 0) return <Redirect to="/start" replace />
  return <Days account={account.data} />
}

const Loading = () => (
  <Page title="Today" subtitle={"\u00a0"}>
    <Skeleton className="h-43" label="Your day is being read" />
    <Skeleton className="h-36" label="" />
    <Skeleton className="h-48" label="" />
  </Page>
)

function Days({ account }: { account: AccountResponse }) {
  const trends = useTrends(30, dataVersion(account))
  const [back, setBack] = useState(0)
  if (trends.isPending) return <Loading />
  if (trends.isError)
    return (
      <Page title="Today">
        <FailureNotice error={trends.error} onRetry={() => trends.refetch()} />
      </Page>
    )
  return <Day account={account} trends={trends.data} back={back} onGo={setBack} />
}

function Day({
  account,
  trends: { days },
  back,
  onGo,
}: {
  account: AccountResponse
  trends: TrendsResponse
  back: number
  onGo: (back: number) => void
}) {
  const connection = activeConnection(account)
  const index = days.length - 1 - back
  const day = days[index]
  if (!connection || !day) return <Redirect to="/start" replace />
  const isToday = back === 0
  const vendor = providerName(connection.provider)
  return (
    <Page
      title={isToday ? "Today" : longDate(day.date)}
      subtitle={isToday ? longDate(day.date) : `${back === 1 ? "Yesterday" : `${back} days ago`}`}
      actions={
        <>
          <Freshness lastSyncedAt={connection.last_synced_at} />
          <Button onClick={() => onGo(back + 1)} disabled={index === 0} aria-label="The day before">
            <ChevronLeft size={16} aria-hidden="true" />
          </Button>
          <Button onClick={() => onGo(back - 1)} disabled={isToday} aria-label="The day after">
            <ChevronRight size={16} aria-hidden="true" />
          </Button>
        </>
      }
    >
      <ConnectionNotice connection={connection} />
      <Overview day={day} isToday={isToday} vendor={vendor} />
      <Vitals day={day} days={days.slice(Math.max(index + 1 - SPARK_DAYS, 0), index + 1)} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <NightPanel day={day} isToday={isToday} vendor={vendor} />
        <WorkoutsPanel day={day} isToday={isToday} />
      </div>
    </Page>
  )
}

function Freshness({ lastSyncedAt }: { lastSyncedAt: string | null }) {
  const now = useNow()
  if (lastSyncedAt === null) return null
  return (
    <p className="mr-1 text-sm text-muted">
      In step{" "}
      <time dateTime={lastSyncedAt} title={instantText(lastSyncedAt)}>
        {timeAgo(lastSyncedAt, now)}
      </time>
    </p>
  )
}
