/** What the briefing and the matches of rules say, in the words of the page and the connector, and in the person's units and clock. */
import type { DayResponse, DisplayPreferences, Rule } from "@restwell/client"
import {
  capitalized,
  differentFromUsual,
  figure,
  figureText,
  labelOf,
  type MetricDescription,
  metricNamed,
  nameOf,
  ofSource,
  plural,
  positionWord,
  recoverySentence,
  signText,
  sleepSentence,
  sourceName,
  tonightOf,
  tonightSentence,
  usualRangeText,
} from "@restwell/client/figures"
import type { MatchedFigure } from "../read/mornings.ts"
import type { NoticeFigure, NoticeMessage } from "../store/notification-tables.ts"

type Preferences = Pick<DisplayPreferences, "units" | "clock" | "first_weekday">

const FIGURES = 3

/** "Saturday, November 28" */
const dateText = (date: string): string =>
  Temporal.PlainDate.from(date).toLocaleString("en", { weekday: "long", month: "long", day: "numeric" })

const pathOf = (date: string): string => `/?date=${date}`

/** The briefing of a date. Undefined where nothing is known of its night. @param day with the rows of the weeks before it */
export function composeBriefing(day: DayResponse, preferences: Preferences): NoticeMessage | undefined {
  const { date, rows } = day
  // They may be those of an older date.
  const signs = day.figures_date === date ? day.signs : []
  const row = rows.at(-1)
  const sentences = row
    ? [recoverySentence({ day: row, before: rows.slice(0, -1), isToday: true }), sleepSentence(row)]
    : []
  const text = sentences.filter((sentence) => sentence !== undefined).join(" ")
  const figures = figuresOf(day, signs)
  if (text === "" && figures.length === 0) return undefined
  const tonight = tonightOf(rows)
  return {
    title: `Your night to ${dateText(date)}`,
    lines: [
      text,
      ...figures.map((each) => figureLine(each, preferences)),
      ...(signs.length > 0 ? [`Far from usual: ${signs.map((sign) => signText(sign, preferences)).join("; ")}.`] : []),
      ...(tonight ? [`Tonight: ${lowerFirst(tonightSentence(tonight, preferences.clock))}.`] : []),
    ].filter((line) => line !== ""),
    figures: figures.map(({ metric, value, unit, usual }) => ({ metric, value, unit, usual })),
    path: pathOf(date),
  }
}

const lowerFirst = (text: string): string => `${text.charAt(0).toLowerCase()}${text.slice(1)}`

interface Compared extends NoticeFigure {
  readonly source: string | null
}

/** Three figures of the morning with their usual ranges, those that differ from usual first. The score is in the sentence above them. */
function figuresOf({ figures }: DayResponse, signs: DayResponse["signs"]): readonly Compared[] {
  const known = figures.flatMap(({ metric, value, unit, source, usual }) =>
    value === null || usual === null || metric === "recovery_score"
      ? []
      : [{ metric, value, unit, source, usual: { low: usual.low, high: usual.high } }],
  )
  const different = differentFromUsual(figures, signs)
  const isDifferent = ({ metric }: Compared) => different.includes(metric)
  return [...known.filter(isDifferent), ...known.filter((each) => !isDifferent(each))].slice(0, FIGURES)
}

/** The metric as its source names it. */
const metricOf = ({ metric, source }: Pick<MatchedFigure, "metric" | "source">): MetricDescription =>
  source === null ? metricNamed(metric) : ofSource(metricNamed(metric), source)

function figureLine(figure: Compared, { units, clock }: Preferences): string {
  const { value, usual } = figure
  const metric = { ...metricOf(figure), units, clock }
  const range = usual === null ? "" : `, usual ${usualRangeText(metric, usual)}`
  return `${labelOf(metric)}: ${figureText(metric, value)}${range}`
}

