// For developers who use this package without the service: the client's HealthProvider over any vendor's adapter.

import type { CycleData, HealthProvider, RecoveryData, TokenProvider } from "@restwell/client"
import { DAY_MS } from "@restwell/client/time-units"
import type { OauthAdapter, OauthAdapterOptions } from "./contract/adapter.ts"
import { AccessTokenRejected, AuthorizationRevoked, ContractViolation, RequestRefused } from "./contract/errors.ts"
import type {
  NormalizedRecord,
  NormalizedRecovery,
  NormalizedSleep,
  Page,
  PageRequest,
  RecordKind,
  RejectedRecord,
} from "./contract/records.ts"
import type { CallGate } from "./contract/sync-policy.ts"
import { BASELINE_NIGHTS, cycleDate, recoveryDate, skinTempDeviation } from "./normalize/derive.ts"
import { cycleDataOf, recoveryDataOf, sleepDataOf, workoutDataOf } from "./published.ts"

/** Makes a call with a valid access token. */
type WithToken = <T>(call: (accessToken: string) => Promise<T>) => Promise<T>

/**
 * Returns a way to make calls with a person's token. An expired token is refreshed first. A rejected one is refreshed once.
 * Simultaneous calls share one refresh: a refresh token works only once.
 */
function createTokenSession(adapter: OauthAdapter, tokens: TokenProvider, now: () => Date): WithToken {
  let refreshing: Promise<void> | undefined
  const refresh = () => {
    refreshing ??= renew(adapter, tokens, now).finally(() => {
      refreshing = undefined
    })
    return refreshing
  }
  return async (call) => {
    if (await tokens.isExpired()) await refresh()
    const accessToken = await tokens.getAccessToken()
    try {
      return await call(accessToken)
    } catch (error) {
      if (!(error instanceof AccessTokenRejected)) throw error
      // Another call or process may have refreshed it meanwhile.
      if ((await tokens.getAccessToken()) === accessToken) await refresh()
      return call(await tokens.getAccessToken())
    }
  }
}

async function renew(adapter: OauthAdapter, tokens: TokenProvider, now: () => Date): Promise<void> {
  const refreshToken = await tokens.getRefreshToken()
  if (refreshToken === null)
    throw new AuthorizationRevoked("There is no refresh token: the person has to connect again")
  try {
    const { accessToken, refreshToken: next, expiresInSeconds } = await adapter.refreshTokens(refreshToken)
    await tokens.updateTokens(accessToken, next, new Date(now().getTime() + expiresInSeconds * 1000))
  } catch (error) {
    // Another process may have used this refresh token. Then its new pair is stored and valid.
    if (error instanceof AuthorizationRevoked && (await tokens.getRefreshToken()) !== refreshToken) return
    throw error
  }
}

/** More pages than anyone's history: 25 records a page and three workouts a day make 90 years. */
const MAX_PAGES = 4000

/**
 * Yields every page of a request, first to last.
 * @throws {ContractViolation} when the vendor repeats a cursor or never stops
 */
export async function* pageThrough(
  fetchPage: (request: PageRequest) => Promise<Page>,
  request: Omit<PageRequest, "cursor">,
): AsyncGenerator<Page, void, undefined> {
  const cursors = new Set<string>()
  let next: PageRequest = request
  for (;;) {
    const page = await fetchPage(next)
    yield page
    const cursor = page.nextCursor
    if (cursor === undefined) return
    if (cursors.has(cursor)) throw new ContractViolation(`The pages of ${request.kind} go in a circle`, "next_token")
    if (cursors.size + 1 >= MAX_PAGES)
      throw new ContractViolation(`The pages of ${request.kind} never end`, "next_token")
    cursors.add(cursor)
    next = { ...request, cursor }
  }
}

type RecordOf<Kind extends RecordKind> = Extract<NormalizedRecord, { kind: Kind }>
type Range = Pick<PageRequest, "from" | "to">

