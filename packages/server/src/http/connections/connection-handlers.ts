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
import type { Session } from "../../accounts/session.ts"
import { redirectUrl } from "../../vendors/callback-url.ts"
import { pathParameter } from "../plumbing/query-parameters.ts"
import type { Route } from "../plumbing/route.ts"

/** What every handler of a connection is called with. */
export interface ConnectionRequest {
  readonly session: Session
  readonly provider: string
  readonly search: URLSearchParams
  readonly reply: FastifyReply
  /** The page that the connection was begun on. */
  readonly page: string
}

/** The vendor's page leads back to the page that the connection was begun on: the first steps, or Connections. */
const ORIGIN_COOKIE = "restwell.connect_from"
const ORIGIN_SECONDS = 600

const originCookie = (origin: "start" | ""): string =>
  `${ORIGIN_COOKIE}=${origin}; Path=/api/connections/; Max-Age=${origin === "" ? 0 : ORIGIN_SECONDS}; HttpOnly; SameSite=Lax`

/** Connections begun elsewhere need no cookie, but an older one must not lead them astray. */
function rememberOrigin({ search, page, reply }: ConnectionRequest): void {
  if (search.get("from") === "start") reply.header("set-cookie", originCookie("start"))
  else if (page === "/start") reply.header("set-cookie", originCookie(""))
}

export const pageOf = ({ headers }: FastifyRequest): string =>
  headers.cookie?.split(/;\s*/).includes(`${ORIGIN_COOKIE}=start`) ? "/start" : "/connections"

type ConnectionHandler = (request: ConnectionRequest) => Promise<unknown>

const CallbackSchema = z.object({ state: z.string().min(1).max(512), code: z.string().min(1).max(2048) })

/** The form of vendors' error codes. Any other text is not repeated. */
const ERROR_CODE = /^[a-z_]{1,40}$/

const attemptOf = ({ session: { userId, sessionId }, provider }: ConnectionRequest, baseUrl: string) => ({
  userId,
  sessionId,
  provider,
  redirectUri: redirectUrl(baseUrl, provider),
})

const redirect = (reply: FastifyReply, url: string): FastifyReply =>
  reply.header("cache-control", "no-store").redirect(url, 302)

/** GET /api/connections/{provider}/authorize: redirects to the vendor's page. */
export const authorizeHandler =
  (context: Context, baseUrl: string): ConnectionHandler =>
  async (request) => {
    const page = await beginConnection(context, attemptOf(request, baseUrl))
    rememberOrigin(request)
    return redirect(request.reply, page.href)
  }

/** GET /api/connections/{provider}/callback: back from the vendor, with a code or a refusal. RFC 6749 4.1.2 */
export const callbackHandler =
  (context: Context, baseUrl: string): ConnectionHandler =>
  async (request) => {
    const { provider, search, reply } = request
    const refusal = search.get("error")
    if (refusal !== null) {
      const reason = ERROR_CODE.test(refusal) ? refusal : "the vendor refused"
      throw new InvalidRequest(`${provider} was not connected (${reason}), connect again to retry`, "error")
    }
    const parsed = CallbackSchema.safeParse(Object.fromEntries(search))
    if (!parsed.success)
      throw new InvalidRequest("this is not the response to an authorization, connect again", "state")
    await completeConnection(context, { ...attemptOf(request, baseUrl), ...parsed.data })
    return redirect(reply, `${baseUrl}${request.page}?connected=${provider}`)
  }

/** POST /api/connections/{provider}/sync */
export const syncHandler =
  (context: Context): ConnectionHandler =>
  async ({ session: { userId }, provider, reply }) => {
    await requestSync(context, { userId, provider })
    return reply.code(202).send({ status: "requested" })
  }

/** DELETE /api/connections/{provider}: revokes the grant. `?data=delete` deletes the stored records too. */
export const disconnectHandler =
  (context: Context): ConnectionHandler =>
  async ({ session: { userId }, provider, search, reply }) => {
    await disconnect(context, { userId, provider, wipeData: wantsDeletion(search) })
    return reply.code(204).send()
  }

/** A misspelled parameter must neither delete the records nor keep them in silence. */
function wantsDeletion(search: URLSearchParams): boolean {
  const [data = "keep", ...more] = search.getAll("data")
  if (more.length > 0) throw new InvalidRequest("data is given more than once", "data")
  if ([...search.keys()].some((name) => name !== "data"))
    throw new InvalidRequest("unknown parameter, the only one is data", "query")
  if (data !== "keep" && data !== "delete") throw new InvalidRequest("data must be keep or delete", "data")
  return data === "delete"
}

/**
 * Redirects browsers to the dashboard page that explains the error. Programs get the error itself. The vendor's own text never goes into
 * the URL.
 */
export const sendProblemPage =
  (baseUrl: string): NonNullable<Route["sendError"]> =>
  (error, request, reply) => {
    if (!request.headers.accept?.includes("text/html")) throw error
    if (error instanceof Unauthorized) return redirect(reply, `${baseUrl}/sign-in?problem=session_ended`)
    const problem = problemOf(error)
    if (problem === undefined) throw error
    const search = new URLSearchParams({ provider: pathParameter(request, "provider"), problem })
    return redirect(reply, `${baseUrl}${pageOf(request)}?${search}`)
  }

/** Problems that the page can explain, by the field of the error. */
const PROBLEMS: Readonly<Record<string, string>> = {
  error: "access_denied",
  state: "expired",
  scope: "scope_missing",
  member: "already_connected",
}

function problemOf(error: unknown): string | undefined {
  if (error instanceof InvalidRequest) return PROBLEMS[error.field] ?? "failed"
  if (error instanceof NotFound) return "not_configured"
  return error instanceof Unavailable ? "vendor_unavailable" : undefined
}
