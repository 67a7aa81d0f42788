// Records that a vendor gets after the history of an account was read: a new account is filled from the devices, or from another vendor.
import { DAY_MS } from "@restwell/client/time-units"
import { isPlausibleInstant } from "@restwell/providers"
import type { VendorSession } from "../connect/vendor-session.ts"
import type { Context } from "../context/context.ts"
import { findOlder } from "./fetch-records.ts"
import { ingest } from "./ingest.ts"
import type { SyncState } from "./sync-state.ts"

/** For so long a vendor may still get the past of a new account. */
const FILLING_MS = 30 * DAY_MS

interface Looked {
  readonly context: Context
  readonly session: VendorSession
  /** Before the look. */
  readonly state: SyncState
  readonly asOf: Date
}

/** Lets the history go on where the vendor has got older records since it ended. */
export async function findLateHistory({ context, session, state, asOf }: Looked): Promise<void> {
  const { historyComplete, fetchedBackTo, connectedAt, generation } = state
  if (!session.policy.history.isFilledLater || !historyComplete || fetchedBackTo === null) return
  if (asOf.getTime() - connectedAt.getTime() > FILLING_MS) return
  const { at } = await findOlder(context, session, fetchedBackTo)
  if (at === undefined || !isPlausibleInstant(at)) return
  const progress = { historyComplete: false, fetchedBackTo: at }
  await ingest(context, session.connection, { generation, progress, asOf })
}
