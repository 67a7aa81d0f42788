import type { CollectionGap } from "@restwell/providers"
import { addDays } from "../calendar/date-range.ts"
import { utcDateOf } from "../calendar/time-zone.ts"
import type { VendorSession } from "../connection/vendor-session.ts"
import type { FetchedJournal } from "../store/replace-journal.ts"
import type { SyncWindow } from "./window.ts"

/** What an open window reaches ahead: the date of the next waking, at any UTC offset. */
const DAYS_AHEAD = 2

/**
 * Reads the journal of all dates that a window touches. Private topics are left out. A vendor that has no journal gives nothing, and one
 * that refuses it a gap.
 * @throws {ProviderError}
 */
export async function fetchJournal(
  session: VendorSession,
  { from, to }: SyncWindow,
  now: Date,
): Promise<{ readonly journal?: FetchedJournal; readonly gap?: CollectionGap }> {
  if (!session.fetchJournal) return {}
  const window = { from: utcDateOf(from), to: to ? utcDateOf(to) : addDays(utcDateOf(now), DAYS_AHEAD) }
  const { entries, gap } = await session.fetchJournal(window)
  return gap ? { gap } : { journal: { ...window, entries: entries.filter(({ isPrivate }) => !isPrivate) } }
}
