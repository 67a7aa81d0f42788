import { RecoveryCodesResponseSchema, SuccessResponseSchema, TwoFactorBegunResponseSchema } from "@restwell/client"
import { BODIES } from "../../accounts/request-bodies.ts"
import { SET_COOKIE } from "../../openapi/operation.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { answering, type SignInServices } from "./answering.ts"

/** Codes that follow the password. Sign-ins with a passkey or another service need none. */
export const twoFactorEndpoints = defineEndpoints<SignInServices>("Account", [
  {
    method: "POST",
    path: "/api/auth/two-factor",
    access: "accounts",
    id: "beginTwoFactor",
    summary: "Start turning sign-in codes on",
    description: "Makes a secret for an authenticator app. Nothing changes until a code is confirmed.",
    requestBody: jsonBody(BODIES.password),
    responses: { "200": success("The secret", TwoFactorBegunResponseSchema) },
    failures: ["notSignedIn", "conflict", "tooManyAttempts"],
    handle: answering((accounts, request) => accounts.twoFactor.begin(request)),
  },
  {
    method: "POST",
    path: "/api/auth/two-factor/confirm",
    access: "accounts",
    id: "confirmTwoFactor",
    summary: "Turn sign-in codes on",
    description: "Takes a code of the app. Replaces the session, and returns the recovery codes.",
    requestBody: jsonBody(BODIES.code),
    responses: { "200": success("Codes are on", RecoveryCodesResponseSchema, SET_COOKIE) },
    failures: ["notSignedIn", "conflict", "tooManyAttempts"],
    handle: answering((accounts, request) => accounts.twoFactor.confirm(request)),
  },
  {
    method: "POST",
    path: "/api/auth/two-factor/recovery-codes",
    access: "accounts",
    id: "replaceRecoveryCodes",
    summary: "Replace the recovery codes",
    description: "The former ones stop working.",
    requestBody: jsonBody(BODIES.passwordAndCode),
    responses: { "200": success("The new codes", RecoveryCodesResponseSchema) },
    failures: ["notSignedIn", "conflict", "tooManyAttempts"],
    handle: answering((accounts, request) => accounts.twoFactor.renewRecoveryCodes(request)),
  },
  {
    method: "POST",
    path: "/api/auth/two-factor/turn-off",
    access: "accounts",
    id: "turnOffTwoFactor",
    summary: "Turn sign-in codes off",
    description: "Needs the password and a code. Replaces the session.",
    requestBody: jsonBody(BODIES.passwordAndCode),
    responses: { "200": success("Codes are off", SuccessResponseSchema, SET_COOKIE) },
    failures: ["notSignedIn", "conflict", "tooManyAttempts"],
    handle: answering((accounts, request) => accounts.twoFactor.turnOff(request)),
  },
])
