import type { ScopeChallengeHandler } from "@modelcontextprotocol/server"
import type { HealthScope, Logger } from "@restwell/core"
import type { HealthSource } from "./health-source.ts"

export interface ToolOptions {
  readonly source: HealthSource
  readonly logger: Logger
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
