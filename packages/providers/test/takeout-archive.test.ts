// Google Takeout with Fitbit's sleeps and mornings: what each trap of its files becomes.
import { expect, test } from "vitest"
import { archivedOf, reasonsOf, recordsOf } from "./garmin-rows.ts"
import {
  NIGHT,
  NIGHT_STAGES,
  OLD_NIGHT,
  OLD_SLEEPS,
  read,
  SCORE,
  SCORES,
  SLEEPS,
  STAGES,
  stage,
  value,
} from "./takeout-rows.ts"

test("a night has its times, offsets, stages, score and efficiency", async () => {
  const items = await read({ [SLEEPS]: [NIGHT], [STAGES]: NIGHT_STAGES, [SCORES]: [SCORE] })
  expect(archivedOf(items, "sleep")).toMatchObject([
    {
      date: "2026-09-12",
      utcOffsetMinutes: 330,
      record: {
        providerId: "2026-09-12",
        scoreState: "scored",
        startMs: Date.parse("2026-09-11T17:30:00.000Z"),
        endMs: Date.parse("2026-09-12T01:00:00.000Z"),
        durationMs: 450 * 60_000,
        isNap: false,
        scorePercent: 85.18,
        stages: { awakeMs: 900_000, lightMs: 8_100_000, deepMs: 5_400_000, remMs: 12_600_000 },
        efficiencyPercent: 90,
        samples: [{ type: "sleep_stages", samples: [{ value: 0 }, { value: 1 }, { value: 2 }, { value: 3 }] }],
      },
    },
  ])
  expect(recordsOf(items, "recovery")).toMatchObject([{ restingHeartRateBpm: 53 }])
  expect(items).toContainEqual({
    type: "note",
    note: "Read as Fitbit's data: UserSleepScores (1), UserSleepStages (1), UserSleeps (1)",
  })
})

test("the same night in Fitbit's old file and in Google's is one record, whichever file comes first", async () => {
  const old = {
    [OLD_SLEEPS]: [OLD_NIGHT],
    "sleep_score.csv": [
      {
        sleep_log_entry_id: OLD_NIGHT.logId,
        timestamp: "2026-09-12T01:00:00Z",
        overall_score: 85,
        resting_heart_rate: 53,
      },
    ],
  }
  const both = { [SLEEPS]: [NIGHT], [STAGES]: NIGHT_STAGES }
  const [alone] = archivedOf(await read(old, {}, "Asia/Kolkata"), "sleep")
  expect(alone).toMatchObject({ date: "2026-09-12", record: { providerId: "2026-09-12", scorePercent: 85 } })
  for (const rows of [
    { ...old, ...both },
    { ...both, ...old },
  ]) {
    const found = archivedOf(await read(rows), "sleep")
    expect(found).toHaveLength(1)
    expect(found[0]).toMatchObject({
      record: { providerId: "2026-09-12", startMs: Date.parse("2026-09-11T17:30:00.000Z"), scorePercent: 85 },
    })
    // Of two archives, Google's form counts.
    expect(found[0]?.precedence).toBeGreaterThan(alone?.precedence ?? Number.NaN)
  }
})

test("a score of Fitbit's old file is that of its own sleep, and -1 is none", async () => {
  const score = { sleep_log_entry_id: OLD_NIGHT.logId, timestamp: "2026-09-12T09:00:00Z", overall_score: 77 }
  const rows = { [SLEEPS]: [NIGHT], [OLD_SLEEPS]: [OLD_NIGHT], "sleep_score.csv": [score] }
  expect(recordsOf(await read(rows), "sleep")).toMatchObject([{ scorePercent: 77 }])
  const none = await read({ [SLEEPS]: [NIGHT], [SCORES]: [{ ...SCORE, overall_score: -1 }] })
  expect(recordsOf(none, "sleep")[0]).not.toHaveProperty("scorePercent")
})

