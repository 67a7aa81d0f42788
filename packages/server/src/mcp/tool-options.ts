import type { ScopeChallengeHandler } from "@modelcontextprotocol/server"
import type { HealthScope, Logger } from "@restwell/core"
import type { HealthSource } from "./health-source.ts"
import type { ChartView } from "./views/chart-view.ts"

export interface ToolOptions {
  readonly source: HealthSource
  readonly logger: Logger
  /** Draws the results of tools where the program of the assistant has room for it. */
  readonly view: ChartView
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
