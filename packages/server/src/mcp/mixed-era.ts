import { z } from "zod"

const MODERN = "2026-07-28"
const LEGACY = "2025-11-25"
const VERSION_HEADER = "mcp-protocol-version"
const VERSION_KEY = "io.modelcontextprotocol/protocolVersion"

const MessageSchema = z.looseObject({
  method: z.string(),
  params: z
    .looseObject({
      name: z.string().optional(),
      uri: z.string().optional(),
      _meta: z.looseObject({ [VERSION_KEY]: z.string().optional() }).optional(),
    })
    .optional(),
})

/**
 * Corrects the headers of clients that mix the two eras of MCP. claude.ai sends bodies of 2026-07-28 with the header of 2025-11-25. Others
 * send the header of 2026-07-28 with older bodies. The specification refuses such requests (-32020), so every call of those assistants
 * would fail. Only these two mismatches are corrected.
 * @see https://github.com/anthropics/claude-code/issues/93290 @see https://github.com/CodeWithCJ/SparkyFitness/issues/2155
 * @returns whether a header was changed
 */
export function fixMixedEra(headers: Headers, body: unknown): boolean {
  const parsed = MessageSchema.safeParse(body)
  if (!parsed.success) return false
  const { method, params } = parsed.data
  const version = params?._meta?.[VERSION_KEY]
  if (version === undefined) return setIf(headers.get(VERSION_HEADER) === MODERN, headers, VERSION_HEADER, LEGACY)
  const name = params?.name ?? params?.uri
  const changes = [
    setIf(headers.get(VERSION_HEADER) !== version, headers, VERSION_HEADER, version),
    setIf(!headers.has("mcp-method"), headers, "mcp-method", method),
    setIf(!headers.has("mcp-name") && name !== undefined, headers, "mcp-name", name ?? ""),
  ]
  return changes.includes(true)
}

function setIf(condition: boolean, headers: Headers, name: string, value: string): boolean {
  if (condition) headers.set(name, value)
  return condition
}
