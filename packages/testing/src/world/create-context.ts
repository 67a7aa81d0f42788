import { setTimeout as timer } from "node:timers/promises"
import {
  type CallPurpose,
  type Clock,
  type Context,
  createCallGate,
  createTokenCipher,
  type Logger,
} from "@restwell/core"
import { type CallGate, VENDORS } from "@restwell/providers"
import { TEST_SECRET } from "../service/environment.ts"
import { VENDOR_APP } from "../vendor/start-vendor.ts"

export const PROVIDER = "whoop"
export const UNLIMITED = { perMinute: 1_000_000, perDay: 1_000_000 }

/** How WHOOP's calls are shared between purposes. */
export const BUDGET = VENDORS.whoop.syncPolicy.calls

const ignore = () => {}
const SILENT: Logger = { debug: ignore, info: ignore, warn: ignore, error: ignore }
const NO_JOBS: Context["jobs"] = {
  requestSync: async () => {},
  isAnyoneWaiting: async () => false,
  isSyncing: async () => false,
}

export interface ContextOptions {
  readonly database: Context["database"]
  readonly clock: Clock
  readonly vendorUrl: string
  /** Takes a person's calls from the app's budget. @default a budget that is never used up, counted in the database */
  readonly gateFor?: (purpose: CallPurpose, userId: string | null) => CallGate
  /** How long a response of the vendor is waited for, milliseconds. @default the adapter's */
  readonly timeoutMs?: number
  /** Where syncs are requested. @default nowhere */
  readonly jobs?: Context["jobs"]
  readonly plans?: Context["plans"]
  /** @default "refuse" */
  readonly sharedVendorAccounts?: Context["sharedVendorAccounts"]
  /** @default nothing is logged */
  readonly logger?: Logger
}

/** The arguments of core's functions, with one vendor. */
export function createContext(options: ContextOptions): Context {
  const { database, clock, vendorUrl, timeoutMs, jobs = NO_JOBS, logger = SILENT } = options
  const gateFor =
    options.gateFor ??
    ((purpose, userId) =>
      createCallGate({
        database,
        clock,
        wait: async () => {},
        provider: PROVIDER,
        limits: UNLIMITED,
        budget: BUDGET,
        purpose,
        userId,
      }))
  const adaptersFor = (purpose: CallPurpose, userId: string | null) => {
    const adapter = VENDORS.whoop.createAdapter({
      ...VENDOR_APP,
      baseUrl: vendorUrl,
      now: () => clock.now(),
      gate: gateFor(purpose, userId),
      ...(timeoutMs !== undefined && { timeoutMs }),
      delay: async () => {},
    })
    return new Map([[PROVIDER, adapter]])
  }
  return {
    database,
    clock,
    logger,
    jobs,
    adapters: adaptersFor("person", null),
    adaptersFor,
    cipher: createTokenCipher([TEST_SECRET]),
    wait: (milliseconds) => timer(milliseconds, undefined, { ref: false }),
    plans: options.plans ?? { free: 1_000_000, pro: 2_000_000 },
    sharedVendorAccounts: options.sharedVendorAccounts ?? "refuse",
    version: "1.0.0",
  }
}
