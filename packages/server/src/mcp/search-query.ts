import { NORMALIZED_SPORT_TYPES } from "@restwell/client"
import { factorOf, JOURNAL_FACTORS, sportTypeOf } from "@restwell/providers/vocabulary"

// What a query of `search` asks for, by a table of phrases. A query with a word that is in no table has no meaning.

export type Subject =
  | { readonly kind: "days"; readonly isNamed: boolean }
  /** The first metric that has values answers. */
  | { readonly kind: "extreme"; readonly metrics: readonly string[]; readonly side: "highest" | "lowest" }
  /** Sport null: workouts of any sport. */
  | { readonly kind: "workouts"; readonly sport: string | null; readonly isLongest: boolean }
  | { readonly kind: "topic"; readonly factor: string; readonly answer: boolean }

export interface SearchQuery {
  /** Both dates included, YYYY-MM-DD. */
  readonly range: { readonly from: string; readonly to: string } | undefined
  /** ISO weekdays, Monday is 1. Empty for all of them. */
  readonly weekdays: readonly number[]
  readonly subject: Subject
}

/** What an empty result says. */
export const UNDERSTOOD =
  "search understands dates (today, yesterday, 2026-11-03, 2026-11-01 to 2026-11-07, 2026-03, March, last 10 nights, Mondays), sports (running, longest run), " +
  "extremes (worst nights, lowest HRV, best recovery) and journal topics (alcohol, days without caffeine). get_trend finds days above or below a limit"

type Day = Temporal.PlainDate
type Days = readonly [first: Day, last: Day]
type Groups = Readonly<Record<string, string | undefined>>

const MONTHS = "january february march april may june july august september october november december".split(" ")
const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday weekend", "sunday weekend"]
const ISO = String.raw`\d{4}(?:-\d\d(?:-\d\d)?)?`

const YEAR = String.raw`(?:,?\s+(?<year>\d{4}))?`
const ofMonth = (place: string) => String.raw`(?<${place}>\d{1,2})(?:st|nd|rd|th)?`

const word = (words: string) => new RegExp(String.raw`(?<![\p{L}\d-])(?:${words})(?![\p{L}\d]|-\d)`, "iu")

/** Phrases for dates. The first one that a query has counts. A reader returns undefined for dates that no calendar has. */
const DATES: readonly (readonly [RegExp, (groups: Groups, today: Day) => Days | undefined])[] = [
  [word(String.raw`${ofMonth("before")}\s+(?:of\s+)?(?<month>${MONTHS.join("|")})${YEAR}`), namedMonth],
  [word(String.raw`(?<month>${MONTHS.join("|")})(?:\s+${ofMonth("after")})?${YEAR}`), namedMonth],
  [word("yesterday"), (_, today) => daysFrom(today, 1)],
  [word("today|this morning"), (_, today) => daysFrom(today, 0)],
  [word(String.raw`this\s+(?<unit>week|month|year)`), thisUnit],
  [word(String.raw`(?:last|past)\s+(?:(?<count>\d{1,3})\s+)?(?<unit>day|night|week|month|year)s?`), lastUnits],
  [word(String.raw`(?<from>${ISO})(?:\s*(?:to|until|and|–)\s*(?<to>${ISO}))?`), isoSpan],
]

const NOISE =
  /^(?:an?|and|the|how|from|between|recent|did|do|does|was|were|is|are|i|my|me|of|in|on|for|at|by|with|what|which|when|whole|show|find|list|get|tell|about|all|any|ever)$/
/** Words for what every day has. */
const OF_DAYS = /^(?:days?|nights?|mornings?|sleep|slept|recovery|strain|summary|average|hrv)$/

/** Words for the values that are wanted. Which of them are best and worst depends on the figure. */
const RANKS = { highest: "highest most longest latest", lowest: "lowest least shortest earliest" }

