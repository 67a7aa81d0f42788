import type { JournalDay, TrendDay } from "@restwell/client"
import { factorName } from "../charts/journal-marks.tsx"
import { addDays, weekdayName } from "../format/date.ts"
import { figure, hoursText, plural } from "../format/number.ts"
import { FIGURES, type Figure } from "../trends/figures.ts"
import { scoreText } from "../trends/recovery-band.ts"

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
    ? `Lowest recovery: ${scoreText(lowest.value, lowest.source)} on ${weekdayName(lowest.date)}.`
    : ""
}

function workouts(days: readonly TrendDay[]): string {
  const all = days.flatMap(({ date, workouts: ofDay }) => ofDay.map((workout) => ({ date, ...workout })))
  if (all.length === 0) return ""
  const hours = all.reduce((sum, { duration_hours }) => sum + duration_hours, 0)
  const hardest = all
    .flatMap(({ strain, ...workout }) => (strain === null ? [] : [{ ...workout, strain }]))
    .toSorted((one, other) => other.strain - one.strain)[0]
  const which = hardest
    ? ` The hardest: ${hardest.sport_type.replaceAll(/[-_]+/g, " ")} on ${weekdayName(hardest.date)}, strain ${figure(hardest.strain, 1)}.`
    : ""
  return `${plural(all.length, "workout")}, ${hoursText(hours)}.${which}`
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
