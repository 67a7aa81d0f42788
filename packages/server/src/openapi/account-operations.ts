import {
  AccessLogResponseSchema,
  AccountResponseSchema,
  ApiKeyResponseSchema,
  JournalDaysResponseSchema,
  NoticesSchema,
  SecurityLogResponseSchema,
  SourceSettingsResponseSchema,
  SourceSettingsSchema,
  TrendsResponseSchema,
} from "@restwell/client"
import { EXPORTED_TYPES } from "@restwell/core"
import { z } from "zod"
import type { ZodOpenApiPathsObject } from "zod-openapi"
import { DeleteAccountRequestSchema } from "./account-schemas.ts"
import { ownHealthOperation } from "./health-operation.ts"
import { pathsOf } from "./operation.ts"
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
  mails: z.array(Part),
  source_order: z.array(Part),
  source_choices: z.array(Part),
  access_log: z.array(Part),
  security_log: z.array(Part),
  journal: z.array(Part),
  records: z.array(Part),
})

const DATES = {
  query: z.object({
    days: z
      .union([z.int().min(1).max(36_500), z.literal("all")])
      .default(30)
      .meta({ description: "Number of dates. `all` starts at the oldest record", example: 90 }),
  }),
}

const LOG_PAGE = {
  query: z.object({
    before: z.string().optional().meta({ description: "`next` of the previous page", example: "4711" }),
  }),
}

/**
 * What belongs to a person's account. The connector and its authorization server describe themselves: MCP, RFC 8414, RFC 9728.
 * DESIGN section 4, "Paths".
 */
export const accountPaths: ZodOpenApiPathsObject = {
  ...pathsOf({
    "PUT /api/account/notices": {
      id: "setNotices",
      summary: "Choose the e-mails",
      description: "Which e-mails the service sends to the person. Links that the person asks for are always sent.",
      body: jsonBody(NoticesSchema),
      responses: { "200": success("Saved", NoticesSchema) },
      failures: ["invalidRequest", "notSignedIn", "forbidden", "unavailable"],
    },
    "GET /api/account": {
      id: "readAccount",
      summary: "Read the account",
      description: "Plan, usage, the key's prefix, and connections with the progress of their history.",
      responses: { "200": success("The account", AccountResponseSchema) },
      failures: ["notSignedIn", "unavailable"],
    },
    "DELETE /api/account": {
      id: "deleteAccount",
      summary: "Delete the account",
      description:
        "Deletes the person with all keys, sessions, tokens, records and vendors' payloads at once, and revokes the grants at the vendors. " +
        "Needs the password if the sign-in is older than an hour.",
      body: jsonBody(DeleteAccountRequestSchema, false),
      responses: { "204": { description: "Deleted" } },
      failures: ["invalidRequest", "notSignedIn", "forbidden", "tooManyAttempts", "unavailable"],
    },
    "POST /api/account/api-key": {
      id: "createApiKey",
      summary: "Create an API key",
      description: "The key is in this response only. It replaces the former key at once.",
      responses: { "201": success("The key", ApiKeyResponseSchema) },
      failures: ["notSignedIn", "forbidden", "unavailable"],
    },
    "GET /api/account/sources": {
      id: "readSources",
      summary: "Read which sources are preferred",
      description:
        "The order of sources by type, the choices for single dates, and the newest dates on which two sources differ.",
      responses: { "200": success("The order, choices and differences", SourceSettingsResponseSchema) },
      failures: ["notSignedIn", "unavailable"],
    },
    "PUT /api/account/sources": {
      id: "writeSources",
      summary: "Set which sources are preferred",
      description:
        "Replaces the order of the types that are given, and all choices if there are any in the body. An empty list removes them. Every later " +
        "answer follows them; stored records do not change.",
      body: jsonBody(SourceSettingsSchema),
      responses: { "200": success("The order, choices and differences", SourceSettingsResponseSchema) },
      failures: ["invalidRequest", "notSignedIn", "forbidden", "unavailable"],
    },
    "GET /api/account/trends": {
      id: "readTrends",
      summary: "Read every day of a period",
      description:
        "One row for each date up to today, also without data, and the person's usual ranges: the data of the dashboard's charts. Not counted.",
      requestParams: DATES,
      responses: { "200": success("The days", TrendsResponseSchema) },
      failures: ["invalidRequest", "notSignedIn", "tooManyAtOnce", "unavailable"],
    },
    "GET /api/account/journal": {
      id: "readJournalDays",
      summary: "Read the journal of every day of a period",
      description:
        "The factors that were answered with yes and with no, by date of waking: the marks of the dashboard's charts. Not counted.",
      requestParams: DATES,
      responses: { "200": success("The days", JournalDaysResponseSchema) },
      failures: ["invalidRequest", "notSignedIn", "tooManyAtOnce", "unavailable"],
    },
  }),
  "/api/account/health": { get: ownHealthOperation },
  ...pathsOf({
    "GET /api/account/export": {
      id: "exportAccount",
      summary: "Export everything",
      description:
        "JSON: one document with the account, its connections, usage and logs, and every stored record with its normalised data and the " +
        "vendor's own payload. CSV: a table of one type, newest first, with the fields of the responses.",
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
      failures: ["invalidRequest", "notSignedIn", "tooManyAtOnce", "unavailable"],
    },
    "DELETE /api/account/assistants/{id}": {
      id: "revokeAssistant",
      summary: "Revoke an assistant's access",
      description: "Revokes its tokens at once. The assistant can ask again, and the person decides again.",
      requestParams: {
        path: z.object({
          id: z
            .string()
            .meta({ description: "The assistant's `id` in the account", example: "k3T9xVb2QpLw8sZr5NfYh7" }),
        }),
      },
      responses: { "204": { description: "Revoked" } },
      failures: ["notSignedIn", "forbidden", "noAssistant", "unavailable"],
    },
    "GET /api/account/access-log": {
      id: "readAccessLog",
      summary: "Read the access log",
      description:
        "Every read with the API key and by assistants in the last 90 days, newest first, 100 per page: who, what, when, which dates, how many " +
        "records. It contains no health data. It leaves out 304 responses, reads by the dashboard and refused keys.",
      requestParams: LOG_PAGE,
      responses: { "200": success("A page of the log", AccessLogResponseSchema) },
      failures: ["invalidRequest", "notSignedIn", "unavailable"],
    },
    "GET /api/account/security-log": {
      id: "readSecurityLog",
      summary: "Read the security log",
      description:
        "Sign-ins, sign-outs and changes of passwords, passkeys, keys, assistants and connections, and exports, in the last 90 days, newest first, 100 per page.",
      requestParams: LOG_PAGE,
      responses: { "200": success("A page of the log", SecurityLogResponseSchema) },
      failures: ["invalidRequest", "notSignedIn", "unavailable"],
    },
  }),
}
