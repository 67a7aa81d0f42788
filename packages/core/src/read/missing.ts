// The dates of which a source should have records and has none, with the reason: pure.
import type { MissingRecords } from "@restwell/client"
import type { RecordKind } from "@restwell/providers"
import { type DateRange, datesOf, type TimeZone, todayIn } from "../base/calendar.ts"
import { setAsideText } from "../connect/failure-texts.ts"
import type { Lacking } from "../store/statements/read-health.ts"

export type LackedKind = MissingRecords["kind"]

/** A stored record. */
interface Stored {
  readonly provider: string
  readonly kind: RecordKind
  readonly date: string
}

interface Question {
  readonly kinds: readonly LackedKind[]
  readonly range: DateRange
  /** The person's date. Of later dates nothing is expected. */
  readonly today: string
  readonly zone: TimeZone
}

/** A date has one of each of these. Of other kinds it may have more than the stored ones. */
const ONE_A_DATE: readonly LackedKind[] = ["sleep", "recovery", "cycle"]

/**
 * Returns what is missing, newest first: one entry for each date, kind and source. While a collection fails, each date is missing that has
 * no record of the kinds that the collection holds.
 * @param stored the records of the sources in the range, chosen or not
 */
export function missingOf(
  { setAside, gaps }: Lacking,
  stored: readonly Stored[],
  { kinds, range, today, zone }: Question,
): MissingRecords[] {
  if (setAside.length === 0 && gaps.length === 0) return []
  const known = new Set(stored.map(keyOf))
  const last = range.to < today ? range.to : today
  const ofRecords = setAside.map(({ date, kind, provider }) => ({
    date,
    kind,
    reason: setAsideText(provider, kind),
    source: provider,
  }))
  const ofGaps = gaps.flatMap(({ provider, holds, reason, lacksFrom, lacksTo }) => {
    const dates = datesBetween(
      later(todayIn(zone, new Date(lacksFrom)), range.from),
      lacksTo === null ? last : earlier(todayIn(zone, new Date(lacksTo)), last),
    )
    return kinds
      .filter((kind) => holds.includes(kind))
      .flatMap((kind) => dates.map((date) => ({ date, kind, reason, source: provider })))
      .filter((one) => !ONE_A_DATE.includes(one.kind) || !known.has(keyOf({ ...one, provider })))
  })
  const entries = new Map<string, MissingRecords>()
  for (const entry of [...ofRecords, ...ofGaps]) {
    const key = keyOf({ ...entry, provider: entry.source })
    if (kinds.includes(entry.kind) && entry.date >= range.from && entry.date <= last && !entries.has(key))
      entries.set(key, entry)
  }
  return [...entries.values()].toSorted((one, other) => (one.date > other.date ? -1 : one.date < other.date ? 1 : 0))
}

const keyOf = ({ provider, kind, date }: Pick<Stored, "provider" | "date"> & { readonly kind: LackedKind }): string =>
  `${provider} ${kind} ${date}`

const datesBetween = (from: string, to: string): readonly string[] => (from > to ? [] : datesOf({ from, to }))

const earlier = (one: string, other: string): string => (one < other ? one : other)
const later = (one: string, other: string): string => (one > other ? one : other)
