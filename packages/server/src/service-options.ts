import type { BoundSocket } from "node:net"
import type { Clock, Secrets } from "@restwell/core"
import type { Config } from "./config/config.ts"
import type { Logger } from "./log/logger.ts"
import type { Wait } from "./time/wait.ts"

/** What the composition root is given. */
export interface ServiceOptions {
  readonly config: Config
  /** The operator's secrets at each call. Cookies and forms use those of the start. */
  readonly secrets: () => Secrets
  readonly clock: Clock
  /** Waits on that clock, for vendors' budgets and for jobs that are due. @default in real time */
  readonly wait?: Wait
  readonly logger: Logger
  /** Extra settings of the embedded PostgreSQL, for data that may be lost. */
  readonly postgresSettings?: Readonly<Record<string, string>>
  /** Fetches the metadata documents of OAuth clients. @default a fetch that reaches public addresses alone */
  readonly fetchDocument?: typeof fetch
  /** A port that is bound already. @default `host` and `port` of the configuration */
  readonly socket?: BoundSocket
  /** Called when the service cannot continue. */
  readonly onFatal: (error: unknown) => void
  /** Interrupts the start: started parts are stopped, and the process has to end. */
  readonly signal?: AbortSignal
}
