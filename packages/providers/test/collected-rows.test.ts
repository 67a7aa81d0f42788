// What is derived from the rows of a collector's devices: nights, recoveries and days.

import { SLEEP_STAGES, type SleepStage } from "@restwell/client"
import { MINUTE_MS } from "@restwell/client/time-units"
import { type CollectedRow, CollectedRows, deviceNameOf, type NormalizedRecord } from "@restwell/providers"
import fc from "fast-check"
import { expect, test } from "vitest"

const at = (text: string) => Date.parse(text)

function recordsOf(rows: readonly CollectedRow[], timeZone = "UTC"): NormalizedRecord[] {
  const collected = new CollectedRows({ timeZone, now: new Date("2026-11-24T12:00:00Z") })
  for (const row of rows) expect(collected.add(row)).toBeUndefined()
  return [...collected.records()].map(({ record }) => record)
}

const ofKind = <Kind extends NormalizedRecord["kind"]>(records: readonly NormalizedRecord[], kind: Kind) =>
  records.filter((record): record is Extract<NormalizedRecord, { kind: Kind }> => record.kind === kind)

const stage = (device: string, name: SleepStage, start: string, minutes: number): CollectedRow => ({
  type: "sleep",
  device,
  startMs: at(start),
  endMs: at(start) + minutes * MINUTE_MS,
  value: SLEEP_STAGES.indexOf(name),
})

const value = (type: CollectedRow["type"], device: string, start: string, amount: number, minutes = 0) => ({
  type,
  device,
  startMs: at(start),
  endMs: at(start) + minutes * MINUTE_MS,
  value: amount,
})

const NIGHT = [
  stage("Watch", "light", "2026-11-20T22:00:00Z", 240),
  stage("Watch", "deep", "2026-11-21T00:00:00Z", 60),
  stage("Watch", "awake", "2026-11-21T00:30:00Z", 10),
  stage("Watch", "rem", "2026-11-21T02:20:00Z", 40),
]

test("overlapping stages of one device count once, and waking counts before sleep", () => {
  const [night] = ofKind(recordsOf([...NIGHT, ...NIGHT]), "sleep")
  const minutes = { lightMs: 180, deepMs: 50, remMs: 40, awakeMs: 10 }
  expect(night?.stages).toEqual(
    Object.fromEntries(Object.entries(minutes).map(([key, count]) => [key, count * MINUTE_MS])),
  )
  expect(night).toMatchObject({ providerId: "2026-11-21", device: "Watch", isNap: false })
  expect(night?.durationMs).toBe(300 * MINUTE_MS)
  // Twenty minutes have no row, and no phase.
  expect(
    night?.course?.phases.map((phase, index) => (phase === null ? index : -1)).filter((index) => index >= 0),
  ).toEqual(Array.from({ length: 10 }, (_, index) => 120 + index))
  const [whole] = ofKind(recordsOf([...NIGHT, stage("Watch", "light", "2026-11-21T02:00:00Z", 20)]), "sleep")
  const phases = whole?.course?.phases ?? []
  expect([phases.length, ...new Set(phases)]).toEqual([150, "light", "deep", "awake", "rem"])
})

test("the last phase of a night is that of the middle of its rest, and what lasts a day has none", () => {
  const rows = [
    stage("Watch", "light", "2026-11-20T23:00:00Z", 200),
    stage("Watch", "awake", "2026-11-21T02:20:00Z", 0.5),
  ]
  expect(ofKind(recordsOf(rows), "sleep")[0]?.course?.phases.slice(-2)).toEqual(["light", "awake"])
  const days = ["2026-11-20T00:00:00Z", "2026-11-20T12:00:00Z", "2026-11-21T00:00:00Z"]
  const long = (count: number) => days.slice(0, count).map((start) => stage("Watch", "light", start, 12 * 60))
  expect(ofKind(recordsOf(long(2)), "sleep")[0]?.course?.phases).toHaveLength(720)
  expect(ofKind(recordsOf(long(3)), "sleep")[0]).not.toHaveProperty("course")
})

