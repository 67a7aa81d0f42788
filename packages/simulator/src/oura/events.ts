/** Oura's webhooks: which changes are announced, and the signed request. */
import { MINUTE_MS } from "../model/units.ts"
import type { Collection } from "../records/collection.ts"
import type { EventSource, VendorEvent } from "../webhooks/webhooks.ts"
import { ouraUserId } from "./records/person-documents.ts"
import { COLLECTIONS } from "./records/wire.ts"
import { signOuraWebhook } from "./signature.ts"
import type { OuraVendor } from "./vendor.ts"

/** Oura documents no retries. */
const RETRY_AFTER_MS = [1, 5, 15].map((minutes) => minutes * MINUTE_MS)

export function createOuraEventSource(vendor: OuraVendor): EventSource {
  const { settings, people, grants, subscriptions } = vendor
  return {
    retryAfterMs: RETRY_AFTER_MS,
    isConnected: (userId) => grants.isConnected(userId),
    addressesOf: ({ type }) => subscriptions.addressesOf(type),
    eventsBetween: (afterMs, untilMs) =>
      people
        .list()
        .filter(({ userId }) => grants.isConnected(userId))
        .flatMap(({ userId }) => eventsOf(vendor, userId, afterMs, untilMs))
        .sort((left, right) => left.atMs - right.atMs),
    write({ userId, id, type, atMs }, _traceId, sentMs) {
      const [dataType, eventType] = type.split(".")
      const body = JSON.stringify({
        event_type: eventType,
        data_type: dataType,
        object_id: id,
        event_time: new Date(atMs).toISOString(),
        user_id: ouraUserId(people.get(userId)),
      })
      const timestamp = String(Math.floor(sentMs / 1000))
      return {
        body,
        headers: {
          "content-type": "application/json",
          "x-oura-signature": signOuraWebhook(settings.clientSecret, timestamp, body),
          "x-oura-timestamp": timestamp,
        },
      }
    },
  }
}

function eventsOf({ documentsOf }: OuraVendor, userId: number, afterMs: number, untilMs: number): VendorEvent[] {
  const documents = documentsOf(userId)
  return COLLECTIONS.flatMap((name) => {
    const collection: Pick<Collection<object>, "at" | "changesBetween"> = documents.of[name]
    return collection.changesBetween(afterMs, untilMs).map(({ atMs, key, body }) => {
      const verb = body === null ? "delete" : collection.at(key, atMs - 1) === null ? "create" : "update"
      return { atMs, userId, type: `${name}.${verb}`, id: key }
    })
  })
}
