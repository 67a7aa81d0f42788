/* The catalogue of section 2: what each metric is read from, its unit and its decimals. */
import type { Fraction } from "../exact.ts"
import {
  countsInAverages,
  type MeasuredCycle,
  type MeasuredRecovery,
  type MeasuredSleep,
  type MeasuredWorkout,
} from "../several/measured.ts"
import { wholeNights } from "../several/nights.ts"

interface Common {
  readonly id: string
  readonly unit: string | null
  readonly better: "higher" | "lower" | "neither"
  readonly decimals: number
  readonly kind: "number" | "clock" | "yes_no"
}

/** A value of a record, undefined where it has none. */
type ValueOf<Item> = (item: Item) => number | undefined
/** The same of a night. @param all sleeps, for figures of samples */
type NightValue = (night: MeasuredSleep, all: readonly MeasuredSleep[]) => number | undefined

export type Metric = Common &
  (
    | { readonly from: "night"; readonly value: NightValue }
    | { readonly from: "recovery"; readonly value: ValueOf<MeasuredRecovery> }
    | { readonly from: "cycle"; readonly value: ValueOf<MeasuredCycle> }
    /** The sum over a date's naps, 0 without one. */
    | { readonly from: "naps"; readonly value: ValueOf<MeasuredSleep> }
    /** The sum over a date's workouts, 0 without one. */
    | { readonly from: "workouts"; readonly value: ValueOf<MeasuredWorkout> }
    /** Of one of a date's workouts. */
    | { readonly from: "last workout" | "first workout" | "hardest workout"; readonly value: ValueOf<MeasuredWorkout> }
    /** Whether the clock of waking is another one than at home. */
    | { readonly from: "clock" }
    /** Measured now and then, in no record. */
    | { readonly from: "scale" }
    /** Within the day and in no record: the mean of a date, or the sum of what is counted. */
    | { readonly from: "samples" | "counts" }
    /** Answers of the journal. */
    | { readonly from: "journal"; readonly factor: string }
    /** Dates with a workout of it. */
    | { readonly from: "sport"; readonly sport: string }
  )

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

const inHours = (ms: number | undefined): number | undefined => (ms === undefined ? undefined : ms / HOUR_MS)
const numberOf = (fraction: Fraction | null): number | undefined =>
  fraction ? Number(fraction.numerator) / Number(fraction.denominator) : undefined

function asleepMs({ record }: MeasuredSleep): number | undefined {
  const { stages } = record
  return stages && stages.lightMs + stages.deepMs + (stages.remMs ?? 0)
}

function debtMs(sleep: MeasuredSleep): number | undefined {
  const [need, asleep] = [sleep.record.needMs, asleepMs(sleep)]
  return need === undefined || asleep === undefined ? undefined : need - asleep
}

/** Minutes since midnight where it happened. */
const localMinutes = (ms: number, offsetMinutes: number): number => ms / MINUTE_MS + offsetMinutes

export const startMinutes = ({ record }: MeasuredSleep): number =>
  localMinutes(record.startMs, record.startUtcOffsetMinutes ?? record.utcOffsetMinutes)
const workoutStartMinutes = ({ record }: MeasuredWorkout): number =>
  localMinutes(record.startMs, record.startUtcOffsetMinutes ?? record.utcOffsetMinutes)
export const endMinutes = ({ record }: MeasuredSleep | MeasuredWorkout): number =>
  localMinutes(record.endMs, record.endUtcOffsetMinutes ?? record.utcOffsetMinutes)
/** On the clock of waking. */
const middleMinutes = ({ record }: MeasuredSleep): number =>
  localMinutes((record.startMs + record.endMs) / 2, record.endUtcOffsetMinutes ?? record.utcOffsetMinutes)

/** That of a workout which is not scored yet may still grow. */
function highestHeartRate({ record }: MeasuredWorkout): number | undefined {
  return record.scoreState === "pending" ? undefined : record.maxHeartRateBpm
}

