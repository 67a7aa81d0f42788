import { type CallPurpose, type Context, createCallGate } from "@restwell/core"
import { VENDORS, type VendorAdapter } from "@restwell/providers"
import type { Config } from "../config/config.ts"
import type { Wait } from "../time/wait.ts"

export interface VendorsOptions extends Pick<Context, "database" | "clock"> {
  /** The configured vendors at each call. */
  readonly vendors: () => Config["vendors"]
  /** Waits for the call budget and before retries. */
  readonly wait: Wait
  /** Ends every wait. */
  readonly signal: AbortSignal
}

/** Adapters of the configured vendors for each purpose and person. All calls to a vendor share one budget. */
export function createVendors({ vendors, wait, signal, ...deps }: VendorsOptions): {
  adapters(): Context["adapters"]
  readonly adaptersFor: Context["adaptersFor"]
} {
  const delay = (delayMs: number) => wait(delayMs, signal)
  const adaptersFor = (purpose: CallPurpose, userId: string | null): ReadonlyMap<string, VendorAdapter> => {
    const configured = vendors()
    const adapters = new Map<string, VendorAdapter>()
    for (const [provider, { createAdapter, syncPolicy }] of Object.entries(VENDORS)) {
      const vendor = configured.get(provider)
      if (!vendor) continue
      const limits = { perMinute: vendor.callsPerMinute, perDay: vendor.callsPerDay }
      const gate = createCallGate({ ...deps, wait: delay, provider, limits, budget: syncPolicy.calls, purpose, userId })
      adapters.set(provider, createAdapter({ ...vendor, gate, delay, now: () => deps.clock.now() }))
    }
    return adapters
  }
  let made: { readonly configured: Config["vendors"]; readonly adapters: Context["adapters"] } | undefined
  return {
    adapters() {
      const configured = vendors()
      if (made?.configured !== configured) made = { configured, adapters: adaptersFor("person", null) }
      return made.adapters
    },
    adaptersFor,
  }
}
