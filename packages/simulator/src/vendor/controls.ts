/** Changes of records that the model did not generate: by members, by the vendor's support, by tests. */

import type { Faults } from "../http/faults.ts"
import type { RequestLog } from "../http/request-log.ts"
import type { SimulatedClock } from "../world/clock.ts"
import type { Collection } from "../world/collection.ts"
import type { People, PersonReference } from "../world/people.ts"
import type { Grants } from "./grants.ts"
import type { VendorEvent, Webhooks } from "./webhooks.ts"

/** Control over issued tokens. */
interface TokenControl {
  /** Ends every grant of a person, as if they had disconnected the app at the vendor. */
  revokeAll(person: PersonReference): void
  /** Makes the access tokens of a person expire now. Their refresh tokens stay valid. */
  expireAccess(person: PersonReference): void
  /** Whether a refresh token is valid: issued, not used yet, and its grant not ended. */
  isRefreshable(refreshToken: string): boolean
  counts(): { codes: number; accessTokens: number; refreshTokens: number }
}

/** The controls that are the same for every vendor. */
export interface Controls {
  readonly clock: SimulatedClock
  readonly people: People
  readonly faults: Faults
  readonly tokens: TokenControl
  readonly webhooks: Webhooks
  readonly requestLog: RequestLog
}

export function createTokenControl(people: People, grants: Grants): TokenControl {
  return {
    revokeAll: (person) => grants.revoke(people.get(person).userId),
    expireAccess: (person) => grants.expireAccess(people.get(person).userId),
    isRefreshable: (refreshToken) => grants.isRefreshable(refreshToken),
    counts: () => grants.counts(),
  }
}

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
