// The public key of a browser, which a program may have made up.
import { ECDH } from "node:crypto"

/** True if messages can be encrypted for the key: it is a point of the curve P-256, in base64url. RFC 8291 2.1 and 3.1 */
export function isBrowserKey(p256dh: string): boolean {
  try {
    ECDH.convertKey(p256dh, "prime256v1", "base64url")
    return true
  } catch {
    return false
  }
}