test("where deep and REM sleep of one device overlap, deep counts", () => {
  const rows = [
    stage("Watch", "deep", "2026-11-20T23:00:00Z", 120),
    stage("Watch", "rem", "2026-11-21T00:00:00Z", 120),
    stage("Watch", "light", "2026-11-21T01:30:00Z", 90),
  ]
  const [night] = ofKind(recordsOf(rows), "sleep")
  expect(night?.stages).toEqual({
    lightMs: 60 * MINUTE_MS,
    deepMs: 120 * MINUTE_MS,
    remMs: 60 * MINUTE_MS,
    awakeMs: 0,
  })
})

test("of two devices with stages the one that saw most of the night answers, whatever its name", () => {
  const names = ["A band", "Watch"] as const
  for (const [longer, shorter] of [names, names.toReversed()]) {
    if (!longer || !shorter) continue
    const rows = [
      stage(shorter, "light", "2026-11-20T23:00:00Z", 300),
      stage(longer, "light", "2026-11-20T22:30:00Z", 390),
    ]
    expect(ofKind(recordsOf(rows), "sleep").map(({ device }) => device)).toEqual([longer])
  }
})

test("one device answers for a night, and the time in bed of another one adds nothing", () => {
  const phone = stage("iPhone", "in_bed", "2026-11-20T20:00:00Z", 660)
  const app = stage("AutoSleep", "asleep", "2026-11-20T21:30:00Z", 400)
  const nights = ofKind(recordsOf([phone, app, ...NIGHT]), "sleep")
  expect(nights.map(({ device, durationMs }) => [device, durationMs / MINUTE_MS])).toEqual([["Watch", 300]])
  const [asleep] = ofKind(recordsOf([phone, app]), "sleep")
  expect(asleep).toMatchObject({ device: "AutoSleep", asleepMs: 400 * MINUTE_MS, scoreState: "scored" })
  const [inBed] = ofKind(recordsOf([phone]), "sleep")
  expect(inBed).toMatchObject({ device: "iPhone", scoreState: "unscorable" })
  expect([inBed?.asleepMs, inBed?.stages]).toEqual([undefined, undefined])
})

test("a copy of a vendor's night gives way to a device's own of the same kind", () => {
  const own = stage("Ada's Watch", "asleep", "2026-11-20T23:00:00Z", 400)
  // Garmin's app is called Connect.
  for (const name of ["Oura", "WHOOP", "Connect", "Garmin Connect", "Fitbit", "Withings", "Polar Flow"]) {
    const copy = stage(name, "asleep", "2026-11-20T22:30:00Z", 450)
    expect(ofKind(recordsOf([copy, own]), "sleep").map(({ device }) => device)).toEqual(["Ada's Watch"])
    expect(ofKind(recordsOf([copy]), "sleep").map(({ device }) => device)).toEqual([name])
  }
})

test("a short sleep of the day is a nap, a short one at night is none, and an hour without rows parts two sleeps", () => {
  const sleeps = ofKind(
    recordsOf([
      stage("Watch", "light", "2026-11-20T13:00:00Z", 30),
      stage("Watch", "light", "2026-11-21T01:00:00Z", 60),
      stage("Watch", "light", "2026-11-21T03:01:00Z", 61),
    ]),
    "sleep",
  )
  expect(sleeps.map(({ providerId, isNap }) => [providerId, isNap])).toEqual([
    ["nap-20261120T130000Z", true],
    ["night-20261121T010000Z", false],
    ["2026-11-21", false],
  ])
})

