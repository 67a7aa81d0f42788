import type { McpServer } from "@modelcontextprotocol/server"
import { profileText } from "./answer-text.ts"
import type { HealthSource } from "./health-source.ts"
import { registerInsights } from "./insight-tools.ts"
import { leanOutput } from "./lean-schema.ts"
import { registerLists, registerSummary } from "./list-tools.ts"
import { registerSearch } from "./search-tools.ts"
import { plainWords } from "./shared-answer.ts"
import { registerToday } from "./today-tool.ts"
import { READ_ONLY, type ToolOptions } from "./tool-options.ts"
import { type Answered, toolResult } from "./tool-result.ts"
import { OUTPUTS } from "./tool-schemas.ts"

/** All tools, by the function that registers them. They only read. */
const TOOLS: readonly { readonly names: readonly string[]; readonly register: typeof registerToday }[] = [
  { names: ["get_today"], register: registerToday },
  { names: ["get_trend", "compare_periods", "find_relations"], register: registerInsights },
  { names: ["get_summary"], register: registerSummary },
  { names: ["get_sleep", "get_recovery", "get_workouts", "get_cycles", "get_journal"], register: registerLists },
  { names: ["get_profile"], register: registerProfile },
  { names: ["search", "fetch"], register: registerSearch },
]

/** @param called the only tool that is needed. @default all of them */
export function registerTools(server: McpServer, options: ToolOptions, called?: string): void {
  for (const { names, register } of TOOLS) if (called === undefined || names.includes(called)) register(server, options)
}

function registerProfile(server: McpServer, options: ToolOptions): void {
  server.registerTool(
    "get_profile",
    {
      title: "Profile",
      description: "The person's name and body measurements, as they entered them at the vendor.",
      outputSchema: leanOutput(OUTPUTS.profile),
      annotations: READ_ONLY,
      scopeChallenge: options.challenge(["profile:read"]),
    },
    () => toolResult(() => readProfile(options.source), options),
  )
}

async function readProfile(source: HealthSource): Promise<Answered> {
  const [body] = await source.read("get_profile", [{ type: "profile" }])
  const answer = plainWords(OUTPUTS.profile.parse(body))
  return { text: profileText(answer), structured: answer }
}
