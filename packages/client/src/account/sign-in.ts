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
    password_reset: z.enum(["email", "operator"]).meta({
      description: "How a person gets a link to a new password: by email, or from the operator",
      example: "email",
    }),
  })
  .meta({ id: "SignInOptionsResponse" })

/** POST /api/auth/reset-link: whose password a link sets. */
export const ResetLinkResponseSchema = z
  .object({
    email: z.string().meta({ example: "ada@example.com" }),
    removes_two_factor: z
      .boolean()
      .meta({ description: "True when using the link also turns sign-in codes off", example: false }),
  })
  .meta({ id: "ResetLinkResponse" })

/** POST /api/auth/invitation: what an invitation offers. */
export const InvitationResponseSchema = z
  .object({
    email: z
      .string()
      .nullable()
      .meta({ description: "The only address that may accept it; null for any", example: "ada@example.com" }),
    plan: z.enum(["free", "pro"]).meta({ example: "free" }),
  })
  .meta({ id: "InvitationResponse" })

/** The signed-in user. The session itself is in the cookie. */
export const SignedInResponseSchema = z.object({ user: UserSchema }).meta({ id: "SignedInResponse" })

/** The password was right, and a code must follow: POST /api/auth/sign-in/code within ten minutes. */
export const CodeRequiredResponseSchema = z
  .object({ code_required: z.literal(true) })
  .meta({ id: "CodeRequiredResponse" })

/** POST /api/auth/sign-in/email. */
export const PasswordSignInResponseSchema = z
  .union([SignedInResponseSchema, CodeRequiredResponseSchema])
  .meta({ id: "PasswordSignInResponse" })

/** POST /api/auth/two-factor. For an app that makes codes every 30 seconds. RFC 6238 */
export const TwoFactorBegunResponseSchema = z
  .object({
    uri: z.string().meta({
      description: "The content of the QR code",
      example: "otpauth://totp/Restwell:ada%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Restwell",
    }),
    key: z.string().meta({ description: "The secret in base32, to type", example: "JBSWY3DPEHPK3PXP" }),
  })
  .meta({ id: "TwoFactorBegunResponse" })

/** Codes for a lost device. Each works once. */
export const RecoveryCodesResponseSchema = z
  .object({
    recovery_codes: z
      .array(z.string())
      .meta({ description: "They cannot be retrieved again", example: ["0h3w-kq8t-9zsm-v4ye"] }),
  })
  .meta({ id: "RecoveryCodesResponse" })

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
