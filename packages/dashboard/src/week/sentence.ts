import type { CompareResponse, DisplayPreferences, Metric } from "@restwell/client"
import { averageText, type Compared, comparedOf, differenceWords, ofSource } from "../metrics/plain-words.ts"

/** A figure of the week beside the week before. */
export interface WeekFigure {
  readonly metric: Metric
  readonly answer: CompareResponse
}

export const weekFigure = (metric: Metric, answer: CompareResponse): WeekFigure => ({
  metric: ofSource(metric, answer.source.provider),
  answer,
})

interface Part {
  readonly text: string
  readonly plain: string
  readonly compared: Compared
}

/** What the sentence is about, in its order. */
const SUBJECTS = ["asleep", "recovery_score"]

/** "A good week: you slept 31 minutes more and your recovery was 6 points higher than the week before." */
export function weekSentence(figures: readonly WeekFigure[], preferences: DisplayPreferences): string {
  const subjects = SUBJECTS.flatMap((id) => figures.find(({ metric }) => metric.id === id) ?? [])
  const parts = subjects.filter(({ answer }) => answer.period.n > 0).map((each) => partOf(each, preferences))
  if (parts.length === 0) return "No night of this week has figures yet."
  const clear = parts.filter(({ compared }) => compared.direction !== null)
  const rest = parts.filter(({ compared }) => compared.direction === null)
  if (clear.length === 0) return `${unclearStart(parts)}: ${joined(parts.map(({ plain }) => plain))}.`
  const others = rest.map(({ plain }) => plain)
  const than = `${joined(clear.map(({ text }) => text))} than the week before`
  return `${opening(clear)}: ${[than, ...others].join(", and ")}.`
}

const unclearStart = (parts: readonly Part[]): string =>
  parts.every(({ compared }) => compared.than === "as")
    ? "A week like the one before"
    : parts.every(({ compared }) => compared.than === "with")
      ? "Too few nights to compare with the week before"
      : "No clear change from the week before"

function opening(clear: readonly Part[]): string {
  const tones = new Set(clear.map(({ compared }) => compared.tone))
  if (tones.has("good") && tones.has("poor")) return "A mixed week"
  return tones.has("poor") ? "A harder week" : "A good week"
}

const joined = (texts: readonly string[]): string => texts.join(" and ")

function partOf({ metric, answer }: WeekFigure, preferences: DisplayPreferences): Part {
  const compared = comparedOf(metric, answer, preferences)
  const mean = averageText(metric, answer.period.mean, preferences)
  const words = answer.difference === null ? "" : differenceWords(metric, answer.difference, preferences.units)
  return metric.id === "asleep"
    ? { compared, text: `you slept ${words}`, plain: `you slept ${mean} a night` }
    : { compared, text: `your recovery was ${words}`, plain: `your recovery averaged ${mean}` }
}
