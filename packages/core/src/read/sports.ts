import type { SportsQuery, SportsResponse } from "@restwell/client"
import { sportKey, sportTypeOf } from "@restwell/providers"
import type { DateRange } from "../base/calendar.ts"
import { hoursOf, toTenth, toWhole } from "../base/rounding.ts"
import { InvalidRequest } from "../context/errors.ts"
import { dateOf, dayOf } from "../statistics/series.ts"
import type { HealthFact, WorkoutFact } from "../store/statements/health-fact.ts"
import { type InsightAnswer, type InsightData, knownMetric, presentDates } from "./insight-query.ts"
import { type ChosenHistory, metricSeries, mostFrequent } from "./metric-series.ts"
import { idOf } from "./present.ts"
import { knownMean } from "./summarize.ts"

/** Whether a workout is of a sport that a request names, in any vendor's spelling. */
export const isOfSport = (sport: string) => {
  const wanted = sportKey(sportTypeOf(sport))
  return ({ sportType }: Pick<WorkoutFact, "sportType">): boolean => sportKey(sportType) === wanted
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

/** Recovery scores by day number. None where they are not allowed. */
function recoveryScores({ chosen, groups }: InsightData, period: DateRange): ReadonlyMap<number, number> {
  if (!groups.includes("recovery")) return new Map()
  const { history } = metricSeries(chosen, knownMetric("recovery_score", "metric"), period)
  return new Map(history.map(({ day, value }) => [day, value]))
}

/** @param workouts of one sport, newest first, at least one */
function sportFigures(sportType: string, workouts: readonly WorkoutFact[], scores: ReadonlyMap<number, number>) {
  const farthest = largest(workouts, ({ distance }) => distance)
  const longest = largest(workouts, ({ durationMs }) => durationMs)
  const dates = [...new Set(workouts.map(({ date }) => date))]
  const next = dates.flatMap((date) => scores.get(dayOf(date) + 1) ?? [])
  const recovery = toTenth(knownMean(next))
  return {
    sport_type: sportType,
    count: workouts.length,
    hours: hoursOf(knownSum(workouts.map(({ durationMs }) => durationMs)) ?? 0),
    distance_meters: toTenth(knownSum(workouts.map(({ distance }) => distance))),
    calories: toWhole(knownSum(workouts.map(({ calories }) => calories))),
    average_strain: toTenth(knownMean(workouts.map(({ strain }) => strain))),
    average_heart_rate: toTenth(knownMean(workouts.map(({ averageHeartRate }) => averageHeartRate))),
    longest: { ...namesOf(longest), hours: hoursOf(longest.durationMs) },
    farthest:
      farthest.distance === null ? null : { ...namesOf(farthest), distance_meters: toTenth(farthest.distance) ?? 0 },
    last_date: dateOf(Math.max(...dates.map(dayOf))),
    next_day_recovery: recovery === null ? null : { n: next.length, mean: recovery },
  }
}

/** The sum of the known values. Null without any, never zero. */
function knownSum(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) : null
}

const namesOf = ({ date, provider, providerId }: WorkoutFact) => ({ date, id: idOf(provider, providerId) })

/** Of equal ones the first. Unknown values are smaller than known ones. */
function largest(workouts: readonly WorkoutFact[], value: (workout: WorkoutFact) => number | null): WorkoutFact {
  const sizeOf = (workout: WorkoutFact): number => value(workout) ?? Number.NEGATIVE_INFINITY
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
export function knownSport(history: ChosenHistory, sport: string): string {
  const all = sportsOf(history)
  const known = all.find((sportType) => isOfSport(sport)({ sportType }))
  if (known !== undefined) return known
  const names = all.slice(0, MOST_NAMED).map((sportType) => `workout:${sportType}`)
  const hint = names.length > 0 ? `there are ${names.join(", ")}` : "there are no workouts of any sport"
  throw new InvalidRequest(`factor workout:${sport} is unknown, ${hint}`, "factor")
}

/** Only workouts of a sport. All facts without a sport. */
export const ofSport = <Choice extends { readonly fact: HealthFact }>(
  choices: readonly Choice[],
  sport: string | undefined,
): readonly Choice[] => {
  if (sport === undefined) return choices
  const isWanted = isOfSport(sport)
  return choices.filter(({ fact }) => fact.kind === "workout" && isWanted(fact))
}
