/**
 * One date: the night, recovery, cycle and workouts of it, each figure with its usual range and source, what is missing and why, what is far
 * from usual, and the journal. The page, the connector and the API answer "this day" from here, with one read of the history.
 */

import {
  type DayFigure,
  type DayQuery,
  type DayResponse,
  type MetricId,
  type MissingRecords,
  OWN_SOURCE,
  ROWS,
} from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { besideUsual, type MetricDescription, metricNamed, SIGN_METRICS } from "@restwell/client/figures"
import type { DateRange } from "../base/calendar.ts"
import { type Choice, chooseSources } from "../sources/choose.ts"
import { NO_PREFERENCES } from "../sources/rank.ts"
import { bestAt } from "../statistics/bests.ts"
import { type SignMetric, signsOf, usualBefore } from "../statistics/describe.ts"
import { besideFigures, bestFigures, signFigures, usualFigures } from "../statistics/figures.ts"
import type { DayFacts } from "../statistics/metrics.ts"
import { type DayValue, dateOf, dayOf, type Series } from "../statistics/series.ts"
import type { TrendRecord } from "../store/statements/read-trend-rows.ts"
import { listsOf, newestFirst, OWN_ENTRIES } from "./answer.ts"
import { awaitedOf, endedOf, MORNING_KINDS } from "./awaited.ts"
import type { InsightAnswer, InsightData } from "./insight-query.ts"
import { groupOfMetric } from "./metric-groups.ts"
import { seriesOn } from "./metric-series.ts"
import { recordsAround, rowsBetween } from "./trends.ts"

/** The figures of a date. */
const FIGURES = [
  "recovery_score",
  "hrv",
  "resting_heart_rate",
  "respiratory_rate",
  "spo2",
  "skin_temp_deviation",
  "asleep",
  "sleep_performance",
  "bedtime",
] as const satisfies MetricId[]

/** Dates up to a date in which the newest value of a figure is looked for. */
const NEWEST_DATES = 14

/** The dates whose records are needed, from the first row on. @param today the person's date */
export function datesOfDay({ date, rows = ROWS.default }: Pick<DayQuery, "date" | "rows">, today: string): DateRange {
  const to = date ?? today
  return { from: addDays(to, 1 - Math.max(rows, 1)), to }
}

/** What is read for the dates: all before them, for bests. The parts of a night may have two dates. */
export const historyOfDay = ({ from, to }: DateRange) => ({
  to: addDays(to, 1),
  wholeFrom: addDays(from, -1),
  courses: true,
})

/** The answer about the last of the dates. */
export function readDay(
  data: InsightData,
  { rows = ROWS.default, source }: DayQuery,
  dates: DateRange,
): InsightAnswer<DayResponse> {
  const { snapshot, today, oldestDate, newestDate, history, envelope } = data
  const around = recordsAround(dates, history.facts)
  const near = around.facts.filter(({ date }) => date >= addDays(dates.to, -1))
  const choices = chooseSources(near, snapshot.preferences ?? NO_PREFERENCES).toSorted(newestFirst)
  const lists = presentLists(data, { source, date: dates.to, choices })
  const all = Object.values(lists)
  const missing = all.flatMap((list) => list?.missing ?? [])
  const figures = figuresOf(data, dates.to, missing)
  const figuresDate = newestValue(figures, dates.to)
  return {
    body: {
      date: dates.to,
      today,
      oldest_date: oldestDate,
      newest_date: newestDate,
      ...comingOf(data, { date: dates.to, choices, missing }),
      ...lists,
      figures: figures.map(({ figure }) => figure),
      figures_date: figuresDate,
      signs: figuresDate === null ? [] : signsAt(figures, figuresDate),
      best: data.readableFrom === null ? bestOf(figures, dates.to) : null,
      rows: rows === 0 ? [] : rowsBetween(dates, around, snapshot.preferences ?? NO_PREFERENCES),
      ...envelope({ id: "hrv" }, null),
    },
    recordCount: all.reduce((sum, list) => sum + (list?.count ?? 0), 0),
  }
}

interface OfDate {
  readonly date: string
  /** The records of the date and of those beside it, the newest first. */
  readonly choices: readonly Choice<TrendRecord>[]
}

/** What of this morning still comes, and what comes no more. Of other dates nothing does. */
function comingOf(
  { today, groups, stored, readableFrom }: InsightData,
  { date, choices, missing }: OfDate & { readonly missing: readonly MissingRecords[] },
): Pick<DayResponse, "awaited" | "ended"> {
  if (date !== today) return { awaited: [], ended: null }
  const kinds = MORNING_KINDS.filter((kind) => groups.includes(kind))
  const morning = { today, kinds, sources: stored, choices, missing }
  const awaited = awaitedOf(morning)
  const ended = endedOf(morning, awaited)
  const isReadable = readableFrom === null || (ended?.date ?? "") >= readableFrom
  return { awaited, ended: ended && { ...ended, date: isReadable ? ended.date : null } }
}

