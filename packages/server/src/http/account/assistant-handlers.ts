import type { Assistant } from "@restwell/client"
import { type Context, type ListedAssistant, revokeAssistant } from "@restwell/core"
import { z } from "zod"
import { networkOf } from "../../network/network-of.ts"
import type { SessionHandler } from "../plumbing/session.ts"

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
export const revokeAssistantHandler =
  (context: Context): SessionHandler =>
  async (session, reply, request) => {
    const { id } = ParametersSchema.parse(request.params)
    await revokeAssistant(context, session.userId, id, networkOf(request.ip))
    return reply.code(204).send()
  }
