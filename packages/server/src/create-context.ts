import type { BoundSocket } from "node:net"
import { type Clock, type Context, createTokenCipher, openDatabase, type Secrets } from "@restwell/core"
import type { Pool } from "pg"
import manifest from "../package.json" with { type: "json" }
import type { PasswordHash } from "./accounts/better-auth.ts"
import type { Config } from "./config/config.ts"
import type { LiveSettings } from "./config/live-settings.ts"
import { createVendors } from "./config/vendors.ts"
import type { SyncQueue } from "./jobs/sync-queue.ts"
import type { Logger } from "./process/logger.ts"
import { type Wait, waitInRealTime, waitUnreferenced } from "./process/wait.ts"

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
  /** @default a slow one, as guessing demands */
  readonly passwordHash?: PasswordHash
  /** A port that is bound already. @default `host` and `port` of the configuration */
  readonly socket?: BoundSocket
  /** Called when the service cannot continue. */
  readonly onFatal: (error: unknown) => void
  /** Interrupts the start: started parts are stopped, and the process has to end. */
  readonly signal?: AbortSignal
}

interface ContextOptions extends ServiceOptions {
  readonly live: Pick<LiveSettings, "current">
  readonly disk: Context["disk"]
}

/** What every verb of core is called with. */
export function createContext(
  { config, secrets, clock, wait = waitInRealTime, logger, live, disk }: ContextOptions,
  jobs: SyncQueue,
  pool: Pool,
): Context {
  const database = openDatabase(pool)
  const vendors = createVendors({ vendors: () => live.current().vendors, database, clock, wait, signal: jobs.stopping })
  const cipher = createTokenCipher(secrets)
  return {
    get adapters() {
      return vendors.adapters()
    },
    adaptersFor: vendors.adaptersFor,
    database,
    clock,
    wait: waitUnreferenced,
    logger,
    jobs,
    cipher,
    plans: config.plans,
    sharedVendorAccounts: config.sharedVendorAccounts,
    disk,
    importPersonBytes: config.importPersonBytes,
    version: manifest.version,
  }
}
