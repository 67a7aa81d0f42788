// Google Takeout: spellings and small rules of its files, one by one.
import { expect, test } from "vitest"
import { archivedOf, reasonsOf, recordsOf, samplesOf } from "./garmin-rows.ts"
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

const RUN = {
  exercise_id: "8000000000000000001",
  exercise_start: "2026-10-04T12:54:29Z",
  exercise_end: "2026-10-04T14:03:06Z",
  utc_offset: "+02:00",
  activity_name: "Run",
}
const EXERCISES = "UserExercises_2026-10-01.csv"

test("west of Greenwich offsets are negative, and a night has the date of its own clock", async () => {
  const west = { ...NIGHT, start_utc_offset: "-07:00", end_utc_offset: "-07:00" }
  expect(archivedOf(await read({ [SLEEPS]: [west] }), "sleep")).toMatchObject([
    { date: "2026-09-11", utcOffsetMinutes: -420 },
  ])
})

test("a workout by hand has its distance, one whose deletion is unspecified stays, and NaN is missing", async () => {
  const byHand = { ...RUN, manually_logged_total_distance_mm: 5_000_000, tracker_avg_heart_rate: "NaN" }
  const items = await read({ [EXERCISES]: [{ ...byHand, deletion_reason: "DELETION_REASON_UNSPECIFIED" }] })
  const [run] = recordsOf(items, "workout")
  expect(run).toMatchObject({ distanceMeters: 5_000 })
  expect(run).not.toHaveProperty("averageHeartRateBpm")
})

test("a workout of the old form that begins two minutes apart is the same, and one that begins later is another", async () => {
  const old = (startTime: string) => ({ logId: 7, activityName: "Run", startTime, duration: 4_117_000 })
  const count = async (startTime: string) =>
    recordsOf(await read({ [EXERCISES]: [RUN], "exercise-0.json": [old(startTime)] }), "workout").length
  expect([await count("10/04/26 12:56:29"), await count("10/04/26 12:56:30")]).toEqual([1, 2])
})

test("the newest height counts, in any order, and hidden copies of files are not read", async () => {
  const heights = [
    value("2026-01-01T00:00:00Z", "height millimeters", 1_820),
    value("2026-02-01T00:00:00Z", "height millimeters", 1_830),
  ]
  for (const rows of [heights, heights.toReversed()]) {
    const hidden = {
      name: "__MACOSX/height.csv",
      bytes: Buffer.from("timestamp,height millimeters\n2026-03-01,1500\n"),
    }
    const items = await read({ "height.csv": rows }, { others: [hidden] })
    expect(items.filter(({ type }) => type === "profile")).toMatchObject([
      { profile: { data: { body: { heightMeters: 1.83 } } } },
    ])
  }
})

test("names of columns may be in capitals, and a figure of Google's table counts before Fitbit's old one", async () => {
  const items = await read({
    "daily_heart_rate_variability.csv": [
      { TIMESTAMP: "2026-09-12", "Average Heart Rate Variability Milliseconds": 41, "DATA SOURCE": "Fitbit" },
    ],
    "Daily Heart Rate Variability Summary - 2026-09-(12).csv": [{ timestamp: "2026-09-12T00:00:00", rmssd: 55 }],
  })
  expect(recordsOf(items, "recovery")).toMatchObject([{ hrvMs: 41 }])
})

test("a nap has no breaths of the night, a resting heart rate of zero is missing, and three hours make a night", async () => {
  const breaths = { "daily_respiratory_rate.csv": [value("2026-09-12", "breaths per minute", 14)] }
  const nap = {
    ...NIGHT,
    sleep_id: "2",
    minutes_asleep: 40,
    sleep_start: "2026-09-12T08:00:00Z",
    sleep_end: "2026-09-12T08:45:00Z",
  }
  const items = await read({ ...breaths, [SLEEPS]: [NIGHT, nap], [SCORES]: [{ ...SCORE, resting_heart_rate: 0 }] })
  const [night, rest] = recordsOf(items, "sleep")
  expect(night).toMatchObject({ isNap: false, respiratoryRatePerMinute: 14 })
  expect(rest).toMatchObject({ isNap: true })
  expect(rest).not.toHaveProperty("respiratoryRatePerMinute")
  expect([recordsOf(items, "recovery"), reasonsOf(items)]).toEqual([[], []])
  const isNapOf = async (minutes: number, start: string) => {
    const sleep = {
      ...nap,
      minutes_asleep: minutes,
      sleep_start: `2026-09-12T${start}:00Z`,
      sleep_end: "2026-09-12T15:00:00Z",
    }
    return recordsOf(await read({ [SLEEPS]: [sleep] }), "sleep").map((record) => "isNap" in record && record.isNap)
  }
  // India is five and a half hours ahead: 09:00 and 08:59, and 19:59 and 20:00.
  expect([await isNapOf(179, "03:30"), await isNapOf(180, "03:30")]).toEqual([[true], [false]])
  expect([await isNapOf(60, "03:29"), await isNapOf(30, "14:29"), await isNapOf(30, "14:30")]).toEqual([
    [false],
    [true],
    [false],
  ])
})

test("of a night of both forms Google's counts, also where the old one is longer asleep, with what only the old one has", async () => {
  const { minutes_asleep: _, ...unknown } = NIGHT
  const items = await read({ [SLEEPS]: [unknown], [OLD_SLEEPS]: [OLD_NIGHT] })
  expect(recordsOf(items, "sleep")).toMatchObject([
    {
      startMs: Date.parse("2026-09-11T17:30:00.000Z"),
      stages: { deepMs: 3_600_000 },
      efficiencyPercent: (400 / 450) * 100,
    },
  ])
})

