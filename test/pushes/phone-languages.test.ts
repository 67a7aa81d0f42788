// Health Auto Export on phones in other languages, and the metrics that it writes within workouts.
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { autoExportPhone, metric, segment } from "./auto-export-phone.ts"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-21T12:00:00Z"), isStill: true })
})
afterAll(() => service.close())

const phone = () => autoExportPhone(service)

/** A night of eight hours in four equal rounds of stages. */
const roundsOf = (stages: readonly (readonly [word: string, minutes: number])[]) => {
  let atMs = Date.parse("2026-11-20T22:00:00Z")
  const clock = (ms: number) => `${new Date(ms + 3_600_000).toISOString().slice(0, 19).replace("T", " ")} +0100`
  return [1, 2, 3, 4].flatMap(() =>
    stages.map(([word, minutes]) => {
      const startMs = atMs
      atMs += minutes * 60_000
      return segment(clock(startMs), clock(atMs), word)
    }),
  )
}

test.each([
  ["the names of HealthKit", ["AsleepCore", "asleep_deep", "AsleepREM", "Awake"]],
  ["German", ["Kern", "Tief", "REM", "Wach"]],
  ["Dutch", ["Kern", "Diep", "REM", "Wakker"]],
  ["French", ["Principal", "Profond", "Paradoxal", "Éveillé"]],
  ["Spanish", ["Núcleo", "Profundo", "REM", "Despierto"]],
  ["Italian", ["Sonno principale", "Profondo", "REM", "Sveglio"]],
  ["Portuguese", ["Núcleo", "Profundo", "REM", "Acordado"]],
  ["Swedish", ["Kärnsömn", "Djupsömn", "REM", "Vaken"]],
  ["Norwegian", ["KJERNE", "DYP", "REM", "VÅKEN"]],
  ["Polish", ["Sen podstawowy", "Sen głęboki", "REM", "Czuwanie"]],
  ["Russian", ["Базовый сон", "Глубокий сон", "REM", "Бодрствование"]],
  ["Turkish", ["Temel", "Derin", "REM", "Uyanık"]],
  ["Japanese", ["コア", "深い", "REM", "起きている"]],
  ["Korean", ["코어 수면", "깊은 수면", "REM 수면", "깨어 있음"]],
  ["Chinese", ["核心", "深度", "快速动眼期", "清醒"]],
  ["Chinese of Taiwan", ["核心", "深層", "快速動眼期", "清醒"]],
])("a night in %s is one sleep with its stages", async (_language, [core = "", deep = "", rem = "", awake = ""]) => {
  const { send, read } = await phone()
  const parts = roundsOf([
    [core, 60],
    [deep, 25],
    [rem, 30],
    [awake, 5],
  ])
  const answer = await send({ metrics: [metric("sleep_analysis", "hr", ...parts)] })
  expect(answer).toEqual({ stored: 16, unchanged: 0, ignored: [] })
  expect(await read("sleep")).toMatchObject([
    { asleep_hours: 7.67, stages: { light_hours: 4, deep_hours: 1.67, rem_hours: 2 }, is_nap: false },
  ])
})

test("with an unknown word no part of the push is a sleep, the answer names it, and what was stored stays", async () => {
  const { send, read } = await phone()
  const english = roundsOf([
    ["Core", 85],
    ["REM", 30],
    ["Awake", 5],
  ])
  await send({ metrics: [metric("sleep_analysis", "hr", ...english)] })
  const before = await read("sleep")
  expect(before).toMatchObject([{ asleep_hours: 7.67 }])
  const unknown = roundsOf([
    ["Zuzunaga", 85],
    ["REM", 30],
    ["Awake", 5],
  ])
  const steps = metric("step_count", "count", { qty: 100, date: "2026-11-21 08:00:00 +0100", source: "Apple Watch" })
  expect(await send({ metrics: [metric("sleep_analysis", "hr", ...unknown), steps] })).toEqual({
    stored: 1,
    unchanged: 0,
    ignored: [
      { reason: "sleep_segment: no part is used, because the stage Zuzunaga is not known", count: unknown.length },
    ],
  })
  expect(await read("sleep")).toEqual(before)
  const other = await phone()
  await other.send({ metrics: [metric("sleep_analysis", "hr", ...unknown)] })
  expect(await other.read("sleep")).toEqual([])
})

