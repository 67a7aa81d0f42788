import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { autoExportPhone, metric, segment } from "./auto-export-phone.ts"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-21T12:00:00Z"), isStill: true })
})
afterAll(() => service.close())

const phone = () => autoExportPhone(service)

/** As an iPhone with the 12-hour clock writes it, with a narrow no-break space. */
const twelve = (day: number, clock: string) => `2026-11-${day} ${clock.replace(" ", "\u202f")} +0100`

test("sleep in parts, with 12-hour times, HRV, and a resting heart rate", async () => {
  const { send, read, course } = await phone()
  const answer = await send({
    metrics: [
      metric(
        "sleep_analysis",
        "hr",
        segment(twelve(20, "11:10:00 PM"), twelve(21, "1:00:00 AM"), "Core"),
        segment(twelve(21, "1:00:00 AM"), twelve(21, "2:30:00 AM"), "Deep"),
        segment(twelve(21, "2:30:00 AM"), twelve(21, "2:40:00 AM"), "Awake"),
        segment(twelve(21, "2:40:00 AM"), twelve(21, "4:10:00 AM"), "REM"),
        segment(twelve(21, "4:10:00 AM"), twelve(21, "6:40:00 AM"), "Core", "Apple\u00a0Watch|AutoSleep"),
      ),
      metric("heart_rate_variability", "ms", { qty: 41, date: twelve(21, "3:10:00 AM"), source: "Apple Watch" }),
      metric("resting_heart_rate", "count/min", { qty: 52, date: twelve(21, "12:00:00 AM"), source: "Apple Watch" }),
    ],
  })
  expect(answer).toEqual({ stored: 7, unchanged: 0, ignored: [] })
  expect(await read("sleep")).toMatchObject([
    {
      date: "2026-11-21",
      source: "apple_health",
      device: "Apple Watch",
      start_local: "2026-11-20T23:10:00+01:00",
      asleep_hours: 7.33,
      stages: { deep_hours: 1.5, rem_hours: 1.5 },
    },
  ])
  expect(await read("recovery")).toMatchObject([{ hrv: 41, hrv_method: "sdnn", resting_heart_rate: 52 }])
  // 450 minutes, of which 10 are awake.
  const { phases, interval_minutes: interval } = (await course()) ?? {}
  expect([interval, phases?.length, phases?.filter((phase) => phase === "awake").length]).toEqual([2, 225, 5])
})

const night = {
  date: "2026-11-21 00:00:00 +0100",
  sleepStart: "2026-11-20 23:40:00 +0100",
  sleepEnd: "2026-11-21 07:10:00 +0100",
  inBedStart: "2026-11-20 23:30:00 +0100",
  inBedEnd: "2026-11-21 07:10:00 +0100",
  totalSleep: 7.1,
  asleep: 0,
  core: 4.2,
  deep: 1.1,
  rem: 1.8,
  awake: 0.3,
  inBed: 7.6,
  source: "Apple Watch|AutoSleep",
}

test("sleep in sums has stages and no course, and gives way to parts of the same device", async () => {
  const { send, read, points, course } = await phone()
  expect(await send({ metrics: [metric("sleep_analysis", "hr", night)] })).toMatchObject({ stored: 1, ignored: [] })
  expect(await read("sleep")).toMatchObject([
    { date: "2026-11-21", asleep_hours: 7.1, stages: { deep_hours: 1.1 }, start_local: "2026-11-20T23:30:00+01:00" },
  ])
  expect(await points("sleep_stages")).toBeUndefined()
  expect(await course()).toBeNull()
  const part = segment("2026-11-20 23:40:00 +0100", "2026-11-21 06:40:00 +0100", "Core")
  await send({ metrics: [metric("sleep_analysis", "hr", part)] })
  expect(await read("sleep")).toMatchObject([{ date: "2026-11-21", asleep_hours: 7 }])
})

