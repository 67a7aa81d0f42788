import {
  type NormalizedRecord,
  type PageRequest,
  pagesOf,
  RECORD_KINDS,
  type RecordKind,
  type RejectedRecord,
  VendorUnavailable,
} from "@restwell/providers"
import { adapterOf } from "../connection/vendor-grant.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { type RecordKey, textOf } from "../store/delete-records.ts"
import { allEnded } from "./all-ended.ts"
import { fetchRecord } from "./fetch-record.ts"
import type { Fetched } from "./ingest.ts"
import { mergeFetched } from "./merge-fetched.ts"
import type { SyncWindow } from "./window.ts"
import { withAccessToken } from "./with-access-token.ts"

/**
 * Reads every kind of a window to its last page. Records of ours that are not in it are asked for one by one before they count as deleted.
 * @throws {ProviderError}
 */
export async function fetchWindow(context: Context, connection: ConnectionId, window: SyncWindow): Promise<Fetched> {
  const pages = await allEnded(RECORD_KINDS.map((kind) => fetchKind(context, connection, kind, window)))
  const records = pages.flatMap((page) => page.records)
  const rejected = pages.flatMap((page) => page.rejected)
  const missing = await findMissing(context, connection, window, [...records, ...rejected])
  return mergeFetched([{ records, rejected, deleted: [] }, ...(await confirmMissing(context, connection, missing))])
}

/** People delete few records at a time: where more are missing, it may be the list. */
const FEW = 8
/** Asked for at a time. */
const CONFIRMED_AT_ONCE = 4

/**
 * Asks for each record that was not listed. Where many are missing and one of them is there all the same, the list is not to be believed, and
 * the calls for the others are saved. @throws {VendorUnavailable}
 */
async function confirmMissing(
  context: Context,
  connection: ConnectionId,
  missing: readonly RecordKey[],
): Promise<Fetched[]> {
  const confirmed: Fetched[] = []
  for (let start = 0; start < missing.length; start += CONFIRMED_AT_ONCE) {
    const some = missing.slice(start, start + CONFIRMED_AT_ONCE)
    confirmed.push(...(await allEnded(some.map((key) => fetchRecord(context, connection, key)))))
    if (missing.length > FEW && confirmed.some(({ deleted }) => deleted.length === 0))
      throw new VendorUnavailable(`the lists of ${connection.provider} lack records that it has`)
  }
  return confirmed
}

/** Reads one kind of a window to its last page. */
export async function fetchKind(
  context: Context,
  connection: ConnectionId,
  kind: RecordKind,
  window: SyncWindow,
): Promise<Pick<Fetched, "records" | "rejected">> {
  const adapter = adapterOf(context, connection.provider)
  const records: NormalizedRecord[] = []
  const rejected: RejectedRecord[] = []
  const request: PageRequest = { kind, from: window.from, ...(window.to && { to: window.to }) }
  const fetchPage = (page: PageRequest) =>
    withAccessToken(context, connection, (accessToken) => adapter.fetchPage(accessToken, page))
  for await (const page of pagesOf(fetchPage, request)) {
    records.push(...page.records)
    rejected.push(...page.rejected)
  }
  return { records, rejected }
}

/** Stored records that started in the window and were not listed. A page can miss one while the vendor's list shifts. */
async function findMissing(
  context: Context,
  { userId, provider }: ConnectionId,
  { from, to }: SyncWindow,
  listed: readonly { kind: RecordKind; providerId: string | null }[],
): Promise<RecordKey[]> {
  const known = new Set(listed.map(textOf))
  let query = context.database
    .selectFrom("record")
    .select(["kind", "provider_id"])
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .where("started_at", ">=", from)
  if (to) query = query.where("started_at", "<", to)
  const stored = await query.execute()
  return stored
    .map(({ kind, provider_id }) => ({ kind, providerId: provider_id }))
    .filter((key) => !known.has(textOf(key)))
}
