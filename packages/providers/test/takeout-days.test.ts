// Google Takeout with Fitbit's days, workouts and samples: what each trap of its files becomes.
import { expect, test } from "vitest"
import type { ArchiveItem } from "../src/index.ts"
import { archivedOf, reasonsOf, recordsOf, samplesOf } from "./garmin-rows.ts"
import { NIGHT, OLD_SLEEPS, read, SLEEPS, value } from "./takeout-rows.ts"

const steps = (timestamp: string, count: number, source: string) => value(timestamp, "steps", count, source)
const cycles = (items: readonly ArchiveItem[]) =>
  archivedOf(items, "cycle").map(({ date, record }) => [date, record.kind === "cycle" ? record.steps : null])

test("steps are never added up over sources: the device that counted most answers for a date", async () => {
  const name = "steps_2026-09-01.csv"
  const rows = [
    steps("2026-09-10T10:00:00Z", 500, "Google Fitbit Air"),
    steps("2026-09-10T10:01:00Z", 400, "Google Fitbit Air"),
    steps("2026-09-10T10:00:00Z", 700, "MobileTrack"),
    steps("2026-09-10T10:00:00Z", 5000, "Fit Health Connect"),
    // 22:30 in UTC is the next date in Berlin.
    steps("2026-09-10T22:30:00Z", 70, "MobileTrack"),
    steps("2026-09-12T10:00:00Z", 30, "Fit Health Connect"),
  ]
  for (const order of [rows, rows.toReversed()]) {
    const items = await read({ [name]: order })
    expect(cycles(items)).toEqual([
      ["2026-09-10", 900],
      ["2026-09-11", 70],
      ["2026-09-12", 30],
    ])
    expect(recordsOf(items, "cycle").map((day) => "device" in day && day.device)).toEqual([
      "Google Fitbit Air",
      "MobileTrack",
      "Fit Health Connect",
    ])
    expect(
      samplesOf(items, "steps")
        .map((sample) => sample.value)
        .toSorted(),
    ).toEqual([30, 400, 500, 70])
  }
})

test("Fitbit's old file, in UTC, answers where it counted more than any device, and a day without steps is none", async () => {
  const items = await read({
    "steps-2026-09-01.json": [
      // Google's table of this date was cut.
      { dateTime: "09/10/26 08:00:00", value: "6000" },
      { dateTime: "09/10/26 18:00:00", value: "1200" },
      { dateTime: "09/11/26 21:59:00", value: "12" },
      { dateTime: "09/11/26 22:00:00", value: "8" },
      { dateTime: "09/13/26 10:00:00", value: "500" },
      { dateTime: "09/14/26 10:00:00", value: "0" },
    ],
    "steps_2026-09-01.csv": [
      steps("2026-09-10T18:00:00Z", 1_200, "Google Fitbit Air"),
      steps("2026-09-11T21:59:00Z", 9_000, "Fit Health Connect"),
      steps("2026-09-13T10:00:00Z", 500, "Google Fitbit Air"),
    ],
    "distance-2026-09-01.json": [{ dateTime: "09/11/26 21:59:00", value: "230000" }],
  })
  expect(cycles(items)).toEqual([
    ["2026-09-10", 7_200],
    ["2026-09-11", 12],
    ["2026-09-12", 8],
    ["2026-09-13", 500],
  ])
  expect(recordsOf(items, "cycle")).toMatchObject([{}, { distanceMeters: 2300 }, {}, { device: "Google Fitbit Air" }])
  const sets = items.flatMap((item) => (item.type === "series" && item.set.type === "steps" ? [item.set] : []))
  expect(sets.map(({ device, samples }) => [device, samples.map((sample) => sample.value)])).toEqual([
    ["Google Fitbit Air", [500]],
    [undefined, [6_000, 1_200, 12, 8]],
  ])
})

test("a workout of both forms is one, also where the old file has the local time", async () => {
  const run = {
    exercise_id: "8000000000000000001",
    exercise_start: "2026-10-04T12:54:29Z",
    exercise_end: "2026-10-04T14:03:06Z",
    utc_offset: "+02:00",
    activity_name: "Outdoor Run",
    tracker_total_calories: 410,
    tracker_total_distance_mm: 9_500_000,
    tracker_avg_heart_rate: 131,
    tracker_peak_heart_rate: 164,
    activity_type_probabilities: '[{"a": 1}, {"b": 2}]',
    deletion_reason: "",
  }
  const old = {
    logId: 7,
    activityName: "Outdoor Run",
    startTime: "10/04/26 12:54:29",
    duration: 4_117_000,
    calories: 410,
    distance: 5.9,
    distanceUnit: "Mile",
  }
  const lone = { ...old, logId: 8, startTime: "10/05/26 12:54:29" }
  const name = "UserExercises_2026-10-01.csv"
  const items = await read({
    [name]: [
      run,
      { ...run, exercise_id: "2", exercise_start: "2026-10-06T12:00:00Z", deletion_reason: "USER_DELETED" },
    ],
    "exercise-0.json": [old, { ...old, startTime: "10/04/26 14:54:29" }, lone],
  })
  expect(archivedOf(items, "workout")).toMatchObject([
    {
      date: "2026-10-04",
      utcOffsetMinutes: 120,
      record: {
        sportType: "running",
        energyKcal: 410,
        distanceMeters: 9500,
        averageHeartRateBpm: 131,
        maxHeartRateBpm: 164,
      },
    },
    { date: "2026-10-05", record: { durationMs: 4_117_000, distanceMeters: 5.9 * 1609.344 } },
  ])
  expect(reasonsOf(items)).toEqual(["workouts that were deleted"])
})

