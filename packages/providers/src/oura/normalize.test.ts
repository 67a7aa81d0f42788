import { SLEEP_STAGES } from "@restwell/client"
import { MINUTE_MS } from "@restwell/client/time-units"
import { expect, test } from "vitest"
import { fixturesOf } from "../../test/fixtures.ts"
import type { Json, NormalizedRecord, RecordKind } from "../contract/records.ts"
import { normalizeProfile, readOuraRecords } from "./normalize.ts"
import { OuraPersonalInfoSchema } from "./wire.ts"

const { readFixture } = fixturesOf("oura")

/** The evening of the night's date. */
const EVENING = new Date("2026-11-21T18:00:00Z")
const NEXT_DAY = new Date("2026-11-22T12:00:00Z")

type Fields = { [key: string]: Json }
const document = (name: string, changes: Fields = {}): Fields => ({ ...Object(readFixture(name)), ...changes })
const activity = { id: "activity-1", timestamp: "2026-11-21T04:00:00.000+01:00" }

function read(kind: RecordKind, raw: Json, now = NEXT_DAY): NormalizedRecord {
  const { records, rejected } = readOuraRecords(kind, [raw], now)
  expect(rejected).toEqual([])
  const [record] = records
  if (!record) throw new Error("nothing was read")
  return record
}

const reasonOf = (kind: RecordKind, raw: Json) => readOuraRecords(kind, [raw], NEXT_DAY).rejected[0]?.reason

test("a night: seconds become milliseconds, the day's score and activity day are joined", () => {
  const raw = { sleep: document("sleep"), daily_sleep: document("daily_sleep"), daily_activity: activity }
  expect(read("sleep", raw)).toStrictEqual({
    kind: "sleep",
    providerId: "3f0e2f64-93f6-4c8e-9b57-6e6a1b6a4c01",
    partIds: ["daily_sleep.9a0c8d3b-1f8f-4f7a-8a3d-77a3e7a4f702", "daily_activity.activity-1"],
    updatedMs: Date.parse("2026-11-21T06:40:00.000Z"),
    scoreState: "scored",
    raw,
    utcOffsetMinutes: 60,
    startUtcOffsetMinutes: 60,
    endUtcOffsetMinutes: 60,
    cycleProviderId: "activity-1",
    samples: expect.any(Array),
    averageHeartRateBpm: 52.4,
    lowestHeartRateBpm: 46,
    lowestHeartRateAtMs: Date.parse("2026-11-20T23:01:12Z"),
    course: {
      intervalMs: 300_000,
      phases: ["awake", "awake", "light", "deep", "deep", "rem", "rem", "light", "light", "awake"],
    },
    startMs: Date.parse("2026-11-20T22:41:12.000Z"),
    endMs: Date.parse("2026-11-21T06:20:42.000Z"),
    durationMs: 27_570_000,
    isNap: false,
    scorePercent: 84,
    stages: { lightMs: 13_410_000, deepMs: 5_430_000, remMs: 6_120_000, awakeMs: 2_610_000 },
    efficiencyPercent: 91,
    respiratoryRatePerMinute: 14.25,
    latencyMs: 540_000,
    contributors: [
      { name: "deep_sleep", value: 95, unit: null },
      { name: "efficiency", value: 90, unit: null },
    ],
  })
})

test("the values of a night: moments from its start on, without those that are missing or cannot be true", () => {
  const night = read("sleep", { sleep: document("sleep") })
  const [heartRate, hrv, stages] = night.kind === "sleep" ? (night.samples ?? []) : []
  const item = (time: string, value: number, minutes = 5) => ({
    atMs: Date.parse(`2026-11-20T${time}Z`),
    value,
    durationMs: minutes * MINUTE_MS,
    utcOffsetMinutes: 60,
  })
  expect(heartRate).toEqual({
    type: "heart_rate",
    samples: [item("22:46:12", 58), item("22:51:12", 57), item("23:01:12", 49.5)],
  })
  expect(hrv).toEqual({
    type: "hrv",
    method: "rmssd",
    samples: [item("22:46:12", 48)],
    leftOut: [{ type: "hrv", day: "2026-11-20", reason: "outside 1 to 1000 ms", count: 1 }],
  })
  const names = stages?.samples.map(({ value, durationMs = 0 }) => `${SLEEP_STAGES[value]} ${durationMs / MINUTE_MS}`)
  expect(names).toEqual(["awake 10", "light 5", "deep 10", "rem 10", "light 10", "awake 5"])
  expect(stages?.samples[0]).toEqual(item("22:41:12", 0, 10))
})

