import {
  PasskeySchema,
  PasskeysResponseSchema,
  PasswordSignInResponseSchema,
  SignedInResponseSchema,
  SignInOptionsResponseSchema,
  SuccessResponseSchema,
  WebAuthnOptionsSchema,
} from "@restwell/client"
import { z } from "zod"
import { PASSWORD } from "../accounts/password-rule.ts"
import {
  ChangePasswordRequestSchema,
  CodeRequestSchema,
  SignInRequestSchema,
  SignUpRequestSchema,
} from "./account-schemas.ts"
import { linkOperations } from "./link-operations.ts"
import { BODY_FAILURES, type Operation, pathsOf, SET_COOKIE } from "./operation.ts"
import { jsonBody, success } from "./responses.ts"
import { twoFactorOperations } from "./two-factor-operations.ts"

const CHALLENGE_COOKIE = { "Set-Cookie": z.string().meta({ description: "Binds the challenge to this browser" }) }

const SetPasswordRequestSchema = z
  .object({ newPassword: z.string().min(PASSWORD.min).max(PASSWORD.max).meta({ example: "staple battery horse" }) })
  .meta({ id: "SetPasswordRequest" })

/** The result of the browser's toJSON(). */
const CredentialSchema = z
  .object({ id: z.string(), rawId: z.string(), type: z.literal("public-key"), response: z.looseObject({}) })
  .meta({ id: "PublicKeyCredential", description: "The result of PublicKeyCredential.toJSON(). WebAuthn 3, 5.1" })

const AddPasskeyRequestSchema = z
  .object({ name: z.string().min(1).max(100).meta({ example: "Ada's phone" }), response: CredentialSchema })
  .meta({ id: "AddPasskeyRequest" })

const PasskeySignInRequestSchema = z.object({ response: CredentialSchema }).meta({ id: "PasskeySignInRequest" })

const provider = {
  path: z.object({ provider: z.enum(["google", "apple"]).meta({ description: "The provider's name" }) }),
}

const comeBack = (id: string, summary: string): Operation => ({
  id,
  summary,
  description:
    "The provider redirects the browser here. Signs in and redirects to the dashboard, or to the sign-in page with the problem.",
  isPublic: true,
  requestParams: provider,
  responses: { "302": { description: "To the dashboard or the sign-in page" } },
  failures: ["noProvider", ...BODY_FAILURES],
})

