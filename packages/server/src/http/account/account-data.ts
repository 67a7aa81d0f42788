import { Readable } from "node:stream"
import {
  type AccessLogResponse,
  AccessLogResponseSchema,
  type SecurityLogResponse,
  SecurityLogResponseSchema,
} from "@restwell/client"
import {
  EXPORTED_TYPES,
  exportAccount,
  exportCsv,
  InvalidRequest,
  readAccessLog,
  readSecurityEvents,
  recordSecurityEvent,
} from "@restwell/core"
import { z } from "zod"
import { networkOf } from "../../network/addresses.ts"
import { csvBody, success } from "../../openapi/responses.ts"
import { giveTurn } from "../../process/wait.ts"
import { defineEndpoints } from "../plumbing/endpoint.ts"
import { parseSearch } from "../plumbing/requests.ts"
import { type AccountServices, expensive, limitConcurrency } from "./account.ts"

const ExportQuerySchema = z.strictObject({
  format: z
    .enum(["json", "csv"], { error: "must be json or csv" })
    .default("json")
    .meta({ description: "Format of the file", example: "csv" }),
  type: z
    .enum(EXPORTED_TYPES, { error: `must be one of ${EXPORTED_TYPES.join(", ")}` })
    .optional()
    .meta({ description: "Required for csv, and for csv alone", example: "sleep" }),
})

/** An export reads and sends all of a person's records. Two serve two devices. */
export const EXPORTS = { what: "exports", most: 2, retryAfterSeconds: 10 }

/** PostgreSQL's largest bigint has 19 digits. */
const LogQuerySchema = z.strictObject({
  before: z
    .string()
    .regex(/^\d{1,18}$/, { error: "must be `next` of the previous page" })
    .optional()
    .meta({ description: "`next` of the previous page", example: "4711" }),
})

/** Passes the pieces on. Between two of them, what waits for this thread goes on. */
async function* withTurns(pieces: AsyncIterable<string>): AsyncIterable<string> {
  for await (const piece of pieces) {
    yield piece
    await giveTurn()
  }
}

const Part = z.record(z.string(), z.unknown())
const ExportSchema = z.object({
  exported_at: z.string().meta({ format: "date-time", example: "2026-11-20T12:00:00.000Z" }),
  user: Part,
  api_key: Part.nullable(),
  keys: z.array(Part),
  shares: z.array(Part),
  push_tokens: z.array(Part),
  notifications: Part,
  usage: z.array(Part),
  connections: z.array(Part),
  profiles: z.array(Part),
  assistants: z.array(Part),
  mails: z.array(Part),
  receivers: z.array(Part),
  deliveries: z.array(Part),
  source_order: z.array(Part),
  source_choices: z.array(Part),
  access_log: z.array(Part),
  security_log: z.array(Part),
  journal: z.array(Part),
  own_journal: z.array(Part),
  series: z.array(Part),
  journal_notes: z.array(Part),
  records: z.array(Part),
  pushed_rows: z.array(Part),
})

/** What a person takes away, and who has read it. */
export const accountDataEndpoints = defineEndpoints<AccountServices>("Account", [
  {
    method: "GET",
    path: "/api/account/export",
    access: "session",
    isLarge: true,
    id: "exportAccount",
    summary: "Export everything",
    description:
      "JSON: one document with the account, its connections, usage and logs, and every stored record with its normalised data and the " +
      "vendor's own payload. CSV: a table of one type, newest first, with the fields of the responses. `type=series` has all values within " +
      "the day, of all sources and imports, oldest first.",
    query: ExportQuerySchema,
    responses: {
      "200": {
        description: "The file",
        content: {
          "application/json": { schema: ExportSchema },
          ...csvBody(),
        },
      },
    },
    failures: ["invalidRequest", "tooManyAtOnce"],
    // It streams while it reads.
    handle: expensive(
      limitConcurrency("exportsAtATime", async ({ context }, { session, reply, request }) => {
        const { format, type } = parseSearch(request, ExportQuerySchema)
        if (format === "csv" && type === undefined)
          throw new InvalidRequest(`a table holds one type: add type=${EXPORTED_TYPES.join("|")}`, "type")
        if (format === "json" && type !== undefined)
          throw new InvalidRequest("type is for tables: add format=csv", "type")
        const [file, contentType, pieces] =
          format === "csv" && type !== undefined
            ? [`restwell-${type}.csv`, "text/csv", exportCsv(context, session.userId, type)]
            : ["restwell-export.json", "application/json", exportAccount(context, session.userId)]
        reply.headers({
          "content-type": `${contentType}; charset=utf-8`,
          "content-disposition": `attachment; filename="${file}"`,
        })
        return async () => {
          const network = networkOf(request.ip)
          const detail = format === "csv" ? `csv ${type}` : format
          await recordSecurityEvent(context, session.userId, { type: "data_exported", detail, network })
          return reply.send(Readable.from(withTurns(pieces)))
        }
      }),
    ),
  },
  {
    method: "GET",
    path: "/api/account/access-log",
    access: "session",
    id: "readAccessLog",
    summary: "Read the access log",
    description:
      "Every read with a key and by assistants in the last 90 days, newest first, 100 per page: who, what, when, which dates, how many " +
      "records. It contains no health data. It leaves out 304 responses, reads by the dashboard and refused keys.",
    query: LogQuerySchema,
    responses: { "200": success("A page of the log", AccessLogResponseSchema) },
    failures: ["invalidRequest"],
    handle: async ({ context }, { session, request }) => {
      const { before } = parseSearch(request, LogQuerySchema)
      return async (): Promise<AccessLogResponse> => {
        const { entries, next } = await readAccessLog(context, session.userId, before)
        return {
          entries: entries.map((entry) => ({
            id: entry.id,
            at: entry.at.toISOString(),
            reader: entry.reader,
            ...(entry.keyName !== null && { key_name: entry.keyName }),
            assistant: entry.assistant,
            client_id: entry.clientId,
            operation: entry.operation,
            types: [...entry.types],
            start_date: entry.startDate,
            end_date: entry.endDate,
            record_count: entry.recordCount,
            reads: entry.reads,
            outcome: entry.outcome,
          })),
          next,
        }
      }
    },
  },
  {
    method: "GET",
    path: "/api/account/security-log",
    access: "session",
    id: "readSecurityLog",
    summary: "Read the security log",
    description:
      "Sign-ins, sign-outs and changes of passwords, passkeys, keys, assistants and connections, and exports, in the last 90 days, newest first, 100 per page.",
    query: LogQuerySchema,
    responses: { "200": success("A page of the log", SecurityLogResponseSchema) },
    failures: ["invalidRequest"],
    handle: async ({ context }, { session, request }) => {
      const { before } = parseSearch(request, LogQuerySchema)
      return async (): Promise<SecurityLogResponse> => {
        const { entries, next } = await readSecurityEvents(context, session.userId, before)
        return { entries: entries.map((entry) => ({ ...entry, at: entry.at.toISOString() })), next }
      }
    },
  },
])
