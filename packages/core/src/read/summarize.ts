import type { SportsQuery, SportsResponse, SummaryResponse } from "@restwell/client"
import { sportTypeOf } from "@restwell/providers"
import type { DateRange } from "../base/calendar.ts"
import { hoursOf, toHours, toTenth, toWhole } from "../base/rounding.ts"
import { InvalidRequest } from "../context/errors.ts"
import { type Choice, chooseSources, hasStrain } from "../sources/choose.ts"
import { inOrder } from "../sources/rank.ts"
import { mainNights } from "../statistics/nights.ts"
import { dateOf, dayOf } from "../statistics/series.ts"
import type { SourcePreferences } from "../store/record-tables.ts"
import type { HealthSource } from "../store/statements/read-health.ts"
import {
  asleepMsOf,
  hasCountedFigures,
  methodOfHrv,
  type StoredCycle,
  type StoredRecord,
  type StoredRecovery,
  type StoredSleep,
  type StoredWorkout,
} from "../store/stored-record.ts"
import type { ChosenHistory } from "./chosen-history.ts"
import { type InsightAnswer, type InsightData, knownMetric, presentDates } from "./insight-query.ts"
import { metricSeries, mostFrequent } from "./metric-series.ts"
import { idOf } from "./present.ts"

/** The mean of the known values. Null without any, never zero. */
function knownMean(values: readonly (number | null | undefined)[]): number | null {
  const known = values.filter((value) => value !== null && value !== undefined)
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : null
}

/**
 * The figures of a period, without naps and nights that are pending or have only their times. A date has one night, as in trends. They include
 * and mark an open cycle with a score. Each family is of one source, the one that was chosen for most dates, and of those dates only.
 * @param choices all records of the period, chosen or not
 */
export function summarize(
  choices: readonly Choice<StoredRecord>[],
  sources: readonly HealthSource[],
  preferences: SourcePreferences,
): Pick<SummaryResponse, "sleep" | "recovery" | "strain"> {
  const chosen = choices.filter(({ because }) => because !== null).map(({ fact }) => fact)
  const nights = chosen.filter((fact) => fact.kind === "sleep").filter(({ isNap }) => !isNap)
  const recoveries = chosen.filter((fact) => fact.kind === "recovery")
  const workouts = chosen.filter((fact) => fact.kind === "workout").filter(({ countsAsWorkout }) => countsAsWorkout)
  const cycles = withStrain(choices, preferences)
  const orderOf = (type: "sleep" | "recovery" | "cycle") => inOrder(sources, preferences.order[type])
  return {
    sleep: summarizeSleep(ofMainSource(mainNights(nights), orderOf("sleep"))),
    recovery: summarizeRecovery(ofMainSource(recoveries, orderOf("recovery"))),
    strain: { ...summarizeStrain(ofMainSource(cycles, orderOf("cycle"))), workout_count: workouts.length },
  }
}

/** Strain is chosen among the cycles that have one: a source without strain is no candidate for it. */
function withStrain(choices: readonly Choice<StoredRecord>[], preferences: SourcePreferences): StoredCycle[] {
  const cycles = choices.map(({ fact }) => fact).filter((fact) => fact.kind === "cycle")
  return chooseSources(cycles.filter(hasStrain), preferences).flatMap(({ fact, because }) =>
    because === null ? [] : [fact],
  )
}

interface Family<Fact> {
  readonly source: string | null
  readonly facts: readonly Fact[]
}

/** The facts of the source with the most dates. Of two with as many, the first of the sources. */
function ofMainSource<Fact extends StoredRecord>(
  facts: readonly Fact[],
  sources: readonly HealthSource[],
): Family<Fact> {
  const bySource = Map.groupBy(facts, ({ provider }) => provider)
  const found = sources.flatMap(({ provider }) => {
    const ofSource = bySource.get(provider)
    return ofSource
      ? [{ source: provider, facts: ofSource, dates: new Set(ofSource.map(({ date }) => date)).size }]
      : []
  })
  const [main] = found.toSorted((one, other) => other.dates - one.dates)
  return main ?? { source: null, facts: [] }
}

