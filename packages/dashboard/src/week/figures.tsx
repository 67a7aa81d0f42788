import type { CompareResponse, DisplayPreferences, TrendDay } from "@restwell/client"
import { averageText, besideWord, comparedOf, type NamedMetric } from "@restwell/client/figures"
import type { ReactNode } from "react"
import { Link } from "wouter"
import { sourceWords } from "../components/only-source.tsx"
import { Panel } from "../components/page.tsx"
import { longDate, weekdayName } from "../format/date.ts"
import { MISSING_TEXTS, type Missing } from "../format/number.ts"
import { TONE_TEXT } from "../metrics/metric-chart.ts"
import type { Figure } from "../trends/figures.ts"
import type { WeekFigure } from "./sentence.ts"

interface WeekFiguresProps {
  readonly figures: readonly WeekFigure[]
  /** The week beside the 30 days before it, in the same order. */
  readonly usual: readonly CompareResponse[]
  readonly preferences: DisplayPreferences
}

/** Each figure of the week: its average, and how it differs from the week before and from usual. */
export const WeekFigures = ({ figures, usual, preferences }: WeekFiguresProps) => (
  <Panel title="Averages of the week">
    <table className="w-full text-sm tabular-nums">
      <thead className="sr-only">
        <tr>
          <th scope="col">Figure</th>
          <th scope="col">Average</th>
          <th scope="col">Compared with the week before and with the 30 days before this week</th>
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {figures.map(({ metric, answer }, index) => {
          const { words, tone } = comparedOf(metric, answer, preferences)
          const before = usual[index]
          // On a phone the comparison is a line of its own below the figure.
          return (
            <tr key={metric.id} className="max-sm:grid max-sm:grid-cols-[1fr_auto] max-sm:py-2.5">
              <th scope="row" className="pr-2 text-left font-normal sm:py-2.5">
                <Link href={`/trends?metric=${metric.id}&days=90`} className="hover:underline">
                  {metric.title}
                </Link>
                {sourceWords(answer) !== undefined && (
                  <span className="block text-xs text-muted">{sourceWords(answer)}</span>
                )}
              </th>
              <td className="text-right font-semibold whitespace-nowrap sm:py-2.5 sm:pr-3">
                {averageText(metric, answer.period.mean, preferences)}
              </td>
              <td className="max-sm:col-span-2 max-sm:mt-0.5 max-sm:flex max-sm:flex-wrap max-sm:items-baseline max-sm:justify-between max-sm:gap-x-3 sm:w-2/5 sm:py-2.5">
                <span className={`block ${TONE_TEXT[tone]}`}>{words}</span>
                {before && before.with.mean !== null && (
                  <span className="block text-xs text-muted">
                    usually {averageText(metric, before.with.mean, preferences)}
                    {usualWords(metric, before.verdict)}
                  </span>
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
    <p className="mt-3 text-xs text-muted">
      Compared with the seven days before. “Usually” is the average of the 30 days before this week.
    </p>
  </Panel>
)

/** How a figure that clearly differs from usual does. */
export function usualWords(metric: NamedMetric, verdict: CompareResponse["verdict"]): string {
  if (verdict !== "higher" && verdict !== "lower") return ""
  return `, so ${besideWord(metric, verdict === "higher" ? "above" : "below")} usual`
}

interface DayBarsProps {
  readonly title: string
  /** Its source, of a person with several. */
  readonly from: string | undefined
  /** The average beside the title, and that of the week before. */
  readonly summary: ReactNode
  readonly days: readonly TrendDay[]
  /** The date that is in progress. Undefined where nothing of it may come any more. */
  readonly today: string | undefined
  readonly figureOf: (day: TrendDay) => Figure
  /** Top of the scale. */
  readonly max: number
  /** A value above its bar. */
  readonly short: (value: number) => string
  /** A value with its unit. */
  readonly text: (value: number, source: string | null) => string
  /** Background class of a value. */
  readonly colorOf: (value: number, source: string | null) => string
}

/** A bar for each of seven days. A day without a value says why, and has no bar. */
export const DayBars = ({ title, from, summary, days, today, figureOf, max, short, text, colorOf }: DayBarsProps) => (
  <Panel title={title} description={from} actions={<p className="text-sm text-muted tabular-nums">{summary}</p>}>
    <ol className="grid grid-cols-7 gap-1.5 sm:gap-3">
      {days.map((day) => {
        const { value, missing, source } = figureOf(day)
        return (
          <li key={day.date} className="relative flex min-w-0 flex-col items-center text-xs text-muted tabular-nums">
            <Link href={`/?date=${day.date}`} className="absolute inset-0 rounded-md hover:bg-raised/50">
              <span className="sr-only">
                {longDate(day.date)}: {value === null ? missingText(missing, day.date === today) : text(value, source)}
              </span>
            </Link>
            <span aria-hidden="true" className="flex h-28 w-full flex-col items-center justify-end gap-1">
              <span className={value === null ? "" : "text-text"}>{value === null ? "–" : short(value)}</span>
              {value === null ? (
                <span className="h-1 w-full rounded-sm border border-dashed border-line-strong" />
              ) : (
                <span
                  className={`w-full rounded-md ${colorOf(value, source)}`}
                  style={{ height: `${Math.max(Math.min(value / max, 1) * 78, 3)}%` }}
                />
              )}
            </span>
            <span aria-hidden="true" className="mt-1.5">
              {weekdayName(day.date).slice(0, 3)}
            </span>
          </li>
        )
      })}
    </ol>
    <MissingDays days={days} today={today} figureOf={figureOf} />
  </Panel>
)

/** What is missing today may still come. */
export const missingText = (missing: Missing, isToday: boolean): string =>
  isToday && missing === "none" ? "not here yet" : MISSING_TEXTS[missing]

function MissingDays({ days, today, figureOf }: Pick<DayBarsProps, "days" | "today" | "figureOf">) {
  const missing = days.flatMap((day) => {
    const reason = figureOf(day).missing
    return reason === null ? [] : [`${weekdayName(day.date)}: ${missingText(reason, day.date === today)}`]
  })
  return missing.length === 0 ? null : <p className="mt-3 text-xs text-muted">{missing.join(" · ")}</p>
}
