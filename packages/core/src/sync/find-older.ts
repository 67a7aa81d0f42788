import type { VendorSession } from "../connection/vendor-session.ts"
import { allSettled } from "./all-settled.ts"

/** Recoveries have no time of their own, so they are not needed to find older records. */
const TIMED_KINDS = ["cycle", "sleep", "workout"] as const

/**
 * Returns where the history continues before `before`: just after the newest older start. A pause without the device may last months.
 * Undefined when the vendor has nothing older.
 */
export async function findOlder(session: VendorSession, before: Date): Promise<Date | undefined> {
  const pages = await allSettled(TIMED_KINDS.map((kind) => session.fetchPage({ kind, to: before, limit: 1 })))
  const starts = pages
    .flatMap((page) => page.records)
    .flatMap((record) => (record.kind === "recovery" ? [] : [record.startedAt.getTime()]))
  return starts.length > 0 ? new Date(Math.max(...starts) + 1) : undefined
}
