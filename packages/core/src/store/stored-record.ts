// Records as they are stored and read: the one record of each kind, with what the database derives from others beside it.
import type { HrvMethod } from "@restwell/client"
import {
  hasDayForEachDate,
  hrvMethodOf,
  type NightPart,
  type NormalizedCycle,
  type NormalizedRecord,
  type NormalizedRecovery,
  type NormalizedSleep,
  type NormalizedWorkout,
  RECORD_SCHEMAS,
  type RecordKind,
} from "@restwell/providers"

/** What is stored apart. */
type Apart = "raw" | "samples" | "course"

/** What a record has beside its own fields. */
interface Derived {
  /** The source it came from. */
  readonly provider: string
  /** True if an archive brought it, and not the vendor. */
  readonly fromArchive: boolean
  /** Local calendar date by the rule of its kind. */
  readonly date: string
}

export type StoredSleep = Omit<NormalizedSleep, Apart> & Derived
export type StoredWorkout = Omit<NormalizedWorkout, Apart> & Derived
export type StoredCycle = Omit<NormalizedCycle, Apart> & Derived
/** With the time of its sleep, else of its cycle, else of its creation. Its deviation is the vendor's, or that from the nights before. */
export type StoredRecovery = Omit<NormalizedRecovery, Apart> &
  Derived & { readonly startMs: number; readonly utcOffsetMinutes: number }
export type StoredRecord = StoredSleep | StoredRecovery | StoredWorkout | StoredCycle

/** How a recovery's HRV was computed. Null without one. */
export const methodOfHrv = ({
  provider,
  hrvMs,
  hrvMethod,
}: Pick<StoredRecovery, "provider" | "hrvMs" | "hrvMethod">): HrvMethod | null =>
  hrvMs === undefined ? null : (hrvMethod ?? hrvMethodOf(provider))

/** The vendor's id of the cycle of a recovery: the date where its days have no other. Undefined without one. */
export const cycleIdOf = ({
  provider,
  cycleProviderId,
  date,
}: Pick<StoredRecovery, "provider" | "cycleProviderId" | "date">): string | undefined =>
  cycleProviderId ?? (hasDayForEachDate(provider) ? date : undefined)