test.each([
  ["long_sleep", false],
  ["sleep", true],
  ["late_nap", true],
])("a %s is a nap: %s", (type, isNap) => {
  expect(read("sleep", { sleep: document("sleep", { type }) })).toMatchObject({ isNap })
})

test.each<readonly [string, Fields, boolean]>([
  ["asleep for more than three hours", { total_sleep_duration: 10_801, time_in_bed: null }, false],
  ["in bed for more than three hours", { total_sleep_duration: null, time_in_bed: 10_801 }, false],
  ["of three hours", { total_sleep_duration: 9_000, time_in_bed: 10_800 }, true],
  ["of an unknown length", { total_sleep_duration: null, time_in_bed: null }, true],
])("a sleep without a type or of an unknown one, %s, is a nap: %s", (_what, lengths, isNap) => {
  for (const type of [null, "coma", ""])
    expect(read("sleep", { sleep: document("sleep", { ...lengths, type }) })).toMatchObject({ isNap })
  const { type: _type, ...sleep } = document("sleep", lengths)
  expect(read("sleep", { sleep })).toMatchObject({ isNap })
})

test("a night over a change of the clocks has the offset of its end, and both", () => {
  const sleep = document("sleep", {
    bedtime_start: "2026-10-24T23:00:00+02:00",
    bedtime_end: "2026-10-25T06:00:00+01:00",
  })
  expect(read("sleep", { sleep })).toMatchObject({
    utcOffsetMinutes: 60,
    startUtcOffsetMinutes: 120,
    endUtcOffsetMinutes: 60,
  })
})

test.each([
  ["today", EVENING, "pending"],
  ["another day", NEXT_DAY, "unscorable"],
] as const)("a night of %s without stages is %s", (_when, now, scoreState) => {
  const sleep = document("sleep", {
    rem_sleep_duration: null,
    efficiency: null,
    average_breath: 0,
    sleep_phase_5_min: "4x",
  })
  const record = read("sleep", { sleep }, now)
  expect(record).toMatchObject({ scoreState })
  expect(record).not.toHaveProperty("course")
  for (const field of ["stages", "efficiencyPercent", "respiratoryRatePerMinute", "scorePercent"])
    expect(record).not.toHaveProperty(field)
})

test("a phase that Oura does not document is a gap, and those after it keep their times", () => {
  const record = read("sleep", { sleep: document("sleep", { sleep_phase_5_min: "42022" }) })
  expect(record).toMatchObject({ course: { phases: ["awake", "light", null, "light", "light"] } })
})

test("a night without its score is scored: it has stages", () => {
  const record = read("sleep", { sleep: document("sleep"), daily_sleep: document("daily_sleep", { score: null }) })
  expect(record.scoreState).toBe("scored")
  expect(record).not.toHaveProperty("scorePercent")
})

const recovery = {
  daily_readiness: document("daily_readiness"),
  sleep: document("sleep"),
  daily_spo2: document("daily_spo2"),
  daily_activity: activity,
}

