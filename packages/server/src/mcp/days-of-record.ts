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

const MOST_RESULTS = 10
const DATE = /\d{4}-\d{2}-\d{2}/g
const STOP_WORDS = new Set("the and how did was were for with last this what have been".split(" "))

/** The days that match a query: those with its dates, or else the newest with most of its words. */
export function findDays(records: DayRecords, query: string): DayEntry[] {
  const days = titles(records)
  const dates = query.match(DATE) ?? []
  if (dates.length > 0) return days.filter(({ id }) => dates.some((date) => id === dayId(date))).slice(0, MOST_RESULTS)
  const words = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length > 2 && !STOP_WORDS.has(word))
  const scored = days.map((day) => ({
    day,
    score: words.filter((word) => day.title.toLowerCase().includes(word)).length,
  }))
  // Stable: days of equal score stay newest first.
  return scored
    .toSorted((one, other) => other.score - one.score)
    .map(({ day }) => day)
    .slice(0, MOST_RESULTS)
}

export const dayId = (date: string): string => `day:${date}`

/** Each date with data, newest first, by its figures. */
function titles({ sleep, recovery, workout, cycle }: DayRecords): DayEntry[] {
  const facts = new Map<string, string[]>()
  const note = (date: string, fact: string) => facts.set(date, [...(facts.get(date) ?? []), fact])
  for (const { date, duration_hours, is_nap } of sleep?.records ?? [])
    note(date, is_nap ? `nap ${duration_hours} h` : `sleep ${duration_hours} h`)
  for (const { date, score } of recovery?.records ?? []) if (score !== null) note(date, `recovery ${score} %`)
  for (const { date, strain } of cycle?.records ?? []) if (strain !== null) note(date, `strain ${strain}`)
  for (const { date, sport_type } of workout?.records ?? []) note(date, `workout ${sport_type}`)
  return [...facts]
    .toSorted(([one], [other]) => (one < other ? 1 : -1))
    .map(([date, all]) => ({ id: dayId(date), title: `${weekdayOf(date)} ${date}: ${all.join(", ")}` }))
}

const weekdayOf = (date: string): string => Temporal.PlainDate.from(date).toLocaleString("en", { weekday: "long" })
