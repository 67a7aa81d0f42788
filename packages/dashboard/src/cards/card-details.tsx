import type { Metric, TrendResponse } from "@restwell/client"
import { ChevronRight } from "lucide-react"
import { type ReactNode, useState } from "react"
import { Link } from "wouter"
import { useTrend } from "../api/insights.ts"
import { Fact, Facts } from "../components/page.tsx"
import { tickDate } from "../format/date.ts"
import { figure, sentence } from "../format/number.ts"
import { noteText } from "../insights/notes.tsx"
import { trendSentence } from "../metrics/answer-text.ts"
import { figureText, spreadText } from "../metrics/metric-text.ts"
import { periodSearch } from "../trends/days.ts"
import type { CardView } from "./period-page.tsx"

interface CardDetailsProps {
  readonly metric: Metric
  readonly view: CardView
  /** The page that has the metric's comparison and weekdays. */
  readonly href: string
  /** Below the statistics. */
  readonly children?: ReactNode
}

/** The statistics behind a card. They are read when the person opens them. */
export function CardDetails({ metric, view, href, children }: CardDetailsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className="group mt-3 border-t border-line pt-1 text-sm"
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary className="flex min-h-11 cursor-pointer items-center font-medium text-muted hover:text-text">
        <ChevronRight size={16} aria-hidden="true" className="mr-1 transition-transform group-open:rotate-90" />
        Details<span className="sr-only"> of {metric.title}</span>
      </summary>
      {isOpen && (
        <>
          <Statistics metric={metric} view={view} />
          {children}
        </>
      )}
      <p className="mt-3">
        <Link href={href} className="text-accent underline underline-offset-2">
          Weekdays and comparison<span className="sr-only"> of {metric.title}</span>
        </Link>
      </p>
    </details>
  )
}

function Statistics({ metric, view: { dates, version } }: Pick<CardDetailsProps, "metric" | "view">) {
  const { data, error } = useTrend({ metric: metric.id, ...dates }, version)
  if (!data) return <p className="text-muted">{error ? sentence(error.message) : "Computing the statistics\u2026"}</p>
  return (
    <>
      <Facts className="grid-cols-2 sm:grid-cols-3">
        {factsOf(metric, data).map(([label, text]) => (
          <Fact key={label} label={label}>
            {text}
          </Fact>
        ))}
      </Facts>
      <p className="mt-3 tabular-nums">{trendSentence(metric, data)}</p>
      {data.notes.map((note) => (
        <p key={note} className="mt-2 text-xs text-muted">
          {noteText(note)}
        </p>
      ))}
    </>
  )
}

function factsOf(metric: Metric, answer: TrendResponse): (readonly [label: string, text: ReactNode])[] {
  const { n, missing, mean, median, sd, p25, p75, highest, lowest, usual } = answer
  const text = (value: typeof mean) => figureText(metric, value)
  const dated = ([first]: typeof highest) => (first ? `${text(first.value)} on ${tickDate(first.date)}` : "none")
  return [
    ["Days with a value", `${figure(n)}${missing > 0 ? `, ${figure(missing)} missing` : ""}`],
    ["Mean", text(mean)],
    ["Median", text(median)],
    ["Standard deviation", sd === null ? "none" : spreadText(metric, sd)],
    ["Middle half", p25 === null ? "none" : `${text(p25)} to ${text(p75)}`],
    ["Usual range", usual === null ? "not available yet" : `${text(usual.low)} to ${text(usual.high)}`],
    [metric.kind === "clock" ? "Latest" : "Highest", dated(highest)],
    [metric.kind === "clock" ? "Earliest" : "Lowest", dated(lowest)],
  ]
}

/** The address of a metric's own page. */
export const metricHref = (metric: Metric, period: Parameters<typeof periodSearch>[0]): string =>
  `/trends?metric=${encodeURIComponent(metric.id)}&${periodSearch(period)}`
