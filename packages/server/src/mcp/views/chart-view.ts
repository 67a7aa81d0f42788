import { createHash } from "node:crypto"
import type { McpServer } from "@modelcontextprotocol/server"

/*
 * The view of MCP Apps: programs that show the results of tools in a frame read it as a resource, and send it each result of a tool that
 * names it. It is the same for everybody and contains no health data. @see SEP-1865
 */

/** The extension, as servers and clients name it in their capabilities. */
export const APPS_EXTENSION = "io.modelcontextprotocol/ui"
const MIME_TYPE = "text/html;profile=mcp-app"
/** A new version of the view has a new URI, because programs keep views by URI. */
const CACHE = { ttlMs: 3_600_000, cacheScope: "public" } as const
/** The view loads nothing from anywhere. */
const UI = { ui: { csp: { connectDomains: [], resourceDomains: [] }, prefersBorder: false } }

export interface ChartView {
  readonly uri: string
  readonly html: string
}

export function chartViewOf(html: string): ChartView {
  const version = createHash("sha256").update(html).digest("hex").slice(0, 6)
  return { uri: `ui://restwell/chart-${version}`, html }
}

/** `_meta` of a tool whose results the view draws. The second key is the one of MCP Apps' drafts, the third ChatGPT's. */
export const withChartView = ({ uri }: ChartView) => ({
  ui: { resourceUri: uri },
  "ui/resourceUri": uri,
  "openai/outputTemplate": uri,
})

export function registerChartView(server: McpServer, { uri, html }: ChartView): void {
  server.registerResource(
    "chart",
    uri,
    { title: "Chart", description: "Draws the results of tools", mimeType: MIME_TYPE, cacheHint: CACHE, _meta: UI },
    () => ({ contents: [{ uri, mimeType: MIME_TYPE, text: html, _meta: UI }] }),
  )
}
