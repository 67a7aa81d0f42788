import {
  AccountResponseSchema,
  ApiKeyResponseSchema,
  SignedInResponseSchema,
  SuccessResponseSchema,
  TrendsResponseSchema,
} from "@restwell/client"
import { EXPORTED_TYPES } from "@restwell/core"
import { z } from "zod"
import type { ZodOpenApiPathsObject } from "zod-openapi"
import {
  ChangePasswordRequestSchema,
  DeleteAccountRequestSchema,
  SignInRequestSchema,
  SignUpRequestSchema,
} from "./account-schemas.ts"
import { ownHealthOperation } from "./health-operation.ts"
import { ALWAYS, BODY_REFUSALS, failure, jsonBody, success } from "./responses.ts"

const SESSION = [{ session: [] }]
const SET_COOKIE = { "Set-Cookie": z.string().meta({ description: "The session: HttpOnly, SameSite=Lax" }) }

const Part = z.record(z.string(), z.unknown())
const ExportSchema = z.object({
  exported_at: z.string().meta({ format: "date-time", example: "2026-11-20T12:00:00.000Z" }),
  user: Part,
  api_key: Part.nullable(),
  usage: z.array(Part),
  connections: z.array(Part),
  profiles: z.array(Part),
  assistants: z.array(Part),
  access_log: z.array(Part),
  security_log: z.array(Part),
  records: z.array(Part),
})

/** People's accounts and what belongs to them. DESIGN section 4, "Paths". */
export const accountPaths: ZodOpenApiPathsObject = {
  "/api/auth/sign-up/email": {
    post: {
      operationId: "signUp",
      summary: "Create an account",
      description: "Also signs in: the response sets the session cookie.",
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
        "A wrong password and an unknown account give the same response. Attempts are limited per account and per address.",
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
      description: "Signs out every other browser by default.",
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
      description: "Plan, usage, the key's prefix, and connections with the progress of their history.",
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
        "Deletes the person with all keys, sessions, tokens, records and vendors' payloads at once, and revokes the grants at the vendors. " +
        "Needs the password if the sign-in is older than an hour.",
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
      summary: "Create an API key",
      description: "The key is in this response only. It replaces the former key at once.",
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
  "/api/account/trends": {
    get: {
      operationId: "readTrends",
      summary: "Read every day of a period",
      description:
        "One row for each date up to today, also without data, and the person's usual ranges: the data of the dashboard's charts. Not counted.",
      tags: ["Account"],
      security: SESSION,
      requestParams: {
        query: z.object({
          days: z
            .union([z.int().min(1).max(36_500), z.literal("all")])
            .default(30)
            .meta({ description: "Number of dates. `all` starts at the oldest record", example: 90 }),
        }),
      },
      responses: {
        "200": success("The days", TrendsResponseSchema),
        "400": failure("invalidRequest"),
        "401": failure("notSignedIn"),
        "503": failure("unavailable"),
        ...ALWAYS,
      },
    },
  },
  "/api/account/health": { get: ownHealthOperation },
  "/api/account/export": {
    get: {
      operationId: "exportAccount",
      summary: "Export everything",
      description:
        "JSON: one document with the account, its connections, usage and logs, and every stored record with its normalised data and the " +
        "vendor's own payload. CSV: a table of one type, newest first, with the fields of the responses.",
      tags: ["Account"],
      security: SESSION,
      requestParams: {
        query: z.object({
          format: z.enum(["json", "csv"]).default("json").meta({ description: "Format of the file", example: "csv" }),
          type: z.enum(EXPORTED_TYPES).optional().meta({ description: "Required for csv", example: "sleep" }),
        }),
      },
      responses: {
        "200": {
          description: "The file",
          content: {
            "application/json": { schema: ExportSchema },
            "text/csv": { schema: z.string().meta({ description: "RFC 4180, UTF-8, with a header row" }) },
          },
        },
        "400": failure("invalidRequest"),
        "401": failure("notSignedIn"),
        "503": failure("unavailable"),
        ...ALWAYS,
      },
    },
  },
}