test("HRV and blood oxygen are of all parts of a night, also of one that ended before midnight", () => {
  const first = stage("Watch", "light", "2026-11-20T19:00:00Z", 280)
  const second = stage("Watch", "deep", "2026-11-21T01:00:00Z", 120)
  const values = [
    ["2026-11-20T20:00:00Z", 40, 94],
    ["2026-11-20T22:00:00Z", 50, 95],
    // Awake between the parts.
    ["2026-11-21T00:00:00Z", 90, 99],
    ["2026-11-21T02:00:00Z", 60, 99],
  ] as const
  const rows = values.flatMap(([start, hrv, spo2]) => [
    value("hrv_rmssd", "Watch", start, hrv),
    value("spo2", "Watch", start, spo2),
  ])
  for (const sleeps of [
    [first, second],
    [second, first],
  ]) {
    const records = recordsOf([...sleeps, ...rows])
    expect(ofKind(records, "sleep").map(({ providerId }) => providerId)).toEqual(["2026-11-20", "2026-11-21"])
    expect(ofKind(records, "recovery")).toMatchObject([{ providerId: "2026-11-21", hrvMs: 50, spo2Percent: 96 }])
  }
  const apart = { ...second, startMs: second.startMs + 3_600_000 }
  expect(ofKind(recordsOf([first, apart, ...rows]), "recovery").map(({ providerId }) => providerId)).toEqual([
    "2026-11-20",
    "2026-11-21",
  ])
})

test("HRV is of one method and within the night, and RMSSD counts before SDNN", () => {
  const sdnn = [
    value("hrv_sdnn", "Watch", "2026-11-20T12:00:00Z", 700),
    value("hrv_sdnn", "Watch", "2026-11-20T23:00:00Z", 40),
    value("hrv_sdnn", "Watch", "2026-11-20T23:00:00Z", 40),
    value("hrv_sdnn", "Watch", "2026-11-21T01:00:00Z", 60),
    value("hrv_sdnn", "Watch", "2026-11-21T12:00:00Z", 900),
  ]
  const resting = value("resting_heart_rate", "Watch", "2026-11-21T00:02:00Z", 51, 1_300)
  const [recovery] = ofKind(recordsOf([...NIGHT, ...sdnn, resting]), "recovery")
  expect(recovery).toMatchObject({ providerId: "2026-11-21", hrvMethod: "sdnn", sleepProviderId: "2026-11-21" })
  expect(recovery).toMatchObject({ hrvMs: 50, restingHeartRateBpm: 51 })
  const rmssd = value("hrv_rmssd", "Watch", "2026-11-21T01:30:00Z", 33)
  const [newer] = ofKind(recordsOf([...NIGHT, ...sdnn, rmssd]), "recovery")
  expect(newer).toMatchObject({ hrvMethod: "rmssd", hrvMs: 33 })
  expect(ofKind(recordsOf([...NIGHT, value("spo2", "Watch", "2026-11-21T01:30:00Z", 97)]), "recovery")).toEqual([])
})

test("steps of a watch and a phone at the same time count once, and a copy never adds to them", () => {
  const steps = (device: string, start: string, amount: number, minutes: number) =>
    value("steps", device, `2026-11-21T${start}:00Z`, amount, minutes)
  const rows = [
    steps("Watch", "08:00", 600, 30),
    steps("iPhone", "08:15", 800, 30),
    steps("iPhone", "09:00", 50, 0),
    steps("Watch", "09:00", 40, 0),
    steps("Watch", "09:00", 30, 0),
    steps("Oura", "08:00", 9000, 60),
  ]
  // Half of the phone's 800 steps are of the time after the watch, and both rows of 9:00 are of one device.
  expect(ofKind(recordsOf(rows), "cycle").map(({ steps: sum, device }) => [sum, device])).toEqual([[1_070, "Watch"]])
  expect(ofKind(recordsOf(rows.slice(-1)), "cycle").map(({ steps: sum }) => sum)).toEqual([9_000])
})

test("a day begins at its midnight where clocks changed before the same hour in UTC", () => {
  // Summer time began at 14:00 UTC on the 26th. Midnight was at 12:00.
  const rows = [value("steps", "Watch", "2026-09-26T11:50:00Z", 200, 20)]
  const days = ofKind(recordsOf(rows, "Pacific/Auckland"), "cycle")
  expect(days.map((day) => [day.providerId, day.steps, day.startMs])).toEqual([
    ["2026-09-26", 100, Date.parse("2026-09-25T12:00:00Z")],
    ["2026-09-27", 100, Date.parse("2026-09-26T12:00:00Z")],
  ])
})

