/** Changes from outside: what members and WHOOP's support do to records, and whatever else a test wants to be there. */

import type { PersonReference } from "../people/people.ts"
import type { Collection } from "../records/collection.ts"
import type { Webhooks } from "../webhooks/webhooks.ts"
import type { WhoopEvent } from "./events.ts"
import { writeInstant } from "./records/dialect.ts"
import type { PersonRecords } from "./records/person-records.ts"
import type { WireCycle, WireRecovery, WireSleep, WireWorkout } from "./records/wire.ts"
import type { Vendor } from "./vendor.ts"

/** Edits of one kind of record. Each happens at the clock's present moment and sends the webhooks that WHOOP would. */
export interface RecordEdits<T> {
  /** Adds a record or replaces the one with its id, exactly as given. */
  put(person: PersonReference, record: T): void
  /** Merges properties into a record and moves its `updated_at` to now. */
  patch(person: PersonReference, id: string | number, patch: object): void
  delete(person: PersonReference, id: string | number): void
}

export interface Edits {
  readonly cycle: RecordEdits<WireCycle>
  readonly sleep: RecordEdits<WireSleep>
  readonly recovery: RecordEdits<WireRecovery>
  readonly workout: RecordEdits<WireWorkout>
}

interface Subject<T extends object> {
  readonly collectionOf: (records: PersonRecords) => Collection<T>
  readonly keyOf: (record: T) => string
  /** Events of a change, given the record's key; called before a deletion and after any other edit. */
  readonly follow: (records: PersonRecords, userId: number, key: string, verb: "updated" | "deleted") => WhoopEvent[]
}

/** Returns the edits of every kind. Editing a sleep touches its recovery; deleting it deletes the recovery. */
export function createEdits(vendor: Vendor, webhooks: Webhooks): Edits {
  const nowMs = () => vendor.clock.nowMs()
  return {
    cycle: editsOf(vendor, webhooks, {
      collectionOf: ({ cycles }) => cycles,
      keyOf: ({ id }) => String(id),
      follow: () => [],
    }),
    sleep: editsOf(vendor, webhooks, {
      collectionOf: ({ sleeps }) => sleeps,
      keyOf: ({ id }) => id,
      follow: (records, userId, id, verb) => [
        { atMs: nowMs(), userId, type: `sleep.${verb}`, id },
        ...touchRecovery(records, userId, id, verb, nowMs()),
      ],
    }),
    recovery: editsOf(vendor, webhooks, {
      collectionOf: ({ recoveries }) => recoveries,
      keyOf: ({ cycle_id }) => String(cycle_id),
      follow: (records, userId, key, verb) => {
        const sleepId = records.recoveries.at(key, nowMs())?.sleep_id
        return sleepId === undefined ? [] : [{ atMs: nowMs(), userId, type: `recovery.${verb}`, id: sleepId }]
      },
    }),
    workout: editsOf(vendor, webhooks, {
      collectionOf: ({ workouts }) => workouts,
      keyOf: ({ id }) => id,
      follow: (_records, userId, id, verb) => [{ atMs: nowMs(), userId, type: `workout.${verb}`, id }],
    }),
  }
}

function editsOf<T extends object>(
  { people }: Vendor,
  webhooks: Webhooks,
  { collectionOf, keyOf, follow }: Subject<T>,
): RecordEdits<T> {
  const open = (reference: PersonReference) => {
    // What the clock has passed is told first, and the edit belongs to that moment: so it is never told twice.
    const atMs = webhooks.catchUp()
    const records = people.recordsOf(reference)
    return { records, collection: collectionOf(records), userId: people.get(reference).userId, atMs }
  }
  const existing = (collection: Collection<T>, id: string | number, atMs: number) => {
    const key = String(id)
    if (!collection.at(key, atMs)) throw new RangeError(`no such record: ${key}`)
    return key
  }
  return {
    put(reference, record) {
      const { records, collection, userId, atMs } = open(reference)
      const key = keyOf(record)
      collection.edit(key, { kind: "put", body: structuredClone(record), atMs })
      webhooks.send(follow(records, userId, key, "updated"))
    },
    patch(reference, id, patch) {
      const { records, collection, userId, atMs } = open(reference)
      const key = existing(collection, id, atMs)
      const stamped = { updated_at: writeInstant(atMs), ...structuredClone(patch) }
      collection.edit(key, { kind: "patch", patch: stamped, atMs })
      webhooks.send(follow(records, userId, key, "updated"))
    },
    delete(reference, id) {
      const { records, collection, userId, atMs } = open(reference)
      const key = existing(collection, id, atMs)
      const events = follow(records, userId, key, "deleted")
      collection.edit(key, { kind: "delete", atMs })
      webhooks.send(events)
    },
  }
}

function touchRecovery(
  records: PersonRecords,
  userId: number,
  sleepId: string,
  verb: "updated" | "deleted",
  atMs: number,
): WhoopEvent[] {
  const touched = records.recoveries.visibleAt(atMs).filter(({ body }) => body.sleep_id === sleepId)
  for (const { key } of touched) {
    records.recoveries.edit(
      key,
      verb === "deleted"
        ? { kind: "delete", atMs }
        : { kind: "patch", patch: { updated_at: writeInstant(atMs) }, atMs },
    )
  }
  return touched.map(() => ({ atMs, userId, type: `recovery.${verb}` as const, id: sleepId }))
}
