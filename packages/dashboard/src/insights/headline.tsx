import type { Figure, Metric, PeriodFigure, RelateResponse, TrendResponse } from "@restwell/client"
import {
  averageText,
  type Compared,
  capitalized,
  comparedOf,
  figure,
  figureText,
  metricNamed,
  NONE,
  numberRelationText,
  ofSource,
  plural,
  signedSize,
  spreadText,
  trendSentence,
  wordsOf,
} from "@restwell/client/figures"
import { ArrowDown, ArrowUp } from "lucide-react"
import { type ReactNode, useState } from "react"
import { Link } from "wouter"
import { usePreferences } from "../api/preferences.ts"
import { Disclosure, Fact, Facts } from "../components/page.tsx"
import { dateInYearOf } from "../format/date.ts"
import { sentence } from "../format/number.ts"
import { TONE_TEXT } from "../metrics/metric-chart.ts"
import { periodSearch } from "../trends/days.ts"
import { noteText } from "./notes.tsx"

/** A figure of a period, and what it is compared with. */
type HeadlineFigure = Pick<PeriodFigure, "metric" | "trend" | "comparison">

interface HeadlineProps {
  readonly figure: HeadlineFigure
  /** The number of dates. */
  readonly days: number
  /** What the figure is: "average bedtime". */
  readonly name: string
}

/** The average of the period, and its difference from as many days before. All dates have none before them. */
export function Headline({ figure: { metric: catalogued, trend, comparison }, days, name }: HeadlineProps) {
  const preferences = usePreferences()
  if (!comparison)
    return (
      <HeadlineFrame
        value={averageText(ofSource(catalogued, trend.source.provider), trend.mean, preferences)}
        name={name}
      >
        Of {plural(trend.n, "day")} with a value
      </HeadlineFrame>
    )
  const { period, with: before } = comparison
  const metric = ofSource(catalogued, comparison.source.provider)
  return (
    <HeadlineFrame value={averageText(metric, period.mean, preferences)} name={name}>
      <Difference
        {...comparedOf(metric, comparison, preferences)}
        before={beforeText(days)}
        mean={before.mean === null ? null : averageText(metric, before.mean, preferences)}
      />
    </HeadlineFrame>
  )
}

/** Fewer values make no change. */
const FEWEST_VALUES = 3

/** The newest value, and its difference from the first one of the period: for what is measured now and then. */
export function ChangeHeadline({ metric, answer: { points, period } }: { metric: Metric; answer: TrendResponse }) {
  const preferences = usePreferences()
  const [first, last] = [points?.[0], points?.at(-1)]
  if (!points || !first || !last) return <HeadlineFrame value={NONE}>No values in this period</HeadlineFrame>
  const dated = (date: string) => dateInYearOf(date, period.end_date)
  return (
    <HeadlineFrame value={averageText(metric, last[1], preferences)} name={`on ${dated(last[0])}`}>
      {points.length < FEWEST_VALUES
        ? `Of ${plural(points.length, "value")}`
        : `${signedSize(metric, Number(last[1]) - Number(first[1]), preferences.units)} since ${dated(first[0])}, of ${plural(points.length, "value")}`}
    </HeadlineFrame>
  )
}

/** The strain after high recoveries, beside that after low ones, in thirds of the days. */
export function StrainHeadline({ answer: data }: { answer: RelateResponse }) {
  if (!("groups" in data)) return null
  const [low, high] = [data.groups[0], data.groups.at(-1)]
  const words = sentence(numberRelationText(metricNamed(data.outcome), metricNamed(data.factor), data))
  const isKnown = data.verdict !== "no_clear_relation"
  if (!low || !high || low === high) return <HeadlineFrame value={NONE}>{words}</HeadlineFrame>
  return (
    <HeadlineFrame value={strainText(high.mean)} name="strain after your highest recoveries">
      {strainText(low.mean)} after your lowest.{isKnown && ` ${words}`}
    </HeadlineFrame>
  )
}

const strainText = (mean: Figure | null): string => figure(mean === null ? null : Number(mean), 1)

const YEAR = 365

const beforeText = (days: number): string =>
  days === YEAR ? "the year before" : days === 1 ? "the day before" : `the ${days} days before`

type DifferenceProps = Compared & { readonly before: string; readonly mean: string | null }