/** Words of a figure, whether more of it is better, and its metrics. */
const FIGURES: readonly (readonly [RegExp, "higher" | "lower", ...string[]])[] = [
  [/^(?:resting (?:heart rate|hr|pulse)|rhr|pulse)$/, "lower", "resting_heart_rate"],
  [/^(?:hrv|heart rate variability)$/, "higher", "hrv"],
  [/^deep(?: sleep)?$/, "higher", "deep"],
  [/^rem(?: sleep)?$/, "higher", "rem"],
  [/^bed ?times?$/, "lower", "bedtime"],
  [/^(?:wake ?times?|wake ?ups?|waking)$/, "lower", "wake_time"],
  [/^steps?$/, "higher", "steps"],
  [/^strain$/, "higher", "strain"],
  [/^(?:recover\w*|readiness|mornings?|days?)$/, "higher", "recovery_score"],
  [/^(?:sleep(?: score)?|slept|nights?)$/, "higher", "sleep_performance", "sleep_efficiency", "asleep"],
]
/** Results are newest first anyway. Only a time of day has a latest. */
const NEWEST = /^(?:last|latest|newest)$/
const TIME_OF_DAY = /^(?:bed ?times?|wake ?times?|wake ?ups?|waking)$/
const LENGTH_OF_NIGHT = /^(?:longest|shortest|most|least) (?:sleep|slept|nights?)$/

/** Words for workouts of a sport that no vendor has as its name. */
const VERBS = { running: "ran runs", cycling: "rode rides", swimming: "swam swims", walking: "walked walks" }
const OF_WORKOUTS = /^(?:days?|workouts?|sessions?|training)$/

