import type { HealthType } from "@restwell/client"
import { addDays } from "../calendar/date-range.ts"
import type { Context } from "../context/context.ts"
import { csvLine, flatRecord } from "../health/csv.ts"
import { presentChoice, presentRecord } from "../health/present.ts"
import { type Choice, chooseSources } from "../sources/choose.ts"
import { readPreferences } from "../sources/read-preferences.ts"
import { readStoredSources, readTrendFacts, type TrendFact } from "../store/read-trend-rows.ts"

/** Types that can be exported as a table. */
export const EXPORTED_TYPES = ["sleep", "recovery", "workout", "cycle"] as const satisfies readonly HealthType[]
export type ExportedType = (typeof EXPORTED_TYPES)[number]

/** Dates that are read at once. */
const PAGE_DATES = 180

/**
 * All records of one type as CSV (RFC 4180), newest first, in pieces. Columns are the fields of the REST records, nested ones joined with
 * `_`, and the record's UTC offset. Records of every source are there. A record that does not answer has no `chosen_because`.
 */
export async function* exportCsv(
  context: Pick<Context, "database">,
  userId: string,
  type: ExportedType,
): AsyncIterable<string> {
  let hasHeader = false
  for await (const choices of choicePages(context, userId, type)) {
    const records = choices.map(({ fact, because }) => ({
      ...columnsOf({ fact, because }),
      utc_offset_minutes: fact.utcOffsetMinutes,
    }))
    const [first] = records
    if (!first) continue
    if (!hasHeader) yield csvLine(Object.keys(first))
    hasHeader = true
    yield records.map((record) => csvLine(Object.values(record))).join("")
  }
}

/** All records of a type with the choice among them, newest first. Those of disconnected sources are never chosen. */
async function* choicePages(
  context: Pick<Context, "database">,
  userId: string,
  type: ExportedType,
): AsyncIterable<readonly Choice<TrendFact>[]> {
  const [sources, preferences] = await Promise.all([
    readStoredSources(context, userId),
    readPreferences(context, userId),
  ])
  const isCandidate = new Set(sources.flatMap(({ provider, status }) => (status === "disconnected" ? [] : [provider])))
  const providers = sources.map(({ provider }) => provider)
  const oldest = sources.flatMap(({ oldestDate }) => oldestDate ?? []).toSorted()[0]
  const newest = sources
    .flatMap(({ newestDate }) => newestDate ?? [])
    .toSorted()
    .at(-1)
  if (oldest === undefined || newest === undefined) return
  for (let end = newest; end >= oldest; end = addDays(end, -PAGE_DATES)) {
    const [from, to] = [addDays(end, 1 - PAGE_DATES), end]
    const facts = await readTrendFacts(context, { userId, providers, kinds: [type], from, to })
    const candidates = chooseSources(
      facts.filter(({ provider }) => isCandidate.has(provider)),
      preferences,
    )
    const reasons = new Map(candidates.map(({ fact, because }) => [fact, because]))
    yield facts
      .filter(({ date }) => date >= from && date <= to)
      .map((fact) => ({ fact, because: reasons.get(fact) ?? null }))
      .toReversed()
  }
}

const present = presentChoice(presentRecord, { marksChosen: false })

const columnsOf = (choice: Choice<TrendFact>): Record<string, unknown> => flatRecord(present(choice))
