// The parts of time that one step of a sync reads: pure.
import { DAY_MS } from "@restwell/client/time-units"

/** A part of a person's history: records that started at `from` or later and before `to`. An open end includes the present. */
export interface SyncWindow {
  readonly from: Date
  readonly to: Date | null
}

/** Returns the window of a listing: a number of days before the last listing, or before now without one. */
export function listingWindow(now: Date, listedAt: Date | null, days: number): SyncWindow {
  const anchor = Math.min(now.getTime(), listedAt?.getTime() ?? now.getTime())
  return { from: new Date(anchor - days * DAY_MS), to: null }
}

/** Returns the next window of the history before the part that is stored. */
export const historyWindow = (fetchedBackTo: Date, days: number): SyncWindow => ({
  from: new Date(fetchedBackTo.getTime() - days * DAY_MS),
  to: fetchedBackTo,
})
