import type { VendorUnderTest } from "@restwell/testing/vendor"
import type { Activity } from "./activity.ts"
import type { Installation } from "./installation.ts"

/** A request that has been open for longer was cut off by an earlier kill. */
const RECENT_MS = 500
/** The longest time until a new token pair is stored, on a busy machine. */
const LONGEST_RENEWAL_MS = 5_000

/** The names of what the service is doing at this moment. */
export function inFlight(vendor: VendorUnderTest, activity: Activity, { processes }: Installation): string[] {
  const { simulator, paths } = vendor
  const since = new Date(simulator.clock.nowMs() - RECENT_MS).toISOString()
  const open = simulator.requestLog.entries.slice(-200).filter(({ at, status }) => status === undefined && at > since)
  const isSending = simulator.webhooks.deliveries.some(({ state }) => state === "sending")
  const activities: Readonly<Record<string, boolean>> = {
    start: processes.some(({ isRunning, isReady }) => isRunning && !isReady),
    // Only events lead to requests by id.
    backfill: open.some(({ path, query }) => !paths.one.test(path) && vendor.isHistory(query)),
    events: isSending || open.some(({ path }) => !vendor.recentIds && paths.one.test(path)),
    looks:
      vendor.recentIds !== undefined &&
      open.some(({ path, query }) => paths.data.test(path) && !vendor.isHistory(query)),
    refresh: open.some(({ grantType }) => grantType === "refresh_token"),
    reads: activity.readsInFlight > 0,
  }
  const names = Object.keys(activities).filter((name) => activities[name])
  return names.length > 0 ? names : ["nothing"]
}

/** The people whose tokens the vendor has just refreshed, or is about to: a kill may prevent the new pair from being stored. */
export function renewing({ simulator }: Pick<VendorUnderTest, "simulator">): number[] {
  const since = new Date(simulator.clock.nowMs() - LONGEST_RENEWAL_MS).toISOString()
  return simulator.requestLog.entries
    .slice(-1000)
    .flatMap(({ at, grantType, personId }) =>
      grantType === "refresh_token" && personId !== undefined && at > since ? [personId] : [],
    )
}
