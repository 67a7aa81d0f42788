import { z } from "zod"
import { instant } from "../rest/fields.ts"
import { UserSchema } from "./account.ts"

/** GET /api/auth/options: the sign-in methods of this service. */
export const SignInOptionsResponseSchema = z
  .object({
    sign_up: z.enum(["open", "closed"]).meta({ description: "Whether new accounts can be created", example: "open" }),
    providers: z
      .array(
        z.object({ provider: z.string().meta({ example: "google" }), name: z.string().meta({ example: "Google" }) }),
      )
      .meta({ description: "Other services to sign in with, such as Google" }),
  })
  .meta({ id: "SignInOptionsResponse" })

/** The signed-in user. The session itself is in the cookie. */
export const SignedInResponseSchema = z.object({ user: UserSchema }).meta({ id: "SignedInResponse" })

export const SuccessResponseSchema = z.object({ success: z.literal(true) }).meta({ id: "SuccessResponse" })

export const PasskeySchema = z
  .object({
    id: z.string().meta({ example: "Zr5NfYh7Jd4G" }),
    name: z.string().meta({ description: "Name given by its owner", example: "Ada's phone" }),
    created_at: instant("When it was added", "2026-11-01T08:20:11.000Z"),
  })
  .meta({ id: "Passkey" })

/** GET /api/auth/passkeys. */
export const PasskeysResponseSchema = z.object({ passkeys: z.array(PasskeySchema) }).meta({ id: "PasskeysResponse" })

/**
 * The JSON options of WebAuthn, passed to `navigator.credentials` unchanged.
 * @see https://www.w3.org/TR/webauthn-3/#sctn-parseCreationOptionsFromJSON
 */
export const WebAuthnOptionsSchema = z.looseObject({ challenge: z.string() }).meta({ id: "WebAuthnOptions" })

export type WebAuthnOptions = z.infer<typeof WebAuthnOptionsSchema>
export type Passkey = z.infer<typeof PasskeySchema>
export type SignInOptionsResponse = z.infer<typeof SignInOptionsResponseSchema>
