import type { Assistant } from "@restwell/client"
import { type Context, type ListedAssistant, revokeAssistant } from "@restwell/core"
import { networkOf } from "../../network/network-of.ts"
import { pathParameter } from "../plumbing/query-parameters.ts"
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

/** DELETE /api/account/assistants/{id} */
export const revokeAssistantHandler =
  (context: Context): SessionHandler =>
  async (session, reply, request) => {
    await revokeAssistant(context, session.userId, pathParameter(request, "id"), networkOf(request.ip))
    return reply.code(204).send()
  }
