/* The summary of several sources: each family is of one source, the one chosen on most dates of the period. */
import { isIn, periodOf, type Range } from "../days.ts"
import { exactly, type Fraction, inHours, mean, sum } from "../exact.ts"
import { chosenByDate, hasStrain, preferencesOf } from "./choice.ts"
import type { Ledger } from "./ledger.ts"
import {
  countsInAverages,
  type Measured,
  type MeasuredCycle,
  type MeasuredRecovery,
  type MeasuredSleep,
} from "./measured.ts"
import { longestOfDates, wholeNights } from "./nights.ts"
import { asleepMs, tidied } from "./records.ts"
import { candidatesFor, mostRecords, sourcesOf } from "./sources.ts"
import { hrvMethodOf } from "./truth.ts"

export interface SummaryQuestion {
  readonly ledger: Ledger
  readonly range: Range
  /** The one source that is asked for. */
  readonly only: string | undefined
}

export function summaryOf({ ledger, range, only }: SummaryQuestion): object {
  const { sleep, recovery, workout, cycle } = chosenOf(ledger, only)
  const inRange = <Item extends { readonly date: string }>(items: readonly Item[]): Item[] =>
    items.filter(({ date }) => isIn(range, Temporal.PlainDate.from(date)))
  const familyOf = <Item extends { provider: string; date: string }>(type: keyof Measured, items: readonly Item[]) =>
    mostDates(sourcesOf(ledger.truth, type), inRange(items))
  const workouts = inRange(workout).filter(({ record }) => record.countsAsWorkout)
  return {
    period: periodOf(range),
    missing: [],
    sleep: sleepFamily(familyOf("sleep", longestOfDates(sleep))),
    recovery: recoveryFamily(familyOf("recovery", recovery)),
    strain: { ...strainFamily(familyOf("cycle", cycle)), workout_count: workouts.length },
    source: mostRecords(inRange(allChosen(ledger, only)), candidatesFor(ledger.truth, "sleep"), only),
  }
}

/** The records that stand for each date: main sleeps, recoveries, cycles with strain, and workouts. */
function chosenOf(ledger: Ledger, only: string | undefined): Measured {
  const { sleep, recovery, workout, cycle } = ledger.measured(only)
  const isChosen = ledger.answers(only)
  const strained = cycle.filter(hasStrain)
  return {
    sleep: wholeNights(sleep.filter((each) => isChosen(each) && !each.record.isNap)).map(({ night }) => night),
    recovery: recovery.filter(isChosen),
    workout: workout.filter(isChosen),
    cycle:
      only === undefined
        ? [...chosenByDate(preferencesOf(ledger.truth), "cycle", strained, () => true).keys()]
        : strained,
  }
}

/** All records of the period that answer, of every type. */
function allChosen(ledger: Ledger, only: string | undefined): { provider: string; date: string }[] {
  const { sleep, recovery, workout, cycle } = ledger.measured(only)
  const answers = ledger.answers(only)
  const naps = sleep.filter((each) => answers(each) && each.record.isNap)
  return [...chosenOf(ledger, only).sleep, ...naps, ...[...recovery, ...workout, ...cycle].filter(answers)]
}

interface Family<Item> {
  readonly source: string | null
  readonly items: readonly Item[]
}

function mostDates<Item extends { provider: string; date: string }>(
  order: readonly string[],
  items: readonly Item[],
): Family<Item> {
  let best: { source: string; dates: number } | undefined
  for (const source of order) {
    const dates = new Set(items.filter(({ provider }) => provider === source).map(({ date }) => date)).size
    if (dates > (best?.dates ?? 0)) best = { source, dates }
  }
  return { source: best?.source ?? null, items: items.filter(({ provider }) => provider === best?.source) }
}

const known = (values: readonly (number | undefined)[]): Fraction[] =>
  values.flatMap((value) => (value === undefined ? [] : [exactly(value)]))

const averageHours = (values: readonly (number | undefined)[]): number | null => inHours(mean(known(values)))
const average = (values: readonly (number | undefined)[]): number | null => tidied(mean(known(values)), 1)

function sleepFamily({ source, items }: Family<MeasuredSleep>): object {
  const nights = items.filter(countsInAverages)
  return {
    average_duration_hours: averageHours(nights.map(({ record }) => record.durationMs)),
    average_asleep_hours: averageHours(nights.map(({ record }) => asleepMs(record))),
    average_need_hours: averageHours(nights.map(({ record }) => record.needMs)),
    average_light_hours: averageHours(nights.map(({ record }) => record.stages?.lightMs)),
    average_deep_hours: averageHours(nights.map(({ record }) => record.stages?.deepMs)),
    average_rem_hours: averageHours(nights.map(({ record }) => record.stages?.remMs)),
    average_awake_hours: averageHours(nights.map(({ record }) => record.stages?.awakeMs)),
    average_performance: average(nights.map(({ record }) => record.scorePercent)),
    average_efficiency: average(nights.map(({ record }) => record.efficiencyPercent)),
    night_count: nights.length,
    source,
  }
}

function recoveryFamily({ source, items }: Family<MeasuredRecovery>): object {
  const days = items.filter(countsInAverages)
  const hasHrv = days.some(({ record }) => record.hrvMs !== undefined)
  return {
    average_score: average(days.map(({ record }) => record.scorePercent)),
    average_hrv: average(days.map(({ record }) => record.hrvMs)),
    average_rhr: average(days.map(({ record }) => record.restingHeartRateBpm)),
    day_count: days.length,
    source,
    hrv_method: source !== null && hasHrv ? hrvMethodOf(source) : null,
  }
}

function strainFamily({ source, items }: Family<MeasuredCycle>): object {
  const cycles = items.filter(countsInAverages)
  const strains = known(cycles.map(({ record }) => record.strain))
  return {
    total: tidied(sum(strains), 1),
    average_daily: tidied(mean(strains), 1),
    cycle_count: cycles.length,
    includes_open_cycle: cycles.some(({ record }) => record.endMs === null),
    source,
  }
}
