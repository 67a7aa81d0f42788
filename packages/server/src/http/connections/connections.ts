import { ConnectedSchema, PastedCallbackSchema, SyncResponseSchema, VendorKeyRequestSchema } from "@restwell/client"
import {
  beginConnection,
  Conflict,
  type Context,
  completeConnection,
  connectWithKey,
  disconnect,
  InvalidRequest,
  NotFound,
  requestSync,
  Unauthorized,
  Unavailable,
} from "@restwell/core"
import { RequestRefused } from "@restwell/providers"
import type { FastifyReply, FastifyRequest } from "fastify"
import { z } from "zod"
import type { Accounts } from "../../accounts/accounts.ts"
import type { Session } from "../../accounts/session.ts"
import { redirectUrl } from "../../config/vendors.ts"
import { jsonBody, success } from "../../openapi/responses.ts"
import { KEY_VENDOR_PARAMS, VENDOR_PARAMS } from "../../openapi/vendor-params.ts"
import { defineEndpoints, type SendError, type SessionHandler } from "../plumbing/endpoint.ts"
import { parseBody, pathParameter, searchOf } from "../plumbing/requests.ts"

export interface ConnectionServices {
  readonly context: Context
  /** For what may take longer than an answer usually does. */
  readonly workContext: Context
  readonly accounts: Accounts
  readonly baseUrl: string
}

