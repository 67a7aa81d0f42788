import { RequestRefused, VendorUnavailable } from "@restwell/providers"
import type { VendorSession } from "../connection/vendor-session.ts"
import { allSettled } from "./all-settled.ts"
import { type Fetched, mergeFetched } from "./fetched.ts"

/** People delete few records at a time. If a list lacks more, it may be wrong. */
export const FEW = 8
/** Parallel calls. */
const CONFIRMED_AT_ONCE = 4

/**
 * Reads by id what a list lacks. If it lacks much and the vendor has some of it, the list is wrong and the other calls are saved.
 * @param isThere true for the read of something that the vendor has
 * @throws {VendorUnavailable}
 */
export async function confirmEach<Lacking>(
  { connection }: VendorSession,
  lacking: readonly Lacking[],
  { read, isThere }: { read(one: Lacking): Promise<Fetched>; isThere(fetched: Fetched, one: Lacking): boolean },
): Promise<Fetched[]> {
  const confirmed: Fetched[] = []
  for (let start = 0; start < lacking.length; start += CONFIRMED_AT_ONCE) {
    const some = lacking.slice(start, start + CONFIRMED_AT_ONCE)
    const reads = await allSettled(some.map((one) => read(one).catch(nothingIfForbidden)))
    confirmed.push(...reads)
    const isWrong = some.some((one, index) => isThere(reads[index] ?? NOTHING, one))
    if (lacking.length > FEW && isWrong)
      throw new VendorUnavailable(`the lists of ${connection.provider} lack records that it has`)
  }
  return confirmed
}

const NOTHING = mergeFetched([])

/** What the vendor refuses is not gone. */
function nothingIfForbidden(error: unknown): Fetched {
  if (error instanceof RequestRefused && error.isForbidden) return NOTHING
  throw error
}
