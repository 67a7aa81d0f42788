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
import { ALWAYS, BODY_REFUSALS, failure, jsonBody, success } from "./responses.ts"

const SESSION = [{ session: [] }]
const SET_COOKIE = { "Set-Cookie": z.string().meta({ description: "The session: HttpOnly, SameSite=Lax" }) }
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

const TAGS = ["Account"]

const provider = {
  path: z.object({ provider: z.enum(["google", "apple"]).meta({ description: "The provider's name" }) }),
}

const comeBack = (operationId: string, summary: string): ZodOpenApiOperationObject => ({
  operationId,
  summary,
  description:
    "The provider redirects the browser here. Signs in and redirects to the dashboard, or to the sign-in page with the problem.",
  tags: TAGS,
  security: [],
  requestParams: provider,
  responses: {
    "302": { description: "To the dashboard or the sign-in page" },
    "404": failure("noProvider"),
    ...BODY_REFUSALS,
    ...ALWAYS,
  },
})

/** Signing in with passkeys and providers, and setting a first password. */
export const signInPaths: ZodOpenApiPathsObject = {
  "/api/auth/options": {
    get: {
      operationId: "readSignInOptions",
      summary: "Read the ways to sign in",
      description: "The ways to sign in that this service offers.",
      tags: TAGS,
      security: [],
      responses: {
        "200": success("The ways to sign in", SignInOptionsResponseSchema),
        "405": failure("methodNotAllowed"),
        "503": failure("unavailable"),
        ...ALWAYS,
      },
    },
  },
  "/api/auth/set-password": {
    post: {
      operationId: "setPassword",
      summary: "Set a first password",
      description: "For an account without a password. The sign-in must not be older than an hour.",
      tags: TAGS,
      security: SESSION,
      requestBody: jsonBody(SetPasswordRequestSchema),
      responses: {
        "200": success("Set", SuccessResponseSchema),
        "400": failure("invalidRequest"),
        "401": failure("notSignedIn"),
        "403": failure("forbidden"),
        "409": failure("conflict"),
        "503": failure("unavailable"),
        ...BODY_REFUSALS,
        ...ALWAYS,
      },
    },
  },
  "/api/auth/sign-in/passkey/options": {
    post: {
      operationId: "createPasskeySignInOptions",
      summary: "Start signing in with a passkey",
      description: "Options with a challenge that is valid once and for a few minutes. They name no account.",
      tags: TAGS,
      security: [],
      responses: {
        "200": success("For navigator.credentials.get", WebAuthnOptionsSchema, CHALLENGE_COOKIE),
        "403": failure("forbidden"),
        "429": failure("tooManyAttempts"),
        "503": failure("unavailable"),
        ...BODY_REFUSALS,
        ...ALWAYS,
      },
    },
  },
  "/api/auth/sign-in/passkey": {
    post: {
      operationId: "signInWithPasskey",
      summary: "Sign in with a passkey",
      description: "The device must verify its user. Unknown, replayed and late signatures give the same response.",
      tags: TAGS,
      security: [],
      requestBody: jsonBody(PasskeySignInRequestSchema),
      responses: {
        "200": success("Signed in", SignedInResponseSchema, SET_COOKIE),
        "400": failure("invalidRequest"),
        "401": failure("notSignedIn"),
        "403": failure("forbidden"),
        "503": failure("unavailable"),
        ...BODY_REFUSALS,
        ...ALWAYS,
      },
    },
  },
  "/api/auth/passkeys/options": {
    post: {
      operationId: "createPasskeyOptions",
      summary: "Start adding a passkey",
      description: "Options to create a passkey. The sign-in must not be older than a day.",
      tags: TAGS,
      security: SESSION,
      responses: {
        "200": success("For navigator.credentials.create", WebAuthnOptionsSchema, CHALLENGE_COOKIE),
        "401": failure("notSignedIn"),
        "403": failure("forbidden"),
        "503": failure("unavailable"),
        ...BODY_REFUSALS,
        ...ALWAYS,
      },
    },
  },
  "/api/auth/passkeys": {
    get: {
      operationId: "listPasskeys",
      summary: "List the passkeys",
      description: "Oldest first.",
      tags: TAGS,
      security: SESSION,
      responses: {
        "200": success("The passkeys", PasskeysResponseSchema),
        "401": failure("notSignedIn"),
        "503": failure("unavailable"),
        ...ALWAYS,
      },
    },
    post: {
      operationId: "addPasskey",
      summary: "Add a passkey",
      description: "Stores the passkey that the browser created.",
      tags: TAGS,
      security: SESSION,
      requestBody: jsonBody(AddPasskeyRequestSchema),
      responses: {
        "201": success("Added", PasskeySchema),
        "400": failure("invalidRequest"),
        "401": failure("notSignedIn"),
        "403": failure("forbidden"),
        "503": failure("unavailable"),
        ...BODY_REFUSALS,
        ...ALWAYS,
      },
    },
  },
  "/api/auth/passkeys/{id}": {
    delete: {
      operationId: "deletePasskey",
      summary: "Delete a passkey",
      description: "Refused for the only way to sign in.",
      tags: TAGS,
      security: SESSION,
      requestParams: { path: z.object({ id: z.string().meta({ example: "Zr5NfYh7Jd4G" }) }) },
      responses: {
        "204": { description: "Deleted" },
        "401": failure("notSignedIn"),
        "403": failure("forbidden"),
        "404": failure("noProvider"),
        "409": failure("conflict"),
        "503": failure("unavailable"),
        ...BODY_REFUSALS,
        ...ALWAYS,
      },
    },
  },
  "/api/auth/sign-in/{provider}": {
    get: {
      operationId: "signInElsewhere",
      summary: "Sign in with a provider",
      description: "For browsers: redirects to the provider's page. OpenID Connect with PKCE and nonce.",
      tags: TAGS,
      security: [],
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
      responses: {
        "302": { description: "To the provider, or to the sign-in page when it does not answer" },
        "404": failure("noProvider"),
        "429": failure("tooManyAttempts"),
        ...ALWAYS,
      },
    },
  },
  "/api/auth/callback/{provider}": {
    get: comeBack("completeSignInElsewhere", "Come back from a provider"),
    post: comeBack("completeSignInElsewhereByForm", "Come back from a provider with a form"),
  },
}