/** What every handler of a connection is called with. */
interface ConnectionRequest {
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

const pageOf = ({ headers }: FastifyRequest): string =>
  headers.cookie?.split(/;\s*/).includes(`${ORIGIN_COOKIE}=start`) ? "/start" : "/connections"

const ofConnection =
  (
    handle: (services: ConnectionServices, request: ConnectionRequest) => Promise<unknown>,
  ): SessionHandler<ConnectionServices> =>
  (services, { session, reply, request }) =>
    handle(services, {
      session,
      provider: pathParameter(request, "provider"),
      search: searchOf(request),
      reply,
      page: pageOf(request),
    })

const CallbackSchema = z.object({
  state: z.string().min(1).max(512),
  code: z.string().min(1).max(4096),
  scope: z.string().max(4096).optional().catch(undefined),
})

/** The form of vendors' error codes. Any other text is not repeated. */
const ERROR_CODE = /^[a-z_]{1,40}$/

const attemptOf = (
  { session: { userId, sessionId }, provider }: Pick<ConnectionRequest, "session" | "provider">,
  baseUrl: string,
) => ({
  userId,
  sessionId,
  provider,
  redirectUri: redirectUrl(baseUrl, provider),
})

/** Completes a connection with the vendor's response to an authorization. RFC 6749 4.1.2 */
function completeWith(
  { workContext, baseUrl }: ConnectionServices,
  request: Pick<ConnectionRequest, "session" | "provider">,
  response: URLSearchParams,
): ReturnType<typeof completeConnection> {
  const refusal = response.get("error")
  if (refusal !== null) {
    const reason = ERROR_CODE.test(refusal) ? refusal : "the vendor refused"
    throw new InvalidRequest(`${request.provider} was not connected (${reason}), connect again to retry`, "error")
  }
  const parsed = CallbackSchema.safeParse(Object.fromEntries(response))
  if (!parsed.success) throw new InvalidRequest("this is not the response to an authorization, connect again", "state")
  return completeConnection(workContext, { ...attemptOf(request, baseUrl), ...parsed.data })
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
const sendProblemPage: SendError<ConnectionServices> = (error, { baseUrl }, { request, reply }) => {
  if (!request.headers.accept?.includes("text/html")) throw error
  if (error instanceof Unauthorized) return reply.redirect(`${baseUrl}/sign-in?problem=session_ended`, 302)
  const problem = problemOf(error)
  if (problem === undefined) throw error
  const search = new URLSearchParams({ provider: pathParameter(request, "provider"), problem })
  return reply.redirect(`${baseUrl}${pageOf(request)}?${search}`, 302)
}

/** A vendor that looks whether its redirect URL answers has no session and no response to an authorization. */
const answerLook: SendError<ConnectionServices> = (error, services, call) => {
  const search = searchOf(call.request)
  const isResponse = ["state", "code", "error"].some((name) => search.has(name))
  if (error instanceof Unauthorized && !isResponse)
    return call.reply.code(200).type("text/plain").send("Vendors send people back to this address.\n")
  return sendProblemPage(error, services, call)
}

/** Problems that the page can explain, by the field of the error. */
const PROBLEMS: Readonly<Record<string, string>> = {
  error: "access_denied",
  state: "expired",
  scope: "scope_missing",
}

/** The vendor grants the access, and its account lacks what the data need: another try alone changes nothing. */
const isNotAllowed = ({ cause }: InvalidRequest): boolean => cause instanceof RequestRefused && cause.isForbidden

function problemOf(error: unknown): string | undefined {
  if (error instanceof InvalidRequest) return isNotAllowed(error) ? "not_allowed" : (PROBLEMS[error.field] ?? "failed")
  if (error instanceof NotFound) return "not_configured"
  if (error instanceof Conflict) return error.member === "of_another_person" ? "another_person" : "already_connected"
  return error instanceof Unavailable ? "vendor_unavailable" : undefined
}

const redirectTo = (description: string) => ({
  description,
  headers: z.object({ Location: z.string().meta({ description: "Where to go" }) }),
})

/** Connecting vendors and ending it. */
export const connectionEndpoints = defineEndpoints<ConnectionServices>("Connections", [
  {
    method: "GET",
    path: "/api/connections/:provider/authorize",
    access: "session",
    isVisit: true,
    sendError: sendProblemPage,
    id: "authorizeConnection",
    summary: "Connect a vendor",
    description:
      "Open it in the browser that is signed in. It redirects to the vendor's page, which comes back to the callback.",
    params: VENDOR_PARAMS,
    responses: { "302": redirectTo("To the vendor's page") },
    failures: ["noProvider"],
    handle: ofConnection(async ({ context, baseUrl }, request) => {
      // People enter their key on our own page.
      if (context.adapters.get(request.provider)?.access === "key")
        return request.reply.redirect(`${baseUrl}/connections#${request.provider}`, 302)
      const page = await beginConnection(context, attemptOf(request, baseUrl))
      rememberOrigin(request)
      return request.reply.redirect(page.href, 302)
    }),
  },
  {
    method: "GET",
    path: "/api/connections/:provider/callback",
    access: "session",
    isVisit: true,
    // Vendors look whether a redirect URL that is entered at their site answers.
    isProbed: true,
    sendError: answerLook,
    id: "completeConnection",
    summary: "Come back from the vendor",
    description:
      "The vendor redirects the browser here. Stores the grant and starts fetching, newest days first. Unless the operator " +
      "allows it, a vendor account that is connected to another account is refused, and so is another person's than the stored data.",
    params: VENDOR_PARAMS,
    query: z.object({
      state: z.string().optional().meta({ description: "The state of the authorization" }),
      code: z.string().optional().meta({ description: "The vendor's code" }),
      scope: z.string().optional().meta({ description: "What the person allowed, where the vendor says it here" }),
      error: z.string().optional().meta({ description: "The vendor's refusal" }),
    }),
    responses: {
      "200": { description: "To a vendor that looks whether the address answers, without a session" },
      "302": redirectTo("To the dashboard"),
    },
    failures: ["invalidRequest", "noProvider", "anotherMember"],
    handle: ofConnection(async (services, request) => {
      const { provider, search, reply, page } = request
      const { isAnswering } = await completeWith(services, request, search)
      const outcome = { connected: provider, ...(!isAnswering && { problem: "not_answering" }) }
      return reply.redirect(`${services.baseUrl}${page}?${new URLSearchParams(outcome)}`, 302)
    }),
  },
  {
    method: "POST",
    path: "/api/connections/:provider/callback",
    access: "session",
    id: "pasteCallback",
    summary: "Come back from the vendor by hand",
    description:
      "Where the browser cannot reach the redirect URL, send the address on which it ended, of the same sign-in. The checks and errors " +
      "are those of the redirect.",
    params: VENDOR_PARAMS,
    requestBody: jsonBody(PastedCallbackSchema),
    responses: { "200": success("Connected", ConnectedSchema) },
    failures: ["invalidRequest", "noProvider", "anotherMember", "unavailable"],
    handle: async (services, { session, request }) => {
      const provider = pathParameter(request, "provider")
      const { searchParams } = new URL(parseBody(request, PastedCallbackSchema).url)
      const { status } = await completeWith(services, { session, provider }, searchParams)
      return { provider, status }
    },
  },
  {
    method: "PUT",
    path: "/api/connections/:provider/credential",
    access: "session",
    id: "setVendorKey",
    summary: "Connect a vendor with a key",
    description:
      "For vendors whose people make a key of their own. The vendor is asked once with the key before it is stored, sealed like a token. " +
      "Another key replaces it and keeps the data. No answer contains it.",
    params: KEY_VENDOR_PARAMS,
    requestBody: jsonBody(VendorKeyRequestSchema),
    responses: { "200": success("Connected", ConnectedSchema) },
    failures: ["invalidRequest", "noProvider", "anotherMember", "unavailable"],
    handle: async ({ context }, { session: { userId }, request }) => {
      const provider = pathParameter(request, "provider")
      const { key } = parseBody(request, VendorKeyRequestSchema)
      return { provider, ...(await connectWithKey(context, { userId, provider }, key)) }
    },
  },
  {
    method: "POST",
    path: "/api/connections/:provider/sync",
    access: "session",
    id: "syncConnection",
    summary: "Sync now",
    description:
      "Requests a sync of the newest days, which runs in the background: once a minute. While a sync of the connection waits or runs, a " +
      "request joins it.",
    params: VENDOR_PARAMS,
    responses: { "202": success("Requested", SyncResponseSchema) },
    failures: ["invalidRequest", "noProvider", "tooOften"],
    handle: ofConnection(async ({ context }, { session: { userId }, provider, reply }) => {
      await requestSync(context, { userId, provider })
      return reply.code(202).send({ status: "requested" })
    }),
  },
  {
    method: "DELETE",
    path: "/api/connections/:provider",
    access: "session",
    id: "deleteConnection",
    summary: "Disconnect a vendor",
    description:
      "Revokes the grant here and at the vendor. Keeps the stored records for a later connect, or deletes them with `data=delete`.",
    params: VENDOR_PARAMS,
    query: z.object({
      data: z
        .enum(["keep", "delete"])
        .default("keep")
        .meta({ description: "Whether to keep or delete the stored records" }),
    }),
    responses: { "204": { description: "Disconnected" } },
    failures: ["invalidRequest", "noProvider"],
    handle: ofConnection(async ({ workContext }, { session: { userId }, provider, search, reply }) => {
      await disconnect(workContext, { userId, provider, wipeData: wantsDeletion(search) })
      return reply.code(204).send()
    }),
  },
])