test("a stage without length is none, and of two rows of a night the one with stages counts before the longer one", async () => {
  const empty = stage("DEEP", "11T18:00:00", "11T18:00:00")
  const night = await read({ [SLEEPS]: [NIGHT], [STAGES]: NIGHT_STAGES })
  expect(await read({ [SLEEPS]: [NIGHT], [STAGES]: [...NIGHT_STAGES, empty] })).toEqual(night)
  const longer = { ...NIGHT, sleep_id: "1", sleep_start: "2026-09-11T17:00:00Z", minutes_asleep: 470 }
  for (const rows of [
    [NIGHT, longer],
    [longer, NIGHT],
  ]) {
    const [found] = recordsOf(await read({ [SLEEPS]: rows, [STAGES]: NIGHT_STAGES }), "sleep")
    expect(found).toMatchObject({ startMs: Date.parse("2026-09-11T17:30:00.000Z"), stages: { deepMs: 5_400_000 } })
  }
})

test("a sleep of both forms is one, also where one ends before midnight and the other after it", async () => {
  const times = { start_utc_offset: "+02:00", end_utc_offset: "+02:00", sleep_start: "2026-09-12T17:00:00Z" }
  const sleep = { ...NIGHT, ...times, sleep_end: "2026-09-12T22:03:00Z" }
  const old = { ...OLD_NIGHT, startTime: "2026-09-12T19:00:00.000", endTime: "2026-09-12T23:58:00.000" }
  const earlier = { ...sleep, sleep_end: "2026-09-12T21:58:00Z" }
  const later = { ...old, endTime: "2026-09-13T00:03:00.000" }
  const datesOf = async (rows: Parameters<typeof read>[0]) =>
    archivedOf(await read(rows), "sleep").map(({ date }) => date)
  expect(await datesOf({ [SLEEPS]: [sleep], [OLD_SLEEPS]: [old] })).toEqual(["2026-09-13"])
  expect(await datesOf({ [SLEEPS]: [earlier], [OLD_SLEEPS]: [later] })).toEqual(["2026-09-12"])
})

test("Google's sleep is a nap where Fitbit's old form of it says so", async () => {
  const old = { ...OLD_NIGHT, startTime: "2026-09-11T23:00:00.000", mainSleep: false }
  const isNapOf = async (rows: Parameters<typeof read>[0]) =>
    recordsOf(await read(rows), "sleep").map((record) => "isNap" in record && record.isNap)
  expect(await isNapOf({ [SLEEPS]: [NIGHT] })).toEqual([false])
  expect(await isNapOf({ [SLEEPS]: [NIGHT], [OLD_SLEEPS]: [old] })).toEqual([true])
})

test("a minute below zero counts nothing, and a device without a step does not answer before the copy of another app", async () => {
  const items = await read({
    "steps_2026-09-01.csv": [
      value("2026-09-10T10:00:00Z", "steps", 0, "Google Fitbit Air"),
      value("2026-09-10T10:01:00Z", "steps", -5, "Google Fitbit Air"),
      value("2026-09-10T10:00:00Z", "steps", 500, "Fit Health Connect"),
      value("2026-09-11T10:00:00Z", "steps", 80, "Google Fitbit Air"),
      value("2026-09-11T10:01:00Z", "steps", -5, "Google Fitbit Air"),
    ],
  })
  expect(recordsOf(items, "cycle")).toMatchObject([{ steps: 500, device: "Fit Health Connect" }, { steps: 80 }])
})

test("an old weight is left out where Google's files have its day, by the local date or in UTC", async () => {
  const old = (date: string, time: string) => ({ logId: 1, weight: 78, bmi: 23.5, date, time, source: "Aria" })
  const weightsOf = async (...rows: readonly ReturnType<typeof old>[]) =>
    samplesOf(
      await read({
        "weight.csv": [value("2026-09-12T05:00:00Z", "weight grams", 70_500, "Scale")],
        "weight-2026-09-01.json": rows,
      }),
      "weight",
    ).map((sample) => sample.value)
  // Half past midnight in Berlin is the day before in UTC.
  expect(await weightsOf(old("09/12/26", "00:30:00"))).toEqual([70.5])
  expect(await weightsOf(old("09/13/26", "00:30:00"))).toEqual([70.5])
  expect(await weightsOf(old("09/11/26", "00:30:00"), old("09/13/26", "02:30:00"))).toEqual([70.5, 78, 78])
})

test.each([
  ["winter", "2021-10-30T22:00:00.000", "2021-10-31T06:00:00.000", 9],
  ["summer", "2021-03-27T22:00:00.000", "2021-03-28T06:00:00.000", 7],
])(
  "the minutes of an old sleep in which %s time begins are shares of the hours that clocks show",
  async (_time, startTime, endTime, hours) => {
    const night = { logId: 7, startTime, endTime, minutesAsleep: 430, type: "classic", mainSleep: true }
    const items = await read({ [OLD_SLEEPS]: [night] }, undefined, "Europe/London")
    const records = items.flatMap((item) => (item.type === "record" ? [item.archived.record] : []))
    expect(records).toMatchObject([
      {
        durationMs: hours * 3_600_000,
        efficiencyPercent: expect.closeTo(89.58, 2),
        asleepMs: 430 * 60_000,
      },
    ])
  },
)