test("stages that two files have count once", async () => {
  const rows = { [SLEEPS]: [NIGHT], [STAGES]: NIGHT_STAGES, "UserSleepStages_2026-10-01.csv": NIGHT_STAGES }
  expect(recordsOf(await read(rows), "sleep")).toMatchObject([
    { stages: { awakeMs: 900_000, lightMs: 8_100_000, deepMs: 5_400_000, remMs: 12_600_000 } },
  ])
})

test("stages and scores whose sleep is in another part of the archive are counted", async () => {
  const items = await read({ [STAGES]: NIGHT_STAGES, [SCORES]: [SCORE] })
  expect(recordsOf(items, "sleep")).toEqual([])
  expect(items.filter(({ type }) => type === "ignored")).toEqual([
    {
      type: "ignored",
      reason: expect.stringMatching(/^stages and scores of sleeps that /),
      count: NIGHT_STAGES.length + 1,
    },
  ])
})

test("of a night in two parts the longer one has the id of its date, and neither is a nap", async () => {
  const evening = { ...NIGHT, minutes_asleep: 150, sleep_end: "2026-09-11T20:30:00Z" }
  const rest = { ...NIGHT, sleep_id: "2", minutes_asleep: 230, sleep_start: "2026-09-11T21:30:00Z" }
  const found = recordsOf(await read({ [SLEEPS]: [evening, rest] }), "sleep")
  expect(found.map((record) => [record.providerId, "isNap" in record && record.isNap])).toEqual([
    ["night-2026-09-11T23:00", false],
    ["2026-09-12", false],
  ])
})

test("old times are local: those of Google's sleeps near them, else by the person's time zone, with a note", async () => {
  const other = { ...OLD_NIGHT, logId: 2, startTime: "2026-09-13T23:00:00.000", endTime: "2026-09-14T06:00:00.000" }
  const near = recordsOf(await read({ [SLEEPS]: [NIGHT], [OLD_SLEEPS]: [other] }), "sleep")
  expect(near.map((record) => "startMs" in record && new Date(record.startMs).toISOString())).toEqual([
    "2026-09-11T17:30:00.000Z",
    "2026-09-13T17:30:00.000Z",
  ])
  const items = await read({ [OLD_SLEEPS]: [other] })
  expect(recordsOf(items, "sleep")).toMatchObject([
    { startMs: Date.parse("2026-09-13T21:00:00.000Z"), endUtcOffsetMinutes: 120 },
  ])
  expect(items).toContainEqual({ type: "note", note: expect.stringContaining("Europe/Berlin") })
})

test("short times awake of an old night lie over its segments", async () => {
  const [night] = recordsOf(await read({ [OLD_SLEEPS]: [OLD_NIGHT] }, {}, "UTC"), "sleep")
  expect(night).toMatchObject({
    stages: { deepMs: 3_600_000, awakeMs: 49 * 60_000 },
    samples: [
      {
        samples: [
          { atMs: Date.parse("2026-09-11T23:00:30Z"), value: 1, durationMs: 1_800_000 },
          { atMs: Date.parse("2026-09-11T23:30:30Z"), value: 0, durationMs: 60_000 },
          { value: 1, durationMs: 1_740_000 },
          { value: 2, durationMs: 3_600_000 },
          { value: 1, durationMs: 11_460_000 },
          { value: 3, durationMs: 5_400_000 },
          { value: 0, durationMs: 2_880_000 },
        ],
      },
    ],
  })
})

