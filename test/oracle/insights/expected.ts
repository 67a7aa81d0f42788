/*
 * The oracle of the statistics: the answer that docs/insights.md requires for what a person's sources sent. It
 * shares no code with the service.
 */
import { METRIC_IDS } from "@restwell/client"
import { localDateAt } from "../several/measured.ts"
import { candidatesFor, NAMES, sourceJson } from "../several/sources.ts"
import { hrvMethodOf, type SourceTruth } from "../several/truth.ts"
import { dateOf, dayOf, type Grouping } from "./calendar.ts"
import { compareFigures, sourceFigures } from "./compare.ts"
import { type DailyValue, type Life, nightsOf, PERSON, workoutsOf } from "./daily-values.ts"
import { dayFigures } from "./day.ts"
import { extrasOf } from "./extras.ts"
import { ANYTHING, type Expected, OneOf } from "./figure.ts"
import { type Metric, metricOf } from "./metrics.ts"
import { type Days, isOfAnySource, isWithin, seriesOf } from "./part.ts"
import type { Question } from "./question.ts"
import { isPart, relationOf } from "./relate.ts"
import { expectedRelations } from "./relations.ts"
import { trendFigures } from "./trend.ts"

/** The body, a list with rules of its own, or the statuses one of which must refuse the question. */
export type Answer =
  | { readonly body: Expected }
  | { readonly list: ReturnType<typeof expectedRelations> }
  | { readonly refused: readonly number[] }

/** How many dates each kind of question is about when it does not say. */
const USUAL_DAYS = { trend: 30, compare: 7, relate: 180, day: 1 } as const

interface Scene {
  readonly life: Life
  readonly question: Question
  readonly only: string | undefined
  readonly days: Days
}

export function expectedAnswer(life: Life, now: Date, question: Question): Answer {
  const { path, query } = question
  const { source, date } = query
  const isName = source !== undefined && source !== "all"
  if (isName && !NAMES.some((name) => name === source)) return { refused: [400] }
  const today = dayOf(localDateAt(now.getTime(), life.ledger.newestOffset()))
  const usualDays = query.with_source === undefined ? USUAL_DAYS[path] : 90
  const days = daysOf(date === undefined ? query : { start_date: date, end_date: date }, today, usualDays)
  const { with_source: withSource, sport } = query
  const isOfSources = withSource !== undefined
  const isClock = query.metric !== undefined && metricOf(query.metric).kind === "clock"
  const isWrongLimit = [query.above, query.below].some((text) => text !== undefined && text.includes(":") !== isClock)
  const other = path === "compare" && !isOfSources ? otherDays(query, days) : undefined
  const isWrongPair =
    isOfSources &&
    (!isName ||
      source === withSource ||
      query.with_start_date !== undefined ||
      query.metric?.startsWith("journal:") === true)
  const isWrongSport = sport !== undefined && TYPES[metricOf(query.metric ?? "").from] !== "workout"
  const isValid =
    !isWrongLimit &&
    !isWrongPair &&
    !isWrongSport &&
    days.first <= days.last &&
    (!other || (other.first <= other.last && areApart(days, other)))
  const candidates = life.ledger.truth.candidates()
  const isMissing = (name: string) => !candidates.some(({ provider }) => provider === name)
  const isUnconnected =
    candidates.length === 0 || (isName && isMissing(source)) || (isOfSources && isMissing(withSource))
  if (isUnconnected) return { refused: isValid ? [404] : [400, 404] }
  if (!isValid) return { refused: [400] }
  const scene = { life: { ...life, today }, question, only: isName ? source : undefined, days }
  if (sport !== undefined) {
    const ofSport = { ...scene, life: { ...scene.life, sport } }
    return workoutsOf(ofSport.life, scene.only).length === 0 ? { refused: [400] } : { body: trendBody(ofSport) }
  }
  if (path === "trend") return { body: trendBody(scene) }
  if (isOfSources) return { body: sourcesBody(scene, withSource) }
  if (path === "day") return { body: dayBody(scene, today) }
  return other ? { body: compareBody(scene, other) } : relateBody(scene)
}

