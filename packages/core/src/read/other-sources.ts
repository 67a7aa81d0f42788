// Figures that a record lacks and another source knows, of the same date or activity. They are named, and nothing is filled in.
import type { OtherField } from "@restwell/client"
import { type Activity, isActivity, isOneActivity } from "../sources/choose.ts"
import type { HealthSnapshot } from "../store/statements/read-health.ts"
import {
  type Candidate,
  FIGURES,
  figuresKnownBy,
  figuresKnownByCandidate,
  type StoredRecord,
} from "../store/stored-record.ts"
import { figureFieldsOf } from "./present.ts"

/** A record of a source, and the figures that it knows. */
interface Known<Record extends Candidate> {
  readonly record: Record
  readonly knows: number
}

/** Fields of answers with their bit. */
const FIELD_BITS = {
  sleep: bitsOf("sleep"),
  recovery: bitsOf("recovery"),
  workout: bitsOf("workout"),
  cycle: bitsOf("cycle"),
}

function bitsOf(kind: StoredRecord["kind"]) {
  const places: readonly string[] = FIGURES[kind]
  return figureFieldsOf(kind).flatMap(({ field, normalised }) => {
    const place = places.indexOf(normalised)
    return place < 0 ? [] : [{ field, bit: 1 << place }]
  })
}

/**
 * Returns what other sources know of a record of a kind, in the order of its fields.
 * @param snapshot whole records and further candidates, of the range and of the dates beside it
 */
export function othersAmong(
  kind: StoredRecord["kind"],
  { facts, candidates }: Pick<HealthSnapshot, "facts" | "candidates">,
): (record: StoredRecord) => OtherField[] {
  const isOfKind = (record: Candidate) => record.kind === kind
  const known = [
    ...facts.filter(isOfKind).map((record): Known<Candidate> => ({ record, knows: figuresKnownBy(record) })),
    ...candidates
      .filter(isOfKind)
      .map((record): Known<Candidate> => ({ record, knows: figuresKnownByCandidate(record) })),
  ]
  const isOfActivity = (one: Known<Candidate>): one is Known<Activity> => isActivity(one.record)
  const activities = known.filter(isOfActivity)
  const byDate = Map.groupBy(
    known.filter((one) => !isOfActivity(one)),
    ({ record }) => record.date,
  )
  return (record) => {
    const same = isActivity(record)
      ? activities.filter((one) => isOneActivity(one.record, record))
      : (byDate.get(record.date) ?? [])
    return fieldsKnownTo(same, record)
  }
}

function fieldsKnownTo(same: readonly Known<Candidate>[], record: StoredRecord): OtherField[] {
  const bySource = new Map<string, number>()
  for (const { record: other, knows } of same)
    if (other.provider !== record.provider) bySource.set(other.provider, (bySource.get(other.provider) ?? 0) | knows)
  if (bySource.size === 0) return []
  const sources = [...bySource].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const own = figuresKnownBy(record)
  return FIELD_BITS[record.kind]
    .filter(({ bit }) => (own & bit) === 0)
    .flatMap(({ field, bit }) => sources.flatMap(([source, knows]) => (knows & bit ? [{ field, source }] : [])))
}