/** What a record is chosen by among those of several sources. */
const CHOSEN_BY = {
  sleep: [
    "kind",
    "providerId",
    "scoreState",
    "device",
    "startMs",
    "endMs",
    "isNap",
    "stages",
    "asleepMs",
    "copyOf",
    "assistants",
  ],
  recovery: [
    "kind",
    "providerId",
    "scoreState",
    "scorePercent",
    "hrvMs",
    "restingHeartRateBpm",
    "asleepMs",
    "copyOf",
    "assistants",
  ],
  workout: ["kind", "providerId", "scoreState", "startMs", "endMs", "sameAs", "copyOf", "assistants"],
  cycle: ["kind", "providerId", "scoreState", "endMs", "strain", "energyKcal", "copyOf", "assistants"],
} as const
/** Figures that another source may know where a record lacks them. Records store them by their place: new ones go to the end. */
export const FIGURES = {
  sleep: [
    "needMs",
    "scorePercent",
    "efficiencyPercent",
    "consistencyPercent",
    "asleepMs",
    "stages.lightMs",
    "stages.deepMs",
    "stages.remMs",
    "stages.awakeMs",
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
  workout: [
    "strain",
    "averageHeartRateBpm",
    "maxHeartRateBpm",
    "energyKcal",
    "distanceMeters",
    "zones",
    "paceSecondsPerKm",
  ],
  cycle: [
    "strain",
    "energyKcal",
    "averageHeartRateBpm",
    "maxHeartRateBpm",
    "steps",
    "activeEnergyKcal",
    "distanceMeters",
  ],
} as const satisfies Readonly<Record<RecordKind, readonly string[]>>

const DEVIATION = 1 << FIGURES.recovery.indexOf("skinTempDeviationCelsius")

const valueAt = (record: object, path: string): unknown =>
  path
    .split(".")
    .reduce<unknown>((part, name) => (part instanceof Object ? Reflect.get(part, name) : undefined), record)

type ChosenBy<Kind extends keyof typeof CHOSEN_BY> = (typeof CHOSEN_BY)[Kind][number] | keyof Derived

export type SleepCandidate = Pick<StoredSleep, ChosenBy<"sleep">>
type WorkoutCandidate = Pick<StoredWorkout, ChosenBy<"workout">>
/** The fields of a record that it is chosen by among those of several sources. A whole record has them too. */
export type Candidate =
  | SleepCandidate
  | WorkoutCandidate
  | Pick<StoredRecovery, ChosenBy<"recovery">>
  | Pick<StoredCycle, ChosenBy<"cycle">>

/** A candidate as it is read: with the figures that its record knows, which it has not itself, and the deviation that the database derives. */
export type StoredCandidate = Candidate & { readonly knows: number; readonly skinTempDeviationCelsius?: number }

/** The same for what is known of a candidate. */
export const figuresKnownByCandidate = ({ kind, knows, skinTempDeviationCelsius }: StoredCandidate): number =>
  kind === "recovery" && skinTempDeviationCelsius !== undefined ? knows | DEVIATION : knows

/**
 * Light, deep and REM sleep, milliseconds. A device that finds no REM sleep counts all of it as the others, and one without stages reports the
 * whole. Null without either: time in bed is another figure.
 */
export const asleepMsOf = ({ stages, asleepMs }: Pick<StoredSleep, "stages" | "asleepMs">): number | null =>
  stages ? stages.lightMs + stages.deepMs + (stages.remMs ?? 0) : (asleepMs ?? null)

const PACED: readonly string[] = ["running", "walking"]

/** Seconds a kilometre of a run or a walk. Null for other sports, and without a distance. */
export const paceOf = ({
  sportType,
  durationMs,
  distanceMeters,
}: Pick<NormalizedWorkout, "sportType" | "durationMs" | "distanceMeters">): number | null =>
  distanceMeters !== undefined && distanceMeters > 0 && PACED.includes(sportType) ? durationMs / distanceMeters : null

/** What a record knows with what follows from its own figures. */
function withDerived(record: NormalizedRecord | StoredRecord): object {
  if (record.kind === "sleep") return { ...record, asleepMs: asleepMsOf(record) }
  return record.kind === "workout" ? { ...record, paceSecondsPerKm: paceOf(record) } : record
}

/** The figures of {@link FIGURES} that a record knows: a bit for each. The time asleep may be that of the stages. */
export function figuresKnownBy(record: NormalizedRecord | StoredRecord): number {
  const known = withDerived(record)
  return FIGURES[record.kind].reduce(
    (bits, path, place) => (valueAt(known, path) == null ? bits : bits | (1 << place)),
    0,
  )
}

/**
 * True for the length of a night of a source that gives nothing else of it. It answers the metric of the time asleep, and is no recovery:
 * it is not listed and hides no other source.
 */
export const isLengthAlone = (record: StoredRecord | StoredCandidate): boolean =>
  record.kind === "recovery" &&
  record.asleepMs !== undefined &&
  ("knows" in record ? figuresKnownByCandidate(record) : figuresKnownBy(record)) === 0

export const withoutLengthsAlone = <Record extends StoredRecord | StoredCandidate>(
  records: readonly Record[],
): Record[] => records.filter((record) => !isLengthAlone(record))

/** What decides which night a main sleep is a part of. */
export const partOfSleep = (sleep: SleepCandidate): NightPart => ({
  provider: sleep.provider,
  device: sleep.device ?? null,
  startMs: sleep.startMs,
  endMs: sleep.endMs,
  asleepMs: asleepMsOf(sleep),
  isPending: sleep.scoreState === "pending",
})

const fieldsOf = (record: NormalizedRecord, names: readonly string[]): object =>
  Object.fromEntries(names.flatMap((name) => (name in record ? [[name, Reflect.get(record, name)] as const] : [])))

const instantOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

const STORED_FIELDS = {
  sleep: Object.keys(RECORD_SCHEMAS.sleep.omit({ course: true }).shape),
  recovery: Object.keys(RECORD_SCHEMAS.recovery.shape),
  workout: Object.keys(RECORD_SCHEMAS.workout.shape),
  cycle: Object.keys(RECORD_SCHEMAS.cycle.shape),
}

/**
 * What every copy of a record is written with: the record in `detail`, the fields that sources are chosen by in `candidate`, because reading
 * them of all sources takes half of the time, and in columns what the database looks records up by.
 */
export const columnsOf = (record: NormalizedRecord) => ({
  kind: record.kind,
  provider_id: record.providerId,
  ended_at: record.kind === "recovery" ? null : instantOf(record.endMs),
  score_state: record.scoreState,
  vendor_updated_at: new Date(record.updatedMs),
  sleep_provider_id: record.kind === "recovery" ? (record.sleepProviderId ?? null) : null,
  cycle_provider_id: record.kind === "recovery" || record.kind === "sleep" ? (record.cycleProviderId ?? null) : null,
  detail: fieldsOf(record, STORED_FIELDS[record.kind]),
  candidate: { ...fieldsOf(record, CHOSEN_BY[record.kind]), knows: figuresKnownBy(record) },
  course: record.kind === "sleep" ? (record.course ?? null) : null,
  raw: record.raw,
})

/** What `restwell.stored_record` returns, one or a JSON array of them. Reads have thousands, so the type of the column is trusted. */
export const parseStored = <Stored extends StoredRecord | StoredRecord[] | StoredCandidate[] | SleepCandidate[]>(
  text: string,
): Stored => JSON.parse(text)

/**
 * Whether averages and statistics have the figures of a record. Those of a pending one may change. One that the vendor could not score counts
 * with what was measured, such as the HRV of a night without a readiness, and says nothing where it has only its times.
 */
export const hasCountedFigures = (record: StoredRecord): boolean =>
  record.scoreState === "scored" || (record.scoreState === "unscorable" && figuresKnownBy(record) !== 0)