/** Dates win over `days`. */
function daysOf(query: Question["query"], today: number, usual: number): Days {
  const last = query.end_date === undefined ? today : dayOf(query.end_date)
  const length = query.days === undefined ? usual : Number(query.days)
  return { first: query.start_date === undefined ? last - length + 1 : dayOf(query.start_date), last }
}

/** The period that is named, or as many dates before. */
function otherDays(query: Question["query"], days: Days): Days {
  if (query.with_start_date !== undefined && query.with_end_date !== undefined)
    return { first: dayOf(query.with_start_date), last: dayOf(query.with_end_date) }
  return { first: 2 * days.first - days.last - 1, last: days.first - 1 }
}

const areApart = (one: Days, other: Days): boolean => one.last < other.first || other.last < one.first

const periodOf = ({ first, last }: Days): Expected => ({
  start_date: dateOf(first),
  end_date: dateOf(last),
  days: last - first + 1,
})

const TYPES = {
  night: "sleep",
  naps: "sleep",
  recovery: "recovery",
  cycle: "cycle",
  workouts: "workout",
  "last workout": "workout",
  "first workout": "workout",
  "hardest workout": "workout",
  clock: "sleep",
  scale: "recovery",
  samples: "recovery",
  counts: "cycle",
  journal: "sleep",
  sport: "workout",
} as const

/** Where the values are from, and all sources in the person's order. */
function origin({ life, only, days }: Scene, metric: Metric, values: readonly DailyValue[]): Record<string, Expected> {
  const candidates = candidatesFor(life.ledger.truth, TYPES[metric.from])
  const source = candidates.find(({ provider }) => provider === (sourceOf(values) ?? only)) ?? candidates[0]
  // No page says which source dates without an activity are of, or an answer without values.
  const isOfOne = !isOfAnySource(metric) && values.some(({ day }) => day >= days.first)
  // The person is a source of the journal alone.
  const entered = metric.from === "journal" && life.journal.some(({ provider }) => provider === PERSON) ? [ENTERED] : []
  return {
    source: isOfOne && source ? jsonOf(source) : new OneOf([...candidates.map(jsonOf), ...entered]),
    sources: new OneOf([candidates.map(jsonOf), [...candidates.map(jsonOf), ...entered]]),
    notes: ANYTHING,
  }
}

/** The source of most values. */
function sourceOf(values: readonly DailyValue[]): string | undefined {
  const counts = Map.groupBy(values, ({ source }) => source)
  return [...counts].toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0]
}

const ENTERED: Expected = { provider: PERSON, status: "ok", last_synced_at: null }

const jsonOf = (source: SourceTruth): Expected => ({ ...sourceJson(source) })

const methodOf = (metric: Metric, values: readonly DailyValue[]): Expected => {
  const newest = values.at(-1)
  return metric.id === "hrv" && newest ? hrvMethodOf(newest.source) : null
}

function trendBody(scene: Scene): Expected {
  const { life, only, days, question } = scene
  const { query } = question
  const metric = metricOf(query.metric ?? "")
  const all = seriesOf(life, metric, { only, days })
  const source = all.at(-1)?.source
  const nights = source === undefined ? [] : nightsOf(life, only ?? source)
  const by = (["week", "month", "weekday", "weekend"] as const).find((each): each is Grouping => each === query.by)
  const { above, below } = query
  const asked = { metric, days, by, points: query.points === "true", top: Number(query.top ?? 3), above, below }
  const figures = trendFigures(asked, all)
  return {
    metric: metric.id,
    unit: metric.unit,
    period: periodOf(days),
    method: methodOf(metric, all),
    ...figures,
    extras: extrasOf(metric, days, all, nights),
    ...origin(scene, metric, all),
  }
}

function dayBody({ life, only, days }: Scene, today: number): Expected {
  const sources = candidatesFor(life.ledger.truth, "recovery")
  const first = only === undefined ? sources[0] : sources.find(({ provider }) => provider === only)
  return {
    ...dayFigures(life, only, days.last),
    date: dateOf(days.last),
    today: dateOf(today),
    source: first ? jsonOf(first) : ANYTHING,
    sources: sources.map(jsonOf),
  }
}