/** Signing up, in and out: with a password, a passkey, or an account elsewhere. DESIGN section 4, "Paths". */
export const signInPaths = pathsOf({
  "GET /api/auth/options": {
    id: "readSignInOptions",
    summary: "Read the ways to sign in",
    description: "The ways to sign in that this service offers.",
    isPublic: true,
    responses: { "200": success("The ways to sign in", SignInOptionsResponseSchema) },
    failures: ["methodNotAllowed", "unavailable"],
  },
  "POST /api/auth/set-password": {
    id: "setPassword",
    summary: "Set a first password",
    description: "For an account without a password. The sign-in must not be older than an hour.",
    body: jsonBody(SetPasswordRequestSchema),
    responses: { "200": success("Set", SuccessResponseSchema) },
    failures: ["invalidRequest", "notSignedIn", "forbidden", "conflict", "unavailable"],
  },
  "POST /api/auth/sign-in/passkey/options": {
    id: "createPasskeySignInOptions",
    summary: "Start signing in with a passkey",
    description: "Options with a challenge that is valid once and for a few minutes. They name no account.",
    isPublic: true,
    responses: { "200": success("For navigator.credentials.get", WebAuthnOptionsSchema, CHALLENGE_COOKIE) },
    failures: ["forbidden", "tooManyAttempts", "unavailable", ...BODY_FAILURES],
  },
  "POST /api/auth/sign-in/passkey": {
    id: "signInWithPasskey",
    summary: "Sign in with a passkey",
    description: "The device must verify its user. Unknown, replayed and late signatures give the same response.",
    isPublic: true,
    body: jsonBody(PasskeySignInRequestSchema),
    responses: { "200": success("Signed in", SignedInResponseSchema, SET_COOKIE) },
    failures: ["invalidRequest", "notSignedIn", "forbidden", "unavailable"],
  },
  "POST /api/auth/passkeys/options": {
    id: "createPasskeyOptions",
    summary: "Start adding a passkey",
    description: "Options to create a passkey. The sign-in must not be older than a day.",
    responses: { "200": success("For navigator.credentials.create", WebAuthnOptionsSchema, CHALLENGE_COOKIE) },
    failures: ["notSignedIn", "forbidden", "unavailable", ...BODY_FAILURES],
  },
  "GET /api/auth/passkeys": {
    id: "listPasskeys",
    summary: "List the passkeys",
    description: "Oldest first.",
    responses: { "200": success("The passkeys", PasskeysResponseSchema) },
    failures: ["notSignedIn", "unavailable"],
  },
  "POST /api/auth/passkeys": {
    id: "addPasskey",
    summary: "Add a passkey",
    description: "Stores the passkey that the browser created.",
    body: jsonBody(AddPasskeyRequestSchema),
    responses: { "201": success("Added", PasskeySchema) },
    failures: ["invalidRequest", "notSignedIn", "forbidden", "unavailable"],
  },
  "DELETE /api/auth/passkeys/{id}": {
    id: "deletePasskey",
    summary: "Delete a passkey",
    description: "Refused for the only way to sign in.",
    requestParams: { path: z.object({ id: z.string().meta({ example: "Zr5NfYh7Jd4G" }) }) },
    responses: { "204": { description: "Deleted" } },
    failures: ["notSignedIn", "forbidden", "noProvider", "conflict", "unavailable", ...BODY_FAILURES],
  },
  "GET /api/auth/sign-in/{provider}": {
    id: "signInElsewhere",
    summary: "Sign in with a provider",
    description: "For browsers: redirects to the provider's page. OpenID Connect with PKCE and nonce.",
    isPublic: true,
    requestParams: {
      ...provider,
      query: z.object({
        next: z.string().optional().meta({
          description: "Path to open afterwards: the consent page of an assistant. Any other path opens the dashboard",
          example: "/oauth/consent/V1StGXR8Z5jdHi6B",
        }),
      }),
    },
    responses: { "302": { description: "To the provider, or to the sign-in page when it does not answer" } },
    failures: ["noProvider", "tooManyAttempts"],
  },
  "GET /api/auth/callback/{provider}": comeBack("completeSignInElsewhere", "Come back from a provider"),
  "POST /api/auth/callback/{provider}": comeBack(
    "completeSignInElsewhereByForm",
    "Come back from a provider with a form",
  ),
  "POST /api/auth/sign-up/email": {
    id: "signUp",
    summary: "Create an account",
    description: "Also signs in: the response sets the session cookie.",
    isPublic: true,
    body: jsonBody(SignUpRequestSchema),
    responses: { "200": success("Signed up and in", SignedInResponseSchema, SET_COOKIE) },
    failures: ["invalidRequest", "forbidden", "noLink", "conflict", "tooManyAttempts", "unavailable"],
  },
  "POST /api/auth/sign-in/email": {
    id: "signIn",
    summary: "Sign in",
    description:
      "A wrong password and an unknown account give the same response. Wrong attempts make the next ones wait. If the person has turned codes on, the response asks for one and gives no session.",
    isPublic: true,
    body: jsonBody(SignInRequestSchema),
    responses: { "200": success("Signed in, or a code must follow", PasswordSignInResponseSchema, SET_COOKIE) },
    failures: ["invalidRequest", "notSignedIn", "forbidden", "tooManyAttempts", "unavailable"],
  },
  "POST /api/auth/sign-in/code": {
    id: "signInWithCode",
    summary: "Sign in with a code",
    description:
      "After a right password, within ten minutes. Takes a code of the app, which works once, or a recovery code. Wrong codes make the next ones wait.",
    isPublic: true,
    body: jsonBody(CodeRequestSchema),
    responses: { "200": success("Signed in", SignedInResponseSchema, SET_COOKIE) },
    failures: ["invalidRequest", "notSignedIn", "forbidden", "tooManyAttempts", "unavailable"],
  },
  "POST /api/auth/sign-out": {
    id: "signOut",
    summary: "Sign out",
    description: "Ends this session on the server.",
    responses: { "200": success("Signed out", SuccessResponseSchema, SET_COOKIE) },
    failures: ["forbidden", "unavailable"],
  },
  "POST /api/auth/change-password": {
    id: "changePassword",
    summary: "Change the password",
    description: "Signs out every other browser by default.",
    body: jsonBody(ChangePasswordRequestSchema),
    responses: { "200": success("Changed", SuccessResponseSchema, SET_COOKIE) },
    failures: ["invalidRequest", "notSignedIn", "forbidden", "tooManyAttempts", "unavailable"],
  },
  ...twoFactorOperations,
  ...linkOperations,
})