test("a date with more sleeps than anyone has fails, and scores of one moment and endless stages cost no time", async () => {
  const sleeps = Array.from({ length: 101 }, (_, index) => ({
    ...NIGHT,
    sleep_id: String(index),
    sleep_start: new Date(Date.parse("2026-09-12T00:00:00Z") + index * 60_000).toISOString(),
    sleep_end: new Date(Date.parse("2026-09-12T00:00:30Z") + index * 60_000).toISOString(),
  }))
  await expect(read({ [SLEEPS]: sleeps })).rejects.toThrow("more than 100 sleeps of one date")
  expect(recordsOf(await read({ [SLEEPS]: sleeps.slice(0, 100) }), "sleep")).toHaveLength(100)
  const score = { sleep_log_entry_id: "1", timestamp: "2026-09-12T00:58:00Z", overall_score: 77 }
  const scores = Array.from({ length: 20_000 }, (_, index) => ({ ...score, sleep_log_entry_id: String(index) }))
  expect(recordsOf(await read({ [SLEEPS]: [NIGHT], "sleep_score.csv": scores }), "sleep")).toMatchObject([
    { scorePercent: 77 },
  ])
  const wakes = Array.from({ length: 1_000 }, () => stage("AWAKE", "11T17:30:00", "11T17:45:00"))
  const [night] = recordsOf(await read({ [SLEEPS]: [NIGHT], [STAGES]: [...NIGHT_STAGES, ...wakes] }), "sleep")
  expect(night).not.toHaveProperty("stages")
})

test("a score belongs to the sleep that ends within five minutes of it, and to no other", async () => {
  for (const [timestamp, found] of [
    ["2026-09-12T01:05:00Z", 77],
    ["2026-09-12T00:55:00Z", 77],
    ["2026-09-12T01:05:01Z", undefined],
    ["2026-09-12T00:54:59Z", undefined],
  ] as const) {
    const score = { sleep_log_entry_id: "1", timestamp, overall_score: 77 }
    const [night] = recordsOf(await read({ [SLEEPS]: [NIGHT], "sleep_score.csv": [score] }), "sleep")
    expect(night && "scorePercent" in night ? night.scorePercent : undefined).toBe(found)
  }
})

test("a classic sleep has no stages, in either form", async () => {
  const classic = {
    ...OLD_NIGHT,
    type: "classic",
    levels: {
      summary: { asleep: { minutes: 400 }, restless: { minutes: 40 }, awake: { minutes: 9 } },
      data: [
        { dateTime: OLD_NIGHT.startTime, level: "asleep", seconds: 3600 },
        { dateTime: "2026-09-12T00:00:30.000", level: "awake", seconds: 60 },
      ],
    },
  }
  const rows = {
    [SLEEPS]: [{ ...NIGHT, sleep_type: "CLASSIC" }],
    // Stages that Google rejected may still be in the file.
    [STAGES]: [stage("ASLEEP", "11T17:30:00", "12T01:00:00"), stage("LIGHT", "11T18:00:00", "11T19:00:00")],
  }
  for (const found of [await read({ [OLD_SLEEPS]: [classic] }), await read(rows)]) {
    const [sleep] = recordsOf(found, "sleep")
    expect(reasonsOf(found)).toEqual([])
    expect(sleep).toMatchObject({
      scoreState: "scored",
      asleepMs: expect.any(Number),
      efficiencyPercent: expect.any(Number),
    })
    expect(sleep).not.toHaveProperty("stages")
    expect(sleep).not.toHaveProperty("samples")
  }
})

test("the longest sleep of a date is the night, a short one by day is a nap, and so is one that Fitbit calls a nap", async () => {
  const nap = {
    ...NIGHT,
    sleep_id: "2",
    minutes_asleep: 60,
    sleep_start: "2026-09-12T08:30:00Z",
    sleep_end: "2026-09-12T09:40:00Z",
  }
  const lone = { ...nap, sleep_id: "3", sleep_start: "2026-09-14T08:30:00Z", sleep_end: "2026-09-14T09:40:00Z" }
  const early = {
    ...OLD_NIGHT,
    logId: 4,
    mainSleep: false,
    startTime: "2026-09-16T01:00:00.000",
    endTime: "2026-09-16T05:00:00.000",
  }
  const items = await read({ [SLEEPS]: [nap, NIGHT, lone], [OLD_SLEEPS]: [early] })
  expect(recordsOf(items, "sleep").map((record) => [record.providerId, "isNap" in record && record.isNap])).toEqual([
    ["2026-09-12", false],
    ["nap-2026-09-12T14:00", true],
    ["nap-2026-09-14T14:00", true],
    ["nap-2026-09-16T01:00", true],
  ])
})

