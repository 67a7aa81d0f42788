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
import { networkOf } from "../../network/addresses.ts"
import { AUTHORIZATION_PATHS, CONNECTOR_PATH, normalizeParameters } from "../../oauth/addresses.ts"
import type { AuthorizationServer } from "../../oauth/authorization-server.ts"
import { narrowRegistration } from "../../oauth/narrow-metadata.ts"
import type { Call, Handler, OpenEndpoint, SendError } from "../plumbing/endpoint.ts"
import { searchOf } from "../plumbing/requests.ts"

export interface AuthorizationServices {
  readonly authorizationServer: () => Promise<AuthorizationServer>
  readonly context: Pick<Context, "database" | "clock">
  readonly baseUrl: string
}

type AuthorizationHandler = Handler<AuthorizationServices>

/** Generous, because an assistant's own servers register for many people from one address. */
const REGISTRATIONS = { attempts: 300, windowSeconds: 3_600 }

/** Each one is a row until the person decides, at most half an hour. */
const AUTHORIZATIONS = { attempts: 1_000, windowSeconds: 300 }

/** GET /oauth/authorize: an assistant opens it in the person's browser. RFC 6749 4.1.1 @throws {TooManyAttempts} */
const beginAuthorization: AuthorizationHandler = async (services, call) => {
  await countAttempt(services, "authorizations", call.request, AUTHORIZATIONS)
  return forward(services, call, {
    url: `${AUTHORIZATION_PATHS.authorization}?${normalizeParameters(searchOf(call.request), services.baseUrl, "authorization")}`,
    accept: "text/html",
  })
}

/** GET /oauth/authorize/{id}: sends the person's decision to the assistant. */
const resumeAuthorization: AuthorizationHandler = (services, call) =>
  forward(services, call, { url: call.request.url, accept: "text/html" })

/** POST /oauth/token (RFC 6749 3.2) and POST /oauth/revoke (RFC 7009 2.1). */
const forwardForm =
  (path: string): AuthorizationHandler =>
  (services, call) => {
    const { body } = call.request
    const form = typeof body === "string" ? body : ""
    return forward(services, call, {
      url: path,
      body: normalizeParameters(new URLSearchParams(form), services.baseUrl, "token"),
      contentType: "application/x-www-form-urlencoded",
    })
  }

/** POST /oauth/register. RFC 7591 3.1 @throws {TooManyAttempts} */
const registerClient: AuthorizationHandler = async (services, call) => {
  await countAttempt(services, "registrations", call.request, REGISTRATIONS)
  // Each registration deletes expired rows, so that strangers cannot fill the table.
  await sweepOauthRecords(services.context)
  return forward(services, call, {
    url: AUTHORIZATION_PATHS.registration,
    body: JSON.stringify(narrowRegistration(call.request.body ?? {})),
    contentType: "application/json",
  })
}

/** GET of a document of the authorization server: its metadata (RFC 8414) and its keys. */
const forwardDocument =
  (path: string): AuthorizationHandler =>
  (services, call) =>
    forward(services, call, { url: path })

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
const sendRegistrationError: SendError<AuthorizationServices> = (error, _services, { reply }) => {
  if (!(error instanceof InvalidRequest)) throw error
  const code = error.field.startsWith("redirect_uris") ? "invalid_redirect_uri" : "invalid_client_metadata"
  return reply.code(400).send({ error: code, error_description: error.message, field: error.field })
}

interface ForwardedRequest {
  readonly url: string
  readonly accept?: string
  readonly body?: string
  readonly contentType?: string
}

/** Forwards only what the authorization server's library may see of a request, under the service's own address, whatever Host a client or proxy sent. */
async function forward(
  { authorizationServer, baseUrl }: AuthorizationServices,
  { request, reply }: Call,
  { url, accept = "application/json", body = "", contentType }: ForwardedRequest,
): Promise<FastifyReply> {
  const library = await authorizationServer()
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
  // The library says itself what may be stored.
  reply.removeHeader("cache-control").hijack()
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) reply.raw.setHeader(name, value)
  const method = request.method === "HEAD" ? "GET" : request.method
  const forwarded = new IncomingMessage(request.raw.socket)
  Object.assign(forwarded, { method, url, headers, httpVersion: "1.1", complete: true })
  if (body !== "") forwarded.push(body)
  forwarded.push(null)
  await library.answer(forwarded, reply.raw)
  return reply
}

/** Only our own session says who the person is, so the library's session cookie is left out. */
const interactionCookies = (cookies: string): string =>
  cookies
    .split(/;\s*/)
    .filter((cookie) => /^restwell\.oauth(?:_resume)?(?:\.sig)?=/.test(cookie))
    .join("; ")

const RFC_8414 = "/.well-known/oauth-authorization-server"
const OPENID_DISCOVERY = "/.well-known/openid-configuration"

/** Where clients really look for the metadata: at the root, and with the connector's path before or behind. RFC 8414 3.1 */
const METADATA_PATHS = [
  [RFC_8414, RFC_8414],
  [OPENID_DISCOVERY, OPENID_DISCOVERY],
  [`${RFC_8414}${CONNECTOR_PATH}`, RFC_8414],
  [`${OPENID_DISCOVERY}${CONNECTOR_PATH}`, OPENID_DISCOVERY],
  [`${CONNECTOR_PATH}${OPENID_DISCOVERY}`, OPENID_DISCOVERY],
] as const

const { authorization, token, registration, revocation, jwks } = AUTHORIZATION_PATHS

/** Where assistants get their tokens. It describes itself, by RFC 8414. */
export const authorizationEndpoints: readonly OpenEndpoint<AuthorizationServices>[] = [
  ...[...METADATA_PATHS, [jwks, jwks] as const].map(
    ([path, document]): OpenEndpoint<AuthorizationServices> => ({
      method: "GET",
      path,
      access: "anybody",
      handle: forwardDocument(document),
    }),
  ),
  { method: "GET", path: authorization, access: "anybody", isVisit: true, handle: beginAuthorization },
  { method: "GET", path: `${authorization}/:id`, access: "anybody", isVisit: true, handle: resumeAuthorization },
  ...[token, revocation].map(
    (path): OpenEndpoint<AuthorizationServices> => ({
      method: "POST",
      path,
      access: "anybody",
      fromAnySite: true,
      bodyType: "form",
      handle: forwardForm(path),
    }),
  ),
  {
    method: "POST",
    path: registration,
    access: "anybody",
    fromAnySite: true,
    // Clients may have hundreds of redirect addresses.
    mostBodyBytes: 16_384,
    sendError: sendRegistrationError,
    handle: registerClient,
  },
]
