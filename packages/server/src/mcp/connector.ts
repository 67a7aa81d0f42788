import { type AuthInfo, createMcpHandler, type ScopeChallengeHandler } from "@modelcontextprotocol/server"
import type { AssistantAccess, HealthReader, HealthScope, LogAccess, Logger, OpenAccessToken } from "@restwell/core"
import { z } from "zod"
import { connectorSource, type ReadTrends } from "./connector-source.ts"
import { createHealthServer } from "./health-server.ts"
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
  /** URL of the connector's metadata, for challenges. RFC 9728 5.1 */
  readonly metadataUrl: string
}

/** The connector: both eras of MCP at one address. It is stateless, so any replica answers any request. */
export interface Connector {
  /** The access of a token; undefined for an invalid one. */
  readonly openAccessToken: OpenAccessToken
  /** @param body the request's, parsed */
  answer(request: Request, access: AssistantAccess, body: unknown): Promise<Response>
  /** Answers pending requests. No response stays open after its result: health-server.ts offers no changes to listen for. */
  close(): Promise<void>
}

export function createConnector(options: ConnectorOptions): Connector {
  const { logger, openAccessToken, log, reader, readTrends, baseUrl, metadataUrl, view } = options
  const calls = new WeakMap<AuthInfo, { readonly access: AssistantAccess; readonly tool: string | undefined }>()
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const call = authInfo && calls.get(authInfo)
      if (!call) throw new Error("a request reached the connector without its access")
      const { access, tool } = call
      const source = connectorSource({ log, reader, readTrends, access, baseUrl })
      return createHealthServer({ source, logger, view, challenge: (scopes) => challengeOf(access, scopes) }, tool)
    },
    { onerror: (error) => logger.debug({ err: error }, "an assistant's request was refused") },
  )
  const pending = new Set<Promise<Response>>()
  return {
    openAccessToken,
    async answer(request, access, body) {
      const authInfo = authInfoOf(access, metadataUrl)
      calls.set(authInfo, { access, tool: ToolCallSchema.safeParse(body).data?.params.name })
      const answer = handler.fetch(request, { authInfo, parsedBody: body })
      pending.add(answer)
      return await answer.finally(() => pending.delete(answer))
    },
    async close() {
      await Promise.allSettled(pending)
      await handler.close()
    },
  }
}

const ToolCallSchema = z.object({ method: z.literal("tools/call"), params: z.object({ name: z.string() }) })

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
