/** WHOOP's webhook events: changes of sleeps, recoveries and workouts. Cycles have none. */
import type { Change } from "../records/collection.ts"
import type { VendorEvent } from "../webhooks/webhooks.ts"
import type { PersonRecords } from "./records/person-records.ts"
import type { WireSleep } from "./records/wire.ts"
import type { Vendor } from "./vendor.ts"

export interface WhoopEvent extends VendorEvent {
  readonly type: `${"sleep" | "recovery" | "workout"}.${"updated" | "deleted"}`
  /** UUID of the sleep or workout; for a recovery, the UUID of its sleep. */
  readonly id: string
}

/** Returns the events of all connected people after one moment and until another, oldest first. */
export function eventsBetween({ people, recordsOf, grants }: Vendor, afterMs: number, untilMs: number): WhoopEvent[] {
  return people
    .list()
    .filter(({ userId }) => grants.isConnected(userId))
    .flatMap(({ userId }) => eventsOf(recordsOf(userId), userId, afterMs, untilMs))
    .sort((left, right) => left.atMs - right.atMs)
}

function eventsOf(records: PersonRecords, userId: number, afterMs: number, untilMs: number): WhoopEvent[] {
  const verb = (body: object | null) => (body ? ("updated" as const) : ("deleted" as const))
  return [
    ...records.sleeps
      .changesBetween(afterMs, untilMs)
      .filter(isAnnounced)
      .map(({ atMs, key, body }) => ({ atMs, userId, type: `sleep.${verb(body)}` as const, id: key })),
    ...records.recoveries.changesBetween(afterMs, untilMs).map(({ atMs, key, body }) => ({
      atMs,
      userId,
      type: `recovery.${verb(body)}` as const,
      id: records.recoveries.at(key, body ? atMs : atMs - 1)?.sleep_id ?? key,
    })),
    ...records.workouts
      .changesBetween(afterMs, untilMs)
      .map(({ atMs, key, body }) => ({ atMs, userId, type: `workout.${verb(body)}` as const, id: key })),
  ]
}

/** WHOOP announces a night when it has its score, not when it is uploaded. */
function isAnnounced({ body }: Change<WireSleep>): boolean {
  return body?.score_state !== "PENDING_SCORE"
}
