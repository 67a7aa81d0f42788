// Why a list for an assistant has no records, in a sentence: where the answer itself does not say it.
import type { RecordKind } from "@restwell/providers"
import type { Pool } from "pg"
import type { DateRange } from "../base/calendar.ts"
import { readExtent } from "../store/statements/read-extent.ts"
import type { ConnectedSnapshot } from "../store/statements/read-health.ts"
import type { StoredRecord } from "../store/stored-record.ts"

/** An answer without records. */
interface EmptyAnswer {
  readonly kind: RecordKind
  readonly range: DateRange
  readonly today: string
  /** The only source that was asked. */
  readonly source: string | undefined
}

/** Undefined where nothing more is known than that the dates have no record. */
export async function emptyNote(
  pool: Pool,
  { userId, sources }: Pick<ConnectedSnapshot, "userId" | "sources">,
  { kind, range, today, source }: EmptyAnswer,
): Promise<string | undefined> {
  const { from, to } = range
  if (from > today) return `${from} is in the future: today is ${today}`
  const names = sources.map(({ provider }) => provider)
  const { first, inRange } = await readExtent(pool, { userId, kind, sources: names, range })
  if (first === null) return `no source has any record of this type`
  if (to < first) return `before your data begin (${first})`
  if (source === undefined || inRange.length === 0) return undefined
  return `${source} has none of these dates, and ${inRange.join(" and ")} ${inRange.length === 1 ? "has" : "have"}`
}

/** A note is one short line. */
const MOST_NAMED = 4

/** Where a sport has no workouts, the most frequent ones that there are. Undefined without any. @param facts of the range and of the dates beside it */
export function otherSportsNote({ from, to }: DateRange, facts: readonly StoredRecord[]): string | undefined {
  const sports = facts.flatMap((fact) =>
    fact.kind === "workout" && fact.date >= from && fact.date <= to ? fact.sportType : [],
  )
  const known = [...Map.groupBy(sports, (sport) => sport)]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .slice(0, MOST_NAMED)
    .map(([sport]) => sport)
  return known.length === 0 ? undefined : `none of this sport, but of ${known.join(", ")}`
}
