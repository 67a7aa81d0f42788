import type { AccountResponse, Metric, MetricId } from "@restwell/client"
import { ofSource, plural } from "@restwell/client/figures"
import { Printer } from "lucide-react"
import { useComparisons, useTrendAnswers } from "../api/insights.ts"
import { usePreferences, useTrendCards } from "../api/preferences.ts"
import { type CardView, type PeriodContent, usePeriod, WithPeriod } from "../cards/period-page.tsx"
import { cardsOf, TrendCard } from "../cards/trend-card.tsx"
import { Button } from "../components/button.tsx"
import { ConnectionNotices } from "../components/connection-notice.tsx"
import { FailureNotice, Notice, Refreshing, Skeleton } from "../components/notice.tsx"
import { Fact, Facts, Page, Panel } from "../components/page.tsx"
import { useNow } from "../components/time-ago.tsx"
import { instantDate } from "../format/date.ts"
import { providerName } from "../format/provider-name.ts"
import { ChangedLine, changedSentence } from "../insights/what-changed.tsx"
import { datesText } from "../metrics/answer-text.ts"
import { LeftOut, type ReportFigure, ReportFigures } from "../report/figures.tsx"
import { daysIn, type Period } from "../trends/days.ts"

const USUAL_DAYS = 90

/** The figures of a report, in their order. Those without values are left out. */
const FIGURES_OF_REPORT: readonly MetricId[] = [
  "recovery_score",
  "hrv",
  "resting_heart_rate",
  "respiratory_rate",
  "spo2",
  "skin_temp_deviation",
  "asleep",
  "sleep_efficiency",
  "bedtime",
  "wake_time",
  "strain",
  "steps",
  "workout",
  "weight",
  "body_fat",
]

/** With more charts, a report would be longer than two pages of paper. */
const MOST_CHARTS = 6

const SKELETON = (
  <>
    <Skeleton className="h-24" label="Loading the report" />
    <Skeleton className="h-123" label="" />
  </>
)

/** A period on one or two pages of paper, for a coach or a doctor. */
export default function ReportPage() {
  const { period, dates, rangePicker } = usePeriod(USUAL_DAYS)
  return (
    <div className="mx-auto max-w-4xl print:max-w-none">
      <Page
        title="Report"
        subtitle={dates ? `${datesText(dates)} (${plural(daysIn(dates), "day")})` : "\u00a0"}
        actions={
          <>
            {rangePicker}
            <Button look="primary" onClick={() => window.print()}>
              <Printer size={15} aria-hidden="true" />
              Print
            </Button>
          </>
        }
      >
        <WithPeriod period={period} skeleton={SKELETON}>
          {(content) => <Report {...content} period={period} />}
        </WithPeriod>
      </Page>
    </div>
  )
}

interface ReportProps extends PeriodContent {
  readonly period: Period
}

function Report({ account, period, view, metrics, isStale }: ReportProps) {
  const preferences = usePreferences()
  const { chosen } = useTrendCards()
  const { figures, error } = useFigures(view, metrics)
  if (error) return <FailureNotice error={error} />
  if (!figures || chosen === undefined) return SKELETON
  const compared = figures.flatMap(({ metric, comparison }) => (comparison ? [{ metric, answer: comparison }] : []))
  const cards = cardsOf(metrics, chosen).slice(0, MOST_CHARTS)
  return (
    <Refreshing isStale={isStale} className="flex flex-col gap-4 print:gap-3">
      <div className="contents print:hidden">
        <ConnectionNotices account={account} />
      </div>
      <About account={account} figures={figures} />
      {compared.length > 0 && <ChangedLine>{changedSentence(compared, view.days, preferences)}</ChangedLine>}
      {figures.length === 0 && (
        <Notice title="No averages">
          {metrics
            ? "Choose other dates, or come back after some nights."
            : "Only the charts remain after a disconnect."}
        </Notice>
      )}
      {figures.length > 0 && <ReportFigures figures={figures} days={view.days} preferences={preferences} />}
      <div className="grid gap-4 empty:hidden sm:grid-cols-2 print:gap-3">
        {cards.map((id) => (
          <TrendCard key={id} id={id} metrics={metrics} view={view} period={period} isPlain />
        ))}
      </div>
      <LeftOut figures={figures} />
      <Method figures={figures} />
    </Refreshing>
  )
}

/** Undefined until all figures are there. */
function useFigures({ dates, version, hasBefore }: CardView, metrics: readonly Metric[] = []) {
  const asked = FIGURES_OF_REPORT.flatMap((id) => metrics.find((metric) => metric.id === id && metric.n > 0) ?? [])
  const questions = asked.map(({ id }) => ({ metric: id, ...dates }))
  const trends = useTrendAnswers(questions, version)
  const comparisons = useComparisons(hasBefore ? questions : [], version)
  const figures =
    trends.answers && comparisons.answers
      ? asked.flatMap((metric, index): ReportFigure[] => {
          const answer = trends.answers?.[index]
          if (!answer || answer.n === 0) return []
          return [
            { metric: ofSource(metric, answer.source.provider), answer, comparison: comparisons.answers?.[index] },
          ]
        })
      : undefined
  return { figures, error: trends.error ?? comparisons.error }
}

interface AboutProps {
  readonly account: AccountResponse
  readonly figures: readonly ReportFigure[]
}

/** Whose report it is, where its figures come from, and when it was made. */
function About({ account: { user }, figures }: AboutProps) {
  const made = instantDate(new Date(useNow()).toISOString())
  const sources = [...new Set(figures.map(({ answer }) => providerName(answer.source.provider)))]
  return (
    <Facts className="grid-cols-2 rounded-2xl border border-line bg-surface p-4 sm:grid-cols-3 sm:px-6 print:rounded-lg print:p-3">
      <Fact label="Name">{user.name}</Fact>
      <Fact label="Source">{sources.length === 0 ? "none" : sources.join(" and ")}</Fact>
      <Fact label="Made">{made}, with Restwell</Fact>
    </Facts>
  )
}

/** The names of the vendors' methods for HRV. */
const HRV_METHODS = { rmssd: "RMSSD", sdnn: "SDNN" } as const

function Method({ figures }: Pick<AboutProps, "figures">) {
  const method = figures.find(({ answer }) => answer.method !== null)?.answer.method
  return (
    <Panel title="How to read it">
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
        <li>Average: the mean of the days with a value, ± one standard deviation.</li>
        <li>
          Usual range: one standard deviation around the mean of up to 30 values before the last one of the period.
        </li>
        <li>
          Change: the difference from the mean of as many days before. It is named only where its 95 % interval leaves
          out zero.
        </li>
        {method && <li>Heart rate variability is {HRV_METHODS[method]}, as the device measures it at night.</li>}
        <li>Devices estimate. Restwell gives their figures and no diagnosis.</li>
      </ul>
    </Panel>
  )
}
