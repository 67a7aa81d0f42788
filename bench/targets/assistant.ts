import { connectAssistant, resourceOf } from "@restwell/testing/assistant"
import { z } from "zod"
import type { BenchService } from "./bench-service.ts"

export const PROTOCOL_VERSIONS = ["2025-11-25", "2026-07-28"] as const
export type ProtocolVersion = (typeof PROTOCOL_VERSIONS)[number]

/** A request as an assistant of that version sends it. */
interface RpcRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An assistant with access to all data of the benchmark's person. */
export interface BenchAssistant {
  /** The connector's address. */
  readonly url: string
  request(
    version: ProtocolVersion,
    method: string,
    params?: { readonly name?: string; readonly arguments?: object },
  ): RpcRequest
  tools(): Promise<z.infer<typeof ToolsSchema>["tools"]>
  call(name: string, args?: object): Promise<z.infer<typeof ToolResultSchema>>
}

const ToolsSchema = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string(), description: z.string(), inputSchema: z.unknown() })),
})
const ToolResultSchema = z.looseObject({
  isError: z.literal(false).optional(),
  // The text, and a link to the same data as CSV.
  content: z.tuple([z.looseObject({ type: z.literal("text"), text: z.string() })], z.unknown()),
  structuredContent: z.record(z.string(), z.unknown()),
})
const AnswerSchema = z.looseObject({ result: z.unknown() })

/** Registers, is authorized by the person, and redeems the code, all over HTTP. */
export async function connectBenchAssistant(service: BenchService): Promise<BenchAssistant> {
  const url = resourceOf(service)
  const { access_token: token } = await connectAssistant(service, service.member)
  const request: BenchAssistant["request"] = (version, method, params = {}) => ({
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": version,
      ...(version === "2026-07-28" && { "mcp-method": method, ...(params.name && { "mcp-name": params.name }) }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: version === "2026-07-28" ? { ...params, _meta: metaOf(version) } : params,
    }),
  })
  const send = async (method: string, params?: { readonly name?: string; readonly arguments?: object }) => {
    const response = await fetch(url, { method: "POST", ...request("2026-07-28", method, params) })
    return AnswerSchema.parse(await response.json()).result
  }
  return {
    url,
    request,
    tools: async () => ToolsSchema.parse(await send("tools/list")).tools,
    call: async (name, args = {}) => ToolResultSchema.parse(await send("tools/call", { name, arguments: args })),
  }
}

/** MCP 2026-07-28: every request names its client and version. */
const metaOf = (version: ProtocolVersion) => ({
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
})
