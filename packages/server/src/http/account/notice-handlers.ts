import { NoticesSchema } from "@restwell/client"
import { type Context, setReconnectMail } from "@restwell/core"
import { parseBody } from "../plumbing/parse-body.ts"
import type { SessionHandler } from "../plumbing/session.ts"

/** PUT /api/account/notices */
export const setNoticesHandler =
  (context: Context): SessionHandler =>
  async (session, reply, request) => {
    const { reconnect } = parseBody(request, NoticesSchema)
    await setReconnectMail(context, session.userId, reconnect)
    return reply.send({ reconnect })
  }
