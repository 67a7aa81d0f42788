import type { TrendDay } from "@restwell/client"
import type { ReactNode } from "react"
import { Panel } from "../components/page.tsx"
import { longDate, weekdayName } from "../format/date.ts"
import { MISSING_TEXTS } from "../format/number.ts"
import type { Figure } from "../trends/figures.ts"

interface DayBarsProps {
  readonly title: string
  /** The average beside the title, and that of the week before. */
  readonly summary: ReactNode
  readonly days: readonly TrendDay[]
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
export const DayBars = ({ title, summary, days, figureOf, max, short, text, colorOf }: DayBarsProps) => (
  <Panel title={title} actions={<p className="text-sm text-muted tabular-nums">{summary}</p>}>
    <ol className="grid grid-cols-7 gap-1.5 sm:gap-3">
      {days.map((day) => {
        const { value, missing, source } = figureOf(day)
        return (
          <li key={day.date} className="flex min-w-0 flex-col items-center text-xs text-muted tabular-nums">
            <span className="sr-only">
              {longDate(day.date)}: {value === null ? MISSING_TEXTS[missing] : text(value, source)}
            </span>
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
    <MissingDays days={days} figureOf={figureOf} />
  </Panel>
)

function MissingDays({ days, figureOf }: Pick<DayBarsProps, "days" | "figureOf">) {
  const missing = days.flatMap((day) => {
    const reason = figureOf(day).missing
    return reason === null ? [] : [`${weekdayName(day.date)}: ${MISSING_TEXTS[reason]}`]
  })
  return missing.length === 0 ? null : <p className="mt-3 text-xs text-muted">{missing.join(" · ")}</p>
}