/** Reads one person's records of one kind, typed by that kind. */
interface Reader {
  /** The vendor's name, which prefixes its ids. */
  readonly provider: string
  /** Returns all records that touch the range, each once, newest first. */
  list<Kind extends RecordKind>(kind: Kind, range: Range): Promise<RecordOf<Kind>[]>
  /** Yields them page by page, for callers that stop early. */
  pages<Kind extends RecordKind>(kind: Kind, range: Range): AsyncGenerator<RecordOf<Kind>[], void, undefined>
  /** Returns one record, or undefined where the vendor has none. */
  one<Kind extends RecordKind>(kind: Kind, providerId: string): Promise<RecordOf<Kind> | undefined>
}

/** Returns a reader over an adapter. Each page is read with a current token, because one may expire on the way. */
function createReader(
  adapter: OauthAdapter,
  withToken: WithToken,
  onRejected: (record: RejectedRecord) => void,
): Reader {
  async function* pages<Kind extends RecordKind>(kind: Kind, range: Range) {
    const fetchPage = (request: PageRequest) => withToken((token) => adapter.fetchPage(token, request))
    for await (const page of pageThrough(fetchPage, { kind, ...range })) yield take(kind, page)
  }
  function take<Kind extends RecordKind>(kind: Kind, page: Page): RecordOf<Kind>[] {
    for (const record of page.rejected) onRejected(record)
    // What the vendor refuses for good is absent. A part that is away for now would be missing silently.
    for (const { error } of page.failed ?? []) if (!(error instanceof RequestRefused)) throw error
    return page.records.filter((record): record is RecordOf<Kind> => record.kind === kind)
  }
  return {
    provider: adapter.provider,
    pages,
    async list(kind, range) {
      const newest = new Map<string, RecordOf<typeof kind>>()
      for await (const page of pages(kind, range)) {
        for (const record of page) {
          const former = newest.get(record.providerId)
          if (!former || former.updatedMs <= record.updatedMs) newest.set(record.providerId, record)
        }
      }
      return [...newest.values()].sort(newestFirst)
    },
    async one(kind, providerId) {
      const page = await withToken((token) => adapter.fetchRecord(token, { kind, providerId }))
      return take(kind, page).at(0)
    },
  }
}

function newestFirst(one: NormalizedRecord, other: NormalizedRecord): number {
  const msOf = (record: NormalizedRecord) => (record.kind === "recovery" ? record.createdMs : record.startMs)
  return msOf(other) - msOf(one)
}

export interface HealthProviderOptions extends Omit<OauthAdapterOptions, "baseUrl" | "gate"> {
  readonly tokens: TokenProvider
  /** @default the vendor's own address */
  readonly baseUrl?: string
  /** Needed where many people share one app. @default one that lets every call through */
  readonly gate?: CallGate
  /** Called with every record that cannot be read. The others are returned. */
  readonly onRejected?: (record: RejectedRecord) => void
}

const OPEN_GATE: CallGate = { acquire: async () => {}, report: async () => {} }

/**
 * Returns one person's data in normalised shapes, newest first. A list holds the records that started before `endDate` and
 * did not end before `startDate`. All methods throw the errors of errors.ts. After AuthorizationRevoked the person has to connect again.
 */
export function createHealthProvider(
  {
    defaultBaseUrl,
    createAdapter,
  }: { defaultBaseUrl: string; createAdapter: (options: OauthAdapterOptions) => OauthAdapter },
  { tokens, now, onRejected = () => {}, ...options }: HealthProviderOptions,
): HealthProvider {
  const adapter = createAdapter({ baseUrl: defaultBaseUrl, gate: OPEN_GATE, now, ...options })
  const { provider } = adapter
  const withToken = createTokenSession(adapter, tokens, now)
  const reader = createReader(adapter, withToken, onRejected)
  return {
    name: provider,
    getSleep: async (from, to) =>
      (await reader.list("sleep", { from, to })).map((sleep) => sleepDataOf(provider, sleep)),
    getWorkouts: async (from, to) =>
      (await reader.list("workout", { from, to })).map((workout) => workoutDataOf(provider, workout)),
    getRecovery: (from, to) => listRecoveries(reader, from, to),
    getCycles: (from, to) => listCycles(reader, from, to),
    getProfile: async () => (await withToken((token) => adapter.fetchProfile(token))).data,
  }
}

