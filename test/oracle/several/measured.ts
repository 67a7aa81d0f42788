/* The records of one source with what follows from its other records: the date, the time, and the deviation of the temperature. */
import type {
  NormalizedCycle,
  NormalizedRecord,
  NormalizedRecovery,
  NormalizedSleep,
  NormalizedWorkout,
} from "@restwell/providers"
import { exactly, type Fraction, mean, minus } from "../exact.ts"
import type { KnownRecord, SourceTruth } from "./truth.ts"

interface Derived<Record> {
  readonly provider: string
  readonly fromArchive: boolean
  readonly record: Record
  /** The local date, YYYY-MM-DD. */
  readonly date: string
  readonly startMs: number
}
export type MeasuredSleep = Derived<NormalizedSleep>
export type MeasuredWorkout = Derived<NormalizedWorkout>
export type MeasuredCycle = Derived<NormalizedCycle>
export interface MeasuredRecovery extends Derived<NormalizedRecovery> {
  /** Degrees Celsius from the usual. */
  readonly deviation: Fraction | null
}

/** All records of a source, or of several. */
export interface Measured {
  readonly sleep: readonly MeasuredSleep[]
  readonly recovery: readonly MeasuredRecovery[]
  readonly workout: readonly MeasuredWorkout[]
  readonly cycle: readonly MeasuredCycle[]
}

/** After the start of a cycle. */
const NOON_MS = 12 * 3_600_000
const USUAL_NIGHTS = 30
const FEWEST_NIGHTS = 5

/** Minutes east of UTC as Temporal writes an offset. */
export function offsetText(minutes: number): string {
  const hours = Math.floor(Math.abs(minutes) / 60)
  return `${minutes < 0 ? "-" : "+"}${two(hours)}:${two(Math.abs(minutes) % 60)}`
}

const two = (number: number): string => String(number).padStart(2, "0")

export function localDateAt(atMs: number, offsetMinutes: number): string {
  return Temporal.Instant.fromEpochMilliseconds(atMs)
    .toZonedDateTimeISO(offsetText(offsetMinutes))
    .toPlainDate()
    .toString()
}

/** Puts main sleeps of any sources together to nights. */
type NightsOf = (
  sleeps: readonly MeasuredSleep[],
) => readonly { readonly sleeps: readonly MeasuredSleep[]; readonly night: MeasuredSleep }[]

/** Cycles and recoveries have the date of their night. */
export function measuredBy(source: SourceTruth, nightsOf: NightsOf): Measured {
  const known = [...source.records.values()]
  const sleep = of(source, known, "sleep", (record) => ({
    date: localDateAt(record.endMs, record.utcOffsetMinutes),
    startMs: record.startMs,
  }))
  const workout = of(source, known, "workout", (record) => ({
    date: localDateAt(record.startMs, record.utcOffsetMinutes),
    startMs: record.startMs,
  }))
  const nights = new Map(
    nightsOf(sleep.filter(({ record }) => !record.isNap)).flatMap((each) =>
      each.sleeps.map((part) => [part, each.night.date] as const),
    ),
  )
  const dateOf = (part: MeasuredSleep | undefined) => part && (nights.get(part) ?? part.date)
  const cycle = of(source, known, "cycle", (record) => ({
    date: dateOf(mainSleepOf(sleep, record)) ?? localDateAt(record.startMs + NOON_MS, record.utcOffsetMinutes),
    startMs: record.startMs,
  }))
  return {
    sleep,
    workout,
    cycle,
    recovery: withDeviations(of(source, known, "recovery", recoveryTime(sleep, cycle, dateOf))),
  }
}

function of<Kind extends NormalizedRecord["kind"]>(
  { provider }: SourceTruth,
  known: readonly KnownRecord[],
  kind: Kind,
  derive: (record: Extract<NormalizedRecord, { kind: Kind }>) => { date: string; startMs: number },
): Derived<Extract<NormalizedRecord, { kind: Kind }>>[] {
  const isOfKind = (record: NormalizedRecord): record is Extract<NormalizedRecord, { kind: Kind }> =>
    record.kind === kind
  return known.flatMap(({ record, fromArchive }) =>
    isOfKind(record) ? [{ provider, fromArchive, record, ...derive(record) }] : [],
  )
}

/** The first sleep of the cycle that is no nap. */
function mainSleepOf(sleeps: readonly MeasuredSleep[], { providerId }: NormalizedCycle): MeasuredSleep | undefined {
  return sleeps
    .filter(({ record }) => record.cycleProviderId === providerId && !record.isNap)
    .sort((one, other) => one.startMs - other.startMs)[0]
}

/** That of its sleep, else of its cycle, else of its creation in UTC. */
function recoveryTime(
  sleeps: readonly MeasuredSleep[],
  cycles: readonly MeasuredCycle[],
  dateOf: (part: MeasuredSleep | undefined) => string | undefined,
) {
  const sleepOf = new Map(sleeps.map((sleep) => [sleep.record.providerId, sleep]))
  const cycleOf = new Map(cycles.map((cycle) => [cycle.record.providerId, cycle]))
  return ({ sleepProviderId = "", cycleProviderId = "", createdMs }: NormalizedRecovery) => {
    const sleep = sleepOf.get(sleepProviderId)
    const found = sleep ?? cycleOf.get(cycleProviderId)
    return found
      ? { date: dateOf(sleep) ?? found.date, startMs: found.startMs }
      : { date: localDateAt(createdMs, 0), startMs: createdMs }
  }
}

/** The vendor's own deviation, else ours from the 30 scored nights before, of the same source. */
function withDeviations(recoveries: readonly Derived<NormalizedRecovery>[]): MeasuredRecovery[] {
  const oldestFirst = [...recoveries].sort((one, other) => one.startMs - other.startMs)
  const before: Fraction[] = []
  return oldestFirst.map((recovery) => {
    const { skinTempCelsius, skinTempDeviationCelsius, scoreState } = recovery.record
    const own = skinTempCelsius === undefined || scoreState !== "scored" ? null : exactly(skinTempCelsius)
    const usual = before.length < FEWEST_NIGHTS ? null : mean(before.slice(-USUAL_NIGHTS))
    if (own) before.push(own)
    const ours = own && usual && minus(own, usual)
    return {
      ...recovery,
      deviation: skinTempDeviationCelsius === undefined ? ours : exactly(skinTempDeviationCelsius),
    }
  })
}

const MEASURED: Readonly<Record<string, readonly string[]>> = {
  sleep: [
    "scorePercent",
    "stages",
    "asleepMs",
    "efficiencyPercent",
    "consistencyPercent",
    "needMs",
    "respiratoryRatePerMinute",
    "timesAwake",
    "latencyMs",
  ],
  recovery: [
    "scorePercent",
    "hrvMs",
    "restingHeartRateBpm",
    "spo2Percent",
    "skinTempCelsius",
    "skinTempDeviationCelsius",
  ],
  workout: ["strain", "averageHeartRateBpm", "maxHeartRateBpm", "energyKcal", "distanceMeters", "zones"],
  cycle: [
    "strain",
    "energyKcal",
    "averageHeartRateBpm",
    "maxHeartRateBpm",
    "steps",
    "activeEnergyKcal",
    "distanceMeters",
  ],
}

/** Whether averages have a record: it is final, and has more than its times. */
export function countsInAverages({ record }: { readonly record: NormalizedRecord }): boolean {
  if (record.scoreState === "pending") return false
  const has = (name: string): boolean =>
    Object.entries(record).some(([each, value]) => each === name && value !== undefined)
  return record.scoreState === "scored" || (MEASURED[record.kind] ?? []).some(has)
}
