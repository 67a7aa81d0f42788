import type { CallToolResult } from "@modelcontextprotocol/server"
import { databaseTrouble, type Logger, NotFound, QuotaExceeded, ServiceError } from "@restwell/core"

export interface Answered {
  readonly text: string
  readonly structured: Record<string, unknown>
}

/** A tool's answer. What is refused is an answer too, in words that say what to do; what is our fault is in the log. */
export async function toolResult(
  answer: () => Promise<Answered>,
  { logger, baseUrl }: { readonly logger: Logger; readonly baseUrl: string },
): Promise<CallToolResult> {
  try {
    const { text, structured } = await answer()
    return { content: [{ type: "text", text }], structuredContent: structured }
  } catch (error) {
    return { isError: true, content: [{ type: "text", text: describeRefusal(error, logger, baseUrl) }] }
  }
}

/** @returns the code of the error and what to do about it */
export function describeRefusal(error: unknown, logger: Logger, baseUrl: string): string {
  if (error instanceof QuotaExceeded)
    return `${error.code}: ${error.message}. Ask nothing more before then; the person sees their usage at ${baseUrl}/developer`
  if (error instanceof NotFound)
    return `${error.code}: ${error.message}. Vendors are connected at ${baseUrl}/connections`
  if (error instanceof ServiceError) return `${error.code}: ${error.message}`
  const trouble = databaseTrouble(error)
  logger.error({ err: error }, "a tool failed")
  if (trouble !== undefined) return `unavailable: ${trouble}`
  return "internal_error: something went wrong in Restwell, try again later; its operator finds it in the log"
}
