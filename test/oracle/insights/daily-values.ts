/* One value a local date, of the chosen source. Section 1 of the statistics. */
import {
  chosenByActivity,
  chosenByDate,
  chosenNights,
  hasStrain,
  isCompleteDay,
  isWholeMorning,
  preferencesOf,
} from "../several/choice.ts"
import type { Ledger } from "../several/ledger.ts"
import { countsInAverages, localDateAt, type Measured } from "../several/measured.ts"
import { longestOfDates, wholeNights } from "../several/nights.ts"
import { candidatesFor } from "../several/sources.ts"
import { sum } from "./arithmetic.ts"
import { dayOf } from "./calendar.ts"
import { onTheClock } from "./clock.ts"
import { endMinutes, type Metric, startMinutes } from "./metrics.ts"

export interface DailyValue {
  readonly day: number
  readonly value: number
  readonly source: string
}

/** An answer of a person's journal. */
export interface JournalAnswer {
  readonly provider: string
  readonly date: string
  readonly factor: string
  /** Null: asked and not answered. */
  readonly answer: boolean | null
}

/** A value that a device measured at a moment, and no record has. */
export interface Weighing {
  readonly provider: string
  readonly type: "weight" | "body_fat" | "steps" | "floors" | "exercise_minutes" | "stress" | "walking_heart_rate"
  readonly atMs: number
  readonly offsetMinutes: number
  readonly value: number
}

export interface Life {
  readonly ledger: Ledger
  readonly journal: readonly JournalAnswer[]
  readonly weighings: readonly Weighing[]
  /** What is counted on it is not over. */
  readonly today?: number
  /** The first day that a question looks at for whether a source finds an activity at all. Left out for all days. */
  readonly foundFrom?: number
  /** The only sport whose workouts count. */
  readonly sport?: string
  /** The zone where the person is at home, as they entered it. */
  readonly home: string | null
}

/** What a source says about a date's sleep. */
export interface Night {
  readonly day: number
  readonly source: string
  /** Minutes of the local clock since 1970, of the longest night and of the naps. */
  readonly sleeps: readonly { readonly from: number; readonly to: number }[]
}

type Item = Measured[keyof Measured][number]

const COUNTED = ["naps", "workouts", "sport"]

/** Every value of a metric, oldest first. @param only the one source that is asked for */
export function dailyValues(life: Life, metric: Metric, only: string | undefined): DailyValue[] {
  const values = valuesOfDates(life, metric, only)
  return COUNTED.includes(metric.from) ? values.filter(({ day }) => day < (life.today ?? day + 1)) : values
}

function valuesOfDates(life: Life, metric: Metric, only: string | undefined): DailyValue[] {
  const { ledger, journal } = life
  const { sleep, recovery, cycle } = ledger.measured(only)
  const answers = <Each extends Item>(items: readonly Each[]): Each[] => items.filter(ledger.answers(only))
  switch (metric.from) {
    case "night":
      return valuesOf(longestNights(answers(sleep)).filter(countsInAverages), (night) =>
        metric.value(night, sleep),
      ).map(metric.kind === "clock" ? clocked : same)
    case "recovery":
      return valuesOf(lastOfDates(answers(recovery)).filter(countsInAverages), metric.value)
    case "cycle": {
      // A cycle that is open has not all of its strain yet.
      const ofCycles = valuesOf(
        lastOfDates(metric.id === "strain" && only === undefined ? strainCycles(ledger) : answers(cycle))
          .filter(countsInAverages)
          .filter(isOver(life)),
        metric.value,
      )
      if (metric.id !== "steps") return ofCycles
      const further = only === undefined ? valuesOfThoseWith(life, metric) : []
      return filled(filled(ofCycles, further), weighed(life, "steps", only))
    }
    case "scale":
    case "samples":
    case "counts":
      return filled([], weighed(life, metric.id, only))
    case "naps":
      return sums(
        ofFinders(life, only, "nap"),
        answers(sleep).filter(({ record }) => record.isNap),
        (nap) => (countsInAverages(nap) ? metric.value(nap) : undefined),
      )
    case "workouts": {
      const counted = workoutsOf(life, only)
      if (!metric.id.startsWith("zone_")) return sums(ofFinders(life, only, "workout"), counted, metric.value)
      // A vendor without zones says nothing about them on a date without a workout, either.
      const isKnown = counted.some((each) => hasZones(each) && isLookedAt(life, each))
      return isKnown ? sums(ofFinders(life, only, "zones"), counted, metric.value) : []
    }
    case "sport":
      return sums(
        ofFinders(life, only, "workout"),
        workoutsOf(life, only).filter(({ record }) => record.sportType === metric.sport),
        () => 1,
      ).map((daily) => ({ ...daily, value: Math.min(1, daily.value) }))
    case "last workout":
    case "first workout":
    case "hardest workout":
      return ofOneWorkout(metric, workoutsOf(life, only))
    case "clock":
      return awayFrom(life.home, longestNights(answers(sleep)))
    case "journal":
      return answered(
        journal.filter(({ provider }) => provider === PERSON || isCandidate(ledger, provider, only)),
        metric.factor,
      )
  }
}

