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
import { operation, SET_COOKIE } from "./operation.ts"
import { jsonBody, success } from "./responses.ts"

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
    post: operation({
      id: "signUp",
      summary: "Create an account",
      description: "Also signs in: the response sets the session cookie.",
      session: false,
      body: jsonBody(SignUpRequestSchema),
      responses: { "200": success("Signed up and in", SignedInResponseSchema, SET_COOKIE) },
      failures: ["invalidRequest", "forbidden", "conflict", "tooManyAttempts", "unavailable"],
    }),
  },
  "/api/auth/sign-in/email": {
    post: operation({
      id: "signIn",
      summary: "Sign in",
      description:
        "A wrong password and an unknown account give the same response. Attempts are limited per account and per address.",
      session: false,
      body: jsonBody(SignInRequestSchema),
      responses: { "200": success("Signed in", SignedInResponseSchema, SET_COOKIE) },
      failures: ["invalidRequest", "notSignedIn", "forbidden", "tooManyAttempts", "unavailable"],
    }),
  },
  "/api/auth/sign-out": {
    post: operation({
      id: "signOut",
      summary: "Sign out",
      description: "Ends this session on the server.",
      session: true,
      responses: { "200": success("Signed out", SuccessResponseSchema, SET_COOKIE) },
      failures: ["forbidden", "unavailable"],
    }),
  },
  "/api/auth/change-password": {
    post: operation({
      id: "changePassword",
      summary: "Change the password",
      description: "Signs out every other browser by default.",
      session: true,
      body: jsonBody(ChangePasswordRequestSchema),
      responses: { "200": success("Changed", SuccessResponseSchema, SET_COOKIE) },
      failures: ["invalidRequest", "notSignedIn", "forbidden", "tooManyAttempts", "unavailable"],
    }),
  },
  "/api/account": {
    get: operation({
      id: "readAccount",
      summary: "Read the account",
      description: "Plan, usage, the key's prefix, and connections with the progress of their history.",
      session: true,
      responses: { "200": success("The account", AccountResponseSchema) },
      failures: ["notSignedIn", "unavailable"],
    }),
    delete: operation({
      id: "deleteAccount",
      summary: "Delete the account",
      description:
        "Deletes the person with all keys, sessions, tokens, records and vendors' payloads at once, and revokes the grants at the vendors. " +
        "Needs the password if the sign-in is older than an hour.",
      session: true,
      body: jsonBody(DeleteAccountRequestSchema, false),
      responses: { "204": { description: "Deleted" } },
      failures: ["invalidRequest", "notSignedIn", "forbidden", "tooManyAttempts", "unavailable"],
    }),
  },
  "/api/account/api-key": {
    post: operation({
      id: "createApiKey",
      summary: "Create an API key",
      description: "The key is in this response only. It replaces the former key at once.",
      session: true,
      responses: { "201": success("The key", ApiKeyResponseSchema) },
      failures: ["notSignedIn", "forbidden", "unavailable"],
    }),
  },
  "/api/account/trends": {
    get: operation({
      id: "readTrends",
      summary: "Read every day of a period",
      description:
        "One row for each date up to today, also without data, and the person's usual ranges: the data of the dashboard's charts. Not counted.",
      session: true,
      requestParams: {
        query: z.object({
          days: z
            .union([z.int().min(1).max(36_500), z.literal("all")])
            .default(30)
            .meta({ description: "Number of dates. `all` starts at the oldest record", example: 90 }),
        }),
      },
      responses: { "200": success("The days", TrendsResponseSchema) },
      failures: ["invalidRequest", "notSignedIn", "unavailable"],
    }),
  },
  "/api/account/health": { get: ownHealthOperation },
  "/api/account/export": {
    get: operation({
      id: "exportAccount",
      summary: "Export everything",
      description:
        "JSON: one document with the account, its connections, usage and logs, and every stored record with its normalised data and the " +
        "vendor's own payload. CSV: a table of one type, newest first, with the fields of the responses.",
      session: true,
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
      },
      failures: ["invalidRequest", "notSignedIn", "unavailable"],
    }),
  },
}