/** A workout that has none, such as yoga, has a distance of zero. Of a workout that is not scored it is unknown. */
function distanceOf({ record }: MeasuredWorkout): number | undefined {
  if (record.scoreState === "pending") return undefined
  return record.scoreState === "scored" ? (record.distanceMeters ?? 0) : record.distanceMeters
}

/** Beats per minute of a sleep, and when the lowest was first measured. */
interface SleepHeartRate {
  readonly mean?: number
  readonly lowest?: number
  readonly lowestAtMs?: number
}

const heartRateIn = ({
  averageHeartRateBpm: mean,
  lowestHeartRateBpm: lowest,
  lowestHeartRateAtMs: lowestAtMs,
}: MeasuredSleep["record"]): SleepHeartRate => ({
  ...(mean !== undefined && { mean }),
  ...(lowest !== undefined && { lowest }),
  ...(lowestAtMs !== undefined && { lowestAtMs }),
})

/** Means are by the time asleep of the parts of the night, and the lowest is that of all parts. */
function heartRateOf(night: MeasuredSleep, sleeps: readonly MeasuredSleep[]): SleepHeartRate {
  const parts = partsOf(night, sleeps).map((part) => ({ part, ...partHeartRate(part, sleeps) }))
  if (parts.length === 1) return partHeartRate(night, sleeps)
  const known = parts.flatMap(({ part, mean }) =>
    mean === undefined ? [] : [{ mean, weight: asleepMs(part) ?? part.record.durationMs }],
  )
  const weight = known.reduce((sum, each) => sum + each.weight, 0)
  const mean = known.reduce((sum, each) => sum + each.mean * each.weight, 0) / weight
  const [lowest] = parts
    .flatMap((part) => (part.lowest === undefined ? [] : [{ ...part, lowest: part.lowest }]))
    .toSorted((one, other) => one.lowest - other.lowest)
  return {
    ...(weight > 0 && { mean }),
    ...(lowest && { lowest: lowest.lowest }),
    ...(lowest?.lowestAtMs !== undefined && { lowestAtMs: lowest.lowestAtMs }),
  }
}

const NEAR_MS = 36 * 3_600_000

/** What a night is made of, oldest first. */
function partsOf(night: MeasuredSleep, sleeps: readonly MeasuredSleep[]): readonly MeasuredSleep[] {
  const near = sleeps.filter(
    ({ provider, record, startMs }) =>
      provider === night.provider && !record.isNap && Math.abs(startMs - night.startMs) < NEAR_MS,
  )
  return wholeNights(near).find(({ counted }) => counted[0]?.startMs === night.startMs)?.counted ?? [night]
}

/** The vendor's own figures, and otherwise those of its samples. Of one instant, the greater value counts. */
function partHeartRate({ provider, record }: MeasuredSleep, sleeps: readonly MeasuredSleep[]): SleepHeartRate {
  const own = heartRateIn(record)
  if (!countsInAverages({ record })) return own
  const sets = sleeps.filter((sleep) => sleep.provider === provider).flatMap((sleep) => sleep.record.samples ?? [])
  const samples = sets
    .flatMap((set) => (set.type === "heart_rate" ? set.samples : []))
    .filter(({ atMs }) => atMs >= record.startMs && atMs < record.endMs)
  const byTime = [...Map.groupBy(samples, ({ atMs }) => atMs)].map(([atMs, values]) => ({
    atMs,
    value: Math.max(...values.map(({ value }) => value)),
  }))
  const [lowest] = byTime.toSorted((one, other) => one.value - other.value || one.atMs - other.atMs)
  // Each value is true until the next one, until the end of the sleep, or for five minutes.
  const seconds = byTime.map(({ atMs }) => {
    const ends = [...byTime.map((other) => other.atMs).filter((next) => next > atMs), record.endMs, atMs + 300_000]
    return (Math.min(...ends) - atMs) / 1000
  })
  const beats = byTime.reduce((sum, { value }, index) => sum + value * (seconds[index] ?? 0), 0)
  const mean = beats / seconds.reduce((sum, each) => sum + each, 0)
  return { ...(lowest && { mean, lowest: lowest.value, lowestAtMs: lowest.atMs }), ...own }
}

