/* Tests of the oracle itself: records written by hand, with answers computed on paper. */
import type { WireRecords, WireRecovery } from "@restwell/simulator"
import { expect, test } from "vitest"
import { answerTo, cycle, nap, night, recovery, workout } from "./example-records.ts"

test("a scored night and a nap without a score", () => {
  expect(answerTo({ type: "sleep", days: 1 })).toEqual({
    records: [
      {
        id: "whoop-nap",
        date: "2026-11-19",
        start: "2026-11-19T13:00:00.000Z",
        end: "2026-11-19T13:30:00.000Z",
        start_local: "2026-11-19T14:00:00+01:00",
        end_local: "2026-11-19T14:30:00+01:00",
        duration_hours: 0.5,
        asleep_hours: null,
        need_hours: null,
        is_nap: true,
        score_state: "pending",
        score: { performance: null, efficiency: null, consistency: null },
        stages: { light_hours: null, deep_hours: null, rem_hours: null, awake_hours: null },
        respiratory_rate: null,
        times_awake: null,
        latency_minutes: null,
        contributors: [],
        source: "whoop",
        device: null,
        chosen_because: "only_one",
      },
      {
        id: "whoop-5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11",
        date: "2026-11-19",
        start: "2026-11-18T22:31:05.120Z",
        end: "2026-11-19T06:30:44.870Z",
        start_local: "2026-11-18T23:31:05+01:00",
        end_local: "2026-11-19T07:30:44+01:00",
        duration_hours: 7.99,
        asleep_hours: 7.46,
        need_hours: 8.12,
        is_nap: false,
        score_state: "scored",
        score: { performance: 92, efficiency: 93.3, consistency: 81 },
        stages: { light_hours: 3.85, deep_hours: 1.67, rem_hours: 1.94, awake_hours: 0.53 },
        respiratory_rate: 14.7,
        times_awake: 9,
        latency_minutes: null,
        contributors: [
          { name: "need_baseline", value: 7.67, unit: "h" },
          { name: "need_from_sleep_debt", value: 0.33, unit: "h" },
          { name: "need_from_recent_strain", value: 0.12, unit: "h" },
          { name: "need_from_recent_nap", value: 0, unit: "h" },
        ],
        source: "whoop",
        device: null,
        chosen_because: "only_one",
      },
    ],
    count: 2,
    empty_reason: null,
    missing: [],
  })
})

test("a nap takes from the need, and an offset may be west of UTC, with minutes", () => {
  const part = night.score ? { ...night.score.sleep_needed, need_from_recent_nap_milli: -1_800_000 } : undefined
  if (!night.score || !part) throw new Error("the example has no score")
  const rested = { ...night, timezone_offset: "-03:30", score: { ...night.score, sleep_needed: part } }
  expect(answerTo({ type: "sleep", days: 2 }, { sleeps: [rested] })).toMatchObject({
    records: [{ start_local: "2026-11-18T19:01:05-03:30", end_local: "2026-11-19T03:00:44-03:30", need_hours: 7.62 }],
  })
})

test("a recovery takes its date from its sleep, and has no deviation before 5 nights", () => {
  expect(answerTo({ type: "recovery" })).toMatchObject({
    records: [
      {
        cycle_id: "whoop-1001",
        date: "2026-11-19",
        score_state: "scored",
        score: 71,
        hrv: 64.3,
        resting_heart_rate: 53,
        spo2: 96.4,
        skin_temp_celsius: 33.9,
        skin_temp_deviation_celsius: null,
      },
    ],
  })
})

test("a workout after local midnight belongs to the new date, in kilocalories and hours", () => {
  expect(answerTo({ type: "workout" })).toMatchObject({
    records: [
      {
        id: "whoop-run",
        date: "2026-11-19",
        duration_hours: 0.86,
        sport_type: "running",
        strain: 11.4,
        calories: 613,
        distance_meters: 9120.4,
        pace_seconds_per_km: 339,
        time_zone_offset_minutes: 60,
        zones: { zone_0_hours: 0.02, zone_1_hours: 0.11, zone_2_hours: 0.36, zone_3_hours: 0.28, zone_4_hours: 0.09 },
      },
    ],
  })
})

test("an open cycle has no end, and the date of its night; without one, that of 12 hours after its start", () => {
  expect(answerTo({ type: "cycle" })).toMatchObject({
    records: [
      {
        date: "2026-11-19",
        end: null,
        start_local: "2026-11-18T23:31:05+01:00",
        end_local: null,
        strain: 13.7,
        calories: 2481,
      },
    ],
  })
  const start = "2026-11-18T10:59:59.999Z"
  expect(answerTo({ type: "cycle" }, { sleeps: [nap], cycles: [{ ...cycle, start }] })).toMatchObject({
    records: [{ date: "2026-11-18" }],
  })
  const later = "2026-11-18T11:00:00.000Z"
  expect(answerTo({ type: "cycle" }, { sleeps: [nap], cycles: [{ ...cycle, start: later }] })).toMatchObject({
    records: [{ date: "2026-11-19" }],
  })
})

