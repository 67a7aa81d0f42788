import { dayOf } from "../insights/day.ts"
import { type DayFacts, dayFactsOf } from "../insights/day-facts.ts"
import { chooseSources } from "../sources/choose.ts"
import type { HealthFact, JournalFact } from "../store/health-fact.ts"
import type { History } from "../store/read-history.ts"
import type { SourcePreferences } from "../store/source-preferences.ts"

/** What a person's chosen records say, by day number. */
export interface ChosenHistory {
  /** Days with a chosen record, oldest first. */
  readonly days: ReadonlyMap<number, DayFacts>
  /** Strain is chosen among the cycles that have one: a source without strain is no candidate for it. */
  readonly strainCycles: ReadonlyMap<number, DayFacts["cycle"]>
  /** Days with a record of any kind, and a source of one, oldest first. */
  readonly recordDays: ReadonlyMap<number, string>
  /** Answers of the journal by day, oldest first. */
  readonly answers: ReadonlyMap<number, readonly JournalFact[]>
}

/** Chooses which records count, as every read does. @param history of the sources that may answer */
export function chooseHistory(history: History, preferences: SourcePreferences): ChosenHistory {
  const { facts, answers } = history
  const days = daysOf(chosenAmong(facts, preferences))
  return {
    days,
    strainCycles: strainCyclesOf(facts, preferences, days),
    recordDays: recordDaysOf(history, days),
    answers: byDay(Map.groupBy(answers, ({ date }) => date)),
  }
}

function recordDaysOf({ facts, recordDates }: History, days: ChosenHistory["days"]): ChosenHistory["recordDays"] {
  if (recordDates !== null)
    return byDay(
      Object.entries(recordDates).flatMap(([provider, dates]) => dates.map((date) => [date, provider] as const)),
    )
  if (hasSeveral(facts)) return byDay(facts.map(({ date, provider }) => [date, provider] as const))
  const provider = facts[0]?.provider ?? ""
  return new Map(days.keys().map((day) => [day, provider]))
}

/** Of several values of a date the last one counts. */
const byDay = <Value>(values: Iterable<readonly [date: string, Value]>): Map<number, Value> =>
  new Map(
    [...new Map(values)]
      .map(([date, value]) => [dayOf(date), value] as const)
      .toSorted(([one], [other]) => one - other),
  )

/** The history of one source, as if there were no other. */
export const ofProvider = ({ facts, recordDates, answers }: History, provider: string): History => ({
  facts: facts.filter((fact) => fact.provider === provider),
  recordDates: recordDates && { [provider]: recordDates[provider] ?? [] },
  answers: answers.filter((answer) => answer.provider === provider),
})

const daysOf = (facts: readonly HealthFact[]): ReadonlyMap<number, DayFacts> => {
  const dates = [...Map.groupBy(facts, ({ date }) => date)]
  return byDay(dates.map(([date, ofDate]) => [date, dayFactsOf(ofDate.toSorted(oldestFirst))] as const))
}

const oldestFirst = ({ startMs: one }: HealthFact, { startMs: other }: HealthFact): number => (one ?? 0) - (other ?? 0)

function chosenAmong(facts: readonly HealthFact[], preferences: SourcePreferences): readonly HealthFact[] {
  if (!hasSeveral(facts)) return facts
  return chooseSources(facts, preferences).flatMap(({ fact, because }) => (because === null ? [] : [fact]))
}

function strainCyclesOf(
  facts: readonly HealthFact[],
  preferences: SourcePreferences,
  days: ChosenHistory["days"],
): ChosenHistory["strainCycles"] {
  if (!hasSeveral(facts)) return new Map([...days].map(([day, { cycle }]) => [day, cycle]))
  const withStrain = facts.filter((fact) => fact.kind === "cycle" && fact.strain !== null)
  return new Map([...daysOf(chosenAmong(withStrain, preferences))].map(([day, { cycle }]) => [day, cycle]))
}

/** One source needs no choice. */
const hasSeveral = (facts: readonly HealthFact[]): boolean =>
  facts.some(({ provider }) => provider !== facts[0]?.provider)
