/**
 * The signature of a webhook: base64 of HMAC-SHA256 over timestamp and raw body, with the client secret as key.
 * @see https://developer.whoop.com/docs/developing/webhooks
 */
import { createHmac } from "node:crypto"

/** Returns the value of X-WHOOP-Signature. `timestamp` is X-WHOOP-Signature-Timestamp: epoch milliseconds as text. */
export function signWebhook(clientSecret: string, timestamp: string, rawBody: string): string {
  return createHmac("sha256", clientSecret).update(timestamp).update(rawBody).digest("base64")
}
