import type { JournalDay, TrendDay } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { figure, hoursText } from "@restwell/client/figures"
import { factorName } from "../charts/journal-marks.tsx"
import { weekdayOf } from "../format/date.ts"
import { MISSING_TEXTS } from "../format/number.ts"
import { FIGURES, MAX_STRAIN } from "../trends/figures.ts"
import { scoreAndBand, scoreBand } from "../trends/recovery-band.ts"

const WEEK = 7

/** "2026-11" of a date. */
export const monthOfDate = (date: string): string => date.slice(0, 7)

/** The month a number of months later. */
export function addMonths(month: string, months: number): string {
  const [year = 0, number = 1] = month.split("-").map(Number)
  const index = year * 12 + number - 1 + months
  return `${String(Math.floor(index / 12)).padStart(4, "0")}-${String((index % 12) + 1).padStart(2, "0")}`
}

export const firstOf = (month: string): string => `${month}-01`
export const lastOf = (month: string): string => addDays(firstOf(addMonths(month, 1)), -1)

/** The same day of another month, or the month's last day. */
export function inMonth(date: string, month: string): string {
  const last = lastOf(month)
  const wanted = `${month}-${date.slice(8)}`
  return wanted > last ? last : wanted
}

/** The column of a date in its week, from 0. @param firstWeekday 0 for Monday to 6 for Sunday */
export const columnOf = (date: string, firstWeekday: number): number => (weekdayOf(date) - firstWeekday + WEEK) % WEEK

/** The weeks of a month. Days of other months are undefined. @param firstWeekday 0 for Monday to 6 for Sunday */
export function weeksOf(month: string, firstWeekday: number): (string | undefined)[][] {
  const [first, last] = [firstOf(month), lastOf(month)]
  const start = addDays(first, -columnOf(first, firstWeekday))
  const weeks: (string | undefined)[][] = []
  for (let week = start; week <= last; week = addDays(week, WEEK))
    weeks.push(
      Array.from({ length: WEEK }, (_, day) => addDays(week, day)).map((date) =>
        monthOfDate(date) === month ? date : undefined,
      ),
    )
  return weeks
}

/** Every month from the newest to the oldest. */
export function monthsBetween(oldest: string, newest: string): string[] {
  const months: string[] = []
  for (let month = monthOfDate(newest); month >= monthOfDate(oldest); month = addMonths(month, -1)) months.push(month)
  return months
}

/** A day of the calendar: its colour, and its figure in words. */
export interface Cell {
  /** A CSS colour; undefined without a value. */
  readonly color: string | undefined
  readonly text: string
}

/** What the calendar's days are coloured by. */
export interface CalendarFigure {
  readonly id: string
  readonly label: string
  readonly legend: readonly { readonly label: string; readonly color: string }[]
  readonly cellOf: (day: TrendDay, answers: JournalDay | undefined) => Cell
}

/** Percent of a colour in the surface's: text on it keeps a contrast of 4.5:1. */
const STRONGEST = 50
const WEAKEST = 8

const tint = (variable: string, percent: number): string =>
  `color-mix(in srgb, var(--color-${variable}) ${Math.round(percent)}%, var(--color-surface))`

const shade = (variable: string, share: number): string =>
  tint(variable, WEAKEST + Math.min(Math.max(share, 0), 1) * (STRONGEST - WEAKEST))

const BANDS = (["good", "fair", "poor"] as const).map((band) => ({ label: band, color: tint(`${band}-mark`, 45) }))

const lessToMore = (variable: string, [less, more]: readonly [string, string]) => [
  { label: less, color: shade(variable, 0) },
  { label: more, color: shade(variable, 1) },
]

/** Hours asleep that have the weakest and the strongest colour. */
const SLEEP_HOURS = { from: 4, to: 9 } as const
const MOST_STEPS = 15_000

const RECOVERY = {
  id: "recovery",
  label: "Recovery",
  cellOf: (day: TrendDay): Cell => {
    const { value, missing, source } = FIGURES.recovery(day)
    if (value === null) return { color: undefined, text: `recovery ${MISSING_TEXTS[missing]}` }
    const band = scoreBand(value, source)
    return {
      color: band ? tint(`${band}-mark`, 45) : shade("accent", value / 100),
      text: `recovery ${scoreAndBand(value, source)}`,
    }
  },
} satisfies Omit<CalendarFigure, "legend">

/** Not every vendor has bands for its score. */
function hasBand(day: TrendDay): boolean {
  const { value, source } = FIGURES.recovery(day)
  return value !== null && scoreBand(value, source) !== undefined
}

const SLEEP: CalendarFigure = {
  id: "sleep",
  label: "Sleep",
  legend: lessToMore("deep", [`${SLEEP_HOURS.from} h`, `${SLEEP_HOURS.to} h asleep`]),
  cellOf: (day) => {
    const hours = FIGURES.asleepHours(day).value
    if (hours === null) return { color: undefined, text: "no sleep" }
    return {
      color: shade("deep", (hours - SLEEP_HOURS.from) / (SLEEP_HOURS.to - SLEEP_HOURS.from)),
      text: `${hoursText(hours)} asleep`,
    }
  },
}

const STRAIN: CalendarFigure = {
  id: "strain",
  label: "Strain",
  legend: lessToMore("strain", ["0", `${MAX_STRAIN}`]),
  cellOf: (day) => {
    const strain = FIGURES.strain(day).value
    if (strain === null) return { color: undefined, text: "no strain" }
    return { color: shade("strain", strain / MAX_STRAIN), text: `strain ${figure(strain, 1)}` }
  },
}

const STEPS: CalendarFigure = {
  id: "steps",
  label: "Steps",
  legend: lessToMore("strain", ["0", `${figure(MOST_STEPS)} steps`]),
  cellOf: (day) => {
    const steps = FIGURES.steps(day).value
    if (steps === null) return { color: undefined, text: "no steps" }
    return { color: shade("strain", steps / MOST_STEPS), text: `${figure(steps)} steps` }
  },
}

const JOURNAL = "journal:"

const journalFigure = (factor: string): CalendarFigure => ({
  id: JOURNAL + factor,
  label: `Journal: ${factorName(factor)}`,
  legend: [
    { label: "yes", color: shade("accent", 1) },
    { label: "no", color: shade("accent", 0) },
  ],
  cellOf: (_day, answers) => {
    const name = factorName(factor).toLowerCase()
    if (answers?.yes.includes(factor)) return { color: shade("accent", 1), text: `${name}: yes` }
    if (answers?.no.includes(factor)) return { color: shade("accent", 0), text: `${name}: no` }
    return { color: undefined, text: `${name} not answered` }
  },
})

/** The figures that a person's days have, and the topics of their journal. */
export function calendarFigures(days: readonly TrendDay[], journal: readonly JournalDay[]): CalendarFigure[] {
  const has = (of: (typeof FIGURES)[keyof typeof FIGURES]) => days.some((day) => of(day).value !== null)
  const factors = [...new Set(journal.flatMap(({ yes, no }) => [...yes, ...no]))].sort()
  return [
    { ...RECOVERY, legend: !has(FIGURES.recovery) || days.some(hasBand) ? BANDS : lessToMore("accent", ["0", "100"]) },
    SLEEP,
    ...(has(FIGURES.strain) || !has(FIGURES.steps) ? [STRAIN] : []),
    ...(has(FIGURES.steps) ? [STEPS] : []),
    ...factors.map(journalFigure),
  ]
}
