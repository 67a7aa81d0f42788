import { type Context, createTokenCipher, openDatabase } from "@restwell/core"
import type { Pool } from "pg"
import manifest from "../package.json" with { type: "json" }
import type { LiveSettings } from "./config/live-settings.ts"
import type { SyncQueue } from "./jobs/sync-queue.ts"
import type { ServiceOptions } from "./service-options.ts"
import { waitInRealTime, waitUnreferenced } from "./time/wait.ts"
import { createVendors } from "./vendors/create-vendors.ts"

interface ContextOptions extends ServiceOptions {
  readonly live: Pick<LiveSettings, "current">
}

/** What every verb of core is called with. */
export function createContext(
  { config, secrets, clock, wait = waitInRealTime, logger, live }: ContextOptions,
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
    version: manifest.version,
  }
}
