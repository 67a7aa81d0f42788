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
  phrase("(?<which>this|last) (?<unit>week|month|year)", calendarPeriod),
  phrase(`last (?<weekday>${WEEKDAYS.join("|")})`, ({ weekday }, today) => {
    const back = (today.dayOfWeek - 1 - WEEKDAYS.indexOf(weekday?.toLowerCase() ?? "") + 7) % 7
    return only(today.subtract({ days: back || 7 }))
  }),
  phrase(
    String.raw`(?:in|during|of|for|since)\s+(?<month>${MONTHS})${YEAR}?|(?<named>${MONTHS})\s+(?<in>\d{4})`,
    namedMonth,
  ),
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
