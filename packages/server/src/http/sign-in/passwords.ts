import {
  PasswordSignInResponseSchema,
  SignedInResponseSchema,
  type SignInOptionsResponse,
  SignInOptionsResponseSchema,
  SuccessResponseSchema,
} from "@restwell/client"
import { PROVIDER_NAMES } from "../../accounts/provider-sign-in.ts"
import { BODIES } from "../../accounts/request-bodies.ts"
import { SET_COOKIE } from "../../openapi/operation.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { answering, type SignInServices } from "./answering.ts"

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
    handle:
      ({ accounts, identityProviders }) =>
      async (_request, reply): Promise<SignInOptionsResponse> => {
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
