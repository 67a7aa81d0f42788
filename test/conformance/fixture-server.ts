/**
 * A server with the tools, resources and prompts that the conformance suite calls by name. The connector does not have
 * them. Handler and settings are those of the connector.
 */
import { createServer } from "node:http"
import { toNodeHandler } from "@modelcontextprotocol/node"
import {
  createMcpHandler,
  InMemoryServerEventBus,
  localhostAllowedOrigins,
  McpServer,
  originValidationResponse,
  type ServerEventBus,
} from "@modelcontextprotocol/server"
import { registerInputFixtures, requestState } from "./fixture-input.ts"
import { registerPrompts } from "./fixture-prompts.ts"
import { registerQuestions } from "./fixture-questions.ts"
import { registerResources } from "./fixture-resources.ts"
import { registerTools } from "./fixture-tools.ts"
import { listenOnLoopback } from "./loopback.ts"

const PATH = "/api/mcp/oauth"

export interface RunningServer {
  readonly url: string
  close(): Promise<void>
}

/** Starts the server on a free loopback port. */
export async function startFixtureServer(): Promise<RunningServer> {
  const changes = new InMemoryServerEventBus()
  const handler = createMcpHandler(() => fixtureServer(changes), { bus: changes })
  const answer = toNodeHandler({
    fetch: async (request, options) =>
      originValidationResponse(request, localhostAllowedOrigins()) ?? handler.fetch(request, options),
  })
  const http = createServer((request, response) => {
    // A received request always has a method and a URL, although its type allows `undefined`.
    const { method = "", url = "" } = request
    if (url === PATH) void answer(Object.assign(request, { method, url }), response)
    else response.writeHead(404).end()
  })
  const { origin, close } = await listenOnLoopback(http)
  return {
    url: `${origin}${PATH}`,
    async close() {
      await handler.close()
      await close()
    },
  }
}

function fixtureServer(changes: ServerEventBus): McpServer {
  const server = new McpServer(
    { name: "restwell-conformance-fixtures", version: "1.0.0" },
    {
      capabilities: { logging: {}, completions: {} },
      cacheHints: { "tools/list": { ttlMs: 3_600_000, cacheScope: "public" } },
      requestState: { verify: requestState.verify },
    },
  )
  registerTools(server)
  registerChangingTools(server, changes)
  registerResources(server)
  registerPrompts(server)
  registerInputFixtures(server)
  registerQuestions(server)
  return server
}

/** Tools that notify listening clients that a list has changed. */
function registerChangingTools(server: McpServer, changes: ServerEventBus): void {
  const empty = { content: [] }
  server.registerTool("test_trigger_tool_change", { description: "Announces changed tools" }, () => {
    changes.publish({ kind: "tools_list_changed" })
    return empty
  })
  server.registerTool("test_trigger_prompt_change", { description: "Announces changed prompts" }, () => {
    changes.publish({ kind: "prompts_list_changed" })
    return empty
  })
}
