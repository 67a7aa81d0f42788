import { type AuthInfo, createMcpHandler, type ScopeChallengeHandler } from "@modelcontextprotocol/server"
import type { AssistantAccess, HealthReader, HealthScope, LogAccess, Logger, OpenAccessToken } from "@restwell/core"
import { connectorSource } from "./connector-source.ts"
import { createHealthServer } from "./health-server.ts"

export interface ConnectorOptions {
  readonly logger: Logger
  readonly openAccessToken: OpenAccessToken
  readonly log: LogAccess
  readonly reader: HealthReader
  readonly baseUrl: string
  /** Where the connector's metadata are, for challenges. RFC 9728 5.1 */
  readonly metadataUrl: string
}

/** The connector: both eras of MCP on one address. Nothing is kept between requests, so any replica answers any of them. */
export interface Connector {
  /** Who asks with an access token; undefined for none that is good here. */
  readonly openAccessToken: OpenAccessToken
  /** @param body the request's, parsed */
  answer(request: Request, access: AssistantAccess, body: unknown): Promise<Response>
  /** Answers what was asked, then ends the streams of those who listen for changes: they would hold a stop up for ever. */
  close(): Promise<void>
}

export function createConnector(options: ConnectorOptions): Connector {
  const { logger, openAccessToken, log, reader, baseUrl, metadataUrl } = options
  const accesses = new WeakMap<AuthInfo, AssistantAccess>()
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const access = authInfo && accesses.get(authInfo)
      if (!access) throw new Error("a request came to the connector without who asks")
      return createHealthServer({
        source: connectorSource({ log, reader, access, baseUrl }),
        logger,
        challenge: (scopes) => challengeOf(access, scopes),
      })
    },
    { onerror: (error) => logger.debug({ err: error }, "a request of an assistant was refused") },
  )
  const asked = new Set<Promise<Response>>()
  return {
    openAccessToken,
    async answer(request, access, body) {
      const authInfo = authInfoOf(access, metadataUrl)
      accesses.set(authInfo, access)
      const answer = handler.fetch(request, { authInfo, parsedBody: body })
      asked.add(answer)
      return await answer.finally(() => asked.delete(answer))
    },
    async close() {
      await Promise.allSettled(asked)
      await handler.close()
    },
  }
}

/** The token itself stays at the door. */
const authInfoOf = ({ clientId, tokenScopes, expiresAt }: AssistantAccess, metadataUrl: string): AuthInfo => ({
  token: "",
  clientId,
  scopes: [...tokenScopes],
  expiresAt: Math.floor(expiresAt.getTime() / 1000),
  resourceMetadataUrl: metadataUrl,
})

/**
 * Asks for more where the client never asked for what a call needs: any one of `needed`. What the person declined is not asked for again by
 * itself; the tool says so. RFC 6750 3.1
 */
const challengeOf =
  ({ tokenScopes, declined }: AssistantAccess, needed: readonly HealthScope[]): ScopeChallengeHandler =>
  () => {
    const isDecided = needed.some((scope) => tokenScopes.includes(scope) || declined.includes(scope))
    const [first, ...others] = new Set([...tokenScopes, ...needed])
    return isDecided || first === undefined ? undefined : { scopes: [first, ...others] }
  }