test("sums of a night that come again with an earlier start are one night", async () => {
  const { send, read } = await phone()
  const again = {
    ...night,
    sleepStart: "2026-11-20 23:20:00 +0100",
    inBedStart: "2026-11-20 23:10:00 +0100",
    core: 4.5,
  }
  await send({ metrics: [metric("sleep_analysis", "hr", night)] })
  await send({ metrics: [metric("sleep_analysis", "hr", again)] })
  expect(await read("sleep")).toMatchObject([{ start_local: "2026-11-20T23:10:00+01:00", asleep_hours: 7.4 }])
})

test("of sums of a night that come again with the same times the longer sleep counts, whichever came first", async () => {
  const shorter = { ...night, totalSleep: 3.9, core: 2.4, deep: 0.5, rem: 1 }
  const longer = { ...night, totalSleep: 7, core: 4.8, deep: 1.2, rem: 1 }
  for (const versions of [
    [shorter, longer],
    [longer, shorter],
  ]) {
    const { send, read } = await phone()
    for (const each of versions) await send({ metrics: [metric("sleep_analysis", "hr", each)] })
    expect(await read("sleep")).toMatchObject([{ asleep_hours: 7, stages: { deep_hours: 1.2 } }])
  }
})

test("a resting heart rate that comes again is the newest one, also a lower one", async () => {
  const { send, read } = await phone()
  await send({ metrics: [metric("sleep_analysis", "hr", night)] })
  for (const qty of [55, 52, 54]) {
    const value = { qty, date: "2026-11-21 00:03:06 +0100", source: "Apple Watch" }
    expect(await send({ metrics: [metric("resting_heart_rate", "count/min", value)] })).toMatchObject({ stored: 1 })
    expect(await read("recovery")).toMatchObject([{ resting_heart_rate: qty }])
  }
})

test("a band that writes zeros has time asleep and no stages, and one without any sleep is ignored", async () => {
  const { send, read } = await phone()
  const zeros = { ...night, core: 0, deep: 0, rem: 0, awake: 0, inBed: 0, asleep: 6.5, source: "Band" }
  const empty = { ...zeros, asleep: 0, totalSleep: 0 }
  expect(await send({ metrics: [metric("sleep_analysis", "hr", zeros, empty)] })).toEqual({
    stored: 1,
    unchanged: 0,
    ignored: [{ reason: "sleep_analysis: no time asleep", count: 1 }],
  })
  expect(await read("sleep")).toMatchObject([{ asleep_hours: 6.5, stages: { deep_hours: null }, device: "Band" }])
  const rate = metric("heart_rate", "count/min", { Min: 0, Avg: 0, Max: 0, date: "2026-11-21 03:00:00 +0100" })
  expect((await send({ metrics: [rate] })).ignored).toEqual([{ reason: "heart_rate: outside 20 to 300 bpm", count: 1 }])
})

test("counts of joined sources, localised units and kilojoules make one day, and a later count replaces the earlier", async () => {
  const { send, read } = await phone()
  const steps = (qty: number, source: string) =>
    metric("step_count", "步", { qty, date: "2026-11-21 08:00:00 +0100", source })
  await send({ metrics: [steps(100, "Ada’s iPhone"), steps(400, "Apple Watch")] })
  await send({
    metrics: [
      steps(900, "Ada’s iPhone|Apple Watch"),
      metric("active_energy", "kJ", { qty: 418.4, date: "2026-11-21 08:00:00 +0100", source: "Apple Watch" }),
      metric("walking_running_distance", "mi", { qty: 1, date: "2026-11-21 08:00:00 +0100", source: "Apple Watch" }),
    ],
  })
  expect(await read("cycle")).toMatchObject([
    { date: "2026-11-21", steps: 900, active_calories: 100, distance_meters: 1609.3 },
  ])
})

