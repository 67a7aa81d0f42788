import { type AttemptLimit, type Context, sweepOauthRecords, TooManyAttempts, takeAttempt } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import { networkOf } from "../../network/network-of.ts"
import { AUTHORIZATION_PATHS } from "../../oauth/addresses.ts"
import type { AuthorizationServer } from "../../oauth/authorization-server.ts"
import { meantParameters } from "../../oauth/normalize-parameters.ts"
import { nodeRequestOf } from "../../oauth/oauth-request.ts"

export interface AuthorizationDoors {
  readonly server: AuthorizationServer
  readonly context: Pick<Context, "database" | "clock">
  readonly baseUrl: string
}

/** One address registers for many people where an assistant's own servers do it. */
const REGISTRATIONS = { attempts: 300, windowSeconds: 3_600 }

/** Each one is a row until the person decides, half an hour at most. */
const AUTHORIZATIONS = { attempts: 1_000, windowSeconds: 300 }

/** GET /oauth/authorize, begun by an assistant in the person's browser. RFC 6749 4.1.1 @throws {TooManyAttempts} */
export const beginAuthorizationDoor =
  (doors: AuthorizationDoors) => async (request: FastifyRequest, reply: FastifyReply) => {
    await countAttempt(doors, "authorizations", request, AUTHORIZATIONS)
    return passOn(doors, request, reply, {
      url: `${AUTHORIZATION_PATHS.authorization}?${meantParameters(searchOf(request), doors.baseUrl, "authorization")}`,
      accept: "text/html",
    })
  }

/** GET /oauth/authorize/{id}: the person has decided, the assistant is answered. */
export const resumeAuthorizationDoor = (doors: AuthorizationDoors) => (request: FastifyRequest, reply: FastifyReply) =>
  passOn(doors, request, reply, { url: request.url, accept: "text/html" })

/** POST /oauth/token (RFC 6749 3.2) and POST /oauth/revoke (RFC 7009 2.1). */
export const oauthFormDoor =
  (doors: AuthorizationDoors, path: string) => (request: FastifyRequest, reply: FastifyReply) => {
    const form = typeof request.body === "string" ? request.body : ""
    return passOn(doors, request, reply, {
      url: path,
      body: meantParameters(new URLSearchParams(form), doors.baseUrl, "token"),
      contentType: "application/x-www-form-urlencoded",
    })
  }

/** POST /oauth/register. RFC 7591 3.1 @throws {TooManyAttempts} */
export const registerClientDoor =
  (doors: AuthorizationDoors) => async (request: FastifyRequest, reply: FastifyReply) => {
    await countAttempt(doors, "registrations", request, REGISTRATIONS)
    // Who adds a row takes away those that nobody came back to.
    await sweepOauthRecords(doors.context)
    return passOn(doors, request, reply, {
      url: AUTHORIZATION_PATHS.registration,
      body: JSON.stringify(request.body ?? {}),
      contentType: "application/json",
    })
  }

/** GET of a document of the authorization server: its metadata (RFC 8414) and its keys. */
export const oauthDocumentDoor =
  (doors: AuthorizationDoors, path: string) => (request: FastifyRequest, reply: FastifyReply) =>
    passOn(doors, request, reply, { url: path })

/** @throws {TooManyAttempts} for the network that it comes from */
async function countAttempt(
  { context }: AuthorizationDoors,
  what: string,
  { ip }: FastifyRequest,
  limit: AttemptLimit,
): Promise<void> {
  const waitSeconds = await takeAttempt(context, `oauth-${what}/${networkOf(ip)}`, limit)
  if (waitSeconds > 0)
    throw new TooManyAttempts(`too many ${what} from this address, try again in ${waitSeconds} seconds`, waitSeconds)
}

interface Passed {
  readonly url: string
  readonly accept?: string
  readonly body?: string
  readonly contentType?: string
}

/** Hands a request to the authorization server under the service's own address, whatever Host a client or proxy wrote. */
async function passOn(
  { server, baseUrl }: AuthorizationDoors,
  request: FastifyRequest,
  reply: FastifyReply,
  { url, accept = "application/json", body = "", contentType }: Passed,
): Promise<FastifyReply> {
  const { host, protocol } = new URL(baseUrl)
  const { authorization, origin } = request.headers
  const headers = {
    host,
    accept,
    "x-forwarded-proto": protocol.slice(0, -1),
    "x-forwarded-for": request.ip,
    ...(authorization !== undefined && { authorization }),
    ...(origin !== undefined && { origin }),
    ...(contentType !== undefined && { "content-type": contentType }),
    cookie: cookiesOfRequestsUnderWay(request.headers.cookie ?? ""),
  }
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  const method = request.method === "HEAD" ? "GET" : request.method
  await server.answer(nodeRequestOf({ method, url, headers, body, socket: request.raw.socket }), reply.raw)
  return reply
}

/** Who the person is says our own session at each decision; what the library remembers of an earlier one is not asked. */
const cookiesOfRequestsUnderWay = (cookies: string): string =>
  cookies
    .split(/;\s*/)
    .filter((cookie) => /^restwell\.oauth(?:_resume)?(?:\.sig)?=/.test(cookie))
    .join("; ")

const searchOf = ({ url }: FastifyRequest): URLSearchParams => {
  const start = url.indexOf("?")
  return new URLSearchParams(start < 0 ? "" : url.slice(start + 1))
}
