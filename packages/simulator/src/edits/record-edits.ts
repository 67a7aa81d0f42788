/** Changes of records that the model did not generate: by members, by the vendor's support, by tests. */
import type { PersonReference } from "../people/people.ts"
import type { Collection } from "../records/collection.ts"
import type { VendorEvent, Webhooks } from "../webhooks/webhooks.ts"

/** Edits of one kind of record. Each takes effect at the clock's time and sends the vendor's webhooks. */
export interface RecordEdits<T> {
  /** Adds a record or replaces the one with its id, exactly as given. */
  put(person: PersonReference, record: T): void
  /** Merges properties into a record and marks it as updated now. */
  patch(person: PersonReference, id: string | number, patch: object): void
  delete(person: PersonReference, id: string | number): void
}

/** The records of a person that the edits of one kind work on. */
export interface EditedRecords<T extends object> {
  readonly collection: Collection<T>
  keyOf(record: T): string
  /** Properties that mark a record as updated. */
  stamp(atMs: number): object
  /**
   * Applies the edit's consequences to other records and returns the events to announce.
   * Called before a deletion and after any other edit.
   */
  follow(key: string, verb: "updated" | "deleted", atMs: number): VendorEvent[]
}

/** Returns the edits of one kind. */
export function createRecordEdits<T extends object>(
  webhooks: Webhooks,
  recordsOf: (person: PersonReference) => EditedRecords<T>,
): RecordEdits<T> {
  const open = (person: PersonReference) => {
    // Announce everything up to this moment first, or the edit would be announced again with the next clock move.
    const atMs = webhooks.catchUp()
    return { atMs, ...recordsOf(person) }
  }
  const existingKey = (collection: Collection<T>, id: string | number, atMs: number) => {
    const key = String(id)
    if (!collection.at(key, atMs)) throw new RangeError(`no such record: ${key}`)
    return key
  }
  return {
    put(person, record) {
      const { atMs, collection, keyOf, follow } = open(person)
      const key = keyOf(record)
      collection.edit(key, { kind: "put", body: structuredClone(record), atMs })
      webhooks.send(follow(key, "updated", atMs))
    },
    patch(person, id, patch) {
      const { atMs, collection, stamp, follow } = open(person)
      const key = existingKey(collection, id, atMs)
      collection.edit(key, { kind: "patch", patch: { ...stamp(atMs), ...structuredClone(patch) }, atMs })
      webhooks.send(follow(key, "updated", atMs))
    },
    delete(person, id) {
      const { atMs, collection, follow } = open(person)
      const key = existingKey(collection, id, atMs)
      const events = follow(key, "deleted", atMs)
      collection.edit(key, { kind: "delete", atMs })
      webhooks.send(events)
    },
  }
}