test("a recovery without its sleep has its cycle's date; without both, the UTC date on which it was made", () => {
  const orphan = { ...recovery, sleep_id: "gone", created_at: "2026-11-18T23:59:59.999Z" }
  const dateOf = (records: Partial<WireRecords>) => answerTo({ type: "recovery" }, { recoveries: [orphan], ...records })
  expect(dateOf({})).toMatchObject({ records: [{ date: "2026-11-19" }] })
  expect(dateOf({ cycles: [] })).toMatchObject({ records: [{ date: "2026-11-18" }] })
})

test("the deviation is from the mean of the 30 previous nights that have a temperature and a score", () => {
  const nights = Array.from({ length: 40 }, (_, day) => {
    const start = new Date(Date.UTC(2026, 9, 1 + day, 22)).toISOString()
    const end = new Date(Date.UTC(2026, 9, 2 + day, 6)).toISOString()
    return { ...night, id: `night ${day}`, cycle_id: day, start, end }
  })
  const recoveries: WireRecovery[] = nights.map(({ id, cycle_id }) => ({
    ...recovery,
    sleep_id: id,
    cycle_id,
    ...(recovery.score && {
      score: { ...recovery.score, skin_temp_celsius: cycle_id < 9 ? 20 : cycle_id < 24 ? 33 : 34 },
    }),
    ...(cycle_id === 38 && { score_state: "UNSCORABLE" }),
  }))
  const answer = answerTo(
    { type: "recovery", end_date: "2026-11-10", days: 1 },
    { sleeps: nights, recoveries, cycles: [] },
  )
  // Night 39 is preceded by night 8 (20), 9 to 23 (15 x 33) and 24 to 37 (14 x 34): 34 - 991 / 30 = 0.9667.
  expect(answer).toMatchObject({ records: [{ skin_temp_celsius: 34, skin_temp_deviation_celsius: 1 }] })
  const fourth = answerTo(
    { type: "recovery", end_date: "2026-10-06", days: 2 },
    { sleeps: nights, recoveries, cycles: [] },
  )
  expect(fourth).toMatchObject({
    records: [{ skin_temp_deviation_celsius: null }, { skin_temp_deviation_celsius: null }],
  })
  const sixth = answerTo(
    { type: "recovery", end_date: "2026-10-07", days: 1 },
    { sleeps: nights, recoveries, cycles: [] },
  )
  expect(sixth).toMatchObject({ records: [{ skin_temp_deviation_celsius: 0 }] })
})

test("the summary excludes naps, records without a score, and sauna", () => {
  const sauna = { ...workout, id: "sauna", sport_name: "sauna" }
  const unscored = { ...night, id: "unscored", score_state: "UNSCORABLE" as const, start: "2026-11-17T22:00:00.000Z" }
  const half = {
    ...cycle,
    id: 1000,
    start: "2026-11-17T22:00:00.000Z",
    end: night.start,
    score: null,
    score_state: "PENDING_SCORE" as const,
  }
  expect(
    answerTo(
      { type: "summary" },
      { workouts: [workout, sauna], sleeps: [nap, night, unscored], cycles: [cycle, half] },
    ),
  ).toEqual({
    period: {
      start: "2026-11-12T23:00:00.000Z",
      end: "2026-11-19T23:00:00.000Z",
      start_date: "2026-11-13",
      end_date: "2026-11-19",
      days: 7,
    },
    missing: [],
    sleep: {
      average_duration_hours: 7.99,
      average_asleep_hours: 7.46,
      average_need_hours: 8.12,
      average_light_hours: 3.85,
      average_deep_hours: 1.67,
      average_rem_hours: 1.94,
      average_awake_hours: 0.53,
      average_performance: 92,
      average_efficiency: 93.3,
      night_count: 1,
      source: "whoop",
    },
    recovery: {
      average_score: 71,
      average_hrv: 64.3,
      average_rhr: 52.5,
      day_count: 1,
      source: "whoop",
      hrv_method: "rmssd",
    },
    strain: {
      total: 13.7,
      average_daily: 13.7,
      workout_count: 1,
      cycle_count: 1,
      includes_open_cycle: true,
      source: "whoop",
    },
  })
})

test("an average of nothing is null", () => {
  expect(answerTo({ type: "summary" }, { sleeps: [], recoveries: [], cycles: [], workouts: [] })).toEqual({
    period: {
      start: "2026-11-13T00:00:00.000Z",
      end: "2026-11-20T00:00:00.000Z",
      start_date: "2026-11-13",
      end_date: "2026-11-19",
      days: 7,
    },
    missing: [],
    sleep: {
      average_duration_hours: null,
      average_asleep_hours: null,
      average_need_hours: null,
      average_light_hours: null,
      average_deep_hours: null,
      average_rem_hours: null,
      average_awake_hours: null,
      average_performance: null,
      average_efficiency: null,
      night_count: 0,
      source: null,
    },
    recovery: {
      average_score: null,
      average_hrv: null,
      average_rhr: null,
      day_count: 0,
      source: null,
      hrv_method: null,
    },
    strain: {
      total: null,
      average_daily: null,
      workout_count: 0,
      cycle_count: 0,
      includes_open_cycle: false,
      source: null,
    },
  })
})

test("the profile has the values that the person entered", () => {
  expect(answerTo({ type: "profile" })).toEqual({
    profile: { first_name: "Ada", last_name: "Berg", email: "ada@example.com" },
    body: { height_meters: 1.745, weight_kilograms: 66.55, max_heart_rate: 191 },
  })
})
