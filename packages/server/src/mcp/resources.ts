import { type McpServer, ResourceTemplate } from "@modelcontextprotocol/server"
import { SUMMARY_SCOPES } from "@restwell/core"
import { summaryText } from "./answer-text.ts"
import { registerCsv } from "./csv-resources.ts"
import type { HealthSource } from "./health-source.ts"
import { readDay } from "./read-days.ts"
import { plainWords, sharedSummary } from "./shared-answer.ts"
import type { ToolOptions } from "./tool-options.ts"

const TEXT = "text/plain"
/** Data changes with each sync. Some minutes are recent enough for a conversation. */
const FRESH = { ttlMs: 300_000, cacheScope: "private" } as const

/** Resources that a person can add to a conversation. */
export function registerResources(server: McpServer, options: ToolOptions): void {
  const { source, challenge } = options
  const about = { mimeType: TEXT, cacheHint: FRESH, scopeChallenge: challenge(SUMMARY_SCOPES) }
  const summary = (name: string, uri: string, title: string, days: number): void => {
    server.registerResource(name, uri, { ...about, title, description: `${title}, in a few lines` }, async () => ({
      contents: [{ uri, mimeType: TEXT, text: await readSummary(source, uri, days) }],
    }))
  }
  summary("summary-today", "restwell://summary/today", "Today", 1)
  summary("summary-week", "restwell://summary/week", "The last 7 days", 7)
  server.registerResource(
    "day",
    new ResourceTemplate("restwell://day/{date}", { list: undefined }),
    { ...about, title: "One day", description: "Everything of one local date, YYYY-MM-DD" },
    async (uri, { date }) => ({
      contents: [{ uri: uri.href, mimeType: TEXT, text: (await readDay(source, uri.href, String(date))).text }],
    }),
  )
  registerCsv(server, options)
}

async function readSummary(source: HealthSource, operation: string, days: number): Promise<string> {
  const [body] = await source.read(operation, [{ type: "summary", days }])
  if (!body) throw new Error("a read returned nothing")
  return summaryText(plainWords(sharedSummary(body, source.sharing)))
}
