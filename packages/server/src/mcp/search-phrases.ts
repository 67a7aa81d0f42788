/** Dates that a question names. */
export interface NamedDates {
  /** The first and the last date. Undefined where the question names none. */
  readonly range: { readonly from: string; readonly to: string } | undefined
  /** ISO weekdays, Monday is 1. Empty for all of them. */
  readonly weekdays: readonly number[]
  /** A date that the question names and that no calendar has, as 30 February. */
  readonly impossible?: string
  /** The question without its words for dates. */
  readonly rest: string
}

type Day = Temporal.PlainDate
type Range = readonly [from: Day, to: Day]

interface Phrase {
  readonly pattern: RegExp
  /** Undefined for a date that does not exist. */
  readonly read: (groups: Readonly<Record<string, string | undefined>>, today: Day) => Range | undefined
}

const MONTHS =
  "january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec"
const MONTH_STARTS = "jan feb mar apr may jun jul aug sep oct nov dec".split(" ")
const WEEKDAYS = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th)?`
const YEAR = String.raw`(?:,?\s+(?<year>\d{4}))`

/** The first phrase that a question has is the one it means. */
const PHRASES: readonly Phrase[] = [
  phrase(String.raw`(?<from>\d{4}-\d{2}-\d{2})\s*(?:to|until|-|–)\s*(?<to>\d{4}-\d{2}-\d{2})`, ({ from, to }) =>
    between(isoDate(from), isoDate(to)),
  ),
  phrase(String.raw`(?<date>\d{4}-\d{2}-\d{2})`, ({ date }) => only(isoDate(date))),
  phrase(String.raw`(?<year>\d{4})-(?<month>0[1-9]|1[0-2])`, ({ year, month }) =>
    wholeMonth(Number(year), Number(month)),
  ),
  phrase(String.raw`${DAY}\s+(?:of\s+)?(?<month>${MONTHS})${YEAR}?`, dayOfMonth),
  phrase(String.raw`(?<month>${MONTHS})\s+(?:the\s+)?${DAY}(?!\d)${YEAR}?`, dayOfMonth),
  phrase("(?:the )?(?:day before yesterday)", (_, today) => only(today.subtract({ days: 2 }))),
  phrase("yesterday|(?:the )?night before last", (_, today) => only(today.subtract({ days: 1 }))),
  phrase("today|tonight|last night|this morning|(?:this )?night just gone", (_, today) => only(today)),
  phrase(String.raw`(?<count>\d{1,3}) (?:days?|nights?) ago`, ({ count }, today) =>
    only(today.subtract({ days: Number(count) })),
  ),
  phrase(String.raw`(?:last|past) (?<count>\d{1,3}) (?<unit>day|night|week|month)s?`, ({ count, unit }, today) => [
    today.subtract(unit === "month" ? { months: Number(count) } : daysOf(Number(count), unit)).add({ days: 1 }),
    today,
  ]),
  phrase(
    `(?:in )?(?<month>${MONTHS}) (?:of )?last year|last year['’]?s? (?<named>${MONTHS})`,
    ({ month, named }, today) => wholeMonth(today.year - 1, monthOf(month ?? named)),
  ),
  phrase(`since (?<month>${MONTHS})${YEAR}?`, (groups, today) => [namedMonth(groups, today)[0], today]),
  phrase(`last (?<month>${MONTHS})`, ({ month }, today) => lastMonth(monthOf(month), today)),
  phrase("(?<which>this|last) (?<unit>week|month|year)", calendarPeriod),
  phrase(`last (?<weekday>${WEEKDAYS.join("|")})`, ({ weekday }, today) => {
    const back = (today.dayOfWeek - 1 - WEEKDAYS.indexOf(weekday?.toLowerCase() ?? "") + 7) % 7
    return only(today.subtract({ days: back || 7 }))
  }),
  phrase(
    String.raw`(?:in|during|of|for|this|my|the|whole)\s+(?<month>${MONTHS})${YEAR}?|(?<named>${MONTHS})\s+(?<in>\d{4})`,
    namedMonth,
  ),
  // These two are other words as well: they are months alone in a question, and with a capital, unless a question begins so.
  { pattern: /^[^\p{L}\d]*(?<month>march|may)[^\p{L}\d]*$/iu, read: namedMonth },
  { pattern: /(?<![\p{L}\d-])(?<month>March|May)(?![\p{L}\d]|-\d| (?:I|we|you|my|the)\b)/u, read: namedMonth },
  phrase(`(?<month>${MONTHS.replace("|march", "").replace("|may", "")})`, namedMonth),
  phrase(String.raw`(?:in )?(?<year>20\d{2})`, ({ year }) => wholeYear(Number(year))),
]

