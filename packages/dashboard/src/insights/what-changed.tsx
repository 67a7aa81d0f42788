// The first line of Trends and of the report: what changed clearly.
import type { CompareResponse, DisplayPreferences, Metric, PeriodFigure } from "@restwell/client"
import { capitalized, comparedOf, inSentence, ofSource, plural } from "@restwell/client/figures"

interface ComparedFigure {
  readonly metric: Metric
  readonly answer: CompareResponse
}

/** The figures that are compared with the dates before, each by the words of the source of its comparison. */
export const comparedFigures = (figures: readonly PeriodFigure[]): readonly ComparedFigure[] =>
  figures.flatMap(({ metric, comparison: answer }) =>
    answer ? [{ metric: ofSource(metric, answer.source.provider), answer }] : [],
  )

/** "resting heart rate 3 bpm higher", of each figure with a clear difference. */
export const changesOf = (
  figures: readonly ComparedFigure[],
  preferences: Pick<DisplayPreferences, "units">,
): readonly string[] =>
  figures.flatMap(({ metric, answer }) => {
    const { words, direction } = comparedOf(metric, answer, preferences)
    return direction === null ? [] : [`${inSentence(metric.title)} ${words}`]
  })

/** "Resting heart rate 3 bpm higher than in the 30 days before.", or "Nothing changed clearly in these 30 days." */
export function changedSentence(
  figures: readonly ComparedFigure[],
  days: number,
  preferences: Pick<DisplayPreferences, "units">,
): string {
  if (figures.every(({ answer }) => answer.verdict === "not_enough_data"))
    return `Too few values to compare with the ${plural(days, "day")} before.`
  const changes = changesOf(figures, preferences)
  if (changes.length === 0) return `Nothing changed clearly in ${days === 1 ? "this day" : `these ${days} days`}.`
  return `${capitalized(changes.join(", "))} than in the ${days === 1 ? "day" : `${days} days`} before.`
}

/** The sentence. */
export const ChangedLine = ({ children }: { children: string }) => (
  <p aria-live="polite" className="text-lg text-balance">
    {children}
  </p>
)