function summarizeSleep({ source, facts }: Family<StoredSleep>): SummaryResponse["sleep"] {
  const nights = facts.filter(hasCountedFigures)
  const stages = nights.map((night) => night.stages)
  return {
    average_duration_hours: toHours(knownMean(nights.map((night) => night.durationMs))),
    average_asleep_hours: toHours(knownMean(nights.map(asleepMsOf))),
    average_need_hours: toHours(knownMean(nights.map((night) => night.needMs))),
    average_light_hours: toHours(knownMean(stages.map((stage) => stage?.lightMs))),
    average_deep_hours: toHours(knownMean(stages.map((stage) => stage?.deepMs))),
    average_rem_hours: toHours(knownMean(stages.map((stage) => stage?.remMs))),
    average_awake_hours: toHours(knownMean(stages.map((stage) => stage?.awakeMs))),
    average_performance: toTenth(knownMean(nights.map((night) => night.scorePercent))),
    average_efficiency: toTenth(knownMean(nights.map((night) => night.efficiencyPercent))),
    night_count: nights.length,
    source,
  }
}

function summarizeRecovery({ source, facts }: Family<StoredRecovery>): SummaryResponse["recovery"] {
  const recoveries = facts.filter(hasCountedFigures)
  const newest = recoveries
    .filter(({ hrvMs }) => hrvMs !== undefined)
    .reduce<StoredRecovery | undefined>((last, each) => (last && last.date >= each.date ? last : each), undefined)
  const method = newest ? methodOfHrv(newest) : null
  const ofMethod = recoveries.filter((recovery) => methodOfHrv(recovery) === method)
  return {
    average_score: toTenth(knownMean(recoveries.map((recovery) => recovery.scorePercent))),
    average_hrv: toTenth(knownMean(ofMethod.map(({ hrvMs }) => hrvMs))),
    average_rhr: toTenth(knownMean(recoveries.map((recovery) => recovery.restingHeartRateBpm))),
    day_count: recoveries.length,
    source,
    hrv_method: method,
  }
}

function summarizeStrain({ source, facts }: Family<StoredCycle>): Omit<SummaryResponse["strain"], "workout_count"> {
  const cycles = facts.filter(hasCountedFigures)
  const strains = cycles.flatMap(({ strain }) => strain ?? [])
  const average = knownMean(strains)
  return {
    total: toTenth(average === null ? null : strains.reduce((sum, strain) => sum + strain, 0)),
    average_daily: toTenth(average),
    cycle_count: strains.length,
    includes_open_cycle: cycles.some(({ strain, endMs }) => strain !== undefined && endMs === null),
    source,
  }
}

/** Whether a workout is of a sport that a request names, in any vendor's spelling. Stored sports have one spelling. */
const isOfSport = (sport: string) => {
  const wanted = sportTypeOf(sport)
  return ({ sportType }: Pick<StoredWorkout, "sportType">): boolean => sportType === wanted
}

/** The workouts of a period by sport. */
export function readSports(
  data: InsightData,
  { sport }: SportsQuery,
  period: DateRange,
): InsightAnswer<SportsResponse> {
  const [first, last] = [dayOf(period.from), dayOf(period.to)]
  const isWanted = sport === undefined ? () => true : isOfSport(sport)
  // Newest first, so that of equal ones the newest is found.
  const workouts = [...data.chosen.days]
    .filter(([day]) => day >= first && day <= last)
    .flatMap(([, day]) => day.workouts.filter(isWanted))
    .reverse()
  const scores = recoveryScores(data, period)
  const sports = [...Map.groupBy(workouts, ({ sportType }) => sportType)]
    .map(([sportType, ofSport]) => sportFigures(sportType, ofSport, scores))
    .toSorted(
      (one, other) =>
        other.count - one.count || other.hours - one.hours || (one.sport_type < other.sport_type ? -1 : 1),
    )
  const source = mostFrequent(workouts.map(({ provider }) => ({ source: provider })))
  return {
    body: { period: presentDates(period), sports, count: sports.length, ...data.envelope({ id: "workout" }, source) },
    recordCount: workouts.length,
  }
}

/** Recovery scores by day number, of one source. Null without any, and where they are not allowed. */
interface RecoveryScores {
  readonly source: string
  readonly byDay: ReadonlyMap<number, number>
}

function recoveryScores({ chosen, groups }: InsightData, period: DateRange): RecoveryScores | null {
  if (!groups.includes("recovery")) return null
  const { history, source } = metricSeries(chosen, knownMetric("recovery_score", "metric"), period)
  return source === null ? null : { source, byDay: new Map(history.map(({ day, value }) => [day, value])) }
}