const hasZones = ({ record }: Workout): boolean => record.zones !== undefined
const isLookedAt = ({ foundFrom = Number.NEGATIVE_INFINITY }: Life, { date }: Item): boolean => dayOf(date) >= foundFrom

/** Of what a phone collects nobody knows whether a device would have had an activity, and Polar lists no naps. */
const FINDS_NONE_ALONE = {
  nap: ["apple_health", "phone", "polar"],
  workout: ["apple_health", "phone"],
} as const

/** The records of sources that would have had an activity: their vendors list it, or one is there. */
function ofFinders(life: Life, only: string | undefined, activity: "nap" | "workout" | "zones"): Item[] {
  const { sleep, recovery, cycle, workout } = life.ledger.measured(only)
  const shown = activity === "nap" ? sleep.filter(({ record }) => record.isNap) : workout
  const having = (activity === "zones" ? workout.filter(hasZones) : shown).filter((each) => isLookedAt(life, each))
  const isFinder = ({ provider }: Item) =>
    having.some((each) => each.provider === provider) ||
    (activity !== "zones" && !FINDS_NONE_ALONE[activity].some((name) => name === provider))
  return [...sleep, ...recovery, ...cycle, ...workout].filter(isFinder)
}

/** A calendar day ends with its date, also where an archive has its end already. */
const isOver =
  ({ today = Number.POSITIVE_INFINITY }: Life) =>
  ({ record }: Measured["cycle"][number]): boolean =>
    record.endMs !== null &&
    dayOf(localDateAt(record.endMs, record.endUtcOffsetMinutes ?? record.utcOffsetMinutes)) <= today

/** The values of a date's best source among those that have one. Of no metric but those of one record a date. */
export function valuesOfThoseWith(life: Life, metric: Metric): DailyValue[] {
  const { ledger } = life
  const { truth } = ledger
  const preferences = preferencesOf(truth)
  const { sleep, recovery, cycle, workout } = ledger.measured()
  const having = <Each extends Item>(items: readonly Each[], value: (item: Each) => number | undefined): Each[] =>
    items.filter((item) => countsInAverages(item) && value(item) !== undefined)
  switch (metric.from) {
    case "night": {
      const whole = wholeNights(sleep.filter(({ record }) => !record.isNap)).map(({ night }) => night)
      const nights = having(whole, (night) => metric.value(night, sleep))
      const chosen = longestNights([...chosenNights(preferences, nights).keys()])
      return valuesOf(chosen, (night) => metric.value(night, sleep))
    }
    case "recovery": {
      const mornings = chosenByDate(preferences, "recovery", having(recovery, metric.value), isWholeMorning)
      return valuesOf(lastOfDates([...mornings.keys()]), metric.value)
    }
    case "cycle": {
      const ended = having(cycle, metric.value).filter(isOver(life))
      return valuesOf(
        lastOfDates([...chosenByDate(preferences, "cycle", ended, isCompleteDay(preferences)).keys()]),
        metric.value,
      )
    }
    case "last workout":
    case "first workout":
    case "hardest workout": {
      const known = workout.filter((each) => each.record.countsAsWorkout && metric.value(each) !== undefined)
      const chosen = [...chosenByActivity(preferences, "workout", known).keys()]
      return ofOneWorkout(
        metric,
        chosen.filter((each) => isCounted(life, each)),
      )
    }
    default:
      return []
  }
}

