// Any record in any of the manners WHOOP writes: null or nothing, whole numbers or floats, Z or an offset, unknown fields.
import { DAY_MS } from "@restwell/client/time-units"
import fc from "fast-check"
import type { Json } from "../src/index.ts"

export interface WireRecord {
  [field: string]: Json
  score_state: "SCORED" | "PENDING_SCORE" | "UNSCORABLE"
  updated_at: string
}

/** The field with a value, with null, or not at all. */
function optional<Value extends Json>(name: string, value: fc.Arbitrary<Value>): fc.Arbitrary<Record<string, Json>> {
  return fc.oneof(
    { weight: 3, arbitrary: value.map((present): Record<string, Json> => ({ [name]: present })) },
    fc.constant<Record<string, Json>>({ [name]: null }),
    fc.constant<Record<string, Json>>({}),
  )
}

/** The fields of several, in one object. */
function merged(...parts: fc.Arbitrary<Record<string, Json>>[]): fc.Arbitrary<Record<string, Json>> {
  return fc.tuple(...parts).map((objects) => Object.assign({}, ...objects))
}

const number = (min: number, max: number) =>
  fc.oneof(fc.integer({ min, max: Math.floor(max) }), fc.double({ min, max, noNaN: true, noDefaultInfinity: true }))
const milliseconds = number(0, DAY_MS)

const instantMs = fc.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2035, 0, 1) })
const written = (ms: number) => new Date(ms).toISOString()
const instant = instantMs.map(written)

const offset = fc
  .record({
    sign: fc.constantFrom("+", "-"),
    hours: fc.integer({ min: 0, max: 11 }),
    minutes: fc.constantFrom(0, 30, 45),
    colon: fc.constantFrom(":", ""),
  })
  .map(
    ({ sign, hours, minutes, colon }) =>
      `${sign}${String(hours).padStart(2, "0")}${colon}${String(minutes).padStart(2, "0")}`,
  )
const zone = fc.oneof(fc.constant("Z"), offset)

const cycleId = fc.oneof(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), fc.integer({ min: 1 }).map(String))
const unknownField = optional(
  "a_field_of_next_year",
  fc.jsonValue().map((value): Json => JSON.parse(JSON.stringify(value))),
)

const interval = (hasEnd: boolean) =>
  fc.tuple(instantMs, fc.integer({ min: 0, max: DAY_MS }), fc.boolean()).map(([start, length, open]) => {
    const times: Record<string, Json> = { start: written(start) }
    if (hasEnd || !open) times["end"] = written(start + length)
    return times
  })

function record(score: fc.Arbitrary<Record<string, Json>>, ...parts: fc.Arbitrary<Record<string, Json>>[]) {
  const state = fc.constantFrom("SCORED" as const, "PENDING_SCORE" as const, "UNSCORABLE" as const)
  return fc
    .tuple(merged(...parts, optional("score", score), unknownField), state, instant)
    .map(([fields, score_state, updated_at]): WireRecord => ({ ...fields, score_state, updated_at }))
}

/** Stages are a quarter of the time in bed at most, so that their sum never exceeds it. */
const stageSummary = milliseconds.chain((inBedMs) => {
  const stage = number(0, inBedMs / 4)
  return merged(
    fc.constant<Record<string, Json>>({ total_in_bed_time_milli: inBedMs }),
    optional("total_awake_time_milli", stage),
    optional("total_light_sleep_time_milli", stage),
    optional("total_slow_wave_sleep_time_milli", stage),
    optional("total_rem_sleep_time_milli", stage),
  )
})

const heartAndEnergy = merged(
  optional("strain", number(0, 21)),
  optional("kilojoule", number(0, 50_000)),
  optional("average_heart_rate", number(25, 240)),
  optional("max_heart_rate", number(25, 240)),
)

const zones = merged(
  ...["zero", "one", "two", "three", "four", "five"].map((name) => optional(`zone_${name}_milli`, milliseconds)),
)

/** A nap takes no more than a part of the baseline. */
const sleepNeed = merged(
  optional("baseline_milli", number(18_000_000, 36_000_000)),
  optional("need_from_sleep_debt_milli", number(0, 14_400_000)),
  optional("need_from_recent_strain_milli", number(0, 7_200_000)),
  optional("need_from_recent_nap_milli", number(-10_800_000, 0)),
)

export const anySleep = record(
  merged(
    optional("stage_summary", stageSummary),
    optional("sleep_needed", sleepNeed),
    optional("respiratory_rate", number(5, 40)),
    optional("sleep_performance_percentage", number(0, 100)),
    optional("sleep_consistency_percentage", number(0, 100)),
    optional("sleep_efficiency_percentage", number(0, 100)),
  ),
  fc.record({ id: fc.uuid(), timezone_offset: zone, nap: fc.boolean() }),
  optional("cycle_id", cycleId),
  interval(true),
)

export const anyRecovery = record(
  merged(
    optional("recovery_score", number(0, 100)),
    optional("resting_heart_rate", number(25, 120)),
    optional("hrv_rmssd_milli", number(1, 300)),
    optional("spo2_percentage", number(70, 100)),
    optional("skin_temp_celsius", number(20, 42)),
  ),
  fc.record({ cycle_id: cycleId, created_at: instant }),
  optional("sleep_id", fc.uuid()),
)

export const anyWorkout = record(
  merged(
    heartAndEnergy,
    optional("distance_meter", number(0, 300_000)),
    optional("zone_durations", zones),
    optional("zone_duration", zones),
  ),
  fc.record({ id: fc.uuid(), timezone_offset: zone }),
  optional("sport_name", fc.oneof(fc.string(), fc.constantFrom("running", "sauna", "hiking-rucking"))),
  optional("sport_id", fc.integer({ min: -1, max: 300 })),
  interval(true),
)

export const anyCycle = record(heartAndEnergy, fc.record({ id: cycleId, timezone_offset: zone }), interval(false))