/** On the clock of waking. */
function lowestMinutes(sleep: MeasuredSleep, sleeps: readonly MeasuredSleep[]): number | undefined {
  const { lowestAtMs } = heartRateOf(sleep, sleeps)
  const { endUtcOffsetMinutes, utcOffsetMinutes } = sleep.record
  return lowestAtMs === undefined
    ? undefined
    : Math.floor(localMinutes(lowestAtMs, endUtcOffsetMinutes ?? utcOffsetMinutes))
}

const beats = { unit: "bpm", decimals: 1, kind: "number", better: "lower" } as const
const percent = { unit: "%", decimals: 1, kind: "number", better: "higher" } as const
const hours = { unit: "h", decimals: 2, kind: "number" } as const
const clock = { unit: null, decimals: 0, kind: "clock", better: "neither" } as const

const NIGHTS = [
  {
    id: "respiratory_rate",
    unit: "/min",
    decimals: 1,
    kind: "number",
    better: "neither",
    value: (sleep) => sleep.record.respiratoryRatePerMinute,
  },
  { id: "asleep", ...hours, better: "higher", value: (sleep) => inHours(asleepMs(sleep)) },
  { id: "in_bed", ...hours, better: "neither", value: (sleep) => inHours(sleep.record.durationMs) },
  { id: "deep", ...hours, better: "higher", value: (sleep) => inHours(sleep.record.stages?.deepMs) },
  { id: "rem", ...hours, better: "higher", value: (sleep) => inHours(sleep.record.stages?.remMs) },
  { id: "light", ...hours, better: "neither", value: (sleep) => inHours(sleep.record.stages?.lightMs) },
  { id: "awake", ...hours, better: "lower", value: (sleep) => inHours(sleep.record.stages?.awakeMs) },
  {
    id: "times_awake",
    unit: null,
    decimals: 1,
    kind: "number",
    better: "lower",
    value: (sleep) => sleep.record.timesAwake,
  },
  { id: "sleep_efficiency", ...percent, value: (sleep) => sleep.record.efficiencyPercent },
  { id: "sleep_performance", ...percent, value: (sleep) => sleep.record.scorePercent },
  { id: "sleep_consistency", ...percent, value: (sleep) => sleep.record.consistencyPercent },
  { id: "sleep_need", ...hours, better: "neither", value: (sleep) => inHours(sleep.record.needMs) },
  { id: "sleep_debt", ...hours, better: "lower", value: (sleep) => inHours(debtMs(sleep)) },
  { id: "night_heart_rate", ...beats, value: (sleep, sleeps) => heartRateOf(sleep, sleeps).mean },
  { id: "lowest_heart_rate", ...beats, value: (sleep, sleeps) => heartRateOf(sleep, sleeps).lowest },
  { id: "lowest_heart_rate_time", ...clock, value: lowestMinutes },
  { id: "bedtime", ...clock, value: (sleep) => Math.floor(startMinutes(sleep)) },
  { id: "wake_time", ...clock, value: (sleep) => Math.floor(endMinutes(sleep)) },
  { id: "midsleep", ...clock, value: middleMinutes },
] as const satisfies readonly (Common & { value: NightValue })[]

const RECOVERIES = [
  { id: "recovery_score", ...percent, value: ({ record }) => record.scorePercent },
  {
    id: "hrv",
    unit: "ms",
    decimals: 1,
    kind: "number",
    better: "higher",
    value: ({ record }) => record.hrvMs,
  },
  {
    id: "resting_heart_rate",
    unit: "bpm",
    decimals: 1,
    kind: "number",
    better: "lower",
    value: ({ record }) => record.restingHeartRateBpm,
  },
  { id: "spo2", ...percent, value: ({ record }) => record.spo2Percent },
  {
    id: "skin_temp_deviation",
    unit: "C",
    decimals: 1,
    kind: "number",
    better: "neither",
    value: ({ deviation }) => numberOf(deviation),
  },
] as const satisfies readonly (Common & { value: ValueOf<MeasuredRecovery> })[]

