import { createHmac, timingSafeEqual } from "node:crypto"
import type { BetterAuthPlugin } from "better-auth"
import { createAuthMiddleware } from "better-auth/api"

/**
 * Accepts cookies that a former secret signed, by signing them with the current one before better-auth reads them. The browser gets a new
 * cookie at the session's next renewal.
 */
export const formerCookies = (secret: string, formerSecrets: readonly string[]) =>
  ({
    id: "former-cookies",
    hooks: {
      before: [
        {
          matcher: ({ headers }) => formerSecrets.length > 0 && (headers?.has("cookie") ?? false),
          handler: createAuthMiddleware(async ({ headers }) => {
            const cookie = signAgain(headers?.get("cookie") ?? "", secret, formerSecrets)
            return { context: { headers: new Headers({ cookie }) } }
          }),
        },
      ],
    },
  }) satisfies BetterAuthPlugin

const signAgain = (header: string, secret: string, formerSecrets: readonly string[]): string =>
  header
    .split(/; */)
    .map((cookie) => {
      const { name, text, signature } = /^(?<name>[^=]+)=(?<text>.+)\.(?<signature>[^.]+)$/.exec(cookie)?.groups ?? {}
      if (name === undefined || text === undefined || signature === undefined) return cookie
      const signed = decode(text)
      const isFormer = formerSecrets.some((former) => equals(decode(signature), signatureOf(signed, former)))
      return isFormer ? `${name}=${encodeURIComponent(`${signed}.${signatureOf(signed, secret)}`)}` : cookie
    })
    .join("; ")

/** better-auth's signature: HMAC-SHA256 in base64, after a dot. */
const signatureOf = (text: string, secret: string): string => createHmac("sha256", secret).update(text).digest("base64")

function equals(one: string, other: string): boolean {
  const [left, right] = [Buffer.from(one), Buffer.from(other)]
  return left.length === right.length && timingSafeEqual(left, right)
}

/** Browsers may send anything. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