test("a row that two files have is counted twice and stored once", async () => {
  const items = await read({ [SLEEPS]: [NIGHT], "UserSleeps_2026-10-01.csv": [{ ...NIGHT, minutes_asleep: 300 }] })
  expect(recordsOf(items, "sleep")).toEqual(Array(2).fill(recordsOf(items, "sleep")[0]))
  // Nothing says which one is newer, so the later row counts.
  expect(recordsOf(items, "sleep")[0]).toMatchObject({ efficiencyPercent: (300 * 100) / 450 })
})

test("of two versions of a row that of the later change counts, wherever it stands", async () => {
  const night = (minutes_asleep: number, at: string) => ({ ...NIGHT, minutes_asleep, sleep_last_updated: at })
  const run = (tracker_total_calories: number, at: string) => ({
    exercise_id: "1",
    exercise_start: "2026-09-10T10:00:00Z",
    exercise_end: "2026-09-10T11:00:00Z",
    activity_name: "Run",
    tracker_total_calories,
    exercise_last_updated: at,
  })
  const [first, last] = ["2026-09-12 06:00:00+0000", "2026-09-13T07:00:00Z"]
  for (const [sleeps, runs] of [
    [
      [night(360, last), night(405, first)],
      [run(400, last), run(300, first)],
    ],
    [
      [night(405, first), night(360, last)],
      [run(300, first), run(400, last)],
    ],
    // A time that cannot be read is none.
    [
      [night(360, last), night(405, "yesterday")],
      [run(400, last), run(300, "")],
    ],
  ] as const) {
    const items = await read({ [SLEEPS]: sleeps, "UserExercises_2026-09-01.csv": runs })
    expect(recordsOf(items, "sleep")).toMatchObject(Array(2).fill({ efficiencyPercent: 80 }))
    expect(recordsOf(items, "workout")).toMatchObject(Array(2).fill({ energyKcal: 400 }))
    expect(items.filter(({ type }) => type === "ignored" || type === "left_out")).toEqual([])
  }
})

test("a morning is made of readiness, HRV, resting heart rate, SpO2 and temperature of either form", async () => {
  const news = {
    "daily_readiness.csv": [{ timestamp: "2026-09-12", score: 71, type: "HIGH" }],
    "daily_resting_heart_rate.csv": [value("2026-09-12T00:00:00Z", "beats per minute", 61.25)],
    "daily_heart_rate_variability.csv": [
      value("2026-09-12T00:00:00Z", "average heart rate variability milliseconds", 42.5),
    ],
    "daily_oxygen_saturation.csv": [value("2026-09-12T12:00:00Z", "average percentage", 95.5)],
    "daily_sleep_temperature_derivations.csv": [
      {
        timestamp: "2026-09-12T00:00:00Z",
        "nightly temperature celsius": 33.5,
        "baseline temperature celsius": 33,
        "data source": "a",
      },
      {
        timestamp: "2026-09-13T00:00:00Z",
        "nightly temperature celsius": 33.5,
        "baseline temperature celsius": "NaN",
        "data source": "a",
      },
    ],
  }
  const olds = {
    "Daily Readiness Score - 2026-09-01.csv": [
      { date: "2026-09-12", readiness_score_value: 71, readiness_state: "HIGH" },
    ],
    "resting_heart_rate-2026-01-01.json": [
      { dateTime: "09/12/26 00:00:00", value: { date: "09/12/26", value: 61.25, error: 1 } },
    ],
    "Daily Heart Rate Variability Summary - 2026-09-(12).csv": [
      { timestamp: "2026-09-12T00:00:00", rmssd: 42.5, nremhr: 50, entropy: 2 },
    ],
    "Daily SpO2 - 2026-09-01-2026-12-01.csv": [{ timestamp: "2026-09-12T00:00:00Z", average_value: 95.5 }],
  }
  for (const rows of [news, olds, { ...olds, ...news }])
    expect(archivedOf(await read({ ...rows, [SLEEPS]: [] }), "recovery")).toMatchObject([
      {
        date: "2026-09-12",
        record: {
          scoreState: "scored",
          scorePercent: 71,
          hrvMs: 42.5,
          restingHeartRateBpm: 61.25,
          spo2Percent: 95.5,
        },
      },
    ])
  expect(recordsOf(await read(news), "recovery")).toMatchObject([
    { skinTempCelsius: 33.5, skinTempDeviationCelsius: 0.5 },
  ])
})