async function listCycles(reader: Reader, from: Date, to: Date): Promise<CycleData[]> {
  const cycles = await reader.list("cycle", { from, to })
  const oldest = cycles.at(-1)
  if (!oldest) return []
  // A cycle begins with its main sleep, and the oldest one may have begun before `from`.
  const sleeps = await reader.list("sleep", { from: new Date(oldest.startMs), to })
  return cycles.map((cycle) =>
    cycleDataOf(reader.provider, cycle, cycleDate(cycle, mainSleepOf(cycle.providerId, sleeps))),
  )
}

/** Returns the first sleep of the cycle that is not a nap. Its onset began the cycle. */
function mainSleepOf(cycleId: string, newestFirst: readonly NormalizedSleep[]): NormalizedSleep | undefined {
  return newestFirst.findLast((sleep) => sleep.cycleProviderId === cycleId && !sleep.isNap)
}

async function listRecoveries(reader: Reader, from: Date, to: Date): Promise<RecoveryData[]> {
  const recoveries = await reader.list("recovery", { from, to })
  if (recoveries.length === 0) return []
  // Vendors do not document which of a recovery's times they filter by. One more day on either side holds all their sleeps.
  const sleeps = await reader.list("sleep", { from: addDays(from, -1), to: addDays(to, 1) })
  const sleepOf = new Map(sleeps.map((sleep) => [sleep.providerId, sleep]))
  const dated = await Promise.all(recoveries.map((recovery) => dateRecovery(reader, recovery, sleepOf)))
  dated.sort((one, other) => other.atMs - one.atMs)
  const listed = new Set(recoveries.map(({ providerId }) => providerId))
  // Without a temperature there is no deviation, and an old device's history would be read to its end in vain.
  const earlier = recoveries.some(hasSkinTemp) ? await nightsBefore(reader, from, listed) : []
  const nights = [...dated.map(({ recovery }) => recovery), ...earlier]
  return dated.map(({ recovery, date }, index) =>
    recoveryDataOf(reader.provider, recovery, { date, skinTemp: skinTempOf(recovery, nights.slice(index + 1)) }),
  )
}

/** Returns the recovery's date and the instant that orders it among the others. */
async function dateRecovery(reader: Reader, recovery: NormalizedRecovery, sleepOf: Map<string, NormalizedSleep>) {
  const { sleepProviderId, cycleProviderId } = recovery
  const sleep =
    sleepProviderId === undefined
      ? undefined
      : (sleepOf.get(sleepProviderId) ?? (await reader.one("sleep", sleepProviderId)))
  const cycle = sleep || cycleProviderId === undefined ? undefined : await reader.one("cycle", cycleProviderId)
  return {
    recovery,
    date: recoveryDate(recovery, sleep, cycle),
    atMs: sleep?.endMs ?? cycle?.startMs ?? recovery.createdMs,
  }
}

/** Returns the recoveries before `from` that a baseline needs, newest first. */
async function nightsBefore(reader: Reader, from: Date, listed: ReadonlySet<string>): Promise<NormalizedRecovery[]> {
  const nights: NormalizedRecovery[] = []
  for await (const page of reader.pages("recovery", { to: from })) {
    nights.push(...page.filter(({ providerId }) => !listed.has(providerId)))
    if (nights.filter(hasSkinTemp).length >= BASELINE_NIGHTS) break
  }
  return nights
}

function skinTempOf(recovery: NormalizedRecovery, before: readonly NormalizedRecovery[]): number | undefined {
  const baseline = before.filter(hasSkinTemp).map(({ skinTempCelsius }) => skinTempCelsius)
  const own = hasSkinTemp(recovery) ? skinTempDeviation(recovery.skinTempCelsius, baseline) : undefined
  return recovery.skinTempDeviationCelsius ?? own
}

function hasSkinTemp(night: NormalizedRecovery): night is NormalizedRecovery & { readonly skinTempCelsius: number } {
  return night.skinTempCelsius !== undefined
}

function addDays(instant: Date, days: number): Date {
  return new Date(instant.getTime() + days * DAY_MS)
}
