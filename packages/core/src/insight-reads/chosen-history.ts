import { type DayFacts, dayFactsOf } from "../insights/day-facts.ts"
import { chooseSources } from "../sources/choose.ts"
import type { History, HistoryFact } from "../store/read-history.ts"
import type { SourcePreferences } from "../store/source-preferences.ts"
import type { CycleFact, JournalFact } from "../store/stored-record.ts"

/** What a person's chosen records say, date by date. */
export interface ChosenHistory {
  /** Dates with a chosen record, oldest first. */
  readonly days: ReadonlyMap<string, DayFacts>
  /** Strain is chosen among the cycles that have one: a source without strain is no candidate for it. */
  readonly strainCycles: ReadonlyMap<string, DayFacts["cycle"]>
  /** Dates with a record of any kind, and a source of one, oldest first. */
  readonly recordDates: ReadonlyMap<string, string>
  /** Answers of the journal by date. */
  readonly answers: ReadonlyMap<string, readonly JournalFact[]>
}

/** Chooses which records count, as every read does. @param history of the sources that may answer */
export function chooseHistory(history: History, preferences: SourcePreferences): ChosenHistory {
  const facts = history.facts.toSorted((one, other) => one.startedMs - other.startedMs)
  const days = daysOf(chosenAmong(facts, preferences))
  return {
    days,
    strainCycles: strainCyclesOf(facts, preferences, days),
    recordDates: recordDatesOf(history),
    answers: Map.groupBy(history.answers, ({ date }) => date),
  }
}

const recordDatesOf = ({ recordDates }: History): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(recordDates)
      .flatMap(([provider, dates]) => dates.map((date): [string, string] => [date, provider]))
      .toSorted(byDate),
  )

/** The history of one source, as if there were no other. */
export const ofProvider = ({ facts, recordDates, answers }: History, provider: string): History => ({
  facts: facts.filter((fact) => fact.provider === provider),
  recordDates: { [provider]: recordDates[provider] ?? [] },
  answers: answers.filter((answer) => answer.provider === provider),
})

const daysOf = (facts: readonly HistoryFact[]): ReadonlyMap<string, DayFacts> =>
  new Map(
    [...Map.groupBy(facts, ({ date }) => date)].toSorted(byDate).map(([date, ofDate]) => [date, dayFactsOf(ofDate)]),
  )

const byDate = ([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number =>
  one < other ? -1 : 1

function chosenAmong(facts: readonly HistoryFact[], preferences: SourcePreferences): readonly HistoryFact[] {
  if (!hasSeveral(facts)) return facts
  return chooseSources(facts, preferences).flatMap(({ fact, because }) => (because === null ? [] : [fact]))
}

function strainCyclesOf(
  facts: readonly HistoryFact[],
  preferences: SourcePreferences,
  days: ReadonlyMap<string, DayFacts>,
): ChosenHistory["strainCycles"] {
  if (!hasSeveral(facts)) return new Map([...days].map(([date, { cycle }]) => [date, cycle]))
  const withStrain = facts.filter((fact) => isCycle(fact) && fact.detail.data.strain !== undefined)
  return new Map([...daysOf(chosenAmong(withStrain, preferences))].map(([date, { cycle }]) => [date, cycle]))
}

const isCycle = (fact: HistoryFact): fact is Extract<HistoryFact, CycleFact> => fact.kind === "cycle"

/** One source needs no choice. */
const hasSeveral = (facts: readonly HistoryFact[]): boolean =>
  facts.some(({ provider }) => provider !== facts[0]?.provider)
