/** Reads from a vendor: one record, one kind of a window, and where the history continues. */
import {
  ContractViolation,
  type FailedCollection,
  type Holding,
  type Page,
  pageThrough,
  RECORD_KINDS,
  type RecordKind,
} from "@restwell/providers"
import type { VendorSession } from "../connect/vendor-session.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import type { RecordKey } from "../store/statements/delete-records.ts"
import { areAllRejected } from "../store/statements/rejected-records.ts"
import {
  allSettled,
  collectionsOf,
  collectionsOfPages,
  FEW,
  type Fetched,
  failedRead,
  isLeftOut,
  leftOutIn,
  mergeFetched,
  NOTHING,
} from "./fetched.ts"
import { withLostParts } from "./lost-parts.ts"
import type { SyncWindow } from "./sync-window.ts"

/** Reads one record. It counts as deleted when the vendor does not have it, and nothing fails on the way. */
export async function fetchRecord(
  context: Pick<Context, "database" | "clock">,
  session: VendorSession,
  key: RecordKey,
): Promise<Fetched> {
  const page = await session.fetchRecord(key)
  const { records, rejected, failed = [] } = page
  const isGone = records.length === 0 && rejected.length === 0 && failed.length === 0
  const collections = collectionsOfPages(session, key.kind, [page])
  const fetched = { ...NOTHING, records, rejected, deleted: isGone ? [key] : [], ...collections }
  return withLostParts(context, session, fetched)
}

/** What is read of a window. */
export const OF_WINDOWS: readonly Holding[] = [...RECORD_KINDS, "journal"]

/** Reads one kind of a window to its last page. Returns nothing but the failure if the kind cannot be read. */
export async function fetchKind(
  context: Pick<Context, "database" | "clock">,
  session: VendorSession,
  kind: RecordKind,
  { from, to }: SyncWindow,
): Promise<Fetched> {
  if (isLeftOut(session, kind)) return NOTHING
  try {
    const sleepVersions = sleepVersionsIn(context, session.connection)
    const request = { kind, from, ...(to && { to }), sleepVersions }
    const pages = await Array.fromAsync(pageThrough(session.fetchPage, request))
    const [records, rejected] = [pages.flatMap((page) => page.records), pages.flatMap((page) => page.rejected)]
    requireIds(kind, records, rejected)
    const isPartial = pages.some(({ unread }) => unread?.isPartial)
    return await withLostParts(context, session, {
      ...NOTHING,
      records,
      rejected,
      ...collectionsOfPages(session, kind, pages),
      read: isPartial ? [] : [kind],
      isPartial,
      unread: pages.flatMap(({ unread }) => (unread?.providerIds ?? []).map((providerId) => ({ kind, providerId }))),
      ...leftOutIn(pages),
      ...listedFromIn(pages),
    })
  } catch (error) {
    return failedRead(session, kind, error)
  }
}

/** What an archive brought is no version of the vendor's. */
const sleepVersionsIn =
  ({ database }: Pick<Context, "database">, { userId, provider }: ConnectionId) =>
  async (providerIds: readonly string[]): Promise<ReadonlyMap<string, number>> => {
    const rows = await database
      .selectFrom("record")
      .select(["provider_id", "vendor_updated_at"])
      .where("user_id", "=", userId)
      .where("provider", "=", provider)
      .where("kind", "=", "sleep")
      .where("from_archive", "=", false)
      .where("provider_id", "in", [...providerIds])
      .execute()
    return new Map(rows.map(({ provider_id: id, vendor_updated_at: at }) => [id, at.getTime()]))
  }

/**
 * A list of many records of which none tells its id fails as a list of another shape does. Nothing would find the records of a past window
 * again, while a collection that failed is read again soon.
 */
function requireIds(kind: RecordKind, { length }: Page["records"], rejected: Page["rejected"]): void {
  const [first] = rejected
  if (length > 0 || !first || rejected.length <= FEW || rejected.some(({ providerId }) => providerId !== null)) return
  throw new ContractViolation(`no ${kind} of ${rejected.length} tells its id: ${first.reason}`, "id")
}

/** The latest of what pages say, because what one of them lacks is not known of the others. */
function listedFromIn(pages: readonly Page[]): Pick<Fetched, "listedFrom"> {
  const times = pages.flatMap(({ listedFrom }) => (listedFrom ? [listedFrom.getTime()] : []))
  return times.length > 0 ? { listedFrom: new Date(Math.max(...times)) } : {}
}

/** Recoveries have no time of their own, and where there are sleeps they come with them. So they are not needed to find older records. */
const TIMED_KINDS: readonly RecordKind[] = ["cycle", "sleep", "workout"]

interface Older {
  /** Just after the newest older start. A pause without the device may last months. Undefined when the vendor has nothing older. */
  readonly at: Date | undefined
  readonly failed: readonly FailedCollection[]
}

/**
 * Finds where the history continues before `before`. It is `before` itself when a record was rejected, because its start is unknown. One that
 * is stored as rejected says nothing: a vendor may give a record without a date whatever the time it is asked for.
 * @throws {ProviderError} when no kind answers
 */
export async function findOlder(
  { database }: Pick<Context, "database">,
  session: VendorSession,
  before: Date,
  holdings: readonly Holding[] = OF_WINDOWS,
): Promise<Older> {
  const hasSleeps = collectionsOf(session, "sleep").length > 0
  const dated = hasSleeps ? TIMED_KINDS : [...TIMED_KINDS, "recovery" as const]
  const kinds = dated.filter((kind) => holdings.includes(kind) && !isLeftOut(session, kind))
  const reads = await allSettled(
    kinds.map(async (kind): Promise<Fetched> => {
      try {
        const page = await session.fetchPage({ kind, to: before, limit: 1 })
        const { records, rejected } = page
        return { ...NOTHING, records, rejected, ...collectionsOfPages(session, kind, [page]) }
      } catch (error) {
        return failedRead(session, kind, error)
      }
    }),
  )
  const { records, rejected, failed, answered } = mergeFetched(reads)
  if (kinds.length > 0 && answered.length === 0 && failed[0]) throw failed[0].error
  if (!(await areAllRejected(database, session.connection, rejected))) return { at: before, failed }
  const starts = records.map((record) => (record.kind === "recovery" ? record.createdMs : record.startMs))
  return { at: starts.length > 0 ? new Date(Math.max(...starts) + 1) : undefined, failed }
}
