import { countText, lines, noRecords, sourceLine, words } from "./answer-text.ts"
import type { JournalOutput } from "./tool-schemas.ts"

type Answer = JournalOutput["records"][number]

const HEAD =
  "Journal: date of waking, then each answer. A factor that a date does not name was not asked on that date: that is not a no"

/** The journal as text: one line for each date and source, then the questions behind the factors. */
export function journalText({ records, empty_reason: reason, left_out: leftOut, sources }: JournalOutput): string {
  if (records.length === 0) return lines(`${noRecords(reason)}. That is not a no`, sourceLine(sources))
  const hasSeveral = sources.length > 1
  const days = Map.groupBy(records, ({ date, source }) => (hasSeveral ? `${date} ${source}` : date))
  const questions = Map.groupBy(records, ({ factor }) => factor)
  return lines(
    `${HEAD}. ${countText(records.length, leftOut)}`,
    ...days.entries().map(([day, answers]) => words(`${day}:`, answers.map(answerText).join(", "))),
    `Questions: ${[...questions].map(([factor, answers]) => `${factor} (${questionsOf(answers)})`).join(", ")}`,
    sourceLine(sources),
  )
}

const answerText = ({ factor, answer, value }: Answer): string =>
  words(factor, answer === null ? "not answered" : answer ? "yes" : "no", value !== null && String(value))

const questionsOf = (answers: readonly Answer[]): string =>
  [...new Set(answers.map(({ question }) => question))].join("; ")
