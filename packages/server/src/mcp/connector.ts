import { type AuthInfo, createMcpHandler, type ScopeChallengeHandler } from "@modelcontextprotocol/server"
import type { AssistantAccess, HealthReader, HealthScope, LogAccess, Logger, OpenAccessToken } from "@restwell/core"
import { type ConnectorSource, connectorSource, type ReadTrends } from "./connector-source.ts"
import { createHealthServer } from "./health-server.ts"
import { createKnownResults, type KnownResult, type ToolCall, toolCallOf } from "./known-results.ts"
import type { CallMemory } from "./tool-options.ts"
import type { ChartView } from "./views/chart-view.ts"

export interface ConnectorOptions {
  readonly logger: Logger
  readonly openAccessToken: OpenAccessToken
  readonly log: LogAccess
  readonly reader: HealthReader
  readonly readTrends: ReadTrends
  readonly baseUrl: string
  /** The view of the tools' charts. */
  readonly view: ChartView
  /** Memory for results of tool calls, 0 for none. */
  readonly cacheBytes: number
  /** URL of the connector's metadata, for challenges. RFC 9728 5.1 */
  readonly metadataUrl: string
}

/** An answer that has ended: none of them streams. */
export interface WholeAnswer extends Pick<Response, "status" | "headers"> {
  readonly text: string | undefined
}

/** The connector: both eras of MCP at one address. It is stateless, so any replica answers any request. */
export interface Connector {
  /** Undefined for an invalid token. @param body the request's, parsed */
  answer(request: Request, token: string, body: unknown): Promise<WholeAnswer | undefined>
  /** Answers pending requests. No response stays open after its result: health-server.ts offers no changes to listen for. */
  close(): Promise<void>
}

/** A request on its way through the protocol's library. */
interface Exchange {
  readonly access: AssistantAccess
  readonly call: ToolCall | undefined
  readonly known?: KnownResult
  /** Whether the known result was counted, which checks the access too. */
  isRepeated: boolean
}

export function createConnector(options: ConnectorOptions): Connector {
  const { logger, openAccessToken, log, reader, readTrends, baseUrl, metadataUrl, view } = options
  const results = createKnownResults(options.cacheBytes)
  const exchanges = new WeakMap<AuthInfo, Exchange>()

  const memoryOf = (exchange: Exchange, source: ConnectorSource): CallMemory => {
    const { access, call: toolCall, known } = exchange
    const repeat = async ({ call, result }: KnownResult) => {
      exchange.isRepeated = await reader.repeatCall(call)
      return result
    }
    return {
      ...(known && { repeat: () => repeat(known) }),
      keep(result) {
        const call = source.repeatable()
        if (call && toolCall) results.set(toolCall.key, { access, call, result })
      },
    }
  }

  const handler = createMcpHandler(
    ({ authInfo }) => {
      const exchange = authInfo && exchanges.get(authInfo)
      if (!exchange) throw new Error("a request reached the connector without its access")
      const { access, call } = exchange
      const source = connectorSource({ log, reader, readTrends, access, baseUrl })
      const memory = memoryOf(exchange, source)
      const challenge = (scopes: readonly HealthScope[]) => challengeOf(access, scopes)
      return createHealthServer({ source, logger, view, memory, challenge }, call?.tool)
    },
    { onerror: (error) => logger.debug({ err: error }, "an assistant's request was refused") },
  )

  const answerAs = async (exchange: Exchange, request: Request, parsedBody: unknown): Promise<WholeAnswer> => {
    const authInfo = authInfoOf(exchange.access, metadataUrl)
    exchanges.set(authInfo, exchange)
    const answer = await handler.fetch(request, { authInfo, parsedBody })
    // An answer of the older era begins before its tool has run.
    const text = answer.body === null ? undefined : await answer.text()
    return { status: answer.status, headers: answer.headers, text }
  }

  /** The token is checked by the statement that counts a repeated call. For every other request it is checked first. */
  const answer: Connector["answer"] = async (request, token, body) => {
    const call = toolCallOf(body, token)
    const known = call && results.get(call.key)
    if (known) {
      const exchange = { access: known.access, call, known, isRepeated: false }
      const repeated = await answerAs(exchange, request, body)
      if (exchange.isRepeated) return repeated
      results.delete(call.key)
    }
    const access = await openAccessToken(token)
    return access && answerAs({ access, call, isRepeated: false }, request, body)
  }

  const pending = new Set<Promise<unknown>>()
  return {
    async answer(request, token, body) {
      const answering = answer(request, token, body)
      pending.add(answering)
      return await answering.finally(() => pending.delete(answering))
    },
    async close() {
      await Promise.allSettled(pending)
      await handler.close()
    },
  }
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
