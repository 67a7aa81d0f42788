import { IncomingMessage } from "node:http"
import {
  type AttemptLimit,
  type Context,
  InvalidRequest,
  sweepOauthRecords,
  TooManyAttempts,
  takeAttempt,
} from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import { networkOf } from "../../network/network-of.ts"
import { AUTHORIZATION_PATHS } from "../../oauth/addresses.ts"
import type { AuthorizationServer } from "../../oauth/authorization-server.ts"
import { normalizeParameters } from "../../oauth/normalize-parameters.ts"
import { searchOf } from "../plumbing/query-parameters.ts"
import type { Handler, Route } from "../plumbing/route.ts"

export interface AuthorizationServices {
  readonly server: AuthorizationServer
  readonly context: Pick<Context, "database" | "clock">
  readonly baseUrl: string
}

/** Generous, because an assistant's own servers register for many people from one address. */
const REGISTRATIONS = { attempts: 300, windowSeconds: 3_600 }

/** Each one is a row until the person decides, at most half an hour. */
const AUTHORIZATIONS = { attempts: 1_000, windowSeconds: 300 }

/** GET /oauth/authorize: an assistant opens it in the person's browser. RFC 6749 4.1.1 @throws {TooManyAttempts} */
export const beginAuthorizationHandler =
  (services: AuthorizationServices): Handler =>
  async (request, reply) => {
    await countAttempt(services, "authorizations", request, AUTHORIZATIONS)
    return forward(services, request, reply, {
      url: `${AUTHORIZATION_PATHS.authorization}?${normalizeParameters(searchOf(request), services.baseUrl, "authorization")}`,
      accept: "text/html",
    })
  }

/** GET /oauth/authorize/{id}: sends the person's decision to the assistant. */
export const resumeAuthorizationHandler =
  (services: AuthorizationServices): Handler =>
  (request, reply) =>
    forward(services, request, reply, { url: request.url, accept: "text/html" })

/** POST /oauth/token (RFC 6749 3.2) and POST /oauth/revoke (RFC 7009 2.1). */
export const oauthFormHandler =
  (services: AuthorizationServices, path: string): Handler =>
  (request, reply) => {
    const form = typeof request.body === "string" ? request.body : ""
    return forward(services, request, reply, {
      url: path,
      body: normalizeParameters(new URLSearchParams(form), services.baseUrl, "token"),
      contentType: "application/x-www-form-urlencoded",
    })
  }

/** POST /oauth/register. RFC 7591 3.1 @throws {TooManyAttempts} */
export const registerClientHandler =
  (services: AuthorizationServices): Handler =>
  async (request, reply) => {
    await countAttempt(services, "registrations", request, REGISTRATIONS)
    // Each registration deletes expired rows, so that strangers cannot fill the table.
    await sweepOauthRecords(services.context)
    return forward(services, request, reply, {
      url: AUTHORIZATION_PATHS.registration,
      body: JSON.stringify(request.body ?? {}),
      contentType: "application/json",
    })
  }

/** GET of a document of the authorization server: its metadata (RFC 8414) and its keys. */
export const oauthDocumentHandler =
  (services: AuthorizationServices, path: string): Handler =>
  (request, reply) =>
    forward(services, request, reply, { url: path })

/** @throws {TooManyAttempts} for the network that it comes from */
async function countAttempt(
  { context }: AuthorizationServices,
  what: string,
  { ip }: FastifyRequest,
  limit: AttemptLimit,
): Promise<void> {
  const waitSeconds = await takeAttempt(context, `oauth-${what}/${networkOf(ip)}`, limit)
  if (waitSeconds > 0)
    throw new TooManyAttempts(`too many ${what} from this address, try again in ${waitSeconds} seconds`, waitSeconds)
}

/** A body that no client may send, in the words of RFC 7591 3.2.2. */
export const sendRegistrationError: NonNullable<Route["sendError"]> = (error, _request, reply) => {
  if (!(error instanceof InvalidRequest)) throw error
  return reply
    .code(400)
    .header("cache-control", "no-store")
    .send({ error: "invalid_client_metadata", error_description: error.message, field: error.field })
}

interface ForwardedRequest {
  readonly url: string
  readonly accept?: string
  readonly body?: string
  readonly contentType?: string
}

/** Forwards only what the authorization server's library may see of a request, under the service's own address, whatever Host a client or proxy sent. */
async function forward(
  { server, baseUrl }: AuthorizationServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { url, accept = "application/json", body = "", contentType }: ForwardedRequest,
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
    ...(body !== "" && { "content-length": String(Buffer.byteLength(body)) }),
    cookie: interactionCookies(request.headers.cookie ?? ""),
  }
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  const method = request.method === "HEAD" ? "GET" : request.method
  const forwarded = new IncomingMessage(request.raw.socket)
  Object.assign(forwarded, { method, url, headers, httpVersion: "1.1", complete: true })
  if (body !== "") forwarded.push(body)
  forwarded.push(null)
  await server.answer(forwarded, reply.raw)
  return reply
}

/** Only our own session says who the person is, so the library's session cookie is left out. */
const interactionCookies = (cookies: string): string =>
  cookies
    .split(/;\s*/)
    .filter((cookie) => /^restwell\.oauth(?:_resume)?(?:\.sig)?=/.test(cookie))
    .join("; ")