function compareBody(scene: Scene, other: Days): Expected {
  const { life, only, days, question } = scene
  const metric = metricOf(question.query.metric ?? "")
  const later = days.first > other.first ? days : other
  const all = seriesOf(life, metric, { only, days: later })
  return {
    metric: metric.id,
    unit: metric.unit,
    method: methodOf(metric, all),
    ...compareFigures({ metric, period: days, other }, all),
    comparable: true,
    ...origin(scene, metric, all),
  }
}

/** Each vendor measures these on a scale of its own. */
const OWN_SCALES: readonly string[] = ["recovery_score", "sleep_performance", "strain", "stress"]

function sourcesBody(scene: Scene, withSource: string): Expected {
  const { life, only, days, question } = scene
  const metric = metricOf(question.query.metric ?? "")
  const [one, other] = [seriesOf(life, metric, { only, days }), seriesOf(life, metric, { only: withSource, days })]
  const [method, otherMethod] = [methodOf(metric, one), methodOf(metric, other)]
  const isOfTwoMethods = method !== otherMethod && method !== null && otherMethod !== null
  const isComparable = !OWN_SCALES.includes(metric.id) && !isOfTwoMethods
  return {
    metric: metric.id,
    unit: metric.unit,
    method: method === otherMethod ? method : null,
    ...sourceFigures({ metric, days }, one, other),
    ...(!isComparable && { difference: null, interval: null, effect_size: null, verdict: "not_enough_data" }),
    comparable: isComparable,
    ...origin(scene, metric, one),
  }
}

function relateBody(scene: Scene): Answer {
  const { life, only, days, question } = scene
  const { outcome: id = "", factor, lag: lagText = "0" } = question.query
  const lag = Number(lagText)
  // The dates of the question are those of the outcome.
  const ofFactor = { first: days.first - lag, last: days.last - lag }
  // Whether the journal or a sport is known at all depends on all dates. Other questions look no further than the running median.
  const looksFar = factor?.includes(":") === true
  const near = looksFar ? life : { ...life, foundFrom: days.first - lag - 14 }
  const measureOf = (name: string, dates = ofFactor) => {
    const metric = metricOf(name)
    return { metric, all: seriesOf(near, metric, { only, days: dates }) }
  }
  const outcome = measureOf(id, days)
  const common = {
    outcome: id,
    lag,
    period: periodOf(days),
    ...origin(scene, outcome.metric, outcome.all),
  }
  if (factor !== undefined) {
    const measure = measureOf(factor)
    const isJournal = factor.startsWith("journal:")
    const isUnknown = isJournal && measure.all.length === 0
    // A name that the journal does not have is refused, if it has others.
    if (isUnknown && life.journal.some((answer) => measureOf(`journal:${answer.factor}`).all.length > 0))
      return { refused: [400] }
    const relation = relationOf({ outcome, lag, days }, measure)
    const zero = isJournal && lag === 1 ? relationOf({ outcome, lag: 0, days }, measure) : undefined
    const { difference = null, interval = null } = zero?.figures ?? {}
    const yes = zero?.yesCount ?? 0
    return {
      body: {
        ...common,
        factor,
        ...relation.figures,
        verdict: relation.verdict,
        part_of_outcome: isPart(id, factor),
        ...(zero && {
          lag_0: { yes_n: yes, no_n: zero.n - yes, difference, interval, verdict: zero.verdict },
        }),
      },
    }
  }
  const topics = [...new Set(life.journal.map((answer) => `journal:${answer.factor}`))]
  const sports = workoutsOf(life, only)
    .filter(({ date }) => isWithin(ofFactor, { day: dayOf(date) }))
    .map(({ record }) => `workout:${record.sportType}`)
  const factors = [...METRIC_IDS.filter((each) => each !== id), ...topics, ...new Set(sports)]
    .map((name) => measureOf(name))
    .filter(({ all }) => all.length > 0)
  const relations = factors.map((factor) => relationOf({ outcome, lag, days }, factor))
  return { list: expectedRelations(common, relations) }
}
