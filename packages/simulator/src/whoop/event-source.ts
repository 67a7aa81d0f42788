/**
 * WHOOP's webhooks: retries and the signed request.
 * @see https://developer.whoop.com/docs/developing/webhooks
 */
import { MINUTE_MS } from "../model/units.ts"
import type { EventSource } from "../webhooks/webhooks.ts"
import { eventsBetween } from "./events.ts"
import { signWebhook } from "./signature.ts"
import type { Vendor } from "./vendor.ts"

/** WHOOP retries five times over about an hour. */
const RETRY_AFTER_MS = [1, 5, 10, 20, 24].map((minutes) => minutes * MINUTE_MS)

export function createEventSource(vendor: Vendor): EventSource {
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
