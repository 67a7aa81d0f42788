import { z } from "zod"
import type { ZodOpenApiPathsObject } from "zod-openapi"
import {
  AccountResponseSchema,
  ApiKeyResponseSchema,
  ChangePasswordRequestSchema,
  DeleteAccountRequestSchema,
  SignedInResponseSchema,
  SignInRequestSchema,
  SignUpRequestSchema,
  SuccessResponseSchema,
} from "./account-schemas.ts"
import { ALWAYS, BODY_REFUSALS, failure, jsonBody, success } from "./responses.ts"

const SESSION = [{ session: [] }]
const SET_COOKIE = { "Set-Cookie": z.string().meta({ description: "The session: HttpOnly, SameSite=Lax" }) }

/** People's accounts and what belongs to them. DESIGN section 4, "Paths". */
export const accountPaths: ZodOpenApiPathsObject = {
  "/api/auth/sign-up/email": {
    post: {
      operationId: "signUp",
      summary: "Make an account",
      description: "Signs in as well: the session comes as a cookie.",
      tags: ["Account"],
      security: [],
      requestBody: jsonBody(SignUpRequestSchema),
      responses: {
        "200": success("Signed up and in", SignedInResponseSchema, SET_COOKIE),
        "400": failure("invalidRequest"),
        "403": failure("forbidden"),
        "409": failure("conflict"),
        "429": failure("tooManyAttempts"),
        "503": failure("unavailable"),
        ...BODY_REFUSALS,
        ...ALWAYS,
      },
    },
  },
  "/api/auth/sign-in/email": {
    post: {
      operationId: "signIn",
      summary: "Sign in",
      description:
        "A wrong password and an unknown account are the same answer. Attempts are limited per account and per address.",
      tags: ["Account"],
      security: [],
      requestBody: jsonBody(SignInRequestSchema),
      responses: {
        "200": success("Signed in", SignedInResponseSchema, SET_COOKIE),
        "400": failure("invalidRequest"),
        "401": failure("notSignedIn"),
        "403": failure("forbidden"),
        "429": failure("tooManyAttempts"),
        "503": failure("unavailable"),
        ...BODY_REFUSALS,
        ...ALWAYS,
      },
    },
  },
  "/api/auth/sign-out": {
    post: {
      operationId: "signOut",
      summary: "Sign out",
      description: "Ends this session on the server.",
      tags: ["Account"],
      security: SESSION,
      responses: {
        "200": success("Signed out", SuccessResponseSchema, SET_COOKIE),
        "403": failure("forbidden"),
        "503": failure("unavailable"),
        ...ALWAYS,
      },
    },
  },
  "/api/auth/change-password": {
    post: {
      operationId: "changePassword",
      summary: "Change the password",
      description: "Signs every other browser out, unless told not to.",
      tags: ["Account"],
      security: SESSION,
      requestBody: jsonBody(ChangePasswordRequestSchema),
      responses: {
        "200": success("Changed", SuccessResponseSchema, SET_COOKIE),
        "400": failure("invalidRequest"),
        "401": failure("notSignedIn"),
        "403": failure("forbidden"),
        "429": failure("tooManyAttempts"),
        "503": failure("unavailable"),
        ...BODY_REFUSALS,
        ...ALWAYS,
      },
    },
  },
  "/api/account": {
    get: {
      operationId: "readAccount",
      summary: "Read the account",
      description: "Plan, usage, the key's prefix, connections and how far their history has come.",
      tags: ["Account"],
      security: SESSION,
      responses: {
        "200": success("The account", AccountResponseSchema),
        "401": failure("notSignedIn"),
        "503": failure("unavailable"),
        ...ALWAYS,
      },
    },
    delete: {
      operationId: "deleteAccount",
      summary: "Delete the account",
      description:
        "Deletes the person with keys, sessions, tokens, records and the vendors' payloads, at once, and ends the grants at the vendors. " +
        "Who signed in more than an hour ago sends the password with it.",
      tags: ["Account"],
      security: SESSION,
      requestBody: jsonBody(DeleteAccountRequestSchema, false),
      responses: {
        "204": { description: "Deleted" },
        "400": failure("invalidRequest"),
        "401": failure("notSignedIn"),
        "403": failure("forbidden"),
        "429": failure("tooManyAttempts"),
        "503": failure("unavailable"),
        ...BODY_REFUSALS,
        ...ALWAYS,
      },
    },
  },
  "/api/account/api-key": {
    post: {
      operationId: "createApiKey",
      summary: "Make a new API key",
      description: "Shows the key this once. The former key is dead from the same moment.",
      tags: ["Account"],
      security: SESSION,
      responses: {
        "201": success("The key", ApiKeyResponseSchema),
        "401": failure("notSignedIn"),
        "403": failure("forbidden"),
        "503": failure("unavailable"),
        ...ALWAYS,
      },
    },
  },
  "/api/account/export": {
    get: {
      operationId: "exportAccount",
      summary: "Export everything",
      description: "Every stored record with its normalised data and the vendor's own payload, as one JSON document.",
      tags: ["Account"],
      security: SESSION,
      responses: {
        "200": success(
          "The document",
          z.object({
            exported_at: z.string().meta({ format: "date-time", example: "2026-11-20T12:00:00.000Z" }),
            profiles: z.array(z.record(z.string(), z.unknown())),
            records: z.array(z.record(z.string(), z.unknown())),
          }),
        ),
        "401": failure("notSignedIn"),
        "503": failure("unavailable"),
        ...ALWAYS,
      },
    },
  },
}