const BESIDE_TOPIC = /\b(?:dr[aiu]nk|take|took|taken|have|had|journal|days?|nights?)\b/g
const ABSENCE = /\b(?:without|no|not|never|didn['’]?t)\b/

/**
 * Returns what a query asks for. Undefined if a word of it has no meaning here.
 * @returns `impossible` for a date that no calendar has, such as 30 February
 */
export function readQuery(query: string, today: string): SearchQuery | { readonly impossible: string } | undefined {
  const found = DATES.map(([pattern, read]) => ({ match: pattern.exec(query), read })).find(({ match }) => match)
  const phrase = found?.match?.[0] ?? ""
  const dates = found?.read(found.match?.groups ?? {}, Temporal.PlainDate.from(today))
  if (found && !dates) return { impossible: phrase }
  const rest = query
    .replace(phrase, " ")
    .toLowerCase()
    .replaceAll(/\bmost recent\b/g, " ")
    .replaceAll(/['’]s(?![\p{L}\d])/gu, " ")
  const words = rest.split(/[^\p{L}\p{N}'’-]+/u).filter((each) => each !== "" && !NOISE.test(each))
  const weekdays = words.flatMap(weekdaysOf)
  const left = words.filter((each) => weekdaysOf(each).length === 0)
  const subject = subjectOf(left, dates !== undefined || weekdays.length > 0)
  return subject && { range: dates && { from: dates[0].toString(), to: dates[1].toString() }, weekdays, subject }
}

const weekdaysOf = (name: string): readonly number[] =>
  WEEKDAYS.flatMap((names, index) => (names.split(" ").includes(name.replace(/s$/, "")) ? [index + 1] : []))

const keyOf = (table: Readonly<Record<string, string>>, word: string): string | undefined =>
  Object.keys(table).find((key) => table[key]?.split(" ").includes(word))

function subjectOf(asked: readonly string[], hasDates: boolean): Subject | undefined {
  const [first = "", ...others] = asked
  const words = NEWEST.test(first) && !TIME_OF_DAY.test(others.join(" ")) ? others : asked
  if (words.every((each) => OF_DAYS.test(each)))
    return words.length > 0 || hasDates ? { kind: "days", isNamed: hasDates } : undefined
  return extremeOf(words) ?? topicOf(words.join(" ")) ?? workoutsOf(words)
}

function extremeOf([rank = "", ...rest]: readonly string[]): Subject | undefined {
  const [, better, ...metrics] = FIGURES.find(([pattern]) => pattern.test(rest.join(" "))) ?? []
  const wanted = keyOf(RANKS, rank) ?? rank
  if (!better || !/^(?:highest|lowest|best|worst)$/.test(wanted)) return undefined
  const isHighest = wanted === "highest" || wanted === (better === "higher" ? "best" : "worst")
  const isLength = LENGTH_OF_NIGHT.test([rank, ...rest].join(" "))
  return { kind: "extreme", metrics: isLength ? ["asleep"] : metrics, side: isHighest ? "highest" : "lowest" }
}

/** Any other words may be a sport in some vendor's spelling. Without such workouts nothing is found. */
function workoutsOf(words: readonly string[]): Subject {
  const isLongest = words[0] === "longest" || words[0] === "farthest"
  const name = words
    .slice(isLongest ? 1 : 0)
    .filter((each) => !OF_WORKOUTS.test(each))
    .join(" ")
  return { kind: "workouts", sport: name === "" ? null : (keyOf(VERBS, name) ?? sportTypeOf(name)), isLongest }
}

function topicOf(text: string): Subject | undefined {
  if (NORMALIZED_SPORT_TYPES.some((type) => type === sportTypeOf(text))) return undefined
  const about = text.replace(ABSENCE, " ").replaceAll(BESIDE_TOPIC, " ").replaceAll(/\s+/g, " ").trim()
  const factor = about === "" && /\bdr[aiu]nk\b/.test(text) ? "alcohol" : factorOf(about).factor
  const isFree = factor.startsWith("no_")
  const known = JOURNAL_FACTORS.find((each) => each === (isFree ? factor.slice(3) : factor))
  // The topic has to be the whole query: "sick friends" is about something else.
  const isOfTopic = (each: string): boolean =>
    factorOf(each).factor === known || ["free", ...(known ?? "").split("_")].some((part) => each.startsWith(part))
  if (known === undefined || (about !== "" && !about.split(/[ -]/).every(isOfTopic))) return undefined
  return { kind: "topic", factor: known, answer: !isFree && !ABSENCE.test(text) }
}

/** From the first date of the week, month or year until today. */
function thisUnit({ unit }: Groups, today: Day): Days {
  if (unit === "week") return [today.subtract({ days: today.dayOfWeek - 1 }), today]
  return [unit === "month" ? today.with({ day: 1 }) : today.with({ month: 1, day: 1 }), today]
}

/** The date that many days before today. */
function daysFrom(today: Day, days: number): Days {
  const date = today.subtract({ days })
  return [date, date]
}

function isoSpan({ from = "", to = from }: Groups): Days | undefined {
  const [first, last] = [isoDays(from)?.[0], isoDays(to)?.[1]]
  return first && last && Temporal.PlainDate.compare(first, last) <= 0 ? [first, last] : undefined
}

/** The first and the last date of 2026, 2026-11 or 2026-11-03. Undefined for a date that no calendar has. */
function isoDays(text: string): Days | undefined {
  const [year = 0, month = 1, day = 1] = text.split("-").map(Number)
  if (month === 0 || day === 0) return undefined
  const first = Temporal.PlainDate.from({ year, month, day }, { overflow: "constrain" })
  if (month !== first.month || day !== first.day) return undefined
  const unit = ["years", "months", "days"][text.split("-").length - 1] ?? "days"
  return [first, first.add({ [unit]: 1 }).subtract({ days: 1 })]
}

/** A month or a day of it. Without a year the newest one that has begun. */
function namedMonth({ month = "", before, after = before, year }: Groups, today: Day): Days | undefined {
  const parts = [MONTHS.indexOf(month.toLowerCase()) + 1, ...(after === undefined ? [] : [Number(after)])]
  const dates = parts.map((part) => String(part).padStart(2, "0")).join("-")
  const ofThisYear = isoDays(`${year ?? today.year}-${dates}`)
  if (year !== undefined || (ofThisYear && Temporal.PlainDate.compare(ofThisYear[0], today) <= 0)) return ofThisYear
  return isoDays(`${today.year - 1}-${dates}`)
}

/** Dates that end today. */
function lastUnits({ count = "1", unit = "" }: Groups, today: Day): Days {
  const name = unit.toLowerCase()
  return [today.subtract({ [name === "night" ? "days" : `${name}s`]: Number(count) }).add({ days: 1 }), today]
}