/** What dates a question names, in words or figures. Without a year the newest such date is meant, never one after today. */
export function namedDates(question: string, today: string): NamedDates {
  const now = Temporal.PlainDate.from(today)
  for (const { pattern, read } of PHRASES) {
    const found = pattern.exec(question)
    if (!found) continue
    const rest = `${question.slice(0, found.index)} ${question.slice(found.index + found[0].length)}`
    const range = read(found.groups ?? {}, now)
    if (!range) return { ...withoutWeekdays(rest), range: undefined, impossible: found[0] }
    return { ...withoutWeekdays(rest), range: { from: range[0].toString(), to: range[1].toString() } }
  }
  return { ...withoutWeekdays(question), range: undefined }
}

function withoutWeekdays(question: string): Pick<NamedDates, "weekdays" | "rest"> {
  const weekdays = WEEKDAYS.flatMap((name, index) => (word(`${name}s?`).test(question) ? [index + 1] : []))
  const isWeekend = word("weekends?").test(question)
  const isWorking = word("weekdays?|working days?").test(question)
  const rest = question.replaceAll(new RegExp(word(`(?:${WEEKDAYS.join("|")})s?|weekends?|weekdays?`), "giu"), " ")
  return { weekdays: [...weekdays, ...(isWeekend ? [6, 7] : []), ...(isWorking ? [1, 2, 3, 4, 5] : [])], rest }
}

function phrase(words: string, read: Phrase["read"]): Phrase {
  return { pattern: word(words), read }
}

function word(words: string): RegExp {
  return new RegExp(String.raw`(?<![\p{L}\d-])(?:${words})(?![\p{L}\d]|-\d)`, "iu")
}

function only(day: Day | undefined): Range | undefined {
  return day && [day, day]
}

function between(from: Day | undefined, to: Day | undefined): Range | undefined {
  return from && to && Temporal.PlainDate.compare(from, to) <= 0 ? [from, to] : undefined
}

/** Undefined for a date that does not exist, as 2026-02-30. */
function calendarDate(year: number, month: number, day: number): Day | undefined {
  const first = Temporal.PlainDate.from({ year, month, day: 1 })
  return day >= 1 && day <= first.daysInMonth ? first.with({ day }) : undefined
}

function isoDate(text = ""): Day | undefined {
  const [year = 0, month = 0, day = 0] = text.split("-").map(Number)
  return month >= 1 && month <= 12 ? calendarDate(year, month, day) : undefined
}

const monthOf = (name = ""): number => MONTH_STARTS.indexOf(name.slice(0, 3).toLowerCase()) + 1

function dayOfMonth({ day, month, year }: Readonly<Record<string, string | undefined>>, today: Day): Range | undefined {
  if (year !== undefined) return only(calendarDate(Number(year), monthOf(month), Number(day)))
  // 29 February may be some years back.
  return only(
    [0, 1, 2, 3, 4]
      .map((back) => calendarDate(today.year - back, monthOf(month), Number(day)))
      .find((date) => date && Temporal.PlainDate.compare(date, today) <= 0),
  )
}

function wholeMonth(year: number, month: number): Range {
  const first = Temporal.PlainDate.from({ year, month, day: 1 })
  return [first, first.with({ day: first.daysInMonth })]
}

const wholeYear = (year: number): Range => [
  Temporal.PlainDate.from({ year, month: 1, day: 1 }),
  Temporal.PlainDate.from({ year, month: 12, day: 31 }),
]

function namedMonth(groups: Readonly<Record<string, string | undefined>>, today: Day): Range {
  const month = monthOf(groups["month"] ?? groups["named"])
  const year = groups["year"] ?? groups["in"]
  return wholeMonth(year === undefined ? today.year - (month > today.month ? 1 : 0) : Number(year), month)
}

/** The newest such month that has ended. */
function lastMonth(month: number, today: Day): Range {
  return wholeMonth(today.year - (month >= today.month ? 1 : 0), month)
}

const daysOf = (count: number, unit = "day"): { days: number } => ({ days: unit === "week" ? count * 7 : count })

/** Weeks begin on Monday. A period that has not ended ends today. */
function calendarPeriod({ which, unit }: Readonly<Record<string, string | undefined>>, today: Day): Range {
  const isLast = which?.toLowerCase() === "last"
  if (unit?.toLowerCase() === "week") {
    const monday = today.subtract({ days: today.dayOfWeek - 1 })
    return isLast ? [monday.subtract({ days: 7 }), monday.subtract({ days: 1 })] : [monday, today]
  }
  const isMonth = unit?.toLowerCase() === "month"
  const start = isMonth ? today.with({ day: 1 }) : today.with({ month: 1, day: 1 })
  if (!isLast) return [start, today]
  return [start.subtract(isMonth ? { months: 1 } : { years: 1 }), start.subtract({ days: 1 })]
}

