import {
  AccessTokenRejected,
  type CallPurpose,
  type JournalRead,
  type JournalWindow,
  type NormalizedProfile,
  type Page,
  type PageRequest,
  type RecordRequest,
  type SampleRead,
  type SampleWindow,
  type SyncPolicy,
} from "@restwell/providers"
import { withoutFuture } from "../base/calendar.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { isExpired, loadAccessToken } from "./grants.ts"
import { personalAdapterOf } from "./vendor-app.ts"

/** One connection's calls to its vendor. Every call uses a valid access token and may throw a ProviderError. */
export interface VendorSession {
  readonly connection: ConnectionId
  readonly policy: SyncPolicy
  fetchPage(request: PageRequest): Promise<Page>
  fetchRecord(request: RecordRequest): Promise<Page>
  fetchProfile(): Promise<NormalizedProfile>
  /** Absent where the vendor has no journal. */
  fetchJournal?(window: JournalWindow): Promise<JournalRead>
  /** Absent where the vendor has no samples that are no parts of records. */
  fetchSamples?(window: SampleWindow): Promise<SampleRead>
}

/**
 * Opens a session. Loads and decrypts the grant once. Refreshes it when it is about to expire, and once when the vendor rejects the
 * access token.
 * @param purpose the part of the call budget that the session uses
 * @throws {ProviderError} when a refresh fails
 */
export async function openVendorSession(
  context: Context,
  connection: ConnectionId,
  purpose: CallPurpose,
): Promise<VendorSession> {
  const adapter = personalAdapterOf(context, connection, purpose)
  let token = await loadAccessToken(context, connection)
  const withToken = async <Result>(call: (accessToken: string) => Promise<Result>): Promise<Result> => {
    if (isExpired(context, token.expiresAt)) token = await loadAccessToken(context, connection)
    const used = token
    try {
      return await call(used.value)
    } catch (error) {
      if (!(error instanceof AccessTokenRejected)) throw error
      // Another call of this session may have refreshed it.
      if (token.value === used.value) token = await loadAccessToken(context, connection, used.value)
      return call(token.value)
    }
  }
  const readPage = async (call: (accessToken: string) => Promise<Page>): Promise<Page> => {
    const fetchedAt = context.clock.now()
    return withoutFuture(await withToken(call), fetchedAt)
  }
  const readJournal = adapter.fetchJournal?.bind(adapter)
  const readSamples = adapter.fetchSamples?.bind(adapter)
  return {
    connection,
    policy: adapter.syncPolicy,
    fetchPage: (request) => readPage((accessToken) => adapter.fetchPage(accessToken, request)),
    fetchRecord: (request) => readPage((accessToken) => adapter.fetchRecord(accessToken, request)),
    fetchProfile: () => withToken((accessToken) => adapter.fetchProfile(accessToken)),
    ...(readJournal && { fetchJournal: (window) => withToken((accessToken) => readJournal(accessToken, window)) }),
    ...(readSamples && { fetchSamples: (window) => withToken((accessToken) => readSamples(accessToken, window)) }),
  }
}
