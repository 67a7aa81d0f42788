import { RecoveryCodesResponseSchema, SuccessResponseSchema, TwoFactorBegunResponseSchema } from "@restwell/client"
import { CodeRequestSchema, PasswordAndCodeRequestSchema, PasswordRequestSchema } from "./account-schemas.ts"
import { SET_COOKIE } from "./operation.ts"
import { jsonBody, success } from "./responses.ts"

const failures = ["invalidRequest", "notSignedIn", "forbidden", "conflict", "tooManyAttempts", "unavailable"] as const

/** Codes that follow the password. Sign-ins with a passkey or another service need none. */
export const twoFactorOperations = {
  "POST /api/auth/two-factor": {
    id: "beginTwoFactor",
    summary: "Start turning sign-in codes on",
    description: "Makes a secret for an authenticator app. Nothing changes until a code is confirmed.",
    body: jsonBody(PasswordRequestSchema),
    responses: { "200": success("The secret", TwoFactorBegunResponseSchema) },
    failures,
  },
  "POST /api/auth/two-factor/confirm": {
    id: "confirmTwoFactor",
    summary: "Turn sign-in codes on",
    description: "Takes a code of the app. Replaces the session, and returns the recovery codes.",
    body: jsonBody(CodeRequestSchema),
    responses: { "200": success("Codes are on", RecoveryCodesResponseSchema, SET_COOKIE) },
    failures,
  },
  "POST /api/auth/two-factor/recovery-codes": {
    id: "replaceRecoveryCodes",
    summary: "Replace the recovery codes",
    description: "The former ones stop working.",
    body: jsonBody(PasswordAndCodeRequestSchema),
    responses: { "200": success("The new codes", RecoveryCodesResponseSchema) },
    failures,
  },
  "POST /api/auth/two-factor/turn-off": {
    id: "turnOffTwoFactor",
    summary: "Turn sign-in codes off",
    description: "Needs the password and a code. Replaces the session.",
    body: jsonBody(PasswordAndCodeRequestSchema),
    responses: { "200": success("Codes are off", SuccessResponseSchema, SET_COOKIE) },
    failures,
  },
} as const
