/** Fields of requests as programs see them. What parses them also trims, and measures passwords in characters: accounts/request-bodies.ts. */

import { z } from "zod"
import { PASSWORD } from "../../accounts/password-rule.ts"

export const email = z.string().max(254).meta({ format: "email", example: "ada@example.com" })

export const password = z.string().max(PASSWORD.max).meta({ example: "correct horse battery" })

export const newPassword = z.string().min(PASSWORD.min).max(PASSWORD.max)

export const code = z.string().max(64).meta({ description: "From the app, or a recovery code", example: "492039" })

export const CodeRequestSchema = z.object({ code }).meta({ id: "CodeRequest" })

/** The result of the browser's toJSON(). */
export const CredentialSchema = z
  .object({ id: z.string(), rawId: z.string(), type: z.literal("public-key"), response: z.looseObject({}) })
  .meta({ id: "PublicKeyCredential", description: "The result of PublicKeyCredential.toJSON(). WebAuthn 3, 5.1" })

export const passkey = CredentialSchema.optional().meta({
  description: "The answer of a passkey of the account to /api/auth/sign-in/passkey/options",
})
