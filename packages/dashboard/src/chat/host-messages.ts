import { z } from "zod"

/** Names and shapes of the messages between a chat and this view. @see https://github.com/modelcontextprotocol/ext-apps specification/2026-01-26 */
export const PROTOCOL_VERSION = "2026-01-26"

const IdSchema = z.union([z.string(), z.number()])

/** One JSON-RPC message. Others on the same window are not for this view. */
export const MessageSchema = z.object({
  jsonrpc: z.literal("2.0"),
  id: IdSchema.optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.object({ message: z.string() }).optional(),
})
export type Message = z.infer<typeof MessageSchema>

/** What the host says of itself. A value of another type than the specification's counts as not sent. */
export const HostContextSchema = z.object({
  theme: z.enum(["light", "dark"]).optional().catch(undefined),
  styles: z
    .object({ variables: z.record(z.string(), z.string().optional().catch(undefined)).optional() })
    .optional()
    .catch(undefined),
  safeAreaInsets: z
    .object({ top: z.number(), right: z.number(), bottom: z.number(), left: z.number() })
    .optional()
    .catch(undefined),
})
export type HostContext = z.infer<typeof HostContextSchema>

export const InitializedSchema = z.object({
  hostCapabilities: z.object({ openLinks: z.looseObject({}).optional() }),
  hostContext: HostContextSchema.optional(),
})

export const ToolResultSchema = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })).default([]),
  _meta: z.record(z.string(), z.unknown()).optional(),
})
export type ToolResult = z.infer<typeof ToolResultSchema>

export const CancelledSchema = z.object({ reason: z.string().optional() })
