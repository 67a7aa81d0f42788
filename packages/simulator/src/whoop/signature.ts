/**
 * The signature of a webhook: base64 of HMAC-SHA256 over the timestamp and the raw body, one after the other, keyed with
 * the client secret.
 * @see https://developer.whoop.com/docs/developing/webhooks
 */
import { createHmac } from "node:crypto"

/** Returns the value of X-WHOOP-Signature. `timestamp` is X-WHOOP-Signature-Timestamp: epoch milliseconds as text. */
export function signWebhook(clientSecret: string, timestamp: string, rawBody: string): string {
  return createHmac("sha256", clientSecret).update(timestamp).update(rawBody).digest("base64")
}
