/**
 * What rules say of mornings: the same function judges the morning that has just been scored and each of the past ones of a preview. Each
 * morning is judged from what was there up to it, as the day of its date is answered.
 */

import type { DayResponse, Figure, MetricId, Rule } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { aroundTheClock, isSignMetric, metricNamed, minutesOfTime } from "@restwell/client/figures"
import { DAY_MINUTES } from "@restwell/client/time-units"
import { RECORD_KINDS } from "@restwell/providers"
import { datesOf, localTime } from "../base/calendar.ts"
import { type SignMetric, signsOf, USUAL_REACH, usualBefore } from "../statistics/describe.ts"
import { besideFigures, signFigures } from "../statistics/figures.ts"
import { dayOf } from "../statistics/series.ts"
import type { ChosenHistory } from "./chosen-history.ts"
import { datesOfDay, readDay } from "./day.ts"
import type { InsightAnswer, InsightData } from "./insight-query.ts"
import type { ReadingPlan } from "./insights.ts"
import { seriesOn } from "./metric-series.ts"
import { type MorningNight, nightOf } from "./morning-night.ts"
import { samplesFor } from "./sampled-figures.ts"

/** Dates of the row of each day that the day of a briefing has: tonight's bedtime needs two weeks. */
const DAY_ROWS = 31

export interface MorningsTask {
  readonly userId: string
  readonly now: Date
  /** Dates that are judged, ending today. */
  readonly days: number
  readonly rules: readonly Rule[]
  /** The date of which the whole day is read too. */
  readonly dayOf?: string | undefined
}

/** A figure that a rule matches. */
export interface MatchedFigure {
  readonly metric: MetricId
  /** Null for a figure that several sources have parts in. */
  readonly source: string | null
  readonly value: Figure
  readonly usual: { readonly low: Figure; readonly high: Figure } | null
  readonly direction: "above" | "below"
  /** In a row, of a rule that counts them. */
  readonly mornings?: number
}

/** A rule that matches on a morning. Null where no figure is behind it. */
interface MorningMatch {
  readonly rule: string
  readonly figure: MatchedFigure | null
}

export interface Morning {
  readonly date: string
  readonly night: MorningNight | null
  readonly matches: readonly MorningMatch[]
}

/** Mornings of a person, oldest first. */
export interface Mornings {
  /** The oldest night that is known, of those that are usual for the first morning. Null without any night. */
  readonly since: string | null
  readonly mornings: readonly Morning[]
  readonly day: DayResponse | null
}

export const NO_MORNINGS: Mornings = { since: null, mornings: [], day: null }

/** How the mornings are read. @param today the person's date */
export function planMornings({ rules, days, dayOf: date }: MorningsTask, today: string): ReadingPlan<Mornings> {
  const range = { from: addDays(today, 1 - days), to: today }
  const first = date === undefined ? range.from : datesOfDay({ date, rows: DAY_ROWS }, today).from
  const wholeFrom = addDays(first < range.from ? first : range.from, -1)
  const metrics = rules.flatMap((rule) => ("metric" in rule ? rule.metric : []))
  return {
    groups: RECORD_KINDS,
    wanted: {
      kinds: RECORD_KINDS,
      journal: false,
      recordDates: false,
      from: addDays(wholeFrom, -USUAL_REACH),
      to: addDays(today, 1),
      wholeFrom,
      courses: date !== undefined,
    },
    samples: samplesFor(metrics, RECORD_KINDS),
    lackedOn: date,
    answer: (data) => readMornings(data, { rules, dates: datesOf(range), date }),
  }
}

function readMornings(
  data: InsightData,
  {
    rules,
    dates,
    date,
  }: { readonly rules: readonly Rule[]; readonly dates: readonly string[]; readonly date: string | undefined },
): InsightAnswer<Mornings> {
  const { chosen, today } = data
  const nights = [...chosen.days].filter(([, { night }]) => night)
  const oldest = nights[0]?.[1].night?.date ?? null
  const mornings = dates.map((each) => morningOf(data, rules, each))
  // A best is one of the whole history, of which this is a part.
  const part = { ...data, readableFrom: dates[0] ?? today }
  const day =
    date === undefined ? null : readDay(part, { rows: DAY_ROWS }, datesOfDay({ date, rows: DAY_ROWS }, today)).body
  return { body: { since: oldest, mornings, day }, recordCount: nights.length }
}

function morningOf(data: InsightData, rules: readonly Rule[], date: string): Morning {
  const night = nightOf(data, date)
  const matches = rules.flatMap((rule) => {
    const match = judge(data.chosen, rule, { date, night })
    return match === undefined ? [] : [{ rule: rule.id, figure: match }]
  })
  return { date, night, matches }
}

/** What a rule says of a morning: the figure behind it, null for a match without one, or undefined. */
function judge(
  chosen: ChosenHistory,
  rule: Rule,
  { date, night }: Pick<Morning, "date" | "night">,
): MatchedFigure | null | undefined {
  switch (rule.kind) {
    case "limit":
      return night ? beyondLimit(chosen, rule, date) : undefined
    case "unusual":
      return night ? farFromUsual(chosen, rule, date) : undefined
    case "missing":
      return night && clockAt(night) <= rule.at ? undefined : null
    // Not judged by nights.
    case "connection":
    case "quota":
      return undefined
  }
}

/** The clock where the person woke up. */
const clockAt = ({ endMs, utcOffsetMinutes }: MorningNight): string => localTime(endMs, utcOffsetMinutes).slice(11, 16)

type RuleOf<Kind extends Rule["kind"]> = Extract<Rule, { readonly kind: Kind }>

/** The rounded figure decides, so that a message never contradicts its own figure. Of times of day, the nearer side of the limit does. */
function beyondLimit(chosen: ChosenHistory, { metric: id, direction, limit }: RuleOf<"limit">, date: string) {
  const metric = metricNamed(id)
  const { history, source } = seriesOn(chosen, date)(metric)
  const day = dayOf(date)
  const value = history.find((each) => each.day === day)?.value
  if (value === undefined) return undefined
  const figure = besideFigures(metric, { value, usual: usualBefore(metric.kind, history, day) })
  if (sideOf(figure.value, limit) !== direction) return undefined
  return { metric: id, source, ...figure, direction }
}

function sideOf(value: Figure, limit: Figure): "above" | "below" | "equal" {
  if (typeof value === "number" && typeof limit === "number")
    return value === limit ? "equal" : value > limit ? "above" : "below"
  const after = aroundTheClock(minutesOfTime(value) - minutesOfTime(limit))
  return after === 0 ? "equal" : after < DAY_MINUTES / 2 ? "above" : "below"
}

function farFromUsual(chosen: ChosenHistory, rule: RuleOf<"unusual">, date: string): MatchedFigure | undefined {
  const { metric: id, direction, mornings } = rule
  if (!isSign(id)) return undefined
  const metric = metricNamed(id)
  const { history, source } = seriesOn(chosen, date)(metric)
  const [sign] = signsOf({ [id]: history }, dayOf(date))
  if (!sign || sign.mornings !== mornings || (direction !== null && sign.direction !== direction)) return undefined
  const { value, usual } = signFigures(metric, sign)
  return { metric: id, source, value, usual, direction: sign.direction, mornings }
}

const isSign = (id: MetricId): id is SignMetric => isSignMetric(id)