/** Workouts that answer, without rest that a vendor lists as one. */
export function workoutsOf(life: Life, only: string | undefined): Workout[] {
  const isAnswer = life.ledger.answers(only)
  return life.ledger.measured(only).workout.filter((workout) => isAnswer(workout) && isCounted(life, workout))
}

const isCounted = ({ sport }: Life, { record }: Workout): boolean =>
  record.countsAsWorkout && (sport === undefined || sport === record.sportType)

/** Dates with a night that has its final times. */
export function nightsOf({ ledger }: Life, only: string | undefined): Night[] {
  const sleeps = ledger.measured(only).sleep.filter(ledger.answers(only))
  const isFinal = ({ record }: Item) => record.scoreState !== "pending"
  return longestNights(sleeps)
    .filter(isFinal)
    .map((night) => {
      const naps = sleeps.filter(({ record, date }) => record.isNap && date === night.date).filter(isFinal)
      const spans = [night, ...naps].map((sleep) => ({ from: startMinutes(sleep), to: endMinutes(sleep) }))
      return { day: dayOf(night.date), source: night.provider, sleeps: spans }
    })
}

/** A day's value of these types is their sum. Others have their mean. */
const ADDED_UP: readonly string[] = ["steps", "floors", "exercise_minutes"]

/** A value of each source and date. The first source in the order comes first. */
function weighed({ ledger, weighings }: Life, type: string, only: string | undefined): DailyValue[] {
  const isSum = ADDED_UP.includes(type)
  return candidatesFor(ledger.truth, isSum ? "cycle" : "recovery")
    .filter(({ provider }) => only === undefined || only === provider)
    .flatMap(({ provider }) => {
      const own = weighings.filter((each) => each.type === type && each.provider === provider)
      const dateAt = ({ atMs, offsetMinutes }: Weighing) => dayOf(localDateAt(atMs, offsetMinutes))
      return [...Map.groupBy(own, dateAt)].map(([day, values]) => {
        const total = sum(values.map(({ value }) => value))
        return { day, value: isSum ? total : total / values.length, source: provider }
      })
    })
}

/** Values, and on other dates the first one that fills the date. */
const filled = (values: readonly DailyValue[], further: readonly DailyValue[]): DailyValue[] =>
  oldestFirst(
    [...Map.groupBy([...values, ...further], ({ day }) => day).values()].flatMap(([first]) => (first ? [first] : [])),
  )

const same = (value: DailyValue): DailyValue => value
const clocked = (daily: DailyValue): DailyValue => ({ ...daily, value: onTheClock(daily.value) })
const isCandidate = (ledger: Ledger, provider: string, only: string | undefined): boolean =>
  ledger.truth.candidates().some((source) => source.provider === provider) && (only === undefined || only === provider)

/** The source of what the person entered in the page. It is no device's, so a question about one device has it too. */
export const PERSON = "restwell"

const oldestFirst = (values: readonly DailyValue[]): DailyValue[] =>
  [...values].sort((one, other) => one.day - other.day)

function valuesOf<Each extends Item>(items: readonly Each[], value: (item: Each) => number | undefined): DailyValue[] {
  return oldestFirst(
    items.flatMap((item) => {
      const known = value(item)
      return known === undefined ? [] : [{ day: dayOf(item.date), value: known, source: item.provider }]
    }),
  )
}

