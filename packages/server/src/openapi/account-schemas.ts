import { z } from "zod"
import { PASSWORD } from "../accounts/request-bodies.ts"

export const SignUpRequestSchema = z
  .object({
    name: z.string().min(1).max(100).meta({ example: "Ada Berg" }),
    email: z.string().max(254).meta({ format: "email", example: "ada@example.com" }),
    password: z
      .string()
      .min(PASSWORD.min)
      .max(PASSWORD.max)
      .meta({ description: `At least ${PASSWORD.min} characters`, example: "correct horse battery" }),
  })
  .meta({ id: "SignUpRequest" })

export const SignInRequestSchema = z
  .object({
    email: z.string().max(254).meta({ format: "email", example: "ada@example.com" }),
    password: z.string().max(PASSWORD.max).meta({ example: "correct horse battery" }),
  })
  .meta({ id: "SignInRequest" })

export const ChangePasswordRequestSchema = z
  .object({
    currentPassword: z.string().max(PASSWORD.max).meta({ example: "correct horse battery" }),
    newPassword: z.string().min(PASSWORD.min).max(PASSWORD.max).meta({ example: "staple battery horse" }),
    revokeOtherSessions: z.boolean().default(true).meta({ description: "Signs out every other browser" }),
  })
  .meta({ id: "ChangePasswordRequest" })

export const DeleteAccountRequestSchema = z
  .object({
    password: z.string().max(PASSWORD.max).optional().meta({
      description: "Required when the sign-in is older than an hour",
      example: "correct horse battery",
    }),
  })
  .meta({ id: "DeleteAccountRequest" })

export const StatusResponseSchema = z
  .object({ status: z.enum(["ok", "ready", "unavailable"]).meta({ example: "ready" }) })
  .meta({ id: "StatusResponse" })
