import {
  beginConnection,
  type Context,
  completeConnection,
  disconnect,
  InvalidRequest,
  requestSync,
} from "@restwell/core"
import type { FastifyReply } from "fastify"
import { z } from "zod"
import type { Session } from "../accounts/accounts.ts"

/** What every door of a connection is called with. */
export interface ConnectionRequest {
  readonly session: Session
  readonly provider: string
  readonly search: URLSearchParams
  readonly reply: FastifyReply
}

const CallbackSchema = z.object({ state: z.string().min(1).max(512), code: z.string().min(1).max(2048) })

/** Vendors' error codes are of this form; anything else is not repeated. */
const ERROR_CODE = /^[a-z_]{1,40}$/

const redirectUriOf = (baseUrl: string, provider: string): string => `${baseUrl}/api/connections/${provider}/callback`

/** GET /api/connections/{provider}/authorize: to the vendor's own page. */
export const authorizeDoor =
  (context: Context, baseUrl: string) =>
  async ({ session: { userId, sessionId }, provider, reply }: ConnectionRequest) => {
    const attempt = { userId, sessionId, provider, redirectUri: redirectUriOf(baseUrl, provider) }
    const page = await beginConnection(context, attempt)
    return reply.header("cache-control", "no-store").redirect(page.href, 302)
  }

/** GET /api/connections/{provider}/callback: back from the vendor, with a code or a refusal. RFC 6749 4.1.2. */
export const callbackDoor =
  (context: Context, baseUrl: string) =>
  async ({ session: { userId, sessionId }, provider, search, reply }: ConnectionRequest) => {
    const refusal = search.get("error")
    if (refusal !== null)
      throw new InvalidRequest(
        `${provider} was not connected: ${ERROR_CODE.test(refusal) ? refusal : "it refused"}, connect again when you want to`,
        "error",
      )
    const parsed = CallbackSchema.safeParse(Object.fromEntries(search))
    if (!parsed.success) throw new InvalidRequest("this is not the answer of an authorization, connect again", "state")
    const attempt = { userId, sessionId, provider, redirectUri: redirectUriOf(baseUrl, provider) }
    await completeConnection(context, { ...attempt, ...parsed.data })
    return reply.header("cache-control", "no-store").redirect(`${baseUrl}/`, 302)
  }

/** POST /api/connections/{provider}/sync */
export const syncDoor =
  (context: Context) =>
  async ({ session: { userId }, provider, reply }: ConnectionRequest) => {
    await requestSync(context, { userId, provider })
    return reply.code(202).send({ status: "requested" })
  }

/** DELETE /api/connections/{provider}: ends the grant; `?data=delete` wipes what was stored as well. */
export const disconnectDoor =
  (context: Context) =>
  async ({ session: { userId }, provider, search, reply }: ConnectionRequest) => {
    await disconnect(context, { userId, provider, wipeData: readFate(search) === "delete" })
    return reply.code(204).send()
  }

/** What becomes of the stored records. A misspelled wish must neither wipe them nor keep them in silence. */
function readFate(search: URLSearchParams): "keep" | "delete" {
  const [data = "keep", ...more] = search.getAll("data")
  if (more.length > 0) throw new InvalidRequest("data is given more than once", "data")
  if ([...search.keys()].some((name) => name !== "data"))
    throw new InvalidRequest("unknown parameter, there is only data", "query")
  if (data !== "keep" && data !== "delete") throw new InvalidRequest("data must be keep or delete", "data")
  return data
}