const beat = (timestamp: string, bpm: number, source = "Google Fitbit Air") =>
  value(timestamp, "beats per minute", bpm, source)
const oldBeat = (dateTime: string, bpm: number, confidence = 2) => ({ dateTime, value: { bpm, confidence } })
const beatsOf = (items: readonly ArchiveItem[]) => samplesOf(items, "heart_rate").map((sample) => sample.value)

test("samples of one instant are of the device with most of them, and Fitbit's old ones fill hours that Google's files lack", async () => {
  const items = await read({
    "heart_rate_2026-09-12.csv": [
      beat("2026-09-12T04:00:00Z", 80),
      beat("2026-09-12T04:00:05Z", 81),
      beat("2026-09-12T04:00:00Z", 60, "Some Phone App"),
    ],
    "heart_rate-2026-09-12.json": [oldBeat("09/12/26 04:00:00", 80), oldBeat("09/12/26 05:00:00", 82)],
    "heart_rate-2026-09-13.json": [
      oldBeat("09/12/26 23:59:00", 90),
      oldBeat("09/13/26 04:00:00", 77),
      oldBeat("09/13/26 04:00:05", 70, 0),
    ],
    "oxygen_saturation_2026-09-01.csv": [
      value("2026-09-12T04:00:00Z", "oxygen saturation percentage", 94),
      value("2026-09-12T04:01:00Z", "oxygen saturation percentage", 50),
    ],
    "Minute SpO2 - 2026-09-13.csv": [
      { timestamp: "2026-09-12T04:02:00Z", value: 95 },
      { timestamp: "2026-09-13T04:00:00Z", value: 96 },
      { timestamp: "2026-09-13T04:01:00Z", value: 50 },
    ],
    "Heart Rate Variability Details - 2026-09-12.csv": [
      { timestamp: "2026-09-12T04:00:00", rmssd: 40.5, coverage: 0.9 },
    ],
  })
  expect(beatsOf(items)).toEqual([80, 81, 82, 90, 77])
  expect(samplesOf(items, "spo2").map((sample) => sample.value)).toEqual([94, 96])
  expect(samplesOf(items, "hrv")).toEqual([{ atMs: Date.parse("2026-09-12T02:00:00Z"), value: 40.5 }])
  expect(items.filter(({ type }) => type === "ignored")).toEqual([
    { type: "ignored", reason: "heart_rate: values of a second device at the same instant", count: 1 },
  ])
})

test("a month with a former and a new device has the values of both, and so has a day of a band and a watch", async () => {
  const day = (index: number) => String(index + 1).padStart(2, "0")
  const nights = Array.from({ length: 30 }, (_, index) =>
    value(
      `2026-09-${day(index)}T03:00:00Z`,
      "root mean square of successive differences milliseconds",
      40 + index,
      index < 13 ? "Charge 5" : "Pixel Watch",
    ),
  )
  const band = [1, 2, 3].map((hour) => beat(`2026-09-12T0${hour}:00:00Z`, 50 + hour, "Charge 5"))
  const watch = [10, 11, 12, 13].map((hour) => beat(`2026-09-12T${hour}:00:00Z`, 70 + hour, "Pixel Watch"))
  for (const order of [[...band, ...watch], watch.concat(band)]) {
    const items = await read({
      "heart_rate_variability_2026-09-01.csv": nights,
      "heart_rate_2026-09-12.csv": order,
      [OLD_SLEEPS]: [],
    })
    const variability = samplesOf(items, "hrv").map((sample) => sample.value)
    expect(variability.toSorted((one, other) => one - other)).toEqual(nights.map((_, index) => 40 + index))
    expect(beatsOf(items).toSorted()).toEqual([51, 52, 53, 80, 81, 82, 83])
    expect(reasonsOf(items)).toEqual([])
  }
})