/** Days that a question wants by their rank in one figure. */
export interface Extreme {
  /** The metric, and others that stand in for it where a source has none. */
  readonly metrics: readonly string[]
  readonly side: "highest" | "lowest"
  /** The question without the words that were understood. */
  readonly rest: string
}

type Better = "higher" | "lower"

/** What words mean. The first entry that a question has is the one it means. */
const FIGURES: readonly (readonly [words: RegExp, better: Better, ...metrics: string[]])[] = [
  [/\blowest (?:heart rate|hr|pulse)\b/, "lower", "lowest_heart_rate", "resting_heart_rate"],
  [/\b(?:resting (?:heart rate|hr|pulse)|rhr|pulse)\b/, "lower", "resting_heart_rate"],
  [/\b(?:hrv|heart rate variability)\b/, "higher", "hrv"],
  [/\bdeep\b/, "higher", "deep"],
  [/\brem\b/, "higher", "rem"],
  [/\b(?:efficien\w+)\b/, "higher", "sleep_efficiency"],
  [/\b(?:awake|restless)\b/, "lower", "awake"],
  [/\b(?:bed ?times?|(?:went|go|going) to bed|fell asleep|fall asleep)\b/, "lower", "bedtime"],
  [/\b(?:wake(?: up)?|woke(?: up)?|waking|got up|get up)\b/, "lower", "wake_time"],
  [/\b(?:breath\w*|respirat\w+)\b/, "lower", "respiratory_rate"],
  [/\b(?:spo2|oxygen)\b/, "higher", "spo2"],
  [/\b(?:temperature|temp)\b/, "lower", "skin_temp_deviation"],
  [/\b(?:recover\w*|readiness|mornings?)\b/, "higher", "recovery_score"],
  [/\bsteps?\b/, "higher", "steps"],
  [/\b(?:weights?|weigh(?:ed)?)\b/, "lower", "weight"],
  [/\bbody ?fat\b/, "lower", "body_fat"],
  [/\b(?:calories|kcal|energy)\b/, "higher", "calories"],
  [/\b(?:strain|load|training|workouts?)\b/, "higher", "strain"],
  [/\b(?:sleep|slept|nights?)\b/, "higher", "sleep_performance", "sleep_efficiency", "asleep"],
  [/\bdays?\b/, "higher", "recovery_score"],
]

const BEST = /\b(?:best|top|strongest)\b/
const WORST = /\b(?:worst|weakest|poorest)\b/
const MOST = /\b(?:highest|most|longest|max(?:imum)?|latest|hardest|peak)\b/
const LEAST = /\b(?:lowest|least|fewest|shortest|min(?:imum)?|earliest|easiest)\b/
/** They are about the hours of a night, not its score. */
const LENGTH =
  /\b(?:longest|shortest|most|least) (?:sleep|slept|nights?)\b|\bslept (?:the )?(?:longest|shortest|most|least)\b/

/** The extreme that a question asks about, as in "worst nights" or "lowest HRV". */
export function namedExtreme(question: string): Extreme | undefined {
  const text = question.toLowerCase()
  const figure = namedFigure(text)
  if (!figure) return undefined
  const { better, metrics } = figure
  const side = sideOf(text, better)
  if (!side) return undefined
  const rest = [BEST, WORST, MOST, LEAST].reduce((left, words) => left.replaceAll(globally(words), " "), figure.rest)
  return { metrics: LENGTH.test(text) ? ["asleep"] : metrics, side, rest }
}

function sideOf(text: string, better: Better): Extreme["side"] | undefined {
  if (MOST.test(text)) return "highest"
  if (LEAST.test(text)) return "lowest"
  if (BEST.test(text)) return better === "higher" ? "highest" : "lowest"
  return WORST.test(text) ? (better === "higher" ? "lowest" : "highest") : undefined
}

const globally = (words: RegExp): RegExp => new RegExp(words.source, "g")

/** The figure that a question is about, and the question without its words. @param text in lower case */
export function namedFigure(text: string) {
  const [words, better = "higher", ...metrics] = FIGURES.find(([each]) => each.test(text)) ?? []
  return words && { better, metrics, rest: text.replaceAll(globally(words), " ") }
}
