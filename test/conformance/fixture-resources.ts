/** The resources that the suite's `resources-*` and `caching` scenarios read by address. */
import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server"
import { RED_PIXEL } from "./fixture-content.ts"

export function registerResources(server: McpServer): void {
  server.registerResource(
    "static-text",
    "test://static-text",
    { description: "Text that stays", mimeType: "text/plain", cacheHint: { ttlMs: 60_000, cacheScope: "public" } },
    ({ href: uri }) => ({
      contents: [{ uri, mimeType: "text/plain", text: "This is the content of the static text resource." }],
    }),
  )
  server.registerResource(
    "static-binary",
    "test://static-binary",
    { description: "A picture that stays", mimeType: RED_PIXEL.mimeType },
    ({ href: uri }) => ({ contents: [{ uri, mimeType: RED_PIXEL.mimeType, blob: RED_PIXEL.data }] }),
  )
  server.registerResource(
    "template-data",
    new ResourceTemplate("test://template/{id}/data", { list: undefined }),
    { description: "Data by its id", mimeType: "application/json" },
    ({ href: uri }, { id }) => ({
      contents: [
        {
          uri,
          mimeType: "application/json",
          text: JSON.stringify({ id, templateTest: true, data: `Data for ID: ${id}` }),
        },
      ],
    }),
  )
}
