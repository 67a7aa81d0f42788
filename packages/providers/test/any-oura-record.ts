// Any record's documents in any of the manners Oura writes them: null or nothing, times with or without milliseconds, unknown fields.
import { DAY_MS } from "@restwell/client/time-units"
import fc from "fast-check"
import type { Json } from "../src/index.ts"

type Fields = Record<string, Json>

/** The field with a value, with null, or not at all. */
function optional<Value extends Json>(name: string, value: fc.Arbitrary<Value>): fc.Arbitrary<Fields> {
  return fc.oneof(
    { weight: 3, arbitrary: value.map((present): Fields => ({ [name]: present })) },
    fc.constant<Fields>({ [name]: null }),
    fc.constant<Fields>({}),
  )
}

const merged = (...parts: fc.Arbitrary<Fields>[]): fc.Arbitrary<Fields> =>
  fc.tuple(...parts).map((objects): Fields => Object.assign({}, ...objects))

const number = (min: number, max: number) =>
  fc.oneof(fc.integer({ min, max: Math.floor(max) }), fc.double({ min, max, noNaN: true, noDefaultInfinity: true }))

const instantMs = fc.integer({ min: Date.UTC(2016, 0, 1), max: Date.UTC(2035, 0, 1) })
const offsetMinutes = fc.integer({ min: -11 * 4, max: 13 * 4 }).map((quarters) => quarters * 15)

function written(ms: number, offset: number, hasMilliseconds: boolean): string {
  const wall = new Date(ms + offset * 60_000).toISOString().slice(0, hasMilliseconds ? 23 : 19)
  const two = (value: number) => String(value).padStart(2, "0")
  return `${wall}${offset < 0 ? "-" : "+"}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`
}

const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)

const meta = optional(
  "meta",
  instantMs.map((ms) => ({ updated_at: new Date(ms).toISOString(), version: 1 })),
)
const unknownField = optional(
  "a_field_of_next_year",
  fc.jsonValue().map((value): Json => JSON.parse(JSON.stringify(value))),
)

const document = (...parts: fc.Arbitrary<Fields>[]) =>
  merged(fc.record({ id: fc.uuid(), day: instantMs.map(dayAt) }), meta, unknownField, ...parts)

const interval = (from: string, to: string) =>
  fc.tuple(instantMs, fc.integer({ min: 0, max: DAY_MS - 1 }), offsetMinutes, offsetMinutes, fc.boolean()).map(
    ([start, length, first, second, hasMilliseconds]): Fields => ({
      // Whole seconds: without milliseconds they are lost.
      [from]: written(start - (start % 1000), first, hasMilliseconds),
      [to]: written(start - (start % 1000) + (length - (length % 1000)), second, hasMilliseconds),
    }),
  )

/** Stages are a quarter of the time in bed at most, so that their sum never exceeds it. */
const durations = number(0, 86_400).chain((inBed) => {
  const stage = number(0, inBed / 4)
  return merged(
    fc.constant<Fields>({ time_in_bed: inBed }),
    optional("light_sleep_duration", stage),
    optional("deep_sleep_duration", stage),
    optional("rem_sleep_duration", stage),
    optional("awake_time", stage),
  )
})

const sleep = document(
  interval("bedtime_start", "bedtime_end"),
  durations,
  fc.record({ type: fc.constantFrom("long_sleep", "sleep", "late_nap") }),
  optional("efficiency", number(1, 100)),
  optional("average_breath", number(5, 40)),
  optional("average_hrv", number(1, 300)),
  optional("lowest_heart_rate", number(25, 120)),
  optional("sleep_phase_5_min", fc.stringMatching(/^[1-4]{1,100}$/)),
)
const activity = document(
  fc.tuple(instantMs, offsetMinutes).map(([ms, offset]): Fields => ({ timestamp: written(ms, offset, true) })),
  optional("total_calories", number(0, 9000)),
  optional("active_calories", number(0, 5000)),
  optional("steps", fc.integer({ min: 0, max: 90_000 })),
  optional("equivalent_walking_distance", number(0, 90_000)),
)
const spo2 = document(
  optional(
    "spo2_percentage",
    number(70, 100).map((average) => ({ average })),
  ),
)
const readiness = document(optional("score", number(1, 100)), optional("temperature_deviation", number(-5, 5)))

export const anyOuraSleep = merged(
  sleep.map((one): Fields => ({ sleep: one })),
  optional("daily_sleep", document(optional("score", number(1, 100)))),
  optional("daily_activity", activity),
)
export const anyOuraRecovery = fc.oneof(
  merged(
    readiness.map((one): Fields => ({ daily_readiness: one })),
    optional("sleep", sleep),
    optional("daily_spo2", spo2),
    optional("daily_activity", activity),
  ),
  merged(
    sleep.map((one): Fields => ({ sleep: one })),
    optional("daily_spo2", spo2),
  ),
)
export const anyOuraWorkout = document(
  interval("start_datetime", "end_datetime"),
  optional("activity", fc.oneof(fc.string({ maxLength: 60 }), fc.constantFrom("running", "strengthTraining"))),
  optional("calories", number(0, 9000)),
  optional("distance", number(0, 300_000)),
).map((workout): Fields => ({ workout }))
export const anyOuraCycle = merged(
  activity.map((one): Fields => ({ daily_activity: one })),
  optional("next_activity", activity),
)
