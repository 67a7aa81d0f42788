import type { ChoiceReason } from "@restwell/client"
import type { Pool } from "pg"
import type { DateRange } from "../calendar/date-range.ts"
import { candidateKey, candidateOf, hasFigure } from "../sources/candidate.ts"
import { type Choice, choose, chooseSources } from "../sources/choose.ts"
import { NO_PREFERENCES } from "../sources/preferences.ts"
import type { Candidate, HealthFact } from "../store/health-fact.ts"
import { type FactDates, type HealthSnapshot, readFacts } from "../store/read-health.ts"

/**
 * Returns the records of a range with the choice among them, the newest first. Returns undefined if the data changed meanwhile.
 * Of several sources it reads only the records that an answer needs.
 */
export async function readChoices(
  pool: Pool,
  snapshot: HealthSnapshot,
  { from, to }: DateRange,
): Promise<Choice<HealthFact>[] | undefined> {
  const isInRange = ({ date }: { readonly date: string }) => date >= from && date <= to
  const { facts, candidates } = snapshot
  const preferences = snapshot.preferences ?? NO_PREFERENCES
  if (candidates.length === 0) return chooseSources(facts, preferences).filter(({ fact }) => isInRange(fact))
  const all = [...facts.map(candidateOf), ...candidates]
  const reasons = choose(all, preferences)
  // Strain may come from another source than the other figures of a cycle.
  const withStrain = all.filter((one) => one.kind === "cycle" && hasFigure(one, "strain"))
  const strainReasons = choose(withStrain, preferences)
  const forStrain = new Set(withStrain.filter((_, index) => strainReasons[index]))
  const because = new Map<string, ChoiceReason | null>()
  for (const [index, candidate] of all.entries())
    if (index >= facts.length && isInRange(candidate) && (reasons[index] || forStrain.has(candidate)))
      because.set(candidateKey(candidate), reasons[index] ?? null)
  const choices = facts.map((fact, index) => ({ fact, because: reasons[index] ?? null }))
  if (because.size === 0) return choices.filter(({ fact }) => isInRange(fact))
  const others = await readFacts(pool, snapshot, runsOf(candidates, because))
  if (!others) return undefined
  for (const fact of others) {
    const reason = because.get(candidateKey(candidateOf(fact)))
    if (reason !== undefined) choices.push({ fact, because: reason })
  }
  return choices.filter(({ fact }) => isInRange(fact)).toSorted(newestFirst)
}

/** As the statements order them. */
function newestFirst({ fact: one }: Choice<HealthFact>, { fact: other }: Choice<HealthFact>): number {
  return (
    (other.startMs ?? Number.POSITIVE_INFINITY) - (one.startMs ?? Number.POSITIVE_INFINITY) ||
    (one.providerId === other.providerId ? 0 : one.providerId > other.providerId ? -1 : 1) ||
    (one.provider < other.provider ? -1 : 1)
  )
}

/** The dates of needed records, in as few runs as have no other date of the same source and kind in between. */
function runsOf(candidates: readonly Candidate[], needed: ReadonlyMap<string, unknown>): FactDates[] {
  const groups = Map.groupBy(candidates, ({ provider, kind }) => `${provider} ${kind}`)
  return [...groups.values()].flatMap((group) => {
    const neededDates = new Set(group.filter((one) => needed.has(candidateKey(one))).map(({ date }) => date))
    const runs: FactDates[] = []
    let run: FactDates | undefined
    for (const { provider, kind, date } of group.toSorted((one, other) => (one.date < other.date ? -1 : 1))) {
      if (!neededDates.has(date)) {
        if (run) runs.push(run)
        run = undefined
      } else run = { provider, kind, first: run?.first ?? date, last: date }
    }
    return run ? [...runs, run] : runs
  })
}
