import { HEALTH_SCOPES, type Logger } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Connector } from "../../mcp/connector.ts"
import { settleMixedEra } from "../../mcp/mixed-era.ts"
import { CONNECTOR_PATH, resourceOf } from "../../oauth/addresses.ts"
import { headersOf } from "../plumbing/session-guard.ts"
import { RESOURCE_METADATA_PATH } from "./protected-resource.ts"

export interface ConnectorDoors {
  readonly connector: Connector
  readonly logger: Logger
  readonly baseUrl: string
  /** Whether clients that mix the eras of MCP are understood. */
  readonly takesMixedEra: boolean
}

/**
 * POST /api/mcp/oauth. Who has no token is told where one is to be had, and nothing else: 401 is what makes an assistant begin to sign in.
 * @see MCP 2026-07-28, Authorization: Access Token Usage
 */
export const connectorDoor = (doors: ConnectorDoors) => async (request: FastifyRequest, reply: FastifyReply) => {
  const { connector, logger, baseUrl, takesMixedEra } = doors
  reply.header("cache-control", "no-store")
  const { origin } = request.headers
  if (origin !== undefined && origin !== new URL(baseUrl).origin)
    return reply.code(403).send({ error: "forbidden", message: "pages of other sites may not call the connector" })
  const token = bearerOf(request)
  const access = token === undefined ? undefined : await connector.openAccessToken(token)
  if (!access) return sendChallenge(reply, baseUrl, request.headers.authorization !== undefined)
  const headers = headersOf(request)
  if (takesMixedEra && settleMixedEra(headers, request.body))
    logger.debug({ clientId: access.clientId }, "a request mixed the eras of MCP")
  const method = request.method
  const web = new Request(new URL(CONNECTOR_PATH, baseUrl), {
    method,
    headers,
    body: JSON.stringify(request.body ?? null),
  })
  return sendWebAnswer(reply, await connector.answer(web, access, request.body))
}

/** GET /api/mcp/oauth: nothing for assistants, which keep no stream here; a person who opens the address is led to what it is for. */
export const connectorAddressDoor = () => async (request: FastifyRequest, reply: FastifyReply) => {
  reply.header("cache-control", "no-store")
  if (request.headers.accept?.includes("text/html")) return reply.redirect("/connections", 302)
  const message = `${CONNECTOR_PATH} takes POST, add it to an assistant as a connector`
  return reply.code(405).header("allow", "POST").send({ error: "method_not_allowed", message })
}

/** One header, one token, in the form that ours have: 256 bits in base64url. RFC 6750 2.1 */
function bearerOf({ raw: { rawHeaders }, headers }: FastifyRequest): string | undefined {
  const count = rawHeaders.filter((name, index) => index % 2 === 0 && name.toLowerCase() === "authorization").length
  return count === 1 ? /^Bearer ([\w-]{43})$/i.exec(headers.authorization ?? "")?.[1] : undefined
}

/** RFC 9728 5.1 and RFC 6750 3: the error is named only to who sent a token. */
function sendChallenge(reply: FastifyReply, baseUrl: string, hasSent: boolean): FastifyReply {
  const message = hasSent
    ? "the access token is unknown, at its end, or not for this connector: sign in again"
    : `sign in first: add ${resourceOf(baseUrl)} as a connector to your assistant`
  const parts = [
    ...(hasSent ? ['error="invalid_token"', `error_description="${message}"`] : []),
    `resource_metadata="${baseUrl}${RESOURCE_METADATA_PATH}"`,
    `scope="${HEALTH_SCOPES.join(" ")}"`,
  ]
  return reply
    .code(401)
    .header("www-authenticate", `Bearer ${parts.join(", ")}`)
    .send({ error: hasSent ? "invalid_token" : "unauthorized", message })
}

async function sendWebAnswer(reply: FastifyReply, answer: Response): Promise<FastifyReply> {
  for (const [name, value] of answer.headers) reply.header(name, value)
  return reply.code(answer.status).send(answer.body === null ? null : answer.body)
}