test("what other apps copied fills hours in which no device has values, whichever file has them, and is counted elsewhere", async () => {
  const copy = "Garmin Connect Health Connect"
  const strava = "Strava Health Connect"
  const items = await read({
    "heart_rate_2026-09-11.csv": [
      beat("2026-09-12T04:10:00Z", 99, copy),
      beat("2026-09-12T05:10:00Z", 61, copy),
      beat("2026-09-12T06:10:00Z", 98, copy),
      beat("2026-09-12T07:10:00Z", 97, strava),
      beat("2026-09-14T07:10:00Z", 62, strava),
    ],
    "heart_rate_2026-09-12.csv": [beat("2026-09-12T04:00:00Z", 80), beat("2026-09-12T04:59:55Z", 81)],
    "heart_rate-2026-09-12.json": [oldBeat("09/12/26 06:59:00", 82)],
    [OLD_SLEEPS]: [],
  })
  expect(beatsOf(items)).toEqual([80, 81, 82, 61, 62])
  const sets = items.flatMap((item) => (item.type === "series" ? [item.set] : []))
  expect(
    sets.flatMap(({ device, samples }) => (device ? samples.map((sample) => [device, sample.value]) : [])),
  ).toEqual([[strava, 62]])
  expect(items.filter(({ type }) => type === "ignored")).toEqual([
    { type: "ignored", reason: "heart_rate: values of other apps beside those of a device", count: 3 },
  ])
})

test("what Strava gave is marked for assistants, and is no part of a day", async () => {
  const strava = "Strava Health Connect"
  const run = {
    exercise_id: "1",
    exercise_start: "2026-10-04T12:54:29Z",
    exercise_end: "2026-10-04T14:03:06Z",
    activity_name: "Run",
    data_source: strava,
  }
  const items = await read({
    "UserExercises_2026-10-01.csv": [run],
    "exercise-0.json": [
      { logId: 8, activityName: "Ride", startTime: "10/05/26 12:00:00", duration: 60_000, source: { name: "Strava" } },
      { logId: 9, activityName: "Walk", startTime: "10/06/26 12:00:00", duration: 60_000, source: { name: "Versa" } },
    ],
    "steps_2026-10-01.csv": [
      steps("2026-10-04T13:00:00Z", 9000, strava),
      steps("2026-10-04T15:00:00Z", 30, "Air"),
      steps("2026-10-05T13:00:00Z", 7000, strava),
    ],
    "daily_resting_heart_rate.csv": [value("2026-10-04T00:00:00Z", "beats per minute", 44, strava)],
    "heart_rate_2026-10-04.csv": [
      value("2026-10-04T13:00:00Z", "beats per minute", 177, strava),
      value("2026-10-04T13:00:05Z", "beats per minute", 178, strava),
    ],
    "weight.csv": [
      value("2026-10-04T06:00:00Z", "weight grams", 61_000, strava),
      value("2026-10-05T06:00:00Z", "weight grams", 62_000, "Scale"),
    ],
  })
  const workouts = recordsOf(items, "workout")
  expect(workouts.map(({ device, assistants }) => [device, assistants])).toEqual([
    [strava, false],
    ["Strava", false],
    [undefined, undefined],
  ])
  expect(cycles(items)).toEqual([["2026-10-04", 30]])
  expect(recordsOf(items, "recovery")).toEqual([])
  expect(reasonsOf(items)).toEqual([expect.stringMatching(/^figures of a date that Strava gave/)])
  const sets = items.flatMap((item) => (item.type === "series" ? [item.set] : []))
  expect(sets.map(({ type, device, samples }) => [type, device, samples.map((sample) => sample.value)])).toEqual([
    ["steps", "Air", [30]],
    ["weight", undefined, [62]],
    ["weight", strava, [61]],
    ["heart_rate", strava, [177, 178]],
  ])
})

test("weights are in grams, and old ones in the unit that follows from their BMI", async () => {
  const old = (date: string, weight: number, bmi?: number) => ({
    logId: 1,
    weight,
    bmi,
    date,
    time: "06:40:00",
    source: "Aria",
  })
  const items = await read({
    "weight.csv": [
      value("2026-09-12T05:00:00Z", "weight grams", 70_500, "Scale"),
      value("2026-09-12T06:00:00Z", "weight grams", 70_400, "Fit Health Connect"),
    ],
    "weight-2026-09-01.json": [
      old("09/10/26", 171.25, 23.41),
      old("09/11/26", 78, 23.5),
      old("09/12/26", 150, 21),
      old("09/13/26", 160),
    ],
    "height.csv": [value("2026-01-01T00:00:00Z", "height millimeters", 1_820)],
    [OLD_SLEEPS]: [],
  })
  expect(samplesOf(items, "weight").map((sample) => Number(sample.value.toFixed(2)))).toEqual([
    70.5, 70.4, 77.68, 78, 72.57,
  ])
  expect(items.filter(({ type }) => type === "profile")).toMatchObject([
    { profile: { data: { body: { heightMeters: 1.82 } } } },
  ])
})

test("folders may have any language, and files without rows are no fault", async () => {
  const empty = (name: string, text: string) => ({ name: `Takeout/Google Saúde/${name}`, bytes: Buffer.from(text) })
  for (const root of ["", "Takeout/Google Health/", "Descargas/Estado físico/"]) {
    const others = [
      empty("Biometrics/Glucose 202609.csv", "no data"),
      empty("a/daily_readiness.csv", "no data"),
      empty("b/weight.csv", "timestamp,weight grams\n"),
    ]
    const items = await read({ [SLEEPS]: [NIGHT] }, { root, others })
    expect(recordsOf(items, "sleep")).toHaveLength(1)
    expect(reasonsOf(items)).toEqual([])
  }
})