test("a readiness: HRV and pulse are the night's, the deviation of the temperature is Oura's", () => {
  expect(read("recovery", recovery)).toStrictEqual({
    kind: "recovery",
    providerId: "5d1be6a5-3a39-4c3a-a1e2-2e1a76a5d503",
    partIds: [
      "sleep.3f0e2f64-93f6-4c8e-9b57-6e6a1b6a4c01",
      "daily_spo2.7c9d0f1e-52aa-4a3b-9b0a-0d1f2a3b4c04",
      "daily_activity.activity-1",
    ],
    updatedMs: Date.parse("2026-11-21T06:42:00.000Z"),
    scoreState: "scored",
    raw: recovery,
    createdMs: Date.parse("2026-11-21T12:00:00Z"),
    sleepProviderId: "3f0e2f64-93f6-4c8e-9b57-6e6a1b6a4c01",
    cycleProviderId: "activity-1",
    skinTempDeviationCelsius: -0.1,
    scorePercent: 82,
    contributors: [{ name: "hrv_balance", value: 76, unit: null }],
    hrvMs: 61,
    restingHeartRateBpm: 46,
    spo2Percent: 97.1,
  })
})

test.each([
  ["today", EVENING, "pending"],
  ["another day", NEXT_DAY, "unscorable"],
] as const)(
  "a night of %s with a pulse and without a readiness is a %s recovery of the sleep's id",
  (_when, now, state) => {
    const record = read("recovery", { sleep: document("sleep") }, now)
    expect(record).toMatchObject({ providerId: "3f0e2f64-93f6-4c8e-9b57-6e6a1b6a4c01", scoreState: state })
    expect(record).toMatchObject({ hrvMs: 61 })
  },
)

test("broken parts do not cost the readiness", () => {
  const record = read("recovery", { ...recovery, sleep: { id: 7 }, daily_spo2: "none", daily_activity: [] })
  expect(record).toMatchObject({ scorePercent: 82 })
  for (const field of ["hrvMs", "restingHeartRateBpm", "spo2Percent"]) expect(record).not.toHaveProperty(field)
})

test("a contributor that cannot be so costs itself alone", () => {
  const daily_readiness = document("daily_readiness", { contributors: { hrv_balance: 76, recovery_index: 101 } })
  expect(read("recovery", { ...recovery, daily_readiness })).toMatchObject({
    scorePercent: 82,
    contributors: [{ name: "hrv_balance", value: 76 }],
    leftOut: [{ field: "daily_readiness.contributors.recovery_index" }],
  })
})

test("a workout has energy, distance and the sport, and neither strain nor heart rates", () => {
  const record = read("workout", { workout: document("workout") })
  expect(record).toMatchObject({
    providerId: "aa11bb22-cc33-4d44-9e55-ff6677889906",
    startMs: Date.parse("2026-11-20T16:02:00.000Z"),
    endMs: Date.parse("2026-11-20T16:40:00.000Z"),
    durationMs: 38 * MINUTE_MS,
    sportType: "strength",
    energyKcal: 412,
    distanceMeters: 6200,
    countsAsWorkout: true,
    scoreState: "scored",
  })
  for (const field of ["strain", "averageHeartRateBpm", "maxHeartRateBpm"]) expect(record).not.toHaveProperty(field)
})

test("an activity day is open until 04:00 of the next, and has steps, energy and an equivalent of its distance", () => {
  const raw = { daily_activity: document("daily_activity") }
  expect(read("cycle", raw, EVENING)).toMatchObject({ endMs: null, scoreState: "scored" })
  // A part without a value is absent.
  expect(read("cycle", raw, EVENING)).toHaveProperty("contributors", [
    { name: "meet_daily_targets", value: 80, unit: null },
    { name: "stay_active", value: 71, unit: null },
  ])
  expect(read("cycle", raw, NEXT_DAY)).toMatchObject({
    startMs: Date.parse("2026-11-21T03:00:00.000Z"),
    steps: 9120,
    activeEnergyKcal: 512,
    distanceMeters: 9800,
    endMs: Date.parse("2026-11-22T03:00:00.000Z"),
    energyKcal: 2630,
  })
})

test.each([
  ["2026-11-22T04:00:00+00:00", "2026-11-22T04:00:00.000Z"],
  ["2026-11-29T04:00:00+01:00", "2026-11-22T03:00:00.000Z"],
])("an activity day before one that starts at %s ends at %s", (timestamp, end) => {
  const raw = { daily_activity: document("daily_activity"), next_activity: { id: "next", timestamp } }
  expect(read("cycle", raw)).toMatchObject({ endMs: Date.parse(end) })
})