test("a row before midnight counts to both days by its time, and the zone of the rows decides which they are", () => {
  const rows = [value("steps", "Watch", "2026-11-20T22:30:00Z", 600, 60)]
  const steps = (zone: string) => ofKind(recordsOf(rows, zone), "cycle").map((day) => [day.providerId, day.steps])
  expect(steps("UTC")).toEqual([["2026-11-20", 600]])
  expect(steps("Europe/Paris")).toEqual([
    ["2026-11-20", 300],
    ["2026-11-21", 300],
  ])
})

test("rows that end before their start, last longer than a day or cannot be true are refused", () => {
  const collected = new CollectedRows({ timeZone: "UTC", now: new Date("2026-11-24T12:00:00Z") })
  const steps = (minutes: number, amount = 100) => value("steps", "Watch", "2026-11-20T10:00:00Z", amount, minutes)
  expect(collected.add(steps(-1))).toBe("an end before the start")
  expect(collected.add(steps(26 * 60 + 1))).toBe("longer than a day")
  expect(collected.add(steps(24 * 60))).toBeUndefined()
  expect(collected.add(steps(10, -1))).toBe("outside 0 to 500000 count")
  const temperature = (celsius: number) => value("skin_temperature", "Watch", "2026-11-21T03:00:00Z", celsius)
  expect(collected.add(temperature(34))).toBeUndefined()
  expect(collected.add(temperature(-0.5))).toMatch(/outside 10 to 45/)
})

test("of two apps' workouts the one with most figures counts, then the longest, and a short time in common is none", () => {
  const workoutsOf = (...workouts: readonly Partial<Parameters<CollectedRows["addWorkout"]>[0]>[]) => {
    const collected = new CollectedRows({ timeZone: "UTC", now: new Date("2026-11-24T12:00:00Z") })
    const [startMs, endMs] = [at("2026-11-20T10:00:00Z"), at("2026-11-20T11:00:00Z")]
    for (const each of workouts)
      collected.addWorkout({ device: "A", startMs, endMs, sport: "Running", raw: null, ...each })
    return collected.workouts().map(({ device }) => device)
  }
  const later = (minutes: number) => at("2026-11-20T10:00:00Z") + minutes * MINUTE_MS
  expect(workoutsOf({}, { device: "B", endMs: later(50), calories: 300 })).toEqual(["B"])
  expect(workoutsOf({}, { device: "B", endMs: later(70) })).toEqual(["B"])
  expect(workoutsOf({}, { device: "B", startMs: later(25), endMs: later(85) })).toEqual(["A", "B"])
  expect(workoutsOf({}, { device: "B", startMs: later(24), endMs: later(84) })).toEqual(["A"])
})

test("values of a night begin within it and are of its own device first, and a figure has the date of its middle", () => {
  const hrv = (device: string, start: string, amount: number) => value("hrv_sdnn", device, start, amount, 1)
  const [recovery] = ofKind(
    recordsOf([
      ...NIGHT,
      hrv("Watch", "2026-11-20T21:59:30Z", 90),
      hrv("Watch", "2026-11-21T01:00:00Z", 40),
      hrv("A band", "2026-11-21T01:00:00Z", 70),
      hrv("A band", "2026-11-21T02:00:00Z", 70),
      value("resting_heart_rate", "Watch", "2026-11-21T00:00:00Z", 51, 24 * 60),
      value("resting_heart_rate", "Watch", "2026-11-20T01:00:00Z", 60, 23.5 * 60),
    ]),
    "recovery",
  ).filter(({ providerId }) => providerId === "2026-11-21")
  expect(recovery).toMatchObject({ hrvMs: 40, restingHeartRateBpm: 51 })
})