/** @param workouts of one sport, newest first, at least one */
function sportFigures(sportType: string, workouts: readonly StoredWorkout[], scores: RecoveryScores | null) {
  const farthest = largest(workouts, ({ distanceMeters }) => distanceMeters)
  const longest = largest(workouts, ({ durationMs }) => durationMs)
  const dates = [...new Set(workouts.map(({ date }) => date))]
  const next = dates.flatMap((date) => scores?.byDay.get(dayOf(date) + 1) ?? [])
  const recovery = toTenth(knownMean(next))
  return {
    sport_type: sportType,
    count: workouts.length,
    hours: hoursOf(knownSum(workouts.map(({ durationMs }) => durationMs)) ?? 0),
    distance_meters: toTenth(knownSum(workouts.map(({ distanceMeters }) => distanceMeters))),
    calories: toWhole(knownSum(workouts.map(({ energyKcal }) => energyKcal))),
    average_strain: toTenth(meanStrain(workouts)),
    average_heart_rate: toTenth(knownMean(workouts.map(({ averageHeartRateBpm }) => averageHeartRateBpm))),
    longest: { ...namesOf(longest), hours: hoursOf(longest.durationMs) },
    farthest:
      farthest.distanceMeters === undefined
        ? null
        : { ...namesOf(farthest), distance_meters: toTenth(farthest.distanceMeters) ?? 0 },
    last_date: dateOf(Math.max(...dates.map(dayOf))),
    next_day_recovery: scores && recovery !== null ? { n: next.length, mean: recovery, source: scores.source } : null,
  }
}

/** Of the source with the most strains. Each vendor has a scale of its own: WHOOP's ends at 21, a training load has no end. */
function meanStrain(workouts: readonly StoredWorkout[]): number | null {
  const known = workouts.filter(({ strain }) => strain !== undefined)
  const source = mostFrequent(known.map(({ provider }) => ({ source: provider })))
  return knownMean(known.flatMap((workout) => (workout.provider === source ? workout.strain : undefined)))
}

/** The sum of the known values. Null without any, never zero. */
function knownSum(values: readonly (number | undefined)[]): number | null {
  const known = values.filter((value) => value !== undefined)
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : null
}

const namesOf = ({ date, provider, providerId }: StoredWorkout) => ({ date, id: idOf(provider, providerId) })

/** Of equal ones the first. Unknown values are smaller than known ones. */
function largest(
  workouts: readonly StoredWorkout[],
  value: (workout: StoredWorkout) => number | undefined,
): StoredWorkout {
  const sizeOf = (workout: StoredWorkout): number => value(workout) ?? Number.NEGATIVE_INFINITY
  return workouts.reduce((best, workout) => (sizeOf(workout) > sizeOf(best) ? workout : best))
}

/** Every sport of the workouts of some dates, the most frequent first. @param range left out for all dates */
export function sportsOf({ days }: ChosenHistory, range?: DateRange): string[] {
  const [first, last] = range
    ? [dayOf(range.from), dayOf(range.to)]
    : [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  const all = [...days].flatMap(([day, { workouts }]) => (day >= first && day <= last ? workouts : []))
  const bySport = [...Map.groupBy(all, ({ sportType }) => sportType)]
  return bySport.toSorted(([, one], [, other]) => other.length - one.length).map(([sportType]) => sportType)
}

const MOST_NAMED = 10

/** The person's own name of a sport that a request names. @throws {InvalidRequest} that lists the sports, for one without workouts */
export function knownSport(history: ChosenHistory, sport: string, field: "sport" | "factor"): string {
  const all = sportsOf(history)
  const known = all.find((sportType) => isOfSport(sport)({ sportType }))
  if (known !== undefined) return known
  const named = (sportType: string) => (field === "factor" ? `workout:${sportType}` : sportType)
  const names = all.slice(0, MOST_NAMED).map(named)
  const hint = names.length > 0 ? `there are ${names.join(", ")}` : "there are no workouts of any sport"
  throw new InvalidRequest(`${field} ${named(sport)} is unknown, ${hint}`, field)
}

/** Only workouts of a sport. All facts without a sport. */
export const ofSport = <Choice extends { readonly fact: StoredRecord }>(
  choices: readonly Choice[],
  sport: string | undefined,
): readonly Choice[] => {
  if (sport === undefined) return choices
  const isWanted = isOfSport(sport)
  return choices.filter(({ fact }) => fact.kind === "workout" && isWanted(fact))
}
