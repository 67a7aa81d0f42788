import type { CallToolResult } from "@modelcontextprotocol/server"
import { type AssistantAccess, hashOfAccessToken, type RepeatableCall } from "@restwell/core"
import { LRUCache } from "lru-cache"
import { z } from "zod"

/** The result of a tool call, for an equal call with the same token. */
export interface KnownResult {
  readonly access: AssistantAccess
  readonly call: RepeatableCall
  readonly result: CallToolResult
}

/** Memory of a result as a multiple of its JSON, and of an entry beside it. */
const MEMORY_OF_JSON = 4
const OVERHEAD_BYTES = 2_048

/** Results by token, tool and arguments. The ones unused for longest make room. @param maxBytes 0 keeps nothing */
export const createKnownResults = (maxBytes: number) =>
  new LRUCache<string, KnownResult>({
    maxSize: Math.max(maxBytes, 1),
    sizeCalculation: ({ result }) => MEMORY_OF_JSON * JSON.stringify(result).length + OVERHEAD_BYTES,
  })

const ToolCallSchema = z.object({
  method: z.literal("tools/call"),
  params: z.object({ name: z.string(), arguments: z.unknown() }),
})

/** A tool call of a request's body. */
export interface ToolCall {
  readonly tool: string
  /** The same text for equal calls with the same token. */
  readonly key: string
}

/** Undefined if the body is no tool call. */
export function toolCallOf(body: unknown, token: string): ToolCall | undefined {
  const call = ToolCallSchema.safeParse(body).data?.params
  if (!call) return undefined
  return { tool: call.name, key: `${hashOfAccessToken(token)} ${JSON.stringify([call.name, call.arguments])}` }
}
