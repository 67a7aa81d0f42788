// The report of a period: on its page, and for who opens a share.
import type { PeriodFigure, PeriodPage, TrendCardId } from "@restwell/client"
import { ofSource } from "@restwell/client/figures"
import { usePreferences } from "../api/preferences.ts"
import type { CardView } from "../cards/period-page.tsx"
import { TrendCard } from "../cards/trend-card.tsx"
import { Notice } from "../components/notice.tsx"
import { Fact, Facts, Panel } from "../components/page.tsx"
import { useNow } from "../components/time-ago.tsx"
import { instantDate } from "../format/date.ts"
import { providerName } from "../format/provider-name.ts"
import { ChangedLine, changedSentence, comparedFigures } from "../insights/what-changed.tsx"
import type { Period } from "../trends/days.ts"
import { LeftOut, ReportFigures } from "./figures.tsx"

/** With more charts, a report would be longer than two pages of paper. */
const MOST_CHARTS = 6

interface ReportBodyProps {
  /** Whose report it is. */
  readonly name: string
  readonly answer: PeriodPage
  readonly view: CardView
  readonly period: Period
  /** Undefined where the service computes no statistics. */
  readonly figures: readonly PeriodFigure[] | undefined
  /** The charts in their order, of which the first ones are drawn. */
  readonly cards: readonly TrendCardId[]
  /** What can be done where there are no averages. */
  readonly advice: string
}

export function ReportBody({ name, answer, view, period, figures: all, cards, advice }: ReportBodyProps) {
  const preferences = usePreferences()
  const figures = reportFigures(all ?? [])
  const compared = comparedFigures(figures)
  return (
    <>
      <About name={name} figures={figures} />
      {compared.length > 0 && <ChangedLine>{changedSentence(compared, view.days, preferences)}</ChangedLine>}
      {figures.length === 0 && <Notice title="No averages">{advice}</Notice>}
      {figures.length > 0 && <ReportFigures figures={figures} days={view.days} preferences={preferences} />}
      <div className="grid gap-4 empty:hidden sm:grid-cols-2 print:gap-3">
        {cards.slice(0, MOST_CHARTS).map((id) => (
          <TrendCard
            key={id}
            id={id}
            figures={all}
            strainByRecovery={answer.strain_by_recovery}
            view={view}
            period={period}
            isPlain
          />
        ))}
      </div>
      <LeftOut figures={figures} />
      <Method figures={figures} hasComparison={compared.length > 0} />
    </>
  )
}

/** Those with a value in the period, each by the words of its source. */
const reportFigures = (figures: readonly PeriodFigure[]): readonly PeriodFigure[] =>
  figures.flatMap(({ metric, ...figure }) =>
    figure.trend.n === 0 ? [] : [{ ...figure, metric: ofSource(metric, figure.trend.source.provider) }],
  )

interface AboutProps {
  readonly name: string
  readonly figures: readonly PeriodFigure[]
}

/** Whose report it is, where its figures come from, and when it was made. */
function About({ name, figures }: AboutProps) {
  const made = instantDate(new Date(useNow()).toISOString())
  const sources = [...new Set(figures.map(({ trend }) => providerName(trend.source.provider)))]
  return (
    <Facts className="grid-cols-2 rounded-2xl border border-line bg-surface p-4 sm:grid-cols-3 sm:px-6 print:rounded-lg print:p-3">
      <Fact label="Name">{name}</Fact>
      <Fact label="Source">{sources.length === 0 ? "none" : LIST.format(sources)}</Fact>
      <Fact label="Made">{made}, with Restwell</Fact>
    </Facts>
  )
}

const LIST = new Intl.ListFormat("en")

/** The names of the vendors' methods for HRV. */
const HRV_METHODS = { rmssd: "RMSSD", sdnn: "SDNN" } as const

function Method({ figures, hasComparison }: Pick<AboutProps, "figures"> & { readonly hasComparison: boolean }) {
  const method = figures.find(({ trend }) => trend.method !== null)?.trend.method
  return (
    <Panel title="How to read it">
      <ul className="flex list-disc flex-col gap-1 pl-5 text-sm">
        <li>Average: the mean of the days with a value, ± one standard deviation.</li>
        <li>
          Usual range: one standard deviation around the mean of up to 30 values before the last one of the period.
        </li>
        {hasComparison && (
          <li>
            Change: the difference from the mean of as many days before. It is named only where its 95 % interval leaves
            out zero.
          </li>
        )}
        {method && <li>Heart rate variability is {HRV_METHODS[method]}, as the device measures it at night.</li>}
        <li>Devices estimate. Restwell gives their figures and no diagnosis.</li>
      </ul>
    </Panel>
  )
}
