import { pageThrough, RECORD_KINDS, type RecordKind } from "@restwell/providers"
import type { VendorSession } from "../connection/vendor-session.ts"
import type { Context } from "../context/context.ts"
import { type RecordKey, textOf } from "../store/delete-records.ts"
import { allSettled } from "./all-settled.ts"
import { confirmEach, FEW } from "./confirm.ts"
import { fetchJournal } from "./fetch-journal.ts"
import { fetchRecord } from "./fetch-record.ts"
import { type Fetched, mergeFetched, mergeGaps } from "./fetched.ts"
import { withLostParts } from "./lost-parts.ts"
import type { SyncWindow } from "./window.ts"

/**
 * Reads all kinds of a window to their last page. A stored record that is not listed counts as deleted only if it cannot be read by its
 * id either. Of a kind that the vendor refuses in part nothing is missing: its records are unknown.
 * @throws {ProviderError}
 */
export async function fetchWindow(context: Context, session: VendorSession, window: SyncWindow): Promise<Fetched> {
  const lists = await allSettled(RECORD_KINDS.map((kind) => fetchKind(context, session, kind, window)))
  const listed = mergeFetched(lists)
  const known = RECORD_KINDS.filter((_, index) => lists[index]?.gaps.length === 0)
  const missing = (await findMissing(context, session, window, listed)).filter(({ kind }) => known.includes(kind))
  const { journal, gap } = await fetchJournal(session, window, context.clock.now())
  const merged = mergeFetched([listed, ...(await confirmMissing(context, session, withoutDoubtful(missing, listed)))])
  return { ...merged, gaps: mergeGaps([...merged.gaps, ...(gap ? [gap] : [])]), ...(journal && { journal }) }
}

/** Rejected records without an id may be the missing ones. If many are missing, those of their kind are left as they are. */
function withoutDoubtful(missing: readonly RecordKey[], { rejected }: Fetched): readonly RecordKey[] {
  if (missing.length <= FEW) return missing
  const unidentified = new Set(rejected.flatMap(({ kind, providerId }) => (providerId === null ? [kind] : [])))
  return missing.filter(({ kind }) => !unidentified.has(kind))
}

/** Reads one kind of a window to its last page. */
export async function fetchKind(
  context: Pick<Context, "database">,
  session: VendorSession,
  kind: RecordKind,
  { from, to }: SyncWindow,
): Promise<Fetched> {
  const pages = await Array.fromAsync(pageThrough(session.fetchPage, { kind, from, ...(to && { to }) }))
  return withLostParts(context, session, {
    records: pages.flatMap((page) => page.records),
    rejected: pages.flatMap((page) => page.rejected),
    deleted: [],
    gaps: mergeGaps(pages.flatMap((page) => page.gaps ?? [])),
  })
}

/** Reads each missing record by its id. */
const confirmMissing = (context: Context, session: VendorSession, missing: readonly RecordKey[]): Promise<Fetched[]> =>
  confirmEach(session, missing, {
    read: (key) => fetchRecord(context, session, key),
    isThere: ({ deleted }) => deleted.length === 0,
  })

/** Returns stored records of the window that were not listed. A page can miss one while the vendor's list shifts. */
async function findMissing(
  { database }: Context,
  { connection: { userId, provider } }: VendorSession,
  { from, to }: SyncWindow,
  { records, rejected }: Fetched,
): Promise<RecordKey[]> {
  const listed = new Set([...records, ...rejected].map(textOf))
  let query = database
    .selectFrom("record")
    .select(["kind", "provider_id as providerId"])
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    // The vendor's lists say nothing about what an archive brought.
    .where("from_archive", "=", false)
    .where("started_at", ">=", from)
  if (to) query = query.where("started_at", "<", to)
  return (await query.execute()).filter((key) => !listed.has(textOf(key)))
}
