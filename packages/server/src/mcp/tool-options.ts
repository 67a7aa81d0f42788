import type { ScopeChallengeHandler } from "@modelcontextprotocol/server"
import type { HealthScope, Logger } from "@restwell/core"
import type { HealthSource } from "./health-source.ts"

export interface ToolOptions {
  readonly source: HealthSource
  readonly logger: Logger
  /** Whether a call must first be allowed more; the desktop command has no scopes. */
  readonly challenge: (scopes: readonly HealthScope[]) => ScopeChallengeHandler
}

/** Nothing is changed, and the same call gives the same until new data arrive. */
export const READ_ONLY = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const
