import type { AuthInfo, McpHttpHandler, ScopeChallengeHandler } from "@modelcontextprotocol/server"
import {
  type AssistantAccess,
  type HealthReader,
  type HealthScope,
  type LogAccess,
  type Logger,
  limitOfEach,
  type OpenAccessToken,
} from "@restwell/core"
import { z } from "zod"
import { onFirstUse } from "../process/idle-memory.ts"

export interface ConnectorOptions {
  readonly logger: Logger
  readonly openAccessToken: OpenAccessToken
  readonly log: LogAccess
  readonly reader: HealthReader
  readonly baseUrl: string
  /** Reads the page that draws the tools' charts. */
  readonly readChatPage: () => Promise<string>
  /** URL of the connector's metadata, for challenges. RFC 9728 5.1 */
  readonly metadataUrl: string
}

/** An answer that has ended: none of them streams. */
export interface WholeAnswer extends Pick<Response, "status" | "headers"> {
  readonly text: string | undefined
}

/** The connector: both versions of MCP at one address. It is stateless, so any replica answers any request. */
export interface Connector {
  /** Undefined for an invalid token. @param body the request's, parsed */
  answer(request: Request, token: string, body: unknown): Promise<WholeAnswer | undefined>
  /** Loads what the first request needs, so that it need not wait for that. */
  prepare(): Promise<void>
  /** Answers pending requests. No response stays open after its result: the server offers no changes to listen for. */
  close(): Promise<void>
}

const ToolCallSchema = z.object({ method: z.literal("tools/call"), params: z.object({ name: z.string() }) })

/** A request on its way through the protocol's library. */
interface Exchange {
  readonly access: AssistantAccess
  /** The tool that the request calls. */
  readonly tool: string | undefined
}

/** Requests of one person that are answered at a time. More wait: each takes the thread that answers everybody. */
const REQUESTS_AT_A_TIME = 2

export function createConnector(options: ConnectorOptions): Connector {
  const { openAccessToken, metadataUrl } = options
  const exchanges = new WeakMap<AuthInfo, Exchange>()
  let made: McpHttpHandler | undefined
  const handler = onFirstUse(async () => (made = await createHandler(options, exchanges)))
  const inTurn = limitOfEach(REQUESTS_AT_A_TIME)

  const answer: Connector["answer"] = async (request, token, body) => {
    const access = await openAccessToken(token)
    return access && (await inTurn(access.userId, () => answerOf(access, request, body)))
  }

  async function answerOf(access: AssistantAccess, request: Request, body: unknown): Promise<WholeAnswer> {
    const authInfo = authInfoOf(access, metadataUrl)
    exchanges.set(authInfo, { access, tool: ToolCallSchema.safeParse(body).data?.params.name })
    const mcp = await handler()
    const response = await mcp.fetch(request, { authInfo, parsedBody: body })
    // An answer of the older protocol version begins before its tool has run.
    const text = response.body === null ? undefined : await response.text()
    return { status: response.status, headers: response.headers, text }
  }

  const pending = new Set<Promise<unknown>>()
  return {
    async answer(request, token, body) {
      const answering = answer(request, token, body)
      pending.add(answering)
      return await answering.finally(() => pending.delete(answering))
    },
    async prepare() {
      await handler()
    },
    async close() {
      await Promise.allSettled(pending)
      await made?.close()
    },
  }
}

/** The protocol's library, and our tools. */
async function createHandler(
  { logger, log, reader, baseUrl, readChatPage }: ConnectorOptions,
  exchanges: WeakMap<AuthInfo, Exchange>,
): Promise<McpHttpHandler> {
  const [{ createMcpHandler }, { chartViewOf }, { connectorSource }, { createHealthServer }, chatPage] =
    await Promise.all([
      import("@modelcontextprotocol/server"),
      import("./charts.ts"),
      import("./connector-source.ts"),
      import("./tools.ts"),
      readChatPage(),
    ])
  const view = chartViewOf(chatPage)
  return createMcpHandler(
    ({ authInfo }) => {
      const exchange = authInfo && exchanges.get(authInfo)
      if (!exchange) throw new Error("a request reached the connector without its access")
      const { access, tool } = exchange
      const source = connectorSource({ log, reader, access, baseUrl })
      const challenge = (scopes: readonly HealthScope[]) => challengeOf(access, scopes)
      return createHealthServer({ source, logger, view, challenge }, tool)
    },
    { onerror: (error) => logger.debug({ err: error }, "an assistant's request was refused") },
  )
}

/** Without the token itself, which the tools do not need. */
const authInfoOf = ({ clientId, tokenScopes, expiresAt }: AssistantAccess, metadataUrl: string): AuthInfo => ({
  token: "",
  clientId,
  scopes: [...tokenScopes],
  expiresAt: Math.floor(expiresAt.getTime() / 1000),
  resourceMetadataUrl: metadataUrl,
})

/**
 * Asks for scopes that a call needs and the client never requested. Declined scopes are not requested again: the tool reports them.
 * RFC 6750 3.1 @param needed any one of them is enough
 */
const challengeOf =
  ({ tokenScopes, declined }: AssistantAccess, needed: readonly HealthScope[]): ScopeChallengeHandler =>
  () => {
    const isDecided = needed.some((scope) => tokenScopes.includes(scope) || declined.includes(scope))
    const [first, ...others] = new Set([...tokenScopes, ...needed])
    return isDecided || first === undefined ? undefined : { scopes: [first, ...others] }
  }

const MODERN = "2026-07-28"
const LEGACY = "2025-11-25"
const VERSION_HEADER = "mcp-protocol-version"
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion"

const MessageSchema = z.looseObject({
  method: z.string(),
  params: z
    .looseObject({
      name: z.string().optional(),
      uri: z.string().optional(),
      _meta: z.looseObject({ [VERSION_KEY]: z.string().optional() }).optional(),
    })
    .optional(),
})

/**
 * Corrects the headers of clients that mix the two protocol versions of MCP. claude.ai sends bodies of 2026-07-28 with the header of 2025-11-25. Others
 * send the header of 2026-07-28 with older bodies. The specification refuses such requests (-32020), so every call of those assistants
 * would fail. Only these two mismatches are corrected.
 * @see https://github.com/anthropics/claude-code/issues/93290 @see https://github.com/CodeWithCJ/SparkyFitness/issues/2155
 * @returns whether a header was changed
 */
export function fixMixedVersions(headers: Headers, body: unknown): boolean {
  const parsed = MessageSchema.safeParse(body)
  if (!parsed.success) return false
  const { method, params } = parsed.data
  const version = params?._meta?.[VERSION_KEY]
  if (version === undefined) return setIf(headers.get(VERSION_HEADER) === MODERN, headers, VERSION_HEADER, LEGACY)
  const name = params?.name ?? params?.uri
  const changes = [
    setIf(headers.get(VERSION_HEADER) !== version, headers, VERSION_HEADER, version),
    setIf(!headers.has("mcp-method"), headers, "mcp-method", method),
    setIf(!headers.has("mcp-name") && name !== undefined, headers, "mcp-name", name ?? ""),
  ]
  return changes.includes(true)
}

/** What a header may be made of. Other text stays in the body alone, and the library refuses the request. RFC 9110 5.5 */
const HEADER_TEXT = /^[\x20-\x7e]*$/

function setIf(condition: boolean, headers: Headers, name: string, value: string): boolean {
  if (!condition || !HEADER_TEXT.test(value)) return false
  headers.set(name, value)
  return true
}
