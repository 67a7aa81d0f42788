import type { CallToolResult } from "@modelcontextprotocol/server"
import { CHART_KEY, type Chart } from "@restwell/client"
import { databaseTrouble, type Logger, NotFound, QuotaExceeded, ServiceError } from "@restwell/core"
import type { ToolOptions } from "./tool-options.ts"

type Link = Extract<CallToolResult["content"][number], { type: "resource_link" }>

/** One answer of a tool. Text and structured form carry the same facts, because programs show the assistant one or the other. */
export interface Answered {
  readonly text: string
  readonly structured: Record<string, unknown>
  /** The same data as a file. */
  readonly link?: Link | undefined
  /** The data of its chart, which the assistant never reads. */
  readonly chart?: Chart | undefined
}

/** A tool's result. An error is a result too, with a message that says what to do. Internal errors are logged. */
export async function toolResult(
  answer: () => Promise<Answered>,
  { logger, memory, source: { baseUrl } }: Pick<ToolOptions, "logger" | "memory" | "source">,
): Promise<CallToolResult> {
  try {
    if (memory?.repeat) return await memory.repeat()
    const result = resultOf(await answer())
    memory?.keep(result)
    return result
  } catch (error) {
    return { isError: true, content: [{ type: "text", text: describeError(error, logger, baseUrl) }] }
  }
}

const resultOf = ({ text, structured, link, chart }: Answered): CallToolResult => ({
  content: [{ type: "text", text }, ...(link ? [link] : [])],
  structuredContent: structured,
  ...(chart && { _meta: { [CHART_KEY]: chart } }),
})

/** @returns the code of the error and what to do about it */
function describeError(error: unknown, logger: Logger, baseUrl: string): string {
  if (error instanceof QuotaExceeded)
    return `${error.code}: ${error.message}. Send no more requests before then. The person sees their usage at ${baseUrl}/developer`
  if (error instanceof NotFound) return `${error.code}: ${error.message}. Connect a vendor at ${baseUrl}/connections`
  if (error instanceof ServiceError) return `${error.code}: ${error.message}`
  const trouble = databaseTrouble(error)
  logger.error({ err: error }, "a tool failed")
  if (trouble !== undefined) return `unavailable: ${trouble}`
  return "internal_error: Restwell failed, try again later. Its operator finds the cause in the log"
}
