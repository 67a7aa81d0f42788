import type { BetterAuthPlugin } from "better-auth"
import { createAuthMiddleware } from "better-auth/api"
import { isSignedBy, parseSigned, signatureOf } from "./signed-text.ts"

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
      const [, name = "", value = ""] = /^([^=]+)=(.*)$/.exec(cookie) ?? []
      const signed = parseSigned(value)
      if (signed === undefined || !isSignedBy(signed.text, signed.signature, formerSecrets)) return cookie
      return `${name}=${encodeURIComponent(`${signed.text}.${signatureOf(signed.text, secret)}`)}`
    })
    .join("; ")