test("a phone in Chinese writes the offset twice, and its own units", async () => {
  const { send, read, points } = await phone()
  const twice = (date: string, clock: string) => `${date} +0100 ${clock} +0100`
  const part = (start: string, end: string, value: string) => segment(start, end, value, "我的Apple Watch")
  const date = twice("2026-11-21", "上午8:00:00")
  const answer = await send({
    metrics: [
      metric(
        "sleep_analysis",
        "小时",
        part(twice("2026-11-20", "下午11:20:09"), twice("2026-11-21", "上午5:20:09"), "核心"),
        part(twice("2026-11-20", "下午11:10:09"), twice("2026-11-21", "上午5:30:09"), "在床上"),
      ),
      metric("active_energy", "千卡", { qty: 30, date, source: "我的Apple Watch" }),
      metric("weight_body_mass", "千克", { qty: 70, date, source: "秤" }),
      metric("resting_heart_rate", "次/分", { qty: 52, date, source: "我的Apple Watch" }),
      metric("heart_rate", "count/min", { qty: 60, date: "2026-11-21 +0800 上午8:00:00 +0100", source: "Watch" }),
    ],
  })
  expect(answer).toEqual({
    stored: 5,
    unchanged: 0,
    ignored: [{ reason: "heart_rate: not an instant with an offset", count: 1 }],
  })
  expect(await read("sleep")).toMatchObject([{ start_local: "2026-11-20T23:10:09+01:00", asleep_hours: 6 }])
  expect(await read("cycle")).toMatchObject([{ active_calories: 30 }])
  expect(await points("weight")).toMatchObject([{ value: 70 }])
})

test("metrics of a workout fill what its quantities lack, by one source, within its times", async () => {
  const { send, read } = await phone()
  const at = (clock: string) => `2026-11-20 ${clock} +0100`
  const part = (clock: string, qty: number, units: string, source = "Apple Watch") => ({
    date: at(clock),
    qty,
    units,
    source,
  })
  const beat = (clock: string, Avg: number, Max: number) => ({ date: at(clock), Min: Avg - 5, Avg, Max, units: "bpm" })
  const times = { start: at("18:00:30"), end: at("18:45:00") }
  const walk = {
    ...times,
    id: "walk",
    name: "户外 步行",
    activeEnergy: [part("18:00:30", 418.4, "kJ"), part("18:01:00", 10, "kcal"), part("18:01:00", 90, "kcal", "iPhone")],
    walkingAndRunningDistance: [
      part("18:01:00", 1.2, "km"),
      part("18:02:00", 1, "km"),
      part("18:02:00", 2, "km", "iPhone"),
    ],
    cyclingDistance: [],
    heartRateData: [
      beat("17:59:00", 60, 190),
      beat("18:00:00", 100, 110),
      beat("18:10:00", 120, 150),
      beat("18:45:00", 90, 180),
    ],
  }
  const whole = {
    ...walk,
    id: "whole",
    start: at("10:00:00"),
    end: at("18:50:00"),
    activeEnergyBurned: { qty: 300, units: "kcal" },
    distance: { qty: 5, units: "km" },
    heartRate: { avg: { qty: 99, units: "bpm" }, max: { qty: 111, units: "bpm" } },
  }
  const unknown = { ...times, id: "unknown", name: "Swim", swimDistance: [part("18:01:00", 2, "laps")] }
  expect(await send({ workouts: [walk] })).toEqual({ stored: 5, unchanged: 0, ignored: [] })
  expect(await read("workout")).toMatchObject([
    { calories: 110, distance_meters: 2200, average_heart_rate: 110, max_heart_rate: 150 },
  ])
  expect(await send({ workouts: [whole, unknown] })).toMatchObject({
    ignored: [{ reason: "workout: distance left out: unknown unit laps", count: 1 }],
  })
  expect(await read("workout")).toContainEqual(
    expect.objectContaining({ calories: 300, distance_meters: 5000, average_heart_rate: 99, max_heart_rate: 111 }),
  )
})
