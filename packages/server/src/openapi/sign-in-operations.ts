import {
  PasskeySchema,
  PasskeysResponseSchema,
  SignedInResponseSchema,
  SignInOptionsResponseSchema,
  SuccessResponseSchema,
  WebAuthnOptionsSchema,
} from "@restwell/client"
import { z } from "zod"
import type { ZodOpenApiOperationObject, ZodOpenApiPathsObject } from "zod-openapi"
import { PASSWORD } from "../accounts/request-bodies.ts"
import { BODY_FAILURES, operation, SET_COOKIE } from "./operation.ts"
import { jsonBody, success } from "./responses.ts"

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

const comeBack = (id: string, summary: string): ZodOpenApiOperationObject =>
  operation({
    id,
    summary,
    description:
      "The provider redirects the browser here. Signs in and redirects to the dashboard, or to the sign-in page with the problem.",
    session: false,
    requestParams: provider,
    responses: { "302": { description: "To the dashboard or the sign-in page" } },
    failures: ["noProvider", ...BODY_FAILURES],
  })

/** Signing in with passkeys and providers, and setting a first password. */
export const signInPaths: ZodOpenApiPathsObject = {
  "/api/auth/options": {
    get: operation({
      id: "readSignInOptions",
      summary: "Read the ways to sign in",
      description: "The ways to sign in that this service offers.",
      session: false,
      responses: { "200": success("The ways to sign in", SignInOptionsResponseSchema) },
      failures: ["methodNotAllowed", "unavailable"],
    }),
  },
  "/api/auth/set-password": {
    post: operation({
      id: "setPassword",
      summary: "Set a first password",
      description: "For an account without a password. The sign-in must not be older than an hour.",
      session: true,
      body: jsonBody(SetPasswordRequestSchema),
      responses: { "200": success("Set", SuccessResponseSchema) },
      failures: ["invalidRequest", "notSignedIn", "forbidden", "conflict", "unavailable"],
    }),
  },
  "/api/auth/sign-in/passkey/options": {
    post: operation({
      id: "createPasskeySignInOptions",
      summary: "Start signing in with a passkey",
      description: "Options with a challenge that is valid once and for a few minutes. They name no account.",
      session: false,
      responses: { "200": success("For navigator.credentials.get", WebAuthnOptionsSchema, CHALLENGE_COOKIE) },
      failures: ["forbidden", "tooManyAttempts", "unavailable", ...BODY_FAILURES],
    }),
  },
  "/api/auth/sign-in/passkey": {
    post: operation({
      id: "signInWithPasskey",
      summary: "Sign in with a passkey",
      description: "The device must verify its user. Unknown, replayed and late signatures give the same response.",
      session: false,
      body: jsonBody(PasskeySignInRequestSchema),
      responses: { "200": success("Signed in", SignedInResponseSchema, SET_COOKIE) },
      failures: ["invalidRequest", "notSignedIn", "forbidden", "unavailable"],
    }),
  },
  "/api/auth/passkeys/options": {
    post: operation({
      id: "createPasskeyOptions",
      summary: "Start adding a passkey",
      description: "Options to create a passkey. The sign-in must not be older than a day.",
      session: true,
      responses: { "200": success("For navigator.credentials.create", WebAuthnOptionsSchema, CHALLENGE_COOKIE) },
      failures: ["notSignedIn", "forbidden", "unavailable", ...BODY_FAILURES],
    }),
  },
  "/api/auth/passkeys": {
    get: operation({
      id: "listPasskeys",
      summary: "List the passkeys",
      description: "Oldest first.",
      session: true,
      responses: { "200": success("The passkeys", PasskeysResponseSchema) },
      failures: ["notSignedIn", "unavailable"],
    }),
    post: operation({
      id: "addPasskey",
      summary: "Add a passkey",
      description: "Stores the passkey that the browser created.",
      session: true,
      body: jsonBody(AddPasskeyRequestSchema),
      responses: { "201": success("Added", PasskeySchema) },
      failures: ["invalidRequest", "notSignedIn", "forbidden", "unavailable"],
    }),
  },
  "/api/auth/passkeys/{id}": {
    delete: operation({
      id: "deletePasskey",
      summary: "Delete a passkey",
      description: "Refused for the only way to sign in.",
      session: true,
      requestParams: { path: z.object({ id: z.string().meta({ example: "Zr5NfYh7Jd4G" }) }) },
      responses: { "204": { description: "Deleted" } },
      failures: ["notSignedIn", "forbidden", "noProvider", "conflict", "unavailable", ...BODY_FAILURES],
    }),
  },
  "/api/auth/sign-in/{provider}": {
    get: operation({
      id: "signInElsewhere",
      summary: "Sign in with a provider",
      description: "For browsers: redirects to the provider's page. OpenID Connect with PKCE and nonce.",
      session: false,
      requestParams: {
        ...provider,
        query: z.object({
          next: z.string().optional().meta({
            description:
              "Path to open afterwards: the consent page of an assistant. Any other path opens the dashboard",
            example: "/oauth/consent/V1StGXR8Z5jdHi6B",
          }),
        }),
      },
      responses: { "302": { description: "To the provider, or to the sign-in page when it does not answer" } },
      failures: ["noProvider", "tooManyAttempts"],
    }),
  },
  "/api/auth/callback/{provider}": {
    get: comeBack("completeSignInElsewhere", "Come back from a provider"),
    post: comeBack("completeSignInElsewhereByForm", "Come back from a provider with a form"),
  },
}
