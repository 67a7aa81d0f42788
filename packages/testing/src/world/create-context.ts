import { setTimeout as timer } from "node:timers/promises"
import {
  type CallPurpose,
  type Clock,
  type Context,
  createCallGate,
  createTokenCipher,
  type Logger,
  parseApiKey,
  rotateApiKey,
} from "@restwell/core"
import { type CallGate, type CallLimits, VENDORS, type VendorAdapter, type VendorName } from "@restwell/providers"
import { TEST_SECRET } from "../service/environment.ts"
import { VENDOR_APP } from "../vendor/vendor-under-test.ts"

export const PROVIDER: VendorName = "whoop"
export const UNLIMITED = { perMinute: 1_000_000, perDay: 1_000_000 }

/** How WHOOP's calls are shared between purposes. */
export const BUDGET = VENDORS.whoop.syncPolicy.calls

/** How a vendor's calls are shared between purposes. */
export const budgetOf = (provider: VendorName) => VENDORS[provider].syncPolicy.calls

const isVendor = (name: string): name is VendorName => Object.hasOwn(VENDORS, name)

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
  /** Of WHOOP. */
  readonly vendorUrl: string
  /** Of the other vendors. @default there is none */
  readonly besideUrls?: Partial<Record<VendorName, string>>
  /** Takes a person's calls from the app's budget. @default a budget of `calls`, counted in the database */
  readonly gateFor?: (purpose: CallPurpose, userId: string | null, provider: VendorName) => CallGate
  /** The vendors' limits. @default a budget that is never used up */
  readonly calls?: CallLimits
  /** Waits until a call is free. @default it returns at once */
  readonly waitForCall?: (milliseconds: number) => Promise<void>
  /** How long a response of the vendor is waited for, milliseconds. @default the adapter's */
  readonly timeoutMs?: number
  /** Where syncs are requested. @default nowhere */
  readonly jobs?: Context["jobs"]
  readonly plans?: Context["plans"]
  /** @default "refuse" */
  readonly sharedVendorAccounts?: Context["sharedVendorAccounts"]
  /** @default unknown */
  readonly disk?: Context["disk"]
  /** @default 1 GB */
  readonly importPersonBytes?: number
  /** @default nothing is logged */
  readonly logger?: Logger
}

/** The arguments of core's functions, with WHOOP, and the other vendors that have an address. */
export function createContext(options: ContextOptions): Context {
  const { database, clock, timeoutMs, jobs = NO_JOBS, logger = SILENT } = options
  const { calls: limits = UNLIMITED, waitForCall: wait = async () => {} } = options
  const gateFor =
    options.gateFor ??
    ((purpose, userId, provider) =>
      createCallGate({ database, clock, wait, provider, limits, budget: budgetOf(provider), purpose, userId }))
  const adaptersFor = (purpose: CallPurpose, userId: string | null) => {
    const adapters = new Map<string, VendorAdapter>()
    for (const provider of Object.keys(VENDORS).filter(isVendor)) {
      const baseUrl = provider === PROVIDER ? options.vendorUrl : options.besideUrls?.[provider]
      if (baseUrl === undefined) continue
      const adapter = VENDORS[provider].createAdapter({
        ...VENDOR_APP,
        baseUrl,
        now: () => clock.now(),
        gate: gateFor(purpose, userId, provider),
        ...(timeoutMs !== undefined && { timeoutMs }),
        delay: async () => {},
      })
      adapters.set(provider, adapter)
    }
    return adapters
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
    plans: options.plans ?? { free: 1_000_000, pro: 1_000_000 },
    sharedVendorAccounts: options.sharedVendorAccounts ?? "refuse",
    disk: options.disk ?? { freeBytes: async () => undefined },
    importPersonBytes: options.importPersonBytes ?? 1_073_741_824,
    version: "1.0.0",
  }
}

/** Gives a person a new API key, which replaces the former one. Returns its hash and its prefix. */
export async function newKey(context: Context, userId: string): Promise<{ keyHash: string; prefix: string }> {
  const { apiKey, prefix } = await rotateApiKey(context, userId)
  const parsed = parseApiKey(apiKey)
  if (!parsed) throw new Error("a key that core has just made is malformed")
  return { keyHash: parsed.keyHash, prefix }
}
