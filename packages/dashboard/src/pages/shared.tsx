// What the link of a share opens: the report of another person, read-only. It needs no account, and leads into none.
import type { SharedReport } from "@restwell/client"
import { firstWeekday, plural } from "@restwell/client/figures"
import { QueryClientProvider } from "@tanstack/react-query"
import { Printer } from "lucide-react"
import { type ReactNode, useState } from "react"
import { browserPreferences } from "../api/preferences.ts"
import { ServiceFailure } from "../api/send.ts"
import { createSharedQueries, useSharedReport } from "../api/shares.ts"
import { cardView } from "../cards/period-page.tsx"
import { cardsOf } from "../cards/trend-card.tsx"
import { LeadsToDays } from "../charts/open-days.tsx"
import { Button } from "../components/button.tsx"
import { FailureNotice, Notice, Skeleton } from "../components/notice.tsx"
import { Page } from "../components/page.tsx"
import { instantDate } from "../format/date.ts"
import { datesText } from "../metrics/answer-text.ts"
import { ReportBody } from "../report/body.tsx"

export default function SharedPage() {
  const [queries] = useState(createSharedQueries)
  // The address keeps the token, so that a reload works. Browsers send what is after # to nobody.
  const [token] = useState(() => window.location.hash.slice(1))
  return (
    <QueryClientProvider client={queries}>
      <LeadsToDays value={false}>
        <main className="mx-auto max-w-4xl px-4 py-6 sm:px-8 sm:py-8 print:max-w-none print:p-0">
          {token === "" ? (
            <Frame>
              <Notice tone="fair" title="The link is not complete.">
                Open it again from the message, or copy all of it.
              </Notice>
            </Frame>
          ) : (
            <Shared token={token} />
          )}
        </main>
      </LeadsToDays>
    </QueryClientProvider>
  )
}

const Frame = ({ children }: { children: ReactNode }) => <Page title="Shared report">{children}</Page>

function Shared({ token }: { token: string }) {
  const { data, error, refetch } = useSharedReport(token)
  if (data) return <Report answer={data} />
  if (!error)
    return (
      <Frame>
        <Skeleton className="h-24" label="Loading the report" />
        <Skeleton className="h-123" label="" />
      </Frame>
    )
  const isRefused = error instanceof ServiceFailure && error.status === 401
  return (
    <Frame>
      {isRefused ? <FailureNotice error={error} /> : <FailureNotice error={error} onRetry={() => void refetch()} />}
    </Frame>
  )
}

function Report({ answer }: { answer: SharedReport }) {
  const { period, shared, figures } = answer
  const { units, clock, first_weekday: first } = browserPreferences()
  const preferred = figures.map((figure) => ({ ...figure, metric: { ...figure.metric, units, clock } }))
  const asked = shared.days ?? "all"
  const view = cardView(answer, asked, { version: "", firstWeekday: firstWeekday(first) })
  return (
    <Page
      title="Report"
      subtitle={`${datesText(period)} (${plural(period.days, "day")})`}
      actions={
        <Button look="primary" onClick={() => window.print()}>
          <Printer size={15} aria-hidden="true" />
          Print
        </Button>
      }
    >
      <ReportBody
        name={shared.by}
        answer={answer}
        view={view}
        period={asked}
        figures={preferred}
        cards={cardsOf(preferred, { trend_cards: null, hidden_cards: null })}
        advice="There are no values of these days."
      />
      <p className="text-sm text-muted">
        {shared.by} shared this report with {shared.name}. The link works until{" "}
        {instantDate(new Date(Date.parse(shared.expires_at) - 1).toISOString())}.
      </p>
    </Page>
  )
}
