/**
 * WHOOP's webhooks of sleeps, recoveries and workouts, their retries and the signed request. Cycles have none.
 * @see https://developer.whoop.com/docs/developing/webhooks
 */

import { createHmac } from "node:crypto"
import { MINUTE_MS } from "../model/calendar.ts"
import type { EventSource, VendorEvent } from "../vendor/webhooks.ts"
import type { Change } from "../world/collection.ts"
import type { PersonRecords } from "./records/person-records.ts"
import type { WireSleep } from "./records/wire.ts"
import type { WhoopVendor } from "./vendor.ts"

interface WhoopEvent extends VendorEvent {
  readonly type: `${"sleep" | "recovery" | "workout"}.${"updated" | "deleted"}`
  /** UUID of the sleep or workout; for a recovery, the UUID of its sleep. */
  readonly id: string
}

/** Returns the events of all connected people after one moment and until another, oldest first. */
export function eventsBetween(
  { people, recordsOf, grants }: WhoopVendor,
  afterMs: number,
  untilMs: number,
): WhoopEvent[] {
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

/** Returns the value of X-WHOOP-Signature: base64 of HMAC-SHA256. `timestamp` is X-WHOOP-Signature-Timestamp: epoch milliseconds as text. */
export function signWebhook(clientSecret: string, timestamp: string, rawBody: string): string {
  return createHmac("sha256", clientSecret).update(timestamp).update(rawBody).digest("base64")
}

/** WHOOP retries five times over about an hour. */
const RETRY_AFTER_MS = [1, 5, 10, 20, 24].map((minutes) => minutes * MINUTE_MS)

export function createEventSource(vendor: WhoopVendor): EventSource {
  return {
    retryAfterMs: RETRY_AFTER_MS,
    isConnected: (userId) => vendor.grants.isConnected(userId),
    eventsBetween: (afterMs, untilMs) => eventsBetween(vendor, afterMs, untilMs),
    write({ userId, id, type }, traceId, sentMs) {
      const body = JSON.stringify({ user_id: userId, id, type, trace_id: traceId })
      const timestamp = String(sentMs)
      return {
        body,
        headers: {
          "content-type": "application/json",
          "X-WHOOP-Signature": signWebhook(vendor.settings.clientSecret, timestamp, body),
          "X-WHOOP-Signature-Timestamp": timestamp,
        },
      }
    },
  }
}
