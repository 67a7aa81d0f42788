import type { CompareResponse, DisplayPreferences, JournalDay, Metric, TrendDay } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import {
  averageText,
  type Compared,
  capitalized,
  comparedOf,
  figure,
  hoursText,
  inSentence,
  ofSource,
  plural,
  recoveryTitle,
  scoreText,
} from "@restwell/client/figures"
import { factorName } from "../charts/journal-marks.tsx"
import { weekdayName } from "../format/date.ts"
import { sportName } from "../format/provider-name.ts"
import { changesOf } from "../insights/what-changed.tsx"
import { FIGURES, type Figure } from "../trends/figures.ts"

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
  const changed = changesOf(
    figures.filter(({ metric }) => !SUBJECTS.includes(metric.id)),
    preferences,
  )
  const also = changed.length === 0 ? "" : ` Also clearly changed: ${changed.join(", ")}.`
  const plain = joined(parts.map((part) => part.plain))
  if (clear.length === 0)
    return changed.length === 0
      ? `${unclearStart(parts)}: ${plain}.`
      : `${capitalized(plain)}. Clearly changed from the week before: ${changed.join(", ")}.`
  const others = rest.map(({ plain }) => plain)
  const than = `${joined(clear.map(({ text }) => text))} than the week before`
  return `${opening(clear)}: ${[than, ...others].join(", and ")}.${also}`
}

const unclearStart = (parts: readonly Part[]): string =>
  parts.every(({ compared }) => compared.than === "with")
    ? "Too few nights to compare with the week before"
    : "Nothing changed clearly from the week before"

function opening(clear: readonly Part[]): string {
  const tones = new Set(clear.map(({ compared }) => compared.tone))
  if (tones.has("good") && tones.has("poor")) return "A mixed week"
  return tones.has("poor") ? "A harder week" : "A good week"
}

const joined = (texts: readonly string[]): string => texts.join(" and ")

function partOf({ metric, answer }: WeekFigure, preferences: DisplayPreferences): Part {
  const compared = comparedOf(metric, answer, preferences)
  const mean = averageText(metric, answer.period.mean, preferences)
  const { words } = compared
  return metric.id === "asleep"
    ? { compared, text: `you slept ${words}`, plain: `you slept ${mean} a night` }
    : {
        compared,
        text: `your ${inSentence(metric.title)} was ${words}`,
        plain: `your ${inSentence(metric.title)} averaged ${mean}`,
      }
}

interface Known {
  readonly date: string
  readonly value: number
  readonly source: string | null
}

const knownOf = (days: readonly TrendDay[], figureOf: (day: TrendDay) => Figure): readonly Known[] =>
  days.flatMap((day) => {
    const { value, source } = figureOf(day)
    return value === null ? [] : [{ date: day.date, value, source }]
  })

const MOST_FACTORS = 4

/** What stands out in a week, a sentence for each. A single night is neither the best nor the lowest. */
export const worthKnowing = (days: readonly TrendDay[], journal: readonly JournalDay[]): string[] =>
  [bestNight(days), lowestRecovery(days), workouts(days), ...journalDays(days, journal)].filter((text) => text !== "")

function bestNight(days: readonly TrendDay[]): string {
  const nights = knownOf(days, FIGURES.asleepHours).toSorted((one, other) => other.value - one.value)
  const [best] = nights
  return best && nights.length > 1 ? `Best night: ${weekdayName(best.date)}, ${hoursText(best.value)} asleep.` : ""
}

function lowestRecovery(days: readonly TrendDay[]): string {
  const scores = knownOf(days, FIGURES.recovery).toSorted((one, other) => one.value - other.value)
  const [lowest] = scores
  return lowest && scores.length > 1
    ? `Lowest ${inSentence(recoveryTitle(lowest.source))}: ${scoreText(lowest.value, lowest.source)} on ${weekdayName(lowest.date)}.`
    : ""
}

function workouts(days: readonly TrendDay[]): string {
  const all = days.flatMap(({ date, workouts: ofDay }) => ofDay.map((workout) => ({ date, ...workout })))
  if (all.length === 0) return ""
  const hours = all.reduce((sum, { duration_hours }) => sum + duration_hours, 0)
  const hardest = comparable(
    all.flatMap(({ strain, ...workout }) => (strain === null ? [] : [{ ...workout, strain }])),
  ).toSorted((one, other) => other.strain - one.strain)[0]
  const which = hardest
    ? ` The hardest: ${inSentence(sportName(hardest.sport_type))} on ${weekdayName(hardest.date)}, strain ${figure(hardest.strain, 1)}.`
    : ""
  return `${plural(all.length, "workout")}, ${hoursText(hours)}.${which}`
}

/** Those of the source with the most strains. Each vendor has a scale of its own: WHOOP's ends at 21, a training load has no end. */
function comparable<Strained extends { readonly source: string }>(all: readonly Strained[]): readonly Strained[] {
  const bySource = [...Map.groupBy(all, ({ source }) => source).values()]
  return bySource.toSorted((one, other) => other.length - one.length)[0] ?? []
}

/** An answer belongs to the morning after: alcohol of a Wednesday was drunk on Tuesday. */
function journalDays(days: readonly TrendDay[], journal: readonly JournalDay[]): string[] {
  const dates = new Set(days.map(({ date }) => date))
  const ofWeek = journal.filter(({ date }) => dates.has(date))
  const factors = [...new Set(ofWeek.flatMap(({ yes }) => yes))]
  return factors
    .map((factor) => ({ factor, dates: ofWeek.filter(({ yes }) => yes.includes(factor)).map(({ date }) => date) }))
    .toSorted((one, other) => one.dates.length - other.dates.length || (one.factor < other.factor ? -1 : 1))
    .slice(0, MOST_FACTORS)
    .map(({ factor, dates: yes }) => {
      const evenings = yes.map((date) => weekdayName(addDays(date, -1)).slice(0, 3)).join(", ")
      return `${factorName(factor)}: ${plural(yes.length, "day")} (${evenings}).`
    })
}