const longestNights = (sleeps: readonly Measured["sleep"][number][]): Measured["sleep"][number][] =>
  longestOfDates(wholeNights(sleeps.filter(({ record }) => !record.isNap)).map(({ night }) => night))

const lastOfDates = <Each extends Item>(items: readonly Each[]): Each[] =>
  [...Map.groupBy(items, ({ date }) => date).values()].flatMap((ofDate) =>
    ofDate.toSorted((one, other) => one.startMs - other.startMs).slice(-1),
  )

/** A source without strain is no candidate for it. */
const strainCycles = (ledger: Ledger): Measured["cycle"][number][] => [
  ...chosenByDate(preferencesOf(ledger.truth), "cycle", ledger.measured().cycle.filter(hasStrain), () => true).keys(),
]

/** Sums of activities: 0 on a date with one of the records, missing where the vendor has not scored an activity. */
function sums<Each extends Item>(
  all: readonly Item[],
  activities: readonly Each[],
  value: (item: Each) => number | undefined,
): DailyValue[] {
  const ofDate = Map.groupBy(activities, ({ date }) => date)
  return oldestFirst(
    [...Map.groupBy(all, ({ date }) => date)].flatMap(([date, [first]]) => {
      const values = (ofDate.get(date) ?? []).map(value)
      const known = values.filter((each) => each !== undefined)
      const source = (ofDate.get(date)?.[0] ?? first)?.provider ?? ""
      return known.length < values.length ? [] : [{ day: dayOf(date), value: sum(known), source }]
    }),
  )
}

type Workout = Measured["workout"][number]
type OfOneWorkout = Extract<Metric, { readonly from: "last workout" | "first workout" | "hardest workout" }>

/** Of each date the value of the workout that a metric is about. Of equal ones it is the earlier. */
function ofOneWorkout(metric: OfOneWorkout, workouts: readonly Workout[]): DailyValue[] {
  const places: Record<OfOneWorkout["from"], (workout: Workout) => number> = {
    "last workout": ({ record }) => -record.endMs,
    "first workout": ({ record }) => record.startMs,
    "hardest workout": (workout) => -(metric.value(workout) ?? 0),
  }
  const placeOf = places[metric.from]
  const known = workouts.filter((workout) => metric.value(workout) !== undefined)
  const ones = [...Map.groupBy(known, ({ date }) => date).values()].flatMap((ofDate) =>
    ofDate.toSorted((one, other) => placeOf(one) - placeOf(other) || one.startMs - other.startMs).slice(0, 1),
  )
  const values = valuesOf(ones, metric.value)
  return metric.kind === "clock" ? values.map(clocked) : values
}

/** 1 for a night that ended on another clock than that of the zone, 0 for others. */
function awayFrom(home: string | null, nights: readonly Measured["sleep"][number][]): DailyValue[] {
  if (home === null) return []
  return valuesOf(nights, ({ record }) => {
    const atHome = Temporal.Instant.fromEpochMilliseconds(record.endMs).toZonedDateTimeISO(home)
    const minutes = atHome.offsetNanoseconds / 60_000_000_000
    return minutes === (record.endUtcOffsetMinutes ?? record.utcOffsetMinutes) ? 0 : 1
  })
}

/** 1 for yes and 0 for no. Dates without an answer have no value. */
function answered(journal: readonly JournalAnswer[], factor: string): DailyValue[] {
  const toFactor = journal.filter((each) => each.factor === factor)
  // The person's own answer replaces those of vendors to the same factor and date.
  const entered = new Set(toFactor.flatMap(({ provider, date }) => (provider === PERSON ? [date] : [])))
  const known = toFactor.filter(
    ({ provider, date, answer }) => answer !== null && (provider === PERSON || !entered.has(date)),
  )
  return oldestFirst(
    [...Map.groupBy(known, ({ date }) => date)].map(([date, ofDate]) => ({
      day: dayOf(date),
      value: ofDate.some(({ answer }) => answer) ? 1 : 0,
      source: ofDate[0]?.provider ?? "",
    })),
  )
}