/** The lists of the date, as reads of their types answer. Null for a type that is not shared. */
function presentLists(
  { snapshot, groups, history, today }: InsightData,
  { source, date: to, choices }: OfDate & Pick<DayQuery, "source">,
) {
  const facts = choices.map(({ fact }) => fact)
  const isOwn = history.answers.some(({ provider, date }) => provider === OWN_SOURCE && date === to)
  const ofDates = { ...snapshot, facts, candidates: [], answers: history.answers }
  const withOwn = isOwn ? { ...ofDates, sources: [...snapshot.sources, OWN_ENTRIES] as const } : ofDates
  // All sources are the default here.
  const only = source === "all" ? {} : { source }
  const dated = { range: { from: to, to }, today }
  const lists = listsOf(only, ofDates, choices, dated)
  const shared = <Answer>(group: (typeof groups)[number], answer: () => { readonly body: Answer }) =>
    groups.includes(group) ? answer().body : null
  return {
    sleep: shared("sleep", lists.sleep),
    recovery: shared("recovery", lists.recovery),
    cycle: shared("cycle", lists.cycle),
    workout: shared("workout", lists.workout),
    journal: shared("journal", listsOf(only, withOwn, choices, dated).journal),
  }
}

/** A figure, the values of its source up to the date, and those of other sources, devices or methods on further dates. */
interface DatedFigure {
  readonly metric: MetricDescription
  readonly values: Series
  readonly others: Series
  readonly isOfSeveral: boolean
  /** Whether other devices behind the source have values too. */
  readonly isOfOneOfDevices: boolean
  readonly figure: DayFigure
}

/** @param missing what the lists of the date lack */
function figuresOf(
  { chosen, groups }: InsightData,
  date: string,
  missing: readonly MissingRecords[],
): readonly DatedFigure[] {
  const day = dayOf(date)
  const seriesOf = seriesOn(chosen, date)
  return FIGURES.filter((id) => groups.some((group) => group === groupOfMetric(id))).map((id) => {
    const metric = metricNamed(id)
    const series = seriesOf(metric)
    const values = series.history
    const valueAt = (each: DayValue | undefined) => {
      if (!each) return null
      const { value, usual } = besideFigures(metric, {
        value: each.value,
        usual: usualBefore(metric.kind, values, each.day),
      })
      return { value, usual, position: usual && besideUsual(value, usual) }
    }
    const own = valueAt(values.find((each) => each.day === day))
    const newest = values.findLast((each) => each.day > day - NEWEST_DATES)
    const latest = own ? null : valueAt(newest)
    const usual = usualBefore(metric.kind, values, day)
    return {
      metric,
      values,
      others: [...series.others, ...series.ofOtherDevices],
      isOfOneOfDevices: series.ofOtherDevices.length > 0,
      isOfSeveral: series.others.length > 0 || series.leftOut.length > 0,
      figure: {
        metric: id,
        unit: metric.unit,
        source: series.source,
        value: own?.value ?? null,
        missing: own ? null : whyNone(id, chosen.days.get(day), missing),
        usual: usual && usualFigures(metric, usual),
        position: own?.position ?? null,
        latest: latest && newest ? { date: dateOf(newest.day), ...latest } : null,
      },
    }
  })
}

/** Why a date has no value. @param facts the records of the date */
function whyNone(
  id: (typeof FIGURES)[number],
  facts: DayFacts | undefined,
  missing: readonly MissingRecords[],
): NonNullable<DayFigure["missing"]> {
  const group = groupOfMetric(id)
  const record = group === "recovery" ? facts?.recovery : facts?.night
  if (!record) return missing.some(({ kind }) => kind === group) ? "withheld" : "no_record"
  return record.scoreState === "scored" ? "not_in_record" : record.scoreState
}

/** The newest date of which there is a value. */
function newestValue(figures: readonly DatedFigure[], date: string): string | null {
  const dates = figures.flatMap(({ figure: { value, latest } }) => (value === null ? (latest?.date ?? []) : date))
  return dates.toSorted().at(-1) ?? null
}

/** The best of the date itself: an older value was one on its own date. */
function bestOf(figures: readonly DatedFigure[], date: string): DayResponse["best"] {
  const figureOf = (id: MetricId) => figures.find(({ metric }) => metric.id === id)
  const asleep = figureOf("asleep")
  const nights = asleep ? [...asleep.others, ...asleep.values] : []
  // An answer names the source of a best and not the device, so a best of one of several devices would read as that of all.
  const valuesOf = (id: MetricId) => {
    const figure = figureOf(id)
    return figure === undefined || figure.isOfOneOfDevices ? [] : figure.values
  }
  const best = bestAt(valuesOf, nights, dayOf(date))
  const found = best && figureOf(best.metric)
  return found ? bestFigures(found.metric, best, found.isOfSeveral ? found.figure.source : null) : null
}

function signsAt(figures: readonly DatedFigure[], date: string) {
  const valuesOf = (id: SignMetric) => figures.find(({ metric }) => metric.id === id)?.values ?? []
  const histories: Partial<Record<SignMetric, Series>> = Object.fromEntries(
    SIGN_METRICS.map((id) => [id, valuesOf(id)]),
  )
  return signsOf(histories, dayOf(date)).map((sign) => signFigures(metricNamed(sign.metric), sign))
}
