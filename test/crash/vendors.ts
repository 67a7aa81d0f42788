// The vendor of a crash test, beside the WHOOP that has the people and the clock.
import type { VendorName } from "@restwell/providers"
import type { Simulator } from "@restwell/simulator"
import { startVendorBeside, type VendorUnderTest, whoopUnderTest } from "@restwell/testing/vendor"
import type { WorldOptions } from "@restwell/testing/world"

/** Six collections, three events each. */
const OURA_SUBSCRIPTIONS = 18

export interface CrashVendor {
  readonly vendor: VendorUnderTest
  /** What the same vendors are to a world, which reads everything at the end. */
  readonly world: WorldOptions
  /** True once the service has subscribed by itself. What happens before is not announced. */
  readonly isSubscribed: () => boolean
  /** Ends a vendor that is not WHOOP. */
  readonly close: () => Promise<void>
}

export async function startCrashVendor(provider: VendorName, whoop: Simulator): Promise<CrashVendor> {
  const { vendors, simulators, close } = await startVendorBeside(whoop, provider)
  const { oura } = simulators
  return {
    vendor: vendors[0] ?? whoopUnderTest(whoop),
    world: { simulator: whoop, vendor: provider, beside: simulators },
    isSubscribed: () => !oura || oura.subscriptions().length >= OURA_SUBSCRIPTIONS,
    close,
  }
}
