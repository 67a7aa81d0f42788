import type { McpServer } from "@modelcontextprotocol/server"
import { profileText } from "./answer-text.ts"
import type { HealthSource } from "./health-source.ts"
import { registerInsights } from "./insight-tools.ts"
import { leanSchema } from "./lean-schema.ts"
import { registerLists, registerSummary } from "./list-tools.ts"
import { registerSearch } from "./search-tools.ts"
import { plainWords } from "./shared-answer.ts"
import { registerToday } from "./today-tool.ts"
import { READ_ONLY, type ToolOptions } from "./tool-options.ts"
import { type Answered, toolResult } from "./tool-result.ts"
import { OUTPUTS } from "./tool-schemas.ts"

/** All tools. They only read. */
export function registerTools(server: McpServer, options: ToolOptions): void {
  registerToday(server, options)
  registerInsights(server, options)
  registerSummary(server, options)
  registerLists(server, options)
  server.registerTool(
    "get_profile",
    {
      title: "Profile",
      description: "The person's name and body measurements, as they entered them at the vendor.",
      outputSchema: leanSchema(OUTPUTS.profile),
      annotations: READ_ONLY,
      scopeChallenge: options.challenge(["profile:read"]),
    },
    () => toolResult(() => readProfile(options.source), options),
  )
  registerSearch(server, options)
}

async function readProfile(source: HealthSource): Promise<Answered> {
  const [body] = await source.read("get_profile", [{ type: "profile" }])
  const answer = plainWords(OUTPUTS.profile.parse(body))
  return { text: profileText(answer), structured: answer }
}
