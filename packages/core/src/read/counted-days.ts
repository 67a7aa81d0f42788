// The days on which no activity is zero activities: those of a source that would have had one.
import { findsAll } from "@restwell/providers"
import { dayOf } from "../statistics/series.ts"
import type { History } from "../store/statements/read-health.ts"
import type { StoredRecord } from "../store/stored-record.ts"

/** What is counted, and the records that show that a source finds it. */
const FOUND = {
  nap: (fact: StoredRecord) => fact.kind === "sleep" && fact.isNap,
  workout: ({ kind }: StoredRecord) => kind === "workout",
  // Vendors that list workouts may find no zones.
  zones: (fact: StoredRecord) => fact.kind === "workout" && fact.zones !== undefined,
} as const

type Counted = keyof typeof FOUND

/** Returns the days with a record of any kind of a source that finds what is counted, and that source, oldest first. */
export type CountedDays = (counted: Counted) => ReadonlyMap<number, string>

/** Computes the days of each once, when they are first needed. */
export function countedDaysOf({ facts, recordDates }: Pick<History, "facts" | "recordDates">): CountedDays {
  const read = new Map<Counted, ReadonlyMap<number, string>>()
  const dated = () =>
    recordDates === null
      ? facts
      : Object.entries(recordDates).flatMap(([provider, dates]) => dates.map((date) => ({ date, provider })))
  return (counted) =>
    read.getOrInsertComputed(counted, () => {
      const finding = new Set(facts.flatMap((fact) => (FOUND[counted](fact) ? fact.provider : [])))
      // Of several sources of a day the last one counts. A nap that is a part of the next date's night is a record of its own date.
      const sources = new Map<number, string>()
      for (const { date, provider } of dated())
        if (finding.has(provider) || (counted !== "zones" && findsAll(provider, counted)))
          sources.set(dayOf(date), provider)
      return inOrderOfDays(sources)
    })
}

export const inOrderOfDays = <Value>(values: ReadonlyMap<number, Value>): Map<number, Value> =>
  new Map([...values].sort(([one], [other]) => one - other))
