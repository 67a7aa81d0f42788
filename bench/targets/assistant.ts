import { z } from "zod"
import {
  ALL_SCOPES,
  authorizationUrl,
  Browser,
  decide,
  openConsent,
  pkce,
  REDIRECT_URI,
  redeem,
  register,
  resourceOf,
  TokensSchema,
} from "../test/support/assistant.ts"
import type { BenchService } from "./service.ts"

export const ERAS = ["2025-11-25", "2026-07-28"] as const
export type Era = (typeof ERAS)[number]

/** A request as an assistant of that era sends it. */
export interface RpcRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An assistant that the bench's person has let read everything. */
export interface BenchAssistant {
  /** The connector's address. */
  readonly url: string
  request(era: Era, method: string, params?: { readonly name?: string; readonly arguments?: object }): RpcRequest
  tools(): Promise<z.infer<typeof ToolsSchema>["tools"]>
  call(name: string, args?: object): Promise<z.infer<typeof ToolResultSchema>>
}

const ToolsSchema = z.looseObject({
  tools: z.array(z.looseObject({ name: z.string(), description: z.string(), inputSchema: z.unknown() })),
})
const ToolResultSchema = z.looseObject({
  isError: z.literal(false).optional(),
  content: z.tuple([z.looseObject({ type: z.literal("text"), text: z.string() })]),
  structuredContent: z.record(z.string(), z.unknown()),
})
const AnswerSchema = z.looseObject({ result: z.unknown() })

/** Registers, is sent to the person, who presses Authorize, and redeems the code: all over HTTP. */
export async function connectBenchAssistant(service: BenchService): Promise<BenchAssistant> {
  const url = resourceOf(service)
  const token = await accessTokenFor(service)
  const request: BenchAssistant["request"] = (era, method, params = {}) => ({
    headers: {
      authorization: `Bearer ${token}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-protocol-version": era,
      ...(era === "2026-07-28" && { "mcp-method": method, ...(params.name && { "mcp-name": params.name }) }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method,
      params: era === "2026-07-28" ? { ...params, _meta: metaOf(era) } : params,
    }),
  })
  const ask = async (method: string, params?: { readonly name?: string; readonly arguments?: object }) => {
    const answer = await fetch(url, { method: "POST", ...request("2026-07-28", method, params) })
    return AnswerSchema.parse(await answer.json()).result
  }
  return {
    url,
    request,
    tools: async () => ToolsSchema.parse(await ask("tools/list")).tools,
    call: async (name, args = {}) => ToolResultSchema.parse(await ask("tools/call", { name, arguments: args })),
  }
}

/** MCP 2026-07-28: every request says who asks, and in which version. */
const metaOf = (era: Era) => ({
  "io.modelcontextprotocol/protocolVersion": era,
  "io.modelcontextprotocol/clientCapabilities": {},
  "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
})

async function accessTokenFor(service: BenchService): Promise<string> {
  const browser = new Browser()
  for (const cookie of service.cookie.split("; ")) browser.keep(cookie)
  const client = await register(service)
  const { verifier, challenge } = pkce()
  const asked = authorizationUrl(service, {
    client_id: client.client_id,
    redirect_uri: REDIRECT_URI,
    response_type: "code",
    code_challenge: challenge,
    code_challenge_method: "S256",
    resource: resourceOf(service),
    scope: ALL_SCOPES,
  })
  const back = await decide(browser, await openConsent(service, browser, asked))
  const code = back.searchParams.get("code") ?? ""
  const answer = await redeem(service, { client, code, verifier, redirectUri: REDIRECT_URI })
  return TokensSchema.parse(await answer.json()).access_token
}
