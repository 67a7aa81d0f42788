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
  /** The same to read strain from. It is chosen among the cycles that have one: a source without strain is no candidate for it. */
  readonly strainDays: ReadonlyMap<number, DayFacts>
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
    strainDays: hasSeveral(facts) ? daysOf(chosenAmong(facts.filter(isStrain), preferences)) : days,
    recordDays: recordDaysOf(history, days),
    answers: inOrderOfDays(Map.groupBy(answers, ({ date }) => dayOf(date))),
  }
}

function recordDaysOf({ facts, recordDates }: History, days: ChosenHistory["days"]): ChosenHistory["recordDays"] {
  if (recordDates === null && !hasSeveral(facts)) {
    const provider = facts[0]?.provider ?? ""
    return new Map(days.keys().map((day) => [day, provider]))
  }
  // Of several sources of a day the last one counts.
  const sources = new Map<number, string>()
  if (recordDates === null) for (const { date, provider } of facts) sources.set(dayOf(date), provider)
  else
    for (const [provider, dates] of Object.entries(recordDates))
      for (const date of dates) sources.set(dayOf(date), provider)
  return inOrderOfDays(sources)
}

const inOrderOfDays = <Value>(values: ReadonlyMap<number, Value>): Map<number, Value> =>
  new Map([...values].sort(([one], [other]) => one - other))

/** The history of one source, as if there were no other. */
export const ofProvider = ({ facts, recordDates, answers }: History, provider: string): History => ({
  facts: facts.filter((fact) => fact.provider === provider),
  recordDates: recordDates && { [provider]: recordDates[provider] ?? [] },
  answers: answers.filter((answer) => answer.provider === provider),
})

const daysOf = (facts: readonly HealthFact[]): ReadonlyMap<number, DayFacts> => {
  const ofDays = inOrderOfDays(Map.groupBy(facts, ({ date }) => dayOf(date)))
  return new Map(ofDays.entries().map(([day, ofDay]) => [day, dayFactsOf(ofDay.sort(oldestFirst))] as const))
}

const oldestFirst = ({ startMs: one }: HealthFact, { startMs: other }: HealthFact): number => (one ?? 0) - (other ?? 0)

function chosenAmong(facts: readonly HealthFact[], preferences: SourcePreferences): readonly HealthFact[] {
  if (!hasSeveral(facts)) return facts
  return chooseSources(facts, preferences).flatMap(({ fact, because }) => (because === null ? [] : [fact]))
}

const isStrain = (fact: HealthFact): boolean => fact.kind === "cycle" && fact.strain !== null

/** One source needs no choice. */
const hasSeveral = (facts: readonly HealthFact[]): boolean =>
  facts.some(({ provider }) => provider !== facts[0]?.provider)
