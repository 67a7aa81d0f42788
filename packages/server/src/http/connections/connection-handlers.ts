import {
  beginConnection,
  type Context,
  completeConnection,
  disconnect,
  InvalidRequest,
  NotFound,
  requestSync,
  Unauthorized,
  Unavailable,
} from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"
import type { Session } from "../../accounts/accounts.ts"

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
    return redirect(reply, page.href)
  }

const redirect = (reply: FastifyReply, address: string): FastifyReply =>
  reply.header("cache-control", "no-store").redirect(address, 302)

/**
 * A door that people come to with a browser: they are led to the page that says in words what became of it. Programs get the error itself.
 * Nothing of the vendor's own text goes into the address.
 */
export const forPeople =
  (baseUrl: string, provider: (request: FastifyRequest) => string, door: Door): Door =>
  async (request, reply) => {
    try {
      return await door(request, reply)
    } catch (error) {
      if (!request.headers.accept?.includes("text/html")) throw error
      if (error instanceof Unauthorized) return redirect(reply, `${baseUrl}/sign-in?problem=session_ended`)
      const problem = problemOf(error)
      if (problem === undefined) throw error
      return redirect(reply, `${baseUrl}/connections?${new URLSearchParams({ provider: provider(request), problem })}`)
    }
  }

type Door = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Fields of refusals, as the page knows them. */
const PROBLEMS: Readonly<Record<string, string>> = { error: "access_denied", state: "expired", scope: "scope_missing" }

function problemOf(error: unknown): string | undefined {
  if (error instanceof InvalidRequest) return PROBLEMS[error.field] ?? "failed"
  if (error instanceof NotFound) return "not_configured"
  return error instanceof Unavailable ? "vendor_unavailable" : undefined
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
    return redirect(reply, `${baseUrl}/connections?connected=${provider}`)
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
