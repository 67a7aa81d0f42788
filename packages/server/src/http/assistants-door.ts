import type { AccessLogResponse, Assistant } from "@restwell/client"
import { type Context, type ListedAssistant, readAccessLog, revokeAssistant } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"
import type { Session } from "../accounts/accounts.ts"
import { parseSearch } from "./search.ts"

export const presentAssistant = (assistant: ListedAssistant): Assistant => ({
  id: assistant.id,
  client_id: assistant.clientId,
  name: assistant.name,
  verified_host: assistant.verifiedHost,
  redirect_host: assistant.redirectHost,
  scopes: [...assistant.scopes],
  days: assistant.days,
  connected_at: assistant.connectedAt.toISOString(),
  last_read_at: assistant.lastReadAt?.toISOString() ?? null,
})

const ParametersSchema = z.object({ id: z.string() })

/** DELETE /api/account/assistants/{id} */
export const revokeAssistantDoor =
  (context: Context) => async (session: Session, reply: FastifyReply, request: FastifyRequest) => {
    await revokeAssistant(context, session.userId, ParametersSchema.parse(request.params).id)
    return reply.code(204).send()
  }

/** PostgreSQL's largest bigint has 19 digits. */
const LogSchema = z.strictObject({
  before: z
    .string()
    .regex(/^\d{1,18}$/, { error: "must be the `next` of the page before" })
    .optional(),
})

/** GET /api/account/access-log */
export const accessLogDoor =
  (context: Context) =>
  async (session: Session, _reply: FastifyReply, request: FastifyRequest): Promise<AccessLogResponse> => {
    const { before } = parseSearch(request, LogSchema)
    const { entries, next } = await readAccessLog(context, session.userId, before)
    return {
      entries: entries.map((entry) => ({
        id: entry.id,
        at: entry.at.toISOString(),
        assistant: entry.assistant,
        client_id: entry.clientId,
        operation: entry.operation,
        types: [...entry.types],
        start_date: entry.startDate,
        end_date: entry.endDate,
        outcome: entry.outcome,
      })),
      next,
    }
  }