/** What a rule says of a morning. @param match null where no figure is behind it */
export function composeMatch(
  rule: Rule,
  { date, match }: { readonly date: string; readonly match: MatchedFigure | null },
  preferences: Preferences,
): NoticeMessage {
  const about = { figures: match ? [noticeFigure(match)] : [], path: pathOf(date) }
  if (rule.kind === "missing" || match === null) return { ...missingText(rule, date, preferences), ...about }
  const { units, clock } = preferences
  const metric = { ...metricOf(match), units, clock }
  const value = `${capitalized(nameOf(metric))} ${figureText(metric, match.value)}`
  const beside = positionWord(metric, match.direction)
  const range = match.usual && usualRangeText(metric, match.usual)
  const text =
    rule.kind === "limit"
      ? `${value} is ${beside} than ${figureText(metric, rule.limit)}`.replace(/(above|below) than/, "$1")
      : `${value} is ${beside} the usual ${range ?? ""}`
  const mornings = match.mornings !== undefined && match.mornings > 1 ? `, ${match.mornings} mornings in a row` : ""
  const usual = rule.kind === "limit" && range !== null ? [`Usual: ${range}.`] : []
  return { title: `${text}${mornings}`, lines: [`${text}${mornings}, on ${dateText(date)}.`, ...usual], ...about }
}

const noticeFigure = (figure: MatchedFigure): NoticeFigure => ({
  metric: figure.metric,
  value: figure.value,
  unit: metricOf(figure).unit,
  usual: figure.usual && { low: figure.usual.low, high: figure.usual.high },
})

function missingText(rule: Rule, date: string, { clock }: Preferences): Pick<NoticeMessage, "title" | "lines"> {
  const at = rule.kind === "missing" ? ` by ${figureText({ ...metricNamed("wake_time"), clock }, rule.at)}` : ""
  return {
    title: `No night has arrived${at}`,
    lines: [`The night to ${dateText(date)} has not arrived${at}. Was the device worn, and has it synced?`],
  }
}

/** A vendor that the person has to do something about, or that does not answer. */
export function composeOutage(provider: string, kind: "ended" | "silent"): NoticeMessage {
  const vendor = sourceName(provider)
  const text =
    kind === "ended"
      ? `${vendor} has to be reconnected: no new data arrive`
      : `${vendor} has not answered for six hours: new data are late`
  return { title: text, lines: [`${text}.`], figures: [], path: "/connections" }
}

/** @param limit requests of the month */
export function composeQuota(percent: number, limit: number): NoticeMessage {
  const text = `${percent} % of this month's ${figure(limit)} requests are used`
  return { title: text, lines: [`${text}.`], figures: [], path: "/developer" }
}

/** What a source has brought. */
export interface ArrivedHistory {
  readonly provider: string
  /** Nights of the source, with their first and last date. */
  readonly count: number
  readonly first: string | null
  readonly last: string | null
  /** True if more of it comes by itself: an archive brings no later night. */
  readonly isLive: boolean
}

const LIST = new Intl.ListFormat("en")

/** The one message about all histories that have arrived. */
export function composeSummary(histories: readonly ArrivedHistory[]): NoticeMessage {
  const withNights = histories.filter(({ count }) => count > 0)
  const live = withNights.filter(({ isLive }) => isLive)
  const namesOf = (some: readonly ArrivedHistory[]) => LIST.format(some.map(({ provider }) => sourceName(provider)))
  const from = live.length < histories.length ? ` from ${namesOf(live)}` : ""
  return {
    title: `Your history from ${namesOf(histories)} is here`,
    lines: [
      ...histories.map(nightsText),
      ...(live.length > 0 ? [`From now on you are told of each new night${from}.`] : []),
    ],
    figures: [],
    path: "/trends",
  }
}

function nightsText({ provider, count, first, last }: ArrivedHistory): string {
  const vendor = sourceName(provider)
  if (count === 0) return `The records from ${vendor} have no nights.`
  const span = first === null || last === null ? "" : `, from ${longDate(first)} to ${longDate(last)}`
  return `${plural(count, "night")} from ${vendor}${span}.`
}

const longDate = (date: string): string =>
  Temporal.PlainDate.from(date).toLocaleString("en", { year: "numeric", month: "long", day: "numeric" })