test("a person has an address and measurements, and no name", () => {
  const info = document("personal_info")
  expect(normalizeProfile(OuraPersonalInfoSchema.parse(info), info).data).toStrictEqual({
    id: "oura-0e8f5a0c-1d2e-4f3a-8b4c-5d6e7f809107",
    providerId: "0e8f5a0c-1d2e-4f3a-8b4c-5d6e7f809107",
    email: "mara@example.com",
    body: { heightMeters: 1.75, weightKilograms: 70.5 },
  })
})

test("a document without meta counts as of its end, as in an archive", () => {
  const sleep = document("sleep", { meta: null })
  expect(read("sleep", { sleep }).updatedMs).toBe(Date.parse("2026-11-21T06:20:42.000Z"))
})

test.each<readonly [string, RecordKind, Json, RegExp]>([
  [
    "a sleep that the person rejected",
    "sleep",
    { sleep: document("sleep", { type: "rest" }) },
    /^sleep\.type: no sleep/,
  ],
  [
    "a time without an offset",
    "sleep",
    { sleep: document("sleep", { bedtime_end: "2026-11-21T07:20:42" }) },
    /^sleep\.bedtime_end: /,
  ],
  [
    "an end before the start",
    "workout",
    { workout: document("workout", { end_datetime: "2026-11-20T16:00:00+01:00" }) },
    /^workout\.end_datetime: before/,
  ],
  ["no readiness and no sleep", "recovery", { daily_spo2: document("daily_spo2") }, /^daily_readiness: neither/],
])("%s is set aside with the field's name", (_what, kind, raw, reason) => {
  expect(reasonOf(kind, raw)).toMatch(reason)
})

test.each<readonly [string, RecordKind, Json, RegExp]>([
  [
    "a pulse nobody has",
    "recovery",
    { ...recovery, sleep: document("sleep", { lowest_heart_rate: 900 }) },
    /^sleep\.lowest_heart_rate: outside 20 to 250/,
  ],
  [
    "a temperature nobody survives",
    "recovery",
    { ...recovery, daily_readiness: document("daily_readiness", { temperature_deviation: 30 }) },
    /^daily_readiness\.temperature_deviation: outside/,
  ],
  [
    "a million steps",
    "cycle",
    { daily_activity: document("daily_activity", { steps: 1e6 }) },
    /^daily_activity\.steps: outside/,
  ],
  [
    "a text for a pulse",
    "sleep",
    { sleep: document("sleep", { lowest_heart_rate: "52" }) },
    /^sleep\.lowest_heart_rate: /,
  ],
  [
    "letters for phases",
    "sleep",
    { sleep: document("sleep", { sleep_phase_5_min: "DDLL" }) },
    /^sleep\.sleep_phase_5_min: /,
  ],
  [
    "a text for oxygen",
    "recovery",
    { ...recovery, daily_spo2: { spo2_percentage: "97" } },
    /^daily_spo2\.spo2_percentage: /,
  ],
])("%s is left out with the field's name, and the record stays", (_what, kind, raw, reason) => {
  const { records, rejected } = readOuraRecords(kind, [raw], NEXT_DAY)
  expect(rejected).toEqual([])
  expect(records[0]?.leftOut?.map(({ field, reason: why }) => `${field}: ${why}`)).toEqual([
    expect.stringMatching(reason),
  ])
})

test("a night without phases of five minutes has those of 30 seconds, as a course and as stages", () => {
  const sleep = document("sleep", { sleep_phase_5_min: null, sleep_phase_30_sec: "4422221133" })
  const record = read("sleep", { sleep })
  const course = ["awake", "awake", "light", "light", "light", "light", "deep", "deep", "rem", "rem"]
  expect(record).toMatchObject({ course: { intervalMs: 30_000, phases: course } })
  const stages = record.kind === "sleep" ? record.samples?.find(({ type }) => type === "sleep_stages") : undefined
  expect(stages?.samples.map(({ durationMs }) => durationMs)).toEqual(
    [1, 2, 1, 1].map((minutes) => minutes * MINUTE_MS),
  )
})
