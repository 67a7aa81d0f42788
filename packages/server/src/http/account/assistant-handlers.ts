import type { Assistant } from "@restwell/client"
import { type Context, type ListedAssistant, revokeAssistant } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"
import type { Session } from "../../accounts/accounts.ts"
import { networkOf } from "../../network/network-of.ts"

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
    const { id } = ParametersSchema.parse(request.params)
    await revokeAssistant(context, session.userId, id, networkOf(request.ip))
    return reply.code(204).send()
  }
