import type { AccessLogResponse, SecurityLogResponse } from "@restwell/client"
import { type Context, readAccessLog, readSecurityEvents } from "@restwell/core"
import { z } from "zod"
import { parseSearch } from "../plumbing/query-parameters.ts"
import type { SessionHandler } from "../plumbing/session.ts"

/** PostgreSQL's largest bigint has 19 digits. */
const LogSchema = z.strictObject({
  before: z
    .string()
    .regex(/^\d{1,18}$/, { error: "must be `next` of the previous page" })
    .optional(),
})

/** GET /api/account/access-log */
export const accessLogHandler =
  (context: Context): SessionHandler =>
  async (session, _reply, request): Promise<AccessLogResponse> => {
    const { before } = parseSearch(request, LogSchema)
    const { entries, next } = await readAccessLog(context, session.userId, before)
    return {
      entries: entries.map((entry) => ({
        id: entry.id,
        at: entry.at.toISOString(),
        reader: entry.reader,
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

/** GET /api/account/security-log */
export const securityLogHandler =
  (context: Context): SessionHandler =>
  async (session, _reply, request): Promise<SecurityLogResponse> => {
    const { before } = parseSearch(request, LogSchema)
    const { entries, next } = await readSecurityEvents(context, session.userId, before)
    return { entries: entries.map((entry) => ({ ...entry, at: entry.at.toISOString() })), next }
  }
