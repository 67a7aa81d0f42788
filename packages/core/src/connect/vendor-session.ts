import {
  AccessTokenRejected,
  type CallPurpose,
  type JournalRead,
  type JournalWindow,
  type NormalizedProfile,
  type Page,
  type PageRequest,
  RateLimited,
  type RecordKind,
  type RecordRequest,
  type Rejoin,
  RequestRefused,
  type SampleRead,
  type SampleWindow,
  type SyncPolicy,
  type VendorAdapter,
  type VendorCollections,
  withheldBy,
} from "@restwell/providers"
import { withoutFuture } from "../base/record-dates.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { isExpired, loadAccessToken } from "./grants.ts"
import { personalAdapterOf } from "./vendor-app.ts"

/** One connection's calls to its vendor. Every call uses a valid access token and may throw a ProviderError. */
export interface VendorSession {
  readonly connection: ConnectionId
  readonly policy: SyncPolicy
  readonly collections: VendorCollections
  /** Collections that are not asked, unless a request says so. */
  readonly without: readonly string[]
  fetchPage(request: PageRequest): Promise<Page>
  fetchRecord(request: RecordRequest): Promise<Page>
  /** Absent where no records are joined of several collections. */
  rejoin?(kind: RecordKind, rejoins: readonly Rejoin[]): Page
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
 * @param without collections that are not asked
 * @throws {ProviderError} when a refresh fails
 */
export async function openVendorSession(
  context: Context,
  connection: ConnectionId,
  { purpose, without }: { readonly purpose: CallPurpose; readonly without: readonly string[] },
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
      const renewed = token
      return call(renewed.value).catch((again: unknown) => throwMeant(adapter, renewed.value, again))
    }
  }
  // A refresh may bring other scopes.
  const withheld = () => ({ withheld: withheldBy(adapter.collections, token.scopes) })
  const readPage = async (call: (accessToken: string) => Promise<Page>): Promise<Page> => {
    const fetchedAt = context.clock.now()
    return withoutFuture(await withToken(call), fetchedAt)
  }
  const readJournal = adapter.fetchJournal?.bind(adapter)
  const readSamples = adapter.fetchSamples?.bind(adapter)
  const rejoin = adapter.rejoin?.bind(adapter)
  return {
    connection,
    policy: adapter.syncPolicy,
    collections: adapter.collections,
    without,
    fetchPage: (request) =>
      readPage((accessToken) => adapter.fetchPage(accessToken, { without, ...withheld(), ...request })),
    fetchRecord: (request) =>
      readPage((accessToken) => adapter.fetchRecord(accessToken, { without, ...withheld(), ...request })),
    ...(rejoin && {
      rejoin: (kind, rejoins) => withoutFuture(rejoin(kind, rejoins), context.clock.now()),
    }),
    fetchProfile: () => withToken((accessToken) => adapter.fetchProfile(accessToken)),
    ...(readJournal && {
      fetchJournal: (window) => withToken((accessToken) => readJournal(accessToken, { ...window, ...withheld() })),
    }),
    ...(readSamples && {
      fetchSamples: (window) =>
        withToken((accessToken) => readSamples(accessToken, { without, ...withheld(), ...window })),
    }),
  }
}

/**
 * Throws what the rejection of a new token means. A vendor such as WHOOP also rejects a token for data that the person did not allow: such a
 * token still reads the profile. Any other has ended again.
 */
async function throwMeant(adapter: VendorAdapter, accessToken: string, error: unknown): Promise<never> {
  if (!(error instanceof AccessTokenRejected)) throw error
  await adapter.fetchProfile(accessToken).catch((cause: unknown) => {
    throw cause instanceof RateLimited ? cause : error
  })
  throw new RequestRefused(error.message, { cause: error, isForbidden: true })
}