test("an hour without rows is within a sleep, a night counts before a nap, and sleep before time in bed", () => {
  const sleepsOf = (...rows: readonly CollectedRow[]) =>
    ofKind(recordsOf(rows), "sleep").map(({ device, isNap, durationMs }) => [device, isNap, durationMs / MINUTE_MS])
  const first = stage("Watch", "light", "2026-11-21T00:00:00Z", 60)
  expect(sleepsOf(first, stage("Watch", "light", "2026-11-21T02:00:00Z", 60))).toEqual([["Watch", false, 180]])
  const dozing = stage("Watch", "light", "2026-11-20T22:00:00Z", 60)
  expect(sleepsOf(dozing, stage("AutoSleep", "asleep", "2026-11-20T22:00:00Z", 480))).toEqual([
    ["AutoSleep", false, 480],
  ])
  const inBed = stage("iPhone", "in_bed", "2026-11-20T22:00:00Z", 600)
  expect(sleepsOf(inBed, stage("Oura", "asleep", "2026-11-20T23:00:00Z", 400))).toEqual([["Oura", false, 400]])
  const byDay = stage("Watch", "in_bed", "2026-11-20T12:00:00Z", 240)
  expect(sleepsOf(byDay, stage("Watch", "asleep", "2026-11-20T13:00:00Z", 120))).toEqual([["Watch", true, 240]])
})

test("waking alone is no sleep, and sleep without a stage is light beside stages", () => {
  expect(recordsOf([stage("Watch", "awake", "2026-11-21T00:00:00Z", 300)])).toEqual([])
  const rows = [
    stage("Watch", "light", "2026-11-21T00:00:00Z", 60),
    stage("Watch", "asleep", "2026-11-21T01:00:00Z", 200),
  ]
  expect(ofKind(recordsOf(rows), "sleep")[0]?.stages).toMatchObject({ lightMs: 260 * MINUTE_MS, deepMs: 0 })
})

test("a watch is known in other languages, and a moment within a counted time adds nothing", () => {
  const steps = (device: string, minutes: number, amount: number, start = "2026-11-21T08:00:00Z") =>
    value("steps", device, start, amount, minutes)
  for (const watch of [
    "\u674e\u96f7\u7684\u624b\u8868",
    "\u674e\u96f7\u7684\u624b\u9336",
    "\u0427\u0430\u0441\u044b",
  ]) {
    const [day] = ofKind(recordsOf([steps("iPhone", 10, 900), steps(watch, 10, 100)]), "cycle")
    expect([day?.steps, day?.device]).toEqual([100, watch])
  }
  const moment = steps("Watch", 0, 5, "2026-11-21T08:05:00Z")
  expect(ofKind(recordsOf([steps("Watch", 10, 100), moment]), "cycle")[0]?.steps).toBe(100)
  expect(ofKind(recordsOf([steps("Watch", 4, 100), moment]), "cycle")[0]?.steps).toBe(105)
})

test("the order of rows changes nothing", () => {
  const rows = [
    ...NIGHT,
    stage("iPhone", "in_bed", "2026-11-20T21:00:00Z", 500),
    value("hrv_sdnn", "Watch", "2026-11-21T01:00:00Z", 60),
    value("steps", "Watch", "2026-11-21T09:00:00Z", 600, 30),
    value("steps", "iPhone", "2026-11-21T09:15:00Z", 600, 30),
    value("active_energy", "Watch", "2026-11-21T09:00:00Z", 80, 30),
  ]
  const expected = recordsOf(rows)
  fc.assert(
    fc.property(fc.shuffledSubarray(rows, { minLength: rows.length }), (shuffled) => {
      expect(recordsOf(shuffled)).toEqual(expected)
    }),
  )
})

test("names in other spellings are one device", () => {
  expect(deviceNameOf("Ada\u2019s Apple\u00a0Watch ")).toBe("Ada's Apple Watch")
  expect(deviceNameOf("Zoe\u0301\u2019s  Apple Watch")).toBe("Zo\u00e9's Apple Watch")
})