test("days that are written as zero are missing, and the report counts them", async () => {
  const items = await read({
    "resting_heart_rate-2026-01-01.json": [
      { dateTime: "09/11/26 00:00:00", value: { date: null, value: 0, error: 0 } },
      { dateTime: "09/12/26 00:00:00", value: { date: "09/12/26", value: 58, error: 1 } },
      { dateTime: "09/13/26 00:00:00", value: { date: null, value: 0.0, error: 0 } },
    ],
    "daily_resting_heart_rate.csv": [value("2026-09-14T00:00:00Z", "beats per minute", 0)],
    [OLD_SLEEPS]: [],
  })
  expect(archivedOf(items, "recovery").map(({ date }) => date)).toEqual(["2026-09-12"])
  expect(reasonsOf(items)).toEqual(Array(3).fill("days without a value, which Fitbit writes as zero"))
})

test("an instant of a copied daily value has the person's date, and a device's own value comes first", async () => {
  const name = "daily_resting_heart_rate.csv"
  const copied = value("2026-09-11T22:30:00Z", "beats per minute", 65, "Apple Health Health Kit")
  expect(archivedOf(await read({ [name]: [copied] }), "recovery").map(({ date }) => date)).toEqual(["2026-09-12"])
  const own = value("2026-09-12T00:00:00Z", "beats per minute", 60)
  // Midnight stands for the date, also where it is still the evening before.
  const west = await read({ [name]: [own] }, {}, "America/New_York")
  expect(archivedOf(west, "recovery").map(({ date }) => date)).toEqual(["2026-09-12"])
  for (const rows of [
    [copied, own],
    [own, copied],
  ])
    expect(recordsOf(await read({ [name]: rows }), "recovery")).toMatchObject([{ restingHeartRateBpm: 60 }])
})

test("a row that cannot be read is ignored with its line, and the rest goes on", async () => {
  const items = await read({
    [SLEEPS]: [
      { ...NIGHT, sleep_start: "yesterday" },
      NIGHT,
      { ...NIGHT, sleep_id: "2", sleep_end: "2026-09-14T20:00:00Z" },
    ],
    "daily_readiness.csv": [{ timestamp: "2026-09-12", score: "good" }],
    "daily_oxygen_saturation.csv": [{ timestamp: "2026-09-12T00:00:00Z", saturation: 95 }],
    [OLD_SLEEPS]: [{ ...OLD_NIGHT, logId: null }],
  })
  expect(recordsOf(items, "sleep")).toHaveLength(1)
  expect(reasonsOf(items)).toEqual([
    `${SLEEPS}, line 2: sleep_start: no time of this century`,
    `${OLD_SLEEPS}, entry 1: logId: Invalid input`,
    "daily_readiness.csv, line 2: value: not a number",
    "daily_oxygen_saturation.csv: it has no column average percentage",
    "the sleep of 2026-09-15: endMs: more than 24 hours after start",
  ])
})
