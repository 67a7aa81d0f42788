import { z } from "zod"
import { PASSWORD } from "../accounts/password-rule.ts"

const email = z.string().max(254).meta({ format: "email", example: "ada@example.com" })
const password = z.string().max(PASSWORD.max)
const newPassword = z.string().min(PASSWORD.min).max(PASSWORD.max)

export const SignUpRequestSchema = z
  .object({
    name: z.string().min(1).max(100).meta({ example: "Ada Berg" }),
    email,
    password: newPassword.meta({
      description: `At least ${PASSWORD.min} characters. Not a common one, the email address, its parts or this service's name`,
      example: "correct horse battery",
    }),
    invitation: z.string().max(200).optional().meta({ description: "The token of an invitation" }),
  })
  .meta({ id: "SignUpRequest" })

export const SignInRequestSchema = z
  .object({ email, password: password.meta({ example: "correct horse battery" }) })
  .meta({ id: "SignInRequest" })

const code = z.string().max(64).meta({ description: "From the app, or a recovery code", example: "492039" })

export const CodeRequestSchema = z.object({ code }).meta({ id: "CodeRequest" })

export const PasswordRequestSchema = z
  .object({ password: password.meta({ example: "correct horse battery" }) })
  .meta({ id: "PasswordRequest" })

export const PasswordAndCodeRequestSchema = z
  .object({ password: password.meta({ example: "correct horse battery" }), code })
  .meta({ id: "PasswordAndCodeRequest" })

export const ChangePasswordRequestSchema = z
  .object({
    currentPassword: password.meta({ example: "correct horse battery" }),
    newPassword: newPassword.meta({ example: "staple battery horse" }),
    revokeOtherSessions: z.boolean().default(true).meta({ description: "Signs out every other browser" }),
  })
  .meta({ id: "ChangePasswordRequest" })

export const DeleteAccountRequestSchema = z
  .object({
    password: password.optional().meta({
      description: "Required when the sign-in is older than an hour",
      example: "correct horse battery",
    }),
  })
  .meta({ id: "DeleteAccountRequest" })

export const StatusResponseSchema = z
  .object({ status: z.enum(["ok", "ready", "unavailable"]).meta({ example: "ready" }) })
  .meta({ id: "StatusResponse" })
