// For developers who use this package without the service: the client's HealthProvider over any vendor's adapter.
import type { CycleData, HealthProvider, RecoveryData, TokenProvider } from "@restwell/client"
import type { AdapterOptions, VendorAdapter } from "../contract/adapter.ts"
import type { CallGate } from "../contract/call-gate.ts"
import type { NormalizedRecovery, NormalizedSleep, RejectedRecord } from "../contract/records.ts"
import { cycleDate, recoveryDate } from "../derive/local-date.ts"
import { BASELINE_NIGHTS, skinTempDeviation } from "../derive/skin-temperature.ts"
import { known, knownOrNone } from "../normalize/known.ts"
import { createReader, type Reader } from "./reader.ts"
import { createTokenSession } from "./token-session.ts"

export interface HealthProviderOptions extends Omit<AdapterOptions, "baseUrl" | "gate"> {
  readonly tokens: TokenProvider
  /** @default the vendor's own address */
  readonly baseUrl?: string
  /** Needed where many people share one app. @default one that lets every call through */
  readonly gate?: CallGate
  /** Called with every record that cannot be read. The others are returned. */
  readonly onRejected?: (record: RejectedRecord) => void
}

const OPEN_GATE: CallGate = { acquire: async () => {}, report: async () => {} }
const DAY_MS = 86_400_000

/**
 * Returns one person's data in normalised shapes, newest first. A list holds the records that started before `endDate` and
 * did not end before `startDate`. All methods throw the errors of errors.ts. After AuthorizationRevoked the person has to connect again.
 */
export function createHealthProvider(
  {
    defaultBaseUrl,
    createAdapter,
  }: { defaultBaseUrl: string; createAdapter: (options: AdapterOptions) => VendorAdapter },
  { tokens, now, onRejected = () => {}, ...options }: HealthProviderOptions,
): HealthProvider {
  const adapter = createAdapter({ baseUrl: defaultBaseUrl, gate: OPEN_GATE, now, ...options })
  const withToken = createTokenSession(adapter, tokens, now)
  const reader = createReader(adapter, withToken, onRejected)
  return {
    name: adapter.provider,
    getSleep: async (from, to) => (await reader.list("sleep", { from, to })).map(({ data }) => data),
    getWorkouts: async (from, to) => (await reader.list("workout", { from, to })).map(({ data }) => data),
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
  const sleeps = await reader.list("sleep", { from: oldest.startedAt, to })
  return cycles.map((cycle) => ({ ...cycle.data, date: cycleDate(cycle, mainSleepOf(cycle.providerId, sleeps)) }))
}

/** Returns the first sleep of the cycle that is not a nap. Its onset began the cycle. */
function mainSleepOf(cycleId: string, newestFirst: readonly NormalizedSleep[]): NormalizedSleep | undefined {
  return newestFirst.findLast((sleep) => sleep.cycleProviderId === cycleId && !sleep.data.isNap)
}

async function listRecoveries(reader: Reader, from: Date, to: Date): Promise<RecoveryData[]> {
  const recoveries = await reader.list("recovery", { from, to })
  if (recoveries.length === 0) return []
  // Vendors do not document which of a recovery's times they filter by. One more day on either side holds all their sleeps.
  const sleeps = await reader.list("sleep", { from: daysAfter(from, -1), to: daysAfter(to, 1) })
  const sleepOf = new Map(sleeps.map((sleep) => [sleep.providerId, sleep]))
  const dated = await Promise.all(recoveries.map((recovery) => dateRecovery(reader, recovery, sleepOf)))
  dated.sort((one, other) => other.at.getTime() - one.at.getTime())
  const listed = new Set(recoveries.map(({ providerId }) => providerId))
  // Without a temperature there is no deviation, and an old device's history would be read to its end in vain.
  const earlier = recoveries.some(hasSkinTemp) ? await nightsBefore(reader, from, listed) : []
  const nights = [...dated.map(({ recovery }) => recovery), ...earlier]
  return dated.map(({ recovery, date }, index) => withSkinTemp(recovery, date, nights.slice(index + 1)))
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
    at: sleep?.endedAt ?? cycle?.startedAt ?? recovery.createdAt,
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

function withSkinTemp(recovery: NormalizedRecovery, date: string, before: readonly NormalizedRecovery[]): RecoveryData {
  const { metrics, ...data } = recovery.data
  const baseline = before.filter(hasSkinTemp).map(({ skinTempCelsius }) => skinTempCelsius)
  const own = hasSkinTemp(recovery) ? skinTempDeviation(recovery.skinTempCelsius, baseline) : undefined
  const skinTemp = recovery.skinTempDeviationCelsius ?? own
  return { ...data, date, ...known({ metrics: knownOrNone({ ...metrics, skinTemp }) }) }
}

function hasSkinTemp(night: NormalizedRecovery): night is NormalizedRecovery & { readonly skinTempCelsius: number } {
  return night.skinTempCelsius !== undefined
}

function daysAfter(instant: Date, days: number): Date {
  return new Date(instant.getTime() + days * DAY_MS)
}
