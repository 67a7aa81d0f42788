/** A stretch of a person's history: what started at `from` or later and before `to`. An open end reaches into the present. */
export interface SyncWindow {
  readonly from: Date
  readonly to: Date | null
}

const DAY_MS = 86_400_000

/** The newest days: what a vendor still scores and people still edit, and few enough for one page of each kind. */
export const TRAILING_DAYS = 10

/** What is read again once a day, and when a person asks: late edits and deletions that no recent day shows. */
export const RECONCILED_DAYS = 90

/** One step back into the history: few enough calls to be done, and kept, within a minute's budget. */
const BACKFILL_DAYS = 90

/** What a refresh reads: so many days, and all since the last sync where that is longer ago. */
export function refreshWindow(now: Date, lastSyncedAt: Date | null, days: number): SyncWindow {
  const anchor = Math.min(now.getTime(), lastSyncedAt?.getTime() ?? now.getTime())
  return { from: new Date(anchor - days * DAY_MS), to: null }
}

/** The next step back from where the history is known. */
export const backfillWindow = (fetchedBackTo: Date): SyncWindow => ({
  from: new Date(fetchedBackTo.getTime() - BACKFILL_DAYS * DAY_MS),
  to: fetchedBackTo,
})
