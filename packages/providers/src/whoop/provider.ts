// WHOOP for developers who use this package without the service: the client's HealthProvider over the adapter.
import type { CycleData, HealthProvider, RecoveryData, TokenProvider } from "@restwell/client"
import type { CallGate, NormalizedRecovery, NormalizedSleep, RejectedRecord } from "../contract/adapter.ts"
import type { AdapterOptions } from "../contract/adapter-options.ts"
import { cycleDate, recoveryDate } from "../derive/local-date.ts"
import { BASELINE_NIGHTS, skinTempDeviation } from "../derive/skin-temperature.ts"
import { known, knownOrNone } from "../normalize/known.ts"
import { createReader, type Reader } from "../session/reader.ts"
import { createTokenSession } from "../session/token-session.ts"
import { createWhoopAdapter, WHOOP_BASE_URL } from "./adapter.ts"
import { WHOOP } from "./normalize.ts"

export interface WhoopHealthProviderOptions extends Omit<AdapterOptions, "baseUrl" | "gate"> {
  readonly tokens: TokenProvider
  /** Tells when a new access token expires. */
  readonly now: () => Date
  /** @default WHOOP's own */
  readonly baseUrl?: string
  /** Needed where many people share one app. @default one that lets every call through */
  readonly gate?: CallGate
  /** Told of every record WHOOP sent in a shape that cannot be read; the others are returned. */
  readonly onRejected?: (record: RejectedRecord) => void
}

const OPEN_GATE: CallGate = { acquire: async () => {}, report: async () => {} }

/**
 * Returns one person's WHOOP data in normalised shapes, newest first. A list holds what touches its dates: what started
 * before `endDate` and had not ended before `startDate`.
 * All methods throw the family of errors.ts; AuthorizationRevoked means that the person has to connect again.
 */
export function createWhoopHealthProvider(options: WhoopHealthProviderOptions): HealthProvider {
  const { tokens, now, onRejected = () => {}, ...adapterOptions } = options
  const adapter = createWhoopAdapter({ baseUrl: WHOOP_BASE_URL, gate: OPEN_GATE, ...adapterOptions })
  const withToken = createTokenSession(adapter, tokens, now)
  const reader = createReader(adapter, withToken, onRejected)
  return {
    name: WHOOP,
    getSleep: async (from, to) => (await reader.list("sleep", { from, to })).map(({ data }) => data),
    getWorkouts: async (from, to) => (await reader.list("workout", { from, to })).map(({ data }) => data),
    getRecovery: (from, to) => listRecoveries(reader, from, to),
    getCycles: (from, to) => listCycles(reader, from, to),
    getProfile: async () => (await withToken((token) => adapter.fetchProfile(token))).data,
  }
}

const DAY_MS = 86_400_000

async function listCycles(reader: Reader, from: Date, to: Date): Promise<CycleData[]> {
  const cycles = await reader.list("cycle", { from, to })
  const oldest = cycles.at(-1)
  if (!oldest) return []
  // A cycle begins with its main sleep: before `from` for the oldest, which began earlier.
  const sleeps = await reader.list("sleep", { from: oldest.startedAt, to })
  return cycles.map((cycle) => ({ ...cycle.data, date: cycleDate(cycle, mainSleepOf(cycle.providerId, sleeps)) }))
}

/** The first sleep of the cycle that is no nap: its onset is what began the cycle. */
function mainSleepOf(cycleId: string, newestFirst: readonly NormalizedSleep[]): NormalizedSleep | undefined {
  return newestFirst.findLast((sleep) => sleep.cycleProviderId === cycleId && !sleep.data.isNap)
}

async function listRecoveries(reader: Reader, from: Date, to: Date): Promise<RecoveryData[]> {
  const recoveries = await reader.list("recovery", { from, to })
  if (recoveries.length === 0) return []
  // Which of a recovery's times WHOOP filters by is not documented: a day on either side holds all their sleeps.
  const sleeps = await reader.list("sleep", { from: daysAfter(from, -1), to: daysAfter(to, 1) })
  const sleepOf = new Map(sleeps.map((sleep) => [sleep.providerId, sleep]))
  const dated = await Promise.all(recoveries.map((recovery) => dateRecovery(reader, recovery, sleepOf)))
  dated.sort((one, other) => other.at.getTime() - one.at.getTime())
  const listed = new Set(recoveries.map(({ providerId }) => providerId))
  // Without a temperature there is no deviation to tell, and an old device's history would be paged to its end for nothing.
  const earlier = recoveries.some(hasSkinTemp) ? await nightsBefore(reader, from, listed) : []
  const nights = [...dated.map(({ recovery }) => recovery), ...earlier]
  return dated.map(({ recovery, date }, index) => withSkinTemp(recovery, date, nights.slice(index + 1)))
}

/** The recovery's date, and the instant that orders it among the others. */
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
    at: sleep?.endedAt ?? cycle?.startedAt ?? recovery.createdAt,
  }
}

/** The recoveries before `from` that a baseline needs, newest first. */
async function nightsBefore(reader: Reader, from: Date, listed: ReadonlySet<string>): Promise<NormalizedRecovery[]> {
  const nights: NormalizedRecovery[] = []
  for await (const page of reader.pages("recovery", { to: from })) {
    nights.push(...page.filter(({ providerId }) => !listed.has(providerId)))
    if (nights.filter(hasSkinTemp).length >= BASELINE_NIGHTS) break
  }
  return nights
}

function withSkinTemp(recovery: NormalizedRecovery, date: string, before: readonly NormalizedRecovery[]): RecoveryData {
  const { metrics, ...data } = recovery.data
  const baseline = before.filter(hasSkinTemp).map(({ skinTempCelsius }) => skinTempCelsius)
  const skinTemp = hasSkinTemp(recovery) ? skinTempDeviation(recovery.skinTempCelsius, baseline) : undefined
  return { ...data, date, ...known({ metrics: knownOrNone({ ...metrics, skinTemp }) }) }
}

function hasSkinTemp(night: NormalizedRecovery): night is NormalizedRecovery & { readonly skinTempCelsius: number } {
  return night.skinTempCelsius !== undefined
}

function daysAfter(instant: Date, days: number): Date {
  return new Date(instant.getTime() + days * DAY_MS)
}