test("a night whose sums are longer than itself is not stored, because overlapping sources were added up", async () => {
  const { send, read } = await phone()
  const doubled = { ...night, totalSleep: 26.8, asleep: 0, core: 0, deep: 0, rem: 0, awake: 0, inBed: 27.4 }
  const staged = { ...night, core: 4.9, deep: 1.6, rem: 1.5 }
  const reason = "sleep_analysis: longer asleep than the night is: switch off the aggregation of sleep in the app"
  expect(await send({ metrics: [metric("sleep_analysis", "hr", doubled, staged)] })).toEqual({
    stored: 0,
    unchanged: 0,
    ignored: [{ reason, count: 2 }],
  })
  expect(await read("sleep")).toEqual([])
  const whole = { ...night, inBed: 0, totalSleep: 7, asleep: 7, core: 0, deep: 0, rem: 0, awake: 0 }
  expect(await send({ metrics: [metric("sleep_analysis", "hr", whole)] })).toMatchObject({ stored: 1, ignored: [] })
})

test("the sums of a night may be in minutes, and in no other unit than hours", async () => {
  const { send, read } = await phone()
  const minutes = { ...night, totalSleep: 426, core: 252, deep: 66, rem: 108, awake: 18, inBed: 456 }
  expect(await send({ metrics: [metric("sleep_analysis", "min", minutes)] })).toMatchObject({ stored: 1, ignored: [] })
  expect(await read("sleep")).toMatchObject([{ asleep_hours: 7.1, stages: { deep_hours: 1.1 } }])
  expect((await send({ metrics: [metric("sleep_analysis", "d", minutes)] })).ignored).toEqual([
    { reason: "sleep_analysis: unknown unit d", count: 1 },
  ])
})

test("names of metrics may have the signs of the app's own words, and units of the United States", async () => {
  const { send, read, points } = await phone()
  const date = "2026-11-20 08:00:00 +0100"
  const answer = await send({
    metrics: [
      metric("weight_&_body_mass", "lb", { qty: 185.2, date, source: "Scale" }),
      metric("walking_+_running_distance", "mi", { qty: 1.5, date, source: "Apple Watch" }),
    ],
  })
  expect(answer).toEqual({ stored: 2, unchanged: 0, ignored: [] })
  expect(await points("weight")).toMatchObject([{ value: expect.closeTo(84, 1) }])
  expect(await read("cycle")).toMatchObject([{ distance_meters: expect.closeTo(2414, 0) }])
})

test("small and large calories, inches, centimetres and ounces are units of Health Auto Export as of Apple's export", async () => {
  const { send, read, points } = await phone()
  const at = (hour: string) => ({ date: `2026-11-20 ${hour}:00:00 +0100`, source: "Apple Watch" })
  const answer = await send({
    metrics: [
      metric("active_energy", "cal", { qty: 80_000, ...at("08") }),
      metric("active_energy", "Cal", { qty: 20, ...at("09") }),
      metric("active_energy", "J", { qty: 41_840, ...at("10") }),
      metric("walking_running_distance", "cm", { qty: 100_000, ...at("08") }),
      metric("walking_running_distance", "in", { qty: 10_000, ...at("09") }),
      metric("weight_body_mass", "oz", { qty: 2_800, ...at("08") }),
    ],
  })
  expect(answer).toEqual({ stored: 6, unchanged: 0, ignored: [] })
  expect(await read("cycle")).toMatchObject([{ active_calories: 110, distance_meters: 1_254 }])
  expect(await points("weight")).toMatchObject([{ value: expect.closeTo(79.379, 2) }])
})

