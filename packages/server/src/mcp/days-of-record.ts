import { words } from "./answer-text.ts"
import type { CycleOutput, RecoveryOutput, SleepOutput, WorkoutOutput } from "./tool-schemas.ts"

/** The shared records of some dates. */
export interface DayRecords {
  readonly sleep?: SleepOutput
  readonly recovery?: RecoveryOutput
  readonly workout?: WorkoutOutput
  readonly cycle?: CycleOutput
}

export interface DayEntry {
  readonly id: string
  readonly title: string
}

/** What the days are looked for by. */
export interface Wanted {
  /** The question without its dates. */
  readonly rest: string
  /** ISO weekdays, Monday is 1. Empty for all of them. */
  readonly weekdays: readonly number[]
  /** Whether the question named dates. Days of them match without further words. */
  readonly hasDates: boolean
}

const MOST_RESULTS = 10
const SHORTEST_WORD = 3
const STOP_WORDS = new Set(
  (
    "the and how did was were for with what have been this that all any are can could day days show tell find give about from into much many " +
    "mine which when who why does had has his her its not our out she they you your please last data health"
  ).split(" "),
)
/** Words of questions, and the word that the titles have for them. */
const SYNONYMS: Readonly<Record<string, string>> = {
  slept: "sleep",
  sleeping: "sleep",
  night: "sleep",
  rest: "sleep",
  trained: "workout",
  training: "workout",
  exercise: "workout",
  readiness: "recovery",
  recovered: "recovery",
  load: "strain",
}

/** The days that a question is about, those with most of its words first, then the newest. None if nothing matches. */
export function findDays(records: DayRecords, { rest, weekdays, hasDates }: Wanted): DayEntry[] {
  const words = wordsOf(rest)
  const days = titles(records).filter(({ date }) => weekdays.length === 0 || weekdays.includes(weekdayOf(date)))
  const scored = days.map((day) => ({ day, score: scoreOf(day.title, words) }))
  const matching = scored.filter(({ score }) => score > 0)
  const isNamed = words.length === 0 && (hasDates || weekdays.length > 0)
  // Stable: days of equal score stay newest first.
  return (isNamed ? scored : matching)
    .toSorted((one, other) => other.score - one.score)
    .map(({ day: { date, title } }) => ({ id: dayId(date), title }))
    .slice(0, MOST_RESULTS)
}

export const dayId = (date: string): string => `day:${date}`

/** The words of a question that say what is looked for. */
export const wordsOf = (question: string): string[] =>
  question
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .map((word) => word.replace(/s$/, ""))
    .map((word) => SYNONYMS[word] ?? word)
    .filter((word) => word.length >= SHORTEST_WORD && !STOP_WORDS.has(word) && !STOP_WORDS.has(`${word}s`))

/** How many of the words begin a word of the title. */
function scoreOf(title: string, words: readonly string[]): number {
  const known = title.toLowerCase().split(/[^\p{L}\p{N}]+/u)
  return words.filter((word) => known.some((each) => each.startsWith(word))).length
}

/** A weekday and date as titles and texts have them. */
export const dayName = (date: string): string =>
  `${Temporal.PlainDate.from(date).toLocaleString("en", { weekday: "long" })} ${date}`

/** Each date with data, newest first, by its figures. */
function titles({ sleep, recovery, workout, cycle }: DayRecords): { date: string; title: string }[] {
  const facts = new Map<string, string[]>()
  const note = (date: string, fact: string) => facts.set(date, [...(facts.get(date) ?? []), fact])
  for (const { date, asleep_hours, duration_hours, is_nap } of sleep?.records ?? [])
    note(
      date,
      words(is_nap ? "nap" : "sleep", asleep_hours === null ? `${duration_hours} h in bed` : `${asleep_hours} h`),
    )
  for (const { date, score, hrv } of recovery?.records ?? []) {
    if (score !== null) note(date, `recovery ${score} %`)
    if (hrv !== null) note(date, `HRV ${hrv} ms`)
  }
  for (const { date, strain } of cycle?.records ?? []) if (strain !== null) note(date, `strain ${strain}`)
  for (const { date, sport_type } of workout?.records ?? []) note(date, `workout ${sport_type}`)
  return [...facts]
    .toSorted(([one], [other]) => (one < other ? 1 : -1))
    .map(([date, all]) => ({ date, title: `${dayName(date)}: ${all.join(", ")}` }))
}

const weekdayOf = (date: string): number => Temporal.PlainDate.from(date).dayOfWeek
