import { InvalidRequest } from "@restwell/core"
import { withoutControls } from "@restwell/providers"
import { z } from "zod"
import { PASSWORD, passwordLength } from "./password-rule.ts"

const text = (max: number) =>
  z.string({ error: "must be text" }).max(max, { error: `must be at most ${max} characters` })

/** An email address, in lower case as it is stored. */
export const emailAddress = text(254)
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.email({ error: "must be an email address, like ada@example.com" }))

const name = text(100)
  .transform((value) => withoutControls(value).trim())
  .pipe(z.string().min(1, { error: "must not be empty" }))

/** A new one passes `requireGoodPassword` too, which knows whose it is. */
const password = z
  .string({ error: "must be text" })
  .refine((value) => passwordLength(value) <= PASSWORD.max, { error: `must be at most ${PASSWORD.max} characters` })

/** Base64url, as WebAuthn's JSON forms write bytes. */
const bytes = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[\w-]+$/, { error: "must be base64url" })
    .meta({ example: "q83vEjRWeJA" })

const credential = {
  id: bytes(1400),
  rawId: bytes(1400),
  type: z.literal("public-key"),
  authenticatorAttachment: z.enum(["platform", "cross-platform"]).exactOptional(),
  clientExtensionResults: z.looseObject({}).default({}),
}

/** The answer of a device that has a passkey. */
const assertion = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(4096),
      authenticatorData: bytes(4096),
      signature: bytes(4096),
      // A discoverable credential always names its owner.
      userHandle: bytes(128),
    }),
  })
  .meta({ id: "PasskeyAnswer", description: "The result of PublicKeyCredential.toJSON(). WebAuthn 3, 5.1" })

const attestation = z
  .object({
    ...credential,
    response: z.object({
      clientDataJSON: bytes(4096),
      attestationObject: bytes(12_288),
      transports: z.array(z.string().max(20)).max(10).optional(),
    }),
  })
  .meta({ id: "NewPasskey", description: "The result of PublicKeyCredential.toJSON(). WebAuthn 3, 5.1" })

const email = emailAddress.meta({ format: "email", example: "ada@example.com" })

const knownPassword = password.meta({ maxLength: PASSWORD.max, example: "correct horse battery" })

const newPassword = password.meta({
  minLength: PASSWORD.min,
  maxLength: PASSWORD.max,
  description: `At least ${PASSWORD.min} characters. Not a common one, the email address, its parts or this service's name`,
  example: "staple battery horse",
})

/** Of a link that works once. */
const token = text(200).meta({
  description: "The part of the link behind the #",
  example: "5mXq0ZsT1yqv8wJrB3nQkD7uF2cLhG9pAaEoViKtY4U",
})

const code = text(64).meta({ description: "From the app, or a recovery code", example: "492039" })

const passkey = assertion.exactOptional().meta({
  description: "The answer of a passkey of the account to /api/auth/sign-in/passkey/options",
})

/** Bodies of requests, by operation, as they are parsed and described. Unknown fields are dropped. */
export const BODIES = {
  signUp: z
    .object({
      name: name.meta({ minLength: 1, example: "Ada Berg" }),
      email,
      password: newPassword,
      invitation: text(200).exactOptional().meta({ description: "The token of an invitation" }),
    })
    .meta({ id: "SignUpRequest" }),
  email: z.object({ email }).meta({ id: "ForgotPasswordRequest" }),
  link: z.object({ token }).meta({ id: "LinkRequest" }),
  resetPassword: z.object({ token, newPassword }).meta({ id: "ResetPasswordRequest" }),
  signIn: z.object({ email, password: knownPassword }).meta({ id: "SignInRequest" }),
  changePassword: z
    .object({
      currentPassword: knownPassword,
      newPassword,
      revokeOtherSessions: z.boolean().default(true).meta({ description: "Signs out every other browser" }),
      deletePasskeys: z.boolean().default(false).meta({ description: "Deletes all passkeys too" }),
    })
    .meta({ id: "ChangePasswordRequest" }),
  setPassword: z.object({ newPassword, passkey }).meta({ id: "SetPasswordRequest" }),
  /** What confirms that the person asks for a change, and not somebody who has a cookie. One is needed, unless the account has neither. */
  confirmation: z.object({ password: knownPassword.exactOptional(), passkey }).meta({ id: "Confirmation" }),
  password: z.object({ password: knownPassword }).meta({ id: "PasswordRequest" }),
  code: z.object({ code }).meta({ id: "CodeRequest" }),
  passwordAndCode: z.object({ password: knownPassword, code }).meta({ id: "PasswordAndCodeRequest" }),
  addPasskey: z
    .object({ name: name.meta({ minLength: 1, example: "Ada's phone" }), response: attestation })
    .meta({ id: "AddPasskeyRequest" }),
  passkeySignIn: z.object({ response: assertion }).meta({ id: "PasskeySignInRequest" }),
} as const

/** Characters. A field's name, and unknown names within the fault, may be any text of the sender. */
const LONGEST_FIELD = 60
const LONGEST_FAULT = 500

/** Parses the body of a request. @throws {InvalidRequest} that names the field */
export function parseFields<Schema extends z.ZodType>(body: unknown, schema: Schema): z.infer<Schema> {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = issue?.path.join(".").slice(0, LONGEST_FIELD) || "body"
  const isNoObject = field === "body" && issue?.code === "invalid_type"
  throw new InvalidRequest(
    `${field} ${isNoObject ? "must be a JSON object" : (issue?.message.slice(0, LONGEST_FAULT) ?? "is not valid")}`,
    field,
  )
}
