import { type Context, HEALTH_SCOPES, InvalidRequest } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import { type Connector, fixMixedVersions, type WholeAnswer } from "../../mcp/connector.ts"
import { CONNECTOR_PATH, resourceOf } from "../../oauth/addresses.ts"
import { type Handler, headersOf, type OpenEndpoint, type SendError } from "../plumbing/endpoint.ts"

/** Paths of the connector's metadata: its own, and the root for clients that look only there. RFC 9728 3.1 */
export const RESOURCE_METADATA_PATH = `/.well-known/oauth-protected-resource${CONNECTOR_PATH}`
const ROOT_RESOURCE_METADATA_PATH = "/.well-known/oauth-protected-resource"

/** GET of the protected resource metadata. RFC 9728 2 */
const readMetadata: Handler<ConnectorServices> = async ({ baseUrl }, { reply }) =>
  reply.header("cache-control", "public, max-age=3600").send({
    resource: resourceOf(baseUrl),
    authorization_servers: [baseUrl],
    scopes_supported: HEALTH_SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "Restwell",
    resource_documentation: `${baseUrl}/docs`,
  })

/** What the handlers of the connector call. */
export interface ConnectorServices {
  readonly context: Pick<Context, "logger">
  readonly connector: Connector
  readonly baseUrl: string
  /** Whether clients that mix the two protocol versions of MCP are understood. */
  readonly takesMixedVersions: boolean
}

/**
 * POST /api/mcp/oauth. A client without a token gets 401 and the address where it gets one, which makes an assistant begin to sign in.
 * @see MCP 2026-07-28, Authorization: Access Token Usage
 */
const callConnector: Handler<ConnectorServices> = async (services, { request, reply }) => {
  const { connector, context, baseUrl, takesMixedVersions } = services
  const address = new URL(CONNECTOR_PATH, baseUrl)
  const { origin, authorization } = request.headers
  if (origin !== undefined && origin !== address.origin)
    return reply.code(403).send({ error: "forbidden", message: "pages of other sites may not call the connector" })
  const token = bearerOf(request)
  if (token === undefined)
    return sendChallenge(reply, baseUrl, authorization === undefined ? "unauthorized" : "invalid_token")
  // Each message of a batch takes the thread that answers everybody, and MCP has none since 2025-06-18.
  if (Array.isArray(request.body)) throw new InvalidRequest("send one message a request, batches are not taken", "body")
  const headers = headersOf(request)
  if (acceptsAnything(headers.get("accept"))) headers.set("accept", ANSWER_TYPES)
  if (takesMixedVersions && fixMixedVersions(headers, request.body))
    context.logger.debug({}, "request mixed two protocol versions of MCP")
  // Without a body: the connector gets it parsed.
  const web = new Request(address, { method: request.method, headers })
  const answer = await connector.answer(web, token, request.body ?? null)
  return answer ? sendAnswer(reply, answer) : sendChallenge(reply, baseUrl, "invalid_token")
}

/** The types that the protocol's library requires by name. @see MCP 2026-07-28, Streamable HTTP: Sending Messages to the Server */
const ANSWER_TYPES = "application/json, text/event-stream"

/** RFC 9110 12.5.1: without the header any type is acceptable, and ranges stand for the types in them. */
const acceptsAnything = (accept: string | null): boolean =>
  accept === null ||
  accept.trim() === "" ||
  accept.split(",").some((range) => /^\s*(?:\*|application)\/\*\s*(?:;(?!\s*q=0(?:\.0*)?\s*$).*)?$/i.test(range))

/** JSON-RPC 2.0, 5.1: Invalid Request. */
const INVALID_REQUEST = -32_600

/** Refuses a body in the words of JSON-RPC, which assistants show. Its id is null, because no message was read. */
const sendInvalidMessage: SendError<ConnectorServices> = (error, _services, { reply }) => {
  if (!(error instanceof InvalidRequest)) throw error
  const message = `invalid request: ${error.message}`
  return reply.code(400).send({ jsonrpc: "2.0", id: null, error: { code: INVALID_REQUEST, message } })
}

/** GET /api/mcp/oauth: 405 for assistants, which open no stream here. A browser is redirected to the page Access, which has the steps. */
const refuseGet: Handler<ConnectorServices> = async (_services, { request, reply }) => {
  if (request.headers.accept?.includes("text/html")) return reply.redirect("/access", 302)
  const message = `${CONNECTOR_PATH} takes POST, add it to an assistant as a connector`
  return reply.code(405).header("allow", "POST").send({ error: "method_not_allowed", message })
}

/** One header with one token in the form of ours: 256 bits in base64url. RFC 6750 2.1 */
function bearerOf({ raw: { rawHeaders }, headers }: FastifyRequest): string | undefined {
  const count = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "authorization").length
  return count === 1 ? /^Bearer ([\w-]{43})$/i.exec(headers.authorization ?? "")?.[1] : undefined
}

/** RFC 9728 5.1 and RFC 6750 3: the error is named only if a token was sent. */
function sendChallenge(reply: FastifyReply, baseUrl: string, error: "invalid_token" | "unauthorized"): FastifyReply {
  const isInvalid = error === "invalid_token"
  const message = isInvalid
    ? "the access token is unknown, expired or not for this connector: sign in again"
    : `sign in first: add ${resourceOf(baseUrl)} as a connector to your assistant`
  const parts = [
    ...(isInvalid ? ['error="invalid_token"', `error_description="${message}"`] : []),
    `resource_metadata="${baseUrl}${RESOURCE_METADATA_PATH}"`,
    `scope="${HEALTH_SCOPES.join(" ")}"`,
  ]
  return reply
    .code(401)
    .header("www-authenticate", `Bearer ${parts.join(", ")}`)
    .send({ error, message })
}

function sendAnswer(reply: FastifyReply, { status, headers, text }: WholeAnswer): FastifyReply {
  for (const [name, value] of headers) reply.header(name, value)
  return reply.code(status).send(text)
}

const METADATA = { method: "GET", access: "anybody", handle: readMetadata } as const

/** The connector. It describes itself, by MCP and RFC 9728. People and clients put a slash behind its address. */
export const connectorEndpoints: readonly OpenEndpoint<ConnectorServices>[] = [
  ...["", "/"].flatMap((slash): OpenEndpoint<ConnectorServices>[] => [
    {
      method: "POST",
      path: CONNECTOR_PATH + slash,
      access: "token",
      fromAnySite: true,
      mostBodyBytes: 65_536,
      sendError: sendInvalidMessage,
      handle: callConnector,
    },
    {
      method: "GET",
      path: CONNECTOR_PATH + slash,
      access: "anybody",
      isRefusal: true,
      handle: refuseGet,
    },
    { ...METADATA, path: RESOURCE_METADATA_PATH + slash },
  ]),
  { ...METADATA, path: ROOT_RESOURCE_METADATA_PATH },
]