test("workouts of both versions", async () => {
  const { send, read, points } = await phone()
  const second = {
    id: "4F3C",
    name: "Outdoor Run",
    start: "2026-11-20 18:00:00 +0100",
    end: "2026-11-20 18:45:00 +0100",
    duration: 2280,
    distance: { qty: 6.2, units: "km" },
    activeEnergyBurned: { qty: 412, units: "kcal" },
    heartRate: { min: { qty: 90, units: "bpm" }, avg: { qty: 141, units: "bpm" }, max: { qty: 166, units: "bpm" } },
    heartRateData: [
      { date: "2026-11-20 18:00:00 +0100", Min: 90, Avg: 95, Max: 99, units: "bpm" },
      { date: "2026-11-20 18:01:00 +0100", Min: 96, Avg: 101, Max: 104, units: "bpm" },
    ],
    route: [{ latitude: 0, longitude: 0 }],
  }
  const first = {
    name: "Cycling",
    start: "2026-11-21 08:00:00 +0100",
    end: "2026-11-21 09:00:00 +0100",
    activeEnergy: { qty: 1255.2, units: "kJ" },
    avgHeartRate: { qty: 120, units: "bpm" },
    maxHeartRate: { qty: 150, units: "bpm" },
  }
  expect(await send({ workouts: [second, first], symptoms: [{ name: "Headache" }] })).toEqual({
    stored: 4,
    unchanged: 0,
    ignored: [{ reason: "symptoms: not used", count: 1 }],
  })
  expect(await read("workout")).toMatchObject([
    {
      sport_type: "cycling",
      calories: 300,
      average_heart_rate: 120,
      max_heart_rate: 150,
      distance_meters: null,
      device: null,
    },
    { sport_type: "running", calories: 412, average_heart_rate: 141, distance_meters: 6200 },
  ])
  expect(await points("heart_rate")).toMatchObject([{ value: 95 }, { value: 101 }])
  expect(await send({ workouts: [second, first] })).toMatchObject({ stored: 0, unchanged: 4 })
})

test("heart rates of the recovery after a workout are no mean of the workout, and stay samples", async () => {
  const { send, read, points } = await phone()
  const beat = (clock: string, bpm: number) => ({ date: `2026-11-20 ${clock} +0100`, Min: bpm, Avg: bpm, Max: bpm })
  const workout = {
    name: "Outdoor Run",
    start: "2026-11-20 18:00:00 +0100",
    end: "2026-11-20 18:45:00 +0100",
    avgHeartRate: { qty: 128, units: "bpm" },
    maxHeartRate: { qty: 151, units: "bpm" },
    heartRateData: [beat("18:45:00", 151), beat("18:46:00", 105)],
  }
  expect(await send({ workouts: [workout] })).toEqual({ stored: 3, unchanged: 0, ignored: [] })
  expect(await read("workout")).toMatchObject([{ average_heart_rate: null, max_heart_rate: null }])
  expect(await points("heart_rate")).toMatchObject([{ value: 151 }, { value: 105 }])
  await send({ workouts: [{ ...workout, heartRateData: [beat("18:44:00", 151), beat("18:46:00", 105)] }] })
  expect(await read("workout")).toMatchObject([{ average_heart_rate: 128, max_heart_rate: 151 }])
})

test("metrics that are not used are counted by name, and another body is refused", async () => {
  const { send, refused } = await phone()
  const at = { date: "2026-11-21 08:00:00 +0100" }
  const standing = metric("apple_stand_time", "min", { qty: 3, ...at }, { qty: 4, ...at })
  const riding = metric("cycling_distance", "km", { qty: 12, ...at })
  const events = [{ start: at.date, end: at.date, threshold: 120, heartRate: [] }]
  const answer = await send({ metrics: [standing, riding, 7], heartRateNotifications: events })
  expect(answer).toEqual({
    stored: 0,
    unchanged: 0,
    ignored: [
      { reason: "apple_stand_time: not used", count: 2 },
      { reason: "cycling_distance: not used", count: 1 },
      { reason: "a metric without name and data", count: 1 },
      { reason: "heartRateNotifications: not used", count: 1 },
    ],
  })
  expect(await refused({ records: [] })).toMatchObject({ error: "invalid_request", field: "body" })
})
