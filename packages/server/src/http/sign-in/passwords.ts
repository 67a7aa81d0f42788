import {
  InvitationResponseSchema,
  PasswordSignInResponseSchema,
  RecoveryCodesResponseSchema,
  ResetLinkResponseSchema,
  SignedInResponseSchema,
  type SignInOptionsResponse,
  SignInOptionsResponseSchema,
  SuccessResponseSchema,
  TwoFactorBegunResponseSchema,
} from "@restwell/client"
import { PROVIDER_NAMES } from "../../accounts/provider-sign-in.ts"
import { BODIES } from "../../accounts/request-bodies.ts"
import { SET_COOKIE } from "../../openapi/operation.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { answering, type SignInServices } from "./providers.ts"

/** Signing up, in and out with a password. */
export const passwordEndpoints = defineEndpoints<SignInServices>("Account", [
  {
    method: "GET",
    path: "/api/auth/options",
    access: "anybody",
    id: "readSignInOptions",
    summary: "Read the ways to sign in",
    description: "The ways to sign in that this service offers.",
    responses: { "200": success("The ways to sign in", SignInOptionsResponseSchema) },
    failures: ["methodNotAllowed", "unavailable"],
    handle: async ({ accounts, identityProviders }, { reply }): Promise<SignInOptionsResponse> => {
      reply.header("cache-control", "no-store")
      return {
        sign_up: accounts.signUpState(),
        password_reset: accounts.passwordReset,
        providers: identityProviders.map(({ provider }) => ({ provider, name: PROVIDER_NAMES[provider] })),
      }
    },
  },
  {
    method: "POST",
    path: "/api/auth/sign-up/email",
    access: "anybody",
    id: "signUp",
    summary: "Create an account",
    description: "Also signs in: the response sets the session cookie.",
    requestBody: jsonBody(BODIES.signUp),
    responses: { "200": success("Signed up and in", SignedInResponseSchema, SET_COOKIE) },
    failures: ["noLink", "conflict", "tooManyAttempts", "unavailable"],
    handle: answering((accounts, request) => accounts.signUp(request)),
  },
  {
    method: "POST",
    path: "/api/auth/sign-in/email",
    access: "anybody",
    id: "signIn",
    summary: "Sign in",
    description:
      "A wrong password and an unknown account give the same response. Wrong attempts make the next ones wait. If the person has turned codes on, the response asks for one and gives no session.",
    requestBody: jsonBody(BODIES.signIn),
    responses: { "200": success("Signed in, or a code must follow", PasswordSignInResponseSchema, SET_COOKIE) },
    failures: ["notSignedIn", "tooManyAttempts", "unavailable"],
    handle: answering((accounts, request) => accounts.signIn(request)),
  },
  {
    method: "POST",
    path: "/api/auth/sign-in/code",
    access: "anybody",
    id: "signInWithCode",
    summary: "Sign in with a code",
    description:
      "After a right password, within ten minutes. Takes a code of the app, which works once, or a recovery code. Wrong codes make the next ones wait.",
    requestBody: jsonBody(BODIES.code),
    responses: { "200": success("Signed in", SignedInResponseSchema, SET_COOKIE) },
    failures: ["notSignedIn", "tooManyAttempts", "unavailable"],
    handle: answering((accounts, request) => accounts.signInWithCode(request)),
  },
  {
    method: "POST",
    path: "/api/auth/sign-out",
    access: "accounts",
    id: "signOut",
    summary: "Sign out",
    description: "Ends this session on the server.",
    responses: { "200": success("Signed out", SuccessResponseSchema, SET_COOKIE) },
    handle: answering((accounts, request) => accounts.signOut(request)),
  },
  {
    method: "POST",
    path: "/api/auth/change-password",
    access: "accounts",
    id: "changePassword",
    summary: "Change the password",
    description: "Signs out every other browser by default.",
    requestBody: jsonBody(BODIES.changePassword),
    responses: { "200": success("Changed", SuccessResponseSchema, SET_COOKIE) },
    failures: ["notSignedIn", "tooManyAttempts"],
    handle: answering((accounts, request) => accounts.changePassword(request)),
  },
  {
    method: "POST",
    path: "/api/auth/set-password",
    access: "accounts",
    id: "setPassword",
    summary: "Set a first password",
    description:
      "For an account without a password. A passkey confirms it. Without one, the sign-in must not be older than an hour.",
    requestBody: jsonBody(BODIES.setPassword),
    responses: { "200": success("Set", SuccessResponseSchema) },
    failures: ["notSignedIn", "conflict"],
    handle: answering((accounts, request) => accounts.setPassword(request)),
  },
])

/** Links that work once: a new password, and invitations. */
export const linkEndpoints = defineEndpoints<SignInServices>("Account", [
  {
    method: "POST",
    path: "/api/auth/forgot-password",
    access: "anybody",
    id: "requestPasswordReset",
    summary: "Ask for a new password by email",
    description:
      "Gives the same response whether the address has an account or not. The link works once, within an hour.",
    requestBody: jsonBody(BODIES.email),
    responses: { "202": success("If the address has an account, the email is on its way", SuccessResponseSchema) },
    failures: ["noLink", "tooManyAttempts", "unavailable"],
    handle: answering((accounts, request) => accounts.requestReset(request), 202),
  },
  {
    method: "POST",
    path: "/api/auth/reset-link",
    access: "anybody",
    id: "readResetLink",
    summary: "Read whose password a link sets",
    description: "The link stays unused.",
    requestBody: jsonBody(BODIES.link),
    responses: { "200": success("The account", ResetLinkResponseSchema) },
    failures: ["noLink", "tooManyAttempts", "unavailable"],
    handle: answering((accounts, request) => accounts.readResetLink(request)),
  },
  {
    method: "POST",
    path: "/api/auth/reset-password",
    access: "anybody",
    id: "resetPassword",
    summary: "Set a new password with a link",
    description:
      "Uses the link up, ends all sessions of the account and signs in. If the person has turned codes on, the response asks for one.",
    requestBody: jsonBody(BODIES.resetPassword),
    responses: { "200": success("Signed in, or a code must follow", PasswordSignInResponseSchema, SET_COOKIE) },
    failures: ["noLink", "tooManyAttempts", "unavailable"],
    handle: answering((accounts, request) => accounts.resetPassword(request)),
  },
  {
    method: "POST",
    path: "/api/auth/invitation",
    access: "anybody",
    id: "readInvitation",
    summary: "Read an invitation",
    description: "The invitation stays open. A cookie remembers it for a sign-up with Google or Apple.",
    requestBody: jsonBody(BODIES.link),
    responses: { "200": success("What it offers", InvitationResponseSchema) },
    failures: ["noLink", "tooManyAttempts", "unavailable"],
    handle: answering((accounts, request) => accounts.readInvitation(request)),
  },
])

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
