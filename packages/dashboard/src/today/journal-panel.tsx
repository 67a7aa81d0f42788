import type { JournalDay, TrendDay } from "@restwell/client"
import { FactorPicker, factorName, JournalLegend, type Marks, type useMarkedFactor } from "../charts/journal-marks.tsx"
import { Panel } from "../components/page.tsx"
import { tickDate } from "../format/date.ts"

interface JournalPanelProps {
  /** Undefined without an answer on the date. */
  readonly day: JournalDay | undefined
  /** The days of the sparklines. */
  readonly days: readonly TrendDay[]
  readonly marks: Marks | undefined
  readonly picker: Pick<ReturnType<typeof useMarkedFactor>, "factors" | "factor" | "pick">
}

/** The day's answers, and what the marks below the sparklines mean. */
export const JournalPanel = ({ day, days, marks, picker }: JournalPanelProps) => (
  <Panel
    title="Journal"
    description={day ? "Your answers and tags for this waking." : "No entries for this day."}
    actions={<FactorPicker {...picker} />}
  >
    {day && (
      <ul className="flex flex-wrap gap-2 text-sm">
        {answersOf(day).map(([factor, answer]) => (
          <li key={factor} className="rounded-full border border-line bg-raised px-3 py-1">
            {factorName(factor)}: <span className={answer === "no" ? "text-muted" : "font-medium"}>{answer}</span>
          </li>
        ))}
      </ul>
    )}
    {marks && (
      <>
        <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
          <JournalLegend name={marks.name} />
        </ul>
        <p className="sr-only">{markedText(days, marks)}</p>
      </>
    )}
  </Panel>
)

/** A factor that one source answers with yes and another with no has both. */
const answersOf = ({ yes, no }: JournalDay): (readonly [string, string])[] => [
  ...yes.map((factor) => [factor, no.includes(factor) ? "yes and no" : "yes"] as const),
  ...no.filter((factor) => !yes.includes(factor)).map((factor) => [factor, "no"] as const),
]

function markedText(days: readonly TrendDay[], { name, answerOn }: Marks): string {
  const datesOf = (answer: "yes" | "no") =>
    days
      .filter(({ date }) => answerOn(date) === answer)
      .map(({ date }) => tickDate(date))
      .join(", ") || "no date"
  return `${name} in the last ${days.length} days: yes on ${datesOf("yes")}; no on ${datesOf("no")}.`
}
