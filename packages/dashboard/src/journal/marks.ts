import type { JournalDay } from "@restwell/client"
import { factorName } from "./factor-name.ts"

type Answer = "yes" | "no"

/** The answers about one factor, to mark charts with. */
export interface Marks {
  /** "Late meal" */
  readonly name: string
  /** Undefined where nothing was answered: that is not a no. */
  readonly answerOn: (date: string) => Answer | undefined
}

/** Returns the marks of a factor. A yes of one source counts beside a no of another. */
export function marksOf(days: readonly JournalDay[], factor: string): Marks {
  const answers = new Map(
    days.flatMap(({ date, yes, no }): [string, Answer][] => {
      if (yes.includes(factor)) return [[date, "yes"]]
      return no.includes(factor) ? [[date, "no"]] : []
    }),
  )
  return { name: factorName(factor), answerOn: (date) => answers.get(date) }
}

/** Returns the factors of a journal, the one with most yes first. */
export function factorsOf(days: readonly JournalDay[]): string[] {
  const counts = new Map<string, number>()
  for (const { yes, no } of days) {
    for (const factor of yes) counts.set(factor, (counts.get(factor) ?? 0) + 1)
    for (const factor of no) counts.set(factor, counts.get(factor) ?? 0)
  }
  return [...counts].toSorted(([one, few], [other, many]) => many - few || (one < other ? -1 : 1)).map(([name]) => name)
}

interface Dates {
  readonly days: readonly { readonly date: string }[]
}

/** The answer of some days: yes if one of them has it. */
export function markOf({ days }: Dates, { answerOn }: Marks): Answer | undefined {
  const answers = days.map(({ date }) => answerOn(date))
  return answers.find((answer) => answer === "yes") ?? answers.find((answer) => answer === "no")
}

/** The answers of some days as text: "yes", or "yes on 2 of 5 answered days". */
export function markText({ days }: Dates, marks: Marks): string {
  const answers = days.flatMap(({ date }) => marks.answerOn(date) ?? [])
  if (answers.length === 0) return "not answered"
  if (days.length === 1) return answers[0] ?? ""
  const yes = answers.filter((answer) => answer === "yes").length
  return `yes on ${yes} of ${answers.length} answered days`
}
