import type { McpServer, ScopeChallengeHandler } from "@modelcontextprotocol/server"
import type { HealthScope } from "@restwell/core"
import { groupOfMetric, SCOPE_OF } from "@restwell/core/connector"
import { z } from "zod"
import { withChartView } from "./charts.ts"
import { type Answered, asWanted, leanSchema, type ToolOptions, toolResult } from "./tool-protocol.ts"
import type { ToolSource } from "./tool-source.ts"

/** A call changes nothing, and gives the same result until new data arrives. */
const READ_ONLY = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }

interface ToolDefinition<Input extends z.ZodObject> {
  readonly name: string
  readonly title: string
  readonly description: string
  /** Its arguments. */
  readonly input: Input
  readonly output: z.ZodType
  /** Scopes of which any one is enough, or the arguments that name metrics, whose scopes are needed. */
  readonly needs: readonly HealthScope[] | { readonly metricsIn: readonly string[] }
  readonly hasChart?: true
  readonly answer: (source: ToolSource, input: z.infer<Input>) => Promise<Answered>
}

/** A tool that can be added to a server. */
export interface Tool {
  readonly name: string
  register(server: McpServer, options: ToolOptions): void
}

export const defineTool = <Input extends z.ZodObject>(tool: ToolDefinition<Input>): Tool => ({
  name: tool.name,
  register(server, options) {
    const { name, title, description, input, output, needs, hasChart, answer } = tool
    server.registerTool(
      name,
      {
        title,
        description,
        inputSchema: leanSchema(input, (given) => asWanted(input, given)),
        outputSchema: leanSchema(output),
        annotations: READ_ONLY,
        ...(hasChart && { _meta: withChartView(options.view) }),
        scopeChallenge: "metricsIn" in needs ? challengeMetrics(options, needs.metricsIn) : options.challenge(needs),
      },
      (given) => toolResult(() => answer(options.source, given), options),
    )
  },
})

export const NO_ARGUMENTS = z.object({})

const CallSchema = z.looseObject({ arguments: z.looseObject({}).optional() })

/** Asks for the scope of each metric that a call names in these arguments. */
const challengeMetrics =
  ({ challenge }: ToolOptions, names: readonly string[]): ScopeChallengeHandler =>
  (context) => {
    const given = CallSchema.safeParse(context.request.params).data?.arguments ?? {}
    const scopes = names.flatMap((name) => scopeOf(given[name]))
    return scopes.map((scope) => challenge([scope])(context)).find((each) => each !== undefined)
  }

function scopeOf(metric: unknown): HealthScope[] {
  const group = typeof metric === "string" ? groupOfMetric(metric) : null
  return group === null ? [] : [SCOPE_OF[group]]
}
