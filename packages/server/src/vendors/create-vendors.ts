import { CALL_PURPOSES, type CallPurpose, type Context, createCallGate } from "@restwell/core"
import { VENDORS, type VendorAdapter } from "@restwell/providers"
import type { Config } from "../config/config.ts"
import type { Wait } from "../time/wait.ts"

export interface VendorsOptions extends Pick<Context, "database" | "clock"> {
  readonly vendors: Config["vendors"]
  /** Waits for the call budget and before retries. */
  readonly wait: Wait
  /** Ends every wait. */
  readonly signal: AbortSignal
}

/** Adapters of the configured vendors for each purpose of calls. All calls to a vendor share one budget. */
export function createVendors({
  vendors,
  wait,
  signal,
  ...deps
}: VendorsOptions): Pick<Context, "adapters" | "adaptersFor"> {
  const delay = (delayMs: number) => wait(delayMs, signal)
  const adaptersOf = (purpose: CallPurpose): ReadonlyMap<string, VendorAdapter> => {
    const adapters = new Map<string, VendorAdapter>()
    for (const [provider, { createAdapter, syncPolicy }] of Object.entries(VENDORS)) {
      const vendor = vendors.get(provider)
      if (!vendor) continue
      const limits = { perMinute: vendor.callsPerMinute, perDay: vendor.callsPerDay }
      const gate = createCallGate({ ...deps, wait: delay, provider, limits, budget: syncPolicy.calls, purpose })
      adapters.set(provider, createAdapter({ ...vendor, gate, delay }))
    }
    return adapters
  }
  const all = new Map(CALL_PURPOSES.map((purpose) => [purpose, adaptersOf(purpose)]))
  const adaptersFor = (purpose: CallPurpose) => all.get(purpose) ?? new Map<string, VendorAdapter>()
  return { adapters: adaptersFor("person"), adaptersFor }
}
