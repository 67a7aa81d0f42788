import { McpServer } from "@modelcontextprotocol/server"
import manifest from "../../package.json" with { type: "json" }
import { INSTRUCTIONS } from "./instructions.ts"
import { registerPrompts } from "./prompts.ts"
import { registerResources } from "./resources.ts"
import type { ToolOptions } from "./tool-options.ts"
import { registerTools } from "./tools.ts"

/** Lists are the same for everybody and change only with a new version. */
const STATIC = { ttlMs: 3_600_000, cacheScope: "public" } as const

/** An MCP server for one person's data: tools, resources, prompts. It is stateless and made for each request. */
export function createHealthServer(options: ToolOptions): McpServer {
  const server = new McpServer(
    { name: "restwell", title: "Restwell", version: manifest.version, websiteUrl: options.source.baseUrl },
    {
      instructions: INSTRUCTIONS,
      cacheHints: {
        "server/discover": STATIC,
        "tools/list": STATIC,
        "prompts/list": STATIC,
        "resources/list": STATIC,
        "resources/templates/list": STATIC,
      },
    },
  )
  registerTools(server, options)
  registerResources(server, options)
  registerPrompts(server)
  return server
}
