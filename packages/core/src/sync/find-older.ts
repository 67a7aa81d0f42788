import type { VendorSession } from "../connection/vendor-session.ts"
import { allSettled } from "./all-settled.ts"

/** Recoveries have no time of their own, so they are not needed to find older records. */
const TIMED_KINDS = ["cycle", "sleep", "workout"] as const

/**
 * Returns where the history continues before `before`: just after the newest older start. A pause without the device may last months.
 * Undefined when the vendor has nothing older. `before` itself when a record was rejected, because its start is unknown.
 */
export async function findOlder(session: VendorSession, before: Date): Promise<Date | undefined> {
  const pages = await allSettled(TIMED_KINDS.map((kind) => session.fetchPage({ kind, to: before, limit: 1 })))
  if (pages.some(({ rejected }) => rejected.length > 0)) return before
  const starts = pages
    .flatMap((page) => page.records)
    .flatMap((record) => (record.kind === "recovery" ? [] : [record.startedAt.getTime()]))
  return starts.length > 0 ? new Date(Math.max(...starts) + 1) : undefined
}
