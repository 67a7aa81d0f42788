/** The signature of a webhook: HMAC-SHA256 over timestamp and raw body, with the client secret as key, in upper-case hex. */
import { createHmac } from "node:crypto"

/** Returns the value of x-oura-signature. `timestamp` is x-oura-timestamp: epoch seconds as text. */
export function signOuraWebhook(clientSecret: string, timestamp: string, rawBody: string): string {
  return createHmac("sha256", clientSecret).update(timestamp).update(rawBody).digest("hex").toUpperCase()
}