/** "4 points higher than the 30 days before: 70 %", "+2 points from the 30 days before: 68 %" */
const Difference = ({ words, than, direction, tone, before, mean }: DifferenceProps) => {
  const Arrow = direction === "up" ? ArrowUp : ArrowDown
  return (
    <>
      <span className={`font-medium ${TONE_TEXT[tone]}`}>
        {direction !== null && <Arrow size={14} aria-hidden="true" className="mr-0.5 inline align-[-2px]" />}
        {capitalized(words)}
      </span>{" "}
      {than} {before}
      {mean !== null && (
        <>
          : <span className="whitespace-nowrap">{mean}</span>
        </>
      )}
    </>
  )
}

interface HeadlineFrameProps {
  readonly value: string
  readonly name?: string
  readonly children: ReactNode
}

/** Figures of one row of cards have the same height, so that their charts are in line. */
const HeadlineFrame = ({ value, name = "", children }: HeadlineFrameProps) => (
  <div className="mb-3 min-h-16 max-sm:min-h-21">
    <p className="flex flex-wrap items-baseline gap-x-2 text-3xl font-semibold tracking-tight tabular-nums">
      {value} <span className="text-sm font-normal tracking-normal text-muted">{name}</span>
    </p>
    <p className="text-sm text-pretty text-muted tabular-nums">{children}</p>
  </div>
)

interface CardDetailsProps {
  readonly figure: HeadlineFigure
  /** The page that has the metric's comparison and weekdays. */
  readonly href: string
  /** Below the statistics. */
  readonly children?: ReactNode
}

interface DetailsFrameProps {
  readonly title: string
  readonly onToggle?: (isOpen: boolean) => void
  readonly children: ReactNode
}

/** What is behind a figure, below its chart. */
export const DetailsFrame = ({ title, onToggle, children }: DetailsFrameProps) => (
  <Disclosure
    className="mt-3 border-t border-line pt-1"
    summaryClass="min-h-11 font-medium text-muted hover:text-text"
    summary={
      <span>
        Details<span className="sr-only"> of {title}</span>
      </span>
    }
    {...(onToggle && { onToggle })}
  >
    {children}
  </Disclosure>
)

/** The statistics behind a card. They are drawn when the person opens them. */
export function CardDetails({ figure: { metric, trend }, href, children }: CardDetailsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <DetailsFrame title={metric.title} onToggle={setOpen}>
      {isOpen && (
        <>
          <StatisticsOf metric={ofSource(metric, trend.source.provider)} answer={trend} />
          {trend.notes.map((note) => (
            <p key={note} className="mt-2 text-xs text-muted">
              {noteText(note, trend.period.end_date)}
            </p>
          ))}
          {children}
        </>
      )}
      <p className="mt-3">
        <Link href={href} className="text-accent underline underline-offset-2">
          Weekdays and comparison<span className="sr-only"> of {metric.title}</span>
        </Link>
      </p>
    </DetailsFrame>
  )
}

/** The statistics of an answer, and its trend with the interval. */
export const StatisticsOf = ({ metric, answer }: { metric: Metric; answer: TrendResponse }) => (
  <>
    <Facts className="grid-cols-2 sm:grid-cols-3">
      {factsOf(metric, answer).map(([label, text]) => (
        <Fact key={label} label={label}>
          {text}
        </Fact>
      ))}
    </Facts>
    <p className="mt-3 tabular-nums">{trendSentence(metric, answer)}</p>
  </>
)

function factsOf(metric: Metric, answer: TrendResponse): (readonly [label: string, text: ReactNode])[] {
  const { n, missing, mean, median, sd, p25, p75, highest, lowest, usual, period } = answer
  const text = (value: typeof mean) => figureText(metric, value)
  const dated = ([first]: typeof highest) =>
    first ? `${text(first.value)} on ${dateInYearOf(first.date, period.end_date)}` : "none"
  return [
    ["Days with a value", `${figure(n)}${missing > 0 ? `, ${figure(missing)} missing` : ""}`],
    ["Mean", text(mean)],
    ["Median", text(median)],
    ["Standard deviation", sd === null ? "none" : spreadText(metric, sd)],
    ["Middle half", p25 === null ? "none" : `${text(p25)} to ${text(p75)}`],
    ["Usual range", usual === null ? "not available yet" : `${text(usual.low)} to ${text(usual.high)}`],
    [wordsOf(metric).highest, dated(highest)],
    [wordsOf(metric).lowest, dated(lowest)],
  ]
}

/** The address of a metric's own page. */
export const metricHref = (metric: Metric, period: Parameters<typeof periodSearch>[0]): string =>
  `/trends?metric=${encodeURIComponent(metric.id)}&${periodSearch(period)}`
