import {
  InvitationResponseSchema,
  PasswordSignInResponseSchema,
  ResetLinkResponseSchema,
  SuccessResponseSchema,
} from "@restwell/client"
import { z } from "zod"
import { PASSWORD } from "../accounts/password-rule.ts"
import { type Operation, SET_COOKIE } from "./operation.ts"
import { jsonBody, success } from "./responses.ts"

const token = z
  .string()
  .max(200)
  .meta({ description: "The part of the link behind the #", example: "5mXq0ZsT1yqv8wJrB3nQkD7uF2cLhG9pAaEoViKtY4U" })
const LinkRequestSchema = z.object({ token }).meta({ id: "LinkRequest" })
const ForgotPasswordRequestSchema = z
  .object({ email: z.string().max(254).meta({ format: "email", example: "ada@example.com" }) })
  .meta({ id: "ForgotPasswordRequest" })
const ResetPasswordRequestSchema = z
  .object({
    token,
    newPassword: z.string().min(PASSWORD.min).max(PASSWORD.max).meta({ example: "staple battery horse" }),
  })
  .meta({ id: "ResetPasswordRequest" })

/** Links that work once: a new password, and invitations. */
export const linkOperations: Readonly<Record<string, Operation>> = {
  "POST /api/auth/forgot-password": {
    id: "requestPasswordReset",
    summary: "Ask for a new password by e-mail",
    description:
      "Gives the same response whether the address has an account or not. The link works once, within an hour.",
    isPublic: true,
    body: jsonBody(ForgotPasswordRequestSchema),
    responses: { "202": success("If the address has an account, the e-mail is on its way", SuccessResponseSchema) },
    failures: ["invalidRequest", "forbidden", "noLink", "tooManyAttempts", "unavailable"],
  },
  "POST /api/auth/reset-link": {
    id: "readResetLink",
    summary: "Read whose password a link sets",
    description: "The link stays unused.",
    isPublic: true,
    body: jsonBody(LinkRequestSchema),
    responses: { "200": success("The account", ResetLinkResponseSchema) },
    failures: ["invalidRequest", "forbidden", "noLink", "tooManyAttempts", "unavailable"],
  },
  "POST /api/auth/reset-password": {
    id: "resetPassword",
    summary: "Set a new password with a link",
    description:
      "Uses the link up, ends all sessions of the account and signs in. If the person has turned codes on, the response asks for one.",
    isPublic: true,
    body: jsonBody(ResetPasswordRequestSchema),
    responses: { "200": success("Signed in, or a code must follow", PasswordSignInResponseSchema, SET_COOKIE) },
    failures: ["invalidRequest", "forbidden", "noLink", "tooManyAttempts", "unavailable"],
  },
  "POST /api/auth/invitation": {
    id: "readInvitation",
    summary: "Read an invitation",
    description: "The invitation stays open. A cookie remembers it for a sign-up with Google or Apple.",
    isPublic: true,
    body: jsonBody(LinkRequestSchema),
    responses: { "200": success("What it offers", InvitationResponseSchema) },
    failures: ["invalidRequest", "forbidden", "noLink", "tooManyAttempts", "unavailable"],
  },
}
