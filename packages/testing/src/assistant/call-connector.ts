import { expect } from "vitest"
import { z } from "zod"
import type { Address } from "../member/member.ts"
import { resourceOf } from "./register.ts"

/** Sends one MCP request, as a client of version 2025-11-25 does without a session. */
export async function callConnector(
  service: Address,
  token: string | undefined,
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(resourceOf(service), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  })
}

const RpcSchema = z.looseObject({
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number() }).optional(),
})
const TextSchema = z.looseObject({ type: z.literal("text"), text: z.string() })
const LinkSchema = z.looseObject({ type: z.literal("resource_link"), uri: z.string(), mimeType: z.string() })
const ToolResultSchema = z
  .looseObject({
    isError: z.boolean().optional(),
    content: z.array(z.union([TextSchema, LinkSchema])),
    structuredContent: z.record(z.string(), z.unknown()).optional(),
    _meta: z.record(z.string(), z.unknown()).optional(),
  })
  .transform(({ content, ...result }) => ({
    ...result,
    content: content.filter((block) => block.type === "text"),
    links: content.filter((block) => block.type === "resource_link"),
  }))

/** Parses the message of a response, which is either JSON or an event stream. */
export async function messageOf(answer: Response): Promise<z.infer<typeof RpcSchema>> {
  const text = await answer.text()
  const json = text.startsWith("{") ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? "")
  return RpcSchema.parse(JSON.parse(json))
}

export async function callTool(service: Address, token: string, name: string, args: object = {}) {
  const answer = await callConnector(service, token, "tools/call", { name, arguments: args })
  expect(answer.status, await answer.clone().text()).toBe(200)
  return ToolResultSchema.parse((await messageOf(answer)).result)
}
