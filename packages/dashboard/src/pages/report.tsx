import { plural } from "@restwell/client/figures"
import { Printer } from "lucide-react"
import { Link } from "wouter"
import { usePeriodPage } from "../api/pages.ts"
import { useTrendCards } from "../api/preferences.ts"
import { datesOf, type PeriodContent, RangePicker, usePeriod, useVersion, WithPeriod } from "../cards/period-page.tsx"
import { cardsOf } from "../cards/trend-card.tsx"
import { Button } from "../components/button.tsx"
import { ConnectionNotices } from "../components/connection-notice.tsx"
import { Refreshing, Skeleton } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { datesText } from "../metrics/answer-text.ts"
import { ReportBody } from "../report/body.tsx"
import { daysIn, type Period } from "../trends/days.ts"

const USUAL_DAYS = 90

const SKELETON = (
  <>
    <Skeleton className="h-24" label="Loading the report" />
    <Skeleton className="h-123" label="" />
  </>
)

/** A period on one or two pages of paper, for a coach or a doctor. */
export default function ReportPage() {
  const { period, choose } = usePeriod(USUAL_DAYS)
  const page = usePeriodPage("report", period, useVersion())
  const dates = datesOf(period, page.data?.period)
  return (
    <div className="mx-auto max-w-4xl print:max-w-none">
      <Page
        title="Report"
        subtitle={dates ? `${datesText(dates)} (${plural(daysIn(dates), "day")})` : "\u00a0"}
        actions={
          <>
            <RangePicker period={period} dates={dates} onChange={choose} />
            <Button look="primary" onClick={() => window.print()}>
              <Printer size={15} aria-hidden="true" />
              Print
            </Button>
          </>
        }
      >
        <WithPeriod period={period} page={page} skeleton={SKELETON}>
          {(content) => <Report {...content} period={period} />}
        </WithPeriod>
      </Page>
    </div>
  )
}

interface ReportProps extends PeriodContent {
  readonly period: Period
}

function Report({ account, period, view, answer, figures, isStale }: ReportProps) {
  const { chosen } = useTrendCards()
  if (chosen === undefined) return SKELETON
  return (
    <Refreshing isStale={isStale} className="flex flex-col gap-4 print:gap-3">
      <div className="contents print:hidden">
        <ConnectionNotices account={account} />
      </div>
      <ReportBody
        name={account.user.name}
        cards={cardsOf(figures, chosen)}
        advice={
          figures ? "Choose other dates, or come back after some nights." : "Only the charts remain after a disconnect."
        }
        {...{ answer, view, period, figures }}
      />
      <p className="text-sm text-muted print:hidden">
        A coach or a doctor can read it without an account:{" "}
        <Link href="/account#share" className="text-accent underline underline-offset-2">
          share it by a link
        </Link>
        .
      </p>
    </Refreshing>
  )
}
