import { compare, type Figures } from "../measuring/compare.ts"
import { comparedTo } from "../measuring/comparison.ts"
import { inTurn, type Load } from "../measuring/load.ts"
import { bytesOf, type SentRequest } from "../measuring/requests.ts"
import { openTable } from "../measuring/table.ts"
import type { BenchAssistant, ProtocolVersion } from "../targets/assistant.ts"
import type { BenchService } from "../targets/bench-service.ts"

const READS: readonly {
  readonly tool: string
  readonly path: string
  readonly input: Readonly<Record<string, string | number>>
}[] = [
  { tool: "get_summary", path: "health?type=summary", input: { days: 7 } },
  { tool: "get_sleep", path: "health?type=sleep", input: { days: 30 } },
  { tool: "get_trend", path: "trend?points=true", input: { metric: "hrv", days: 90 } },
  { tool: "compare_periods", path: "compare?", input: { metric: "hrv", days: 30 } },
  { tool: "find_relations", path: "relate?", input: { outcome: "hrv", factor: "asleep" } },
]

/** Tool calls over MCP, compared with the same reads over REST. */
export async function toolCalls(
  { port, key }: BenchService,
  {
    assistant,
    connections,
    versions,
  }: { assistant: BenchAssistant; connections: number; versions: readonly ProtocolVersion[] },
): Promise<void> {
  const path = new URL(assistant.url).pathname
  const row = openTable(`Tool calls over MCP, ${connections} ${connections === 1 ? "connection" : "connections"}`, [
    "call",
    "req/s",
    "p50 ms",
    "p99 ms",
    "of REST",
    "p99 of REST's",
  ])
  for (const { tool, path: resource, input } of READS) {
    // A failed tool call is answered with 200 too, so check it first.
    await assistant.call(tool, input)
    const search = Object.entries(input).map(([name, value]) => `&${name}=${value}`)
    const what = `${Object.values(input).join(" ")}`
    const sent: Record<string, SentRequest> = {
      [`REST, ${resource} ${what}`]: {
        path: `/api/v1/${resource}${search.join("")}`,
        headers: { authorization: `Bearer ${key}` },
      },
    }
    for (const version of versions) {
      const call = assistant.request(version, "tools/call", { name: tool, arguments: input })
      sent[`**${tool} ${what}, MCP ${version}**`] = { path, method: "POST", ...call }
    }
    const loads = Object.entries(sent).map(([name, request]): [string, Load] => [
      name,
      { port, connections, status: 200, next: inTurn([bytesOf(request)]) },
    ])
    const measured: Record<string, Figures> = await compare(Object.fromEntries(loads))
    const [rest] = Object.values(measured)
    for (const [name, figures] of Object.entries(measured)) if (rest) row([name, ...comparedTo(rest, figures)])
  }
}
