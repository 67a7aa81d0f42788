import type { CallToolResult, ScopeChallengeHandler } from "@modelcontextprotocol/server"
import type { HealthScope, Logger } from "@restwell/core"
import type { HealthSource } from "./health-source.ts"
import type { ChartView } from "./views/chart-view.ts"

/** What the connector knows of equal calls. */
export interface CallMemory {
  /** The result of an equal call, which is counted again. Absent for a first call. */
  readonly repeat?: () => Promise<CallToolResult>
  keep(result: CallToolResult): void
}

export interface ToolOptions {
  readonly source: HealthSource
  readonly logger: Logger
  /** Draws the results of tools where the program of the assistant has room for it. */
  readonly view: ChartView
  /** `restwell mcp` has none. */
  readonly memory?: CallMemory
  /** Asks for more scopes before a call. `restwell mcp` has no scopes. */
  readonly challenge: (scopes: readonly HealthScope[]) => ScopeChallengeHandler
}

/** A call changes nothing, and gives the same result until new data arrives. */
export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const