const CYCLES = [
  {
    id: "strain",
    unit: null,
    decimals: 1,
    kind: "number",
    better: "neither",
    value: ({ record }) => record.strain,
  },
  {
    id: "calories",
    unit: "kcal",
    decimals: 0,
    kind: "number",
    better: "neither",
    value: ({ record }) => record.energyKcal,
  },
  { id: "steps", unit: null, decimals: 0, kind: "number", better: "higher", value: ({ record }) => record.steps },
] as const satisfies readonly (Common & { value: ValueOf<MeasuredCycle> })[]

const WORKOUTS = [
  { id: "workout_count", unit: null, decimals: 1, kind: "number", better: "neither", value: () => 1 },
  { id: "workout", ...hours, better: "neither", value: ({ record }) => inHours(record.durationMs) },
  {
    id: "distance",
    unit: "m",
    decimals: 1,
    kind: "number",
    better: "neither",
    value: distanceOf,
  },
  ...([1, 2, 3, 4, 5] as const).map((zone) => ({
    id: `zone_${zone}_hours`,
    ...hours,
    better: "neither" as const,
    value: ({ record }: MeasuredWorkout) => inHours(record.zones?.[`zone${zone}Ms`]),
  })),
] as const satisfies readonly (Common & { value: ValueOf<MeasuredWorkout> })[]

export const METRICS: readonly Metric[] = [
  ...NIGHTS.map((metric) => ({ ...metric, from: "night" as const })),
  ...RECOVERIES.map((metric) => ({ ...metric, from: "recovery" as const })),
  ...CYCLES.map((metric) => ({ ...metric, from: "cycle" as const })),
  ...WORKOUTS.map((metric) => ({ ...metric, from: "workouts" as const })),
  { id: "nap", ...hours, better: "neither", from: "naps", value: (sleep) => inHours(asleepMs(sleep)) },
  { id: "last_workout_end", ...clock, from: "last workout", value: (workout) => Math.floor(endMinutes(workout)) },
  {
    id: "first_workout_start",
    ...clock,
    from: "first workout",
    value: (workout) => Math.floor(workoutStartMinutes(workout)),
  },
  {
    id: "workout_max_heart_rate",
    unit: "bpm",
    decimals: 1,
    kind: "number",
    better: "neither",
    from: "hardest workout",
    value: highestHeartRate,
  },
  { id: "away", unit: null, decimals: 2, kind: "yes_no", better: "neither", from: "clock" },
  { id: "weight", unit: "kg", decimals: 2, kind: "number", better: "neither", from: "scale" },
  { id: "body_fat", ...percent, better: "neither", from: "scale" },
  { id: "floors", unit: null, decimals: 0, kind: "number", better: "higher", from: "counts" },
  { id: "exercise_minutes", unit: "min", decimals: 0, kind: "number", better: "higher", from: "counts" },
  { id: "stress", unit: null, decimals: 1, kind: "number", better: "neither", from: "samples" },
  { id: "walking_heart_rate", unit: "bpm", decimals: 1, kind: "number", better: "lower", from: "samples" },
]

/** A metric by its id, a factor of the journal or a sport. */
export function metricOf(id: string): Metric {
  const factor = id.startsWith("journal:") ? id.slice("journal:".length) : undefined
  // Means of yes (1) and no (0).
  if (factor !== undefined)
    return { id, unit: null, decimals: 2, kind: "yes_no", better: "neither", from: "journal", factor }
  if (id.startsWith("workout:"))
    return {
      id,
      unit: null,
      decimals: 2,
      kind: "yes_no",
      better: "neither",
      from: "sport",
      sport: id.slice("workout:".length),
    }
  const metric = METRICS.find((each) => each.id === id)
  if (!metric) throw new Error(`there is no metric ${id}`)
  return metric
}
