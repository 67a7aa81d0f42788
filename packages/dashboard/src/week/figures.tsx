import type { CompareResponse, DisplayPreferences } from "@restwell/client"
import { Link } from "wouter"
import { Panel } from "../components/page.tsx"
import { averageText, comparedOf, TONE_TEXT } from "../metrics/plain-words.ts"
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
          return (
            <tr key={metric.id}>
              <th scope="row" className="py-2.5 pr-2 text-left font-normal">
                <Link href={`/trends?metric=${metric.id}&days=90`} className="hover:underline">
                  {metric.title}
                </Link>
              </th>
              <td className="py-2.5 pr-3 text-right font-semibold whitespace-nowrap">
                {averageText(metric, answer.period.mean, preferences)}
              </td>
              <td className="w-2/5 py-2.5">
                <span className={`block ${TONE_TEXT[tone]}`}>{words}</span>
                {before && before.with.mean !== null && (
                  <span className="block text-xs text-muted">
                    usually {averageText(metric, before.with.mean, preferences)}
                    {usualWords(before.verdict)}
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

const usualWords = (verdict: CompareResponse["verdict"]): string =>
  verdict === "higher" ? ", so above usual" : verdict === "lower" ? ", so below usual" : ""
