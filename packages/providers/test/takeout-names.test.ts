// Names of Takeout's files: Google cuts a table by month, by day or not at all, and a whole one may be beside its parts.
import type { TakeoutRows } from "@restwell/simulator"
import { expect, test } from "vitest"
import type { ArchiveItem } from "../src/index.ts"
import { archivedOf, reasonsOf, recordsOf, samplesOf } from "./garmin-rows.ts"
import { OLD_SLEEPS, read, value } from "./takeout-rows.ts"

const AT = "2026-09-10T10:00:00Z"
const TABLES: TakeoutRows = {
  steps: [value(AT, "steps", 50)],
  distance: [value(AT, "distance", 41.5)],
  floors: [value(AT, "floors", 2)],
  active_energy_burned: [value(AT, "Kilocalories", 4.5)],
  active_minutes: [{ timestamp: AT, light: 1, moderate: 2, very: 3, "data source": "Google Health App" }],
  heart_rate: [value(AT, "beats per minute", 61)],
  heart_rate_variability: [value(AT, "root mean square of successive differences milliseconds", 41)],
  oxygen_saturation: [value(AT, "oxygen saturation percentage", 95)],
  weight: [value(AT, "weight grams", 70_000)],
  body_fat: [value(AT, "body fat percentage", 22)],
  demographic_vo2max: [value(AT, "demographic vo2max", 44)],
  daily_resting_heart_rate: [value("2026-09-10T00:00:00Z", "beats per minute", 52)],
  height: [value(AT, "height millimeters", 1_820)],
}
const named = (suffix: string): TakeoutRows =>
  Object.fromEntries(Object.entries(TABLES).map(([name, rows]) => [`${name}${suffix}.csv`, rows]))
/** Without the names of files. */
const contentOf = (items: readonly ArchiveItem[]) =>
  items.filter(({ type }) => type !== "note" && type !== "reading").map((item) => ({ ...item, place: "" }))

test("tables that are cut by month, by day or not at all are read alike", async () => {
  const expected = contentOf(await read({ ...named("_2026-09-01"), [OLD_SLEEPS]: [] }))
  expect(new Set(expected.map((item) => (item.type === "series" ? item.set.type : item.type))).size).toBe(13)
  for (const suffix of ["", "-2026-09-10", "_2026-09"]) {
    const items = await read({ ...named(suffix), [OLD_SLEEPS]: [] })
    expect(contentOf(items), suffix).toEqual(expected)
    expect(reasonsOf(items), suffix).toEqual([])
  }
})

test("zones of the active minutes too, and a table whose name goes on is another one", async () => {
  const zone = { "date time": AT, timestamp: AT, "heart rate zone": "CARDIO", "total minutes": 6 }
  for (const suffix of ["", "_2026-09-01", "-2026-09-10"])
    expect(
      samplesOf(await read({ [`active_zone_minutes${suffix}.csv`]: [zone], [OLD_SLEEPS]: [] }), "exercise_minutes"),
    ).toMatchObject([{ value: 3 }])
  const others = {
    "heart_rate_zones.csv": [value(AT, "beats per minute", 99)],
    "heart_rate_variability.csv": TABLES["heart_rate_variability"] ?? [],
    "calories_in_heart_rate_zone_2026-09-01.csv": [value(AT, "calories", 9)],
  }
  const items = await read({ ...others, [OLD_SLEEPS]: [] })
  expect([samplesOf(items, "heart_rate"), samplesOf(items, "hrv")]).toMatchObject([[], [{ value: 41 }]])
  expect(items.flatMap((item) => (item.type === "note" ? [item.note] : []))).toContainEqual(
    expect.stringMatching(/does not read: calories in heart rate zone \(1\), heart rate zones \(1\)/),
  )
})

test("a whole table beside its parts counts no step twice, and does not decide which device answers", async () => {
  const watch = value("2026-09-10T10:00:00Z", "steps", 900, "Watch")
  const phone = value("2026-09-10T10:00:00Z", "steps", 500, "Phone")
  for (const names of [
    ["steps.csv", "steps_2026-09-01.csv"],
    ["steps-2026-09-10.csv", "steps.csv"],
  ] as const) {
    const items = await read({ [names[0]]: [watch, phone], [names[1]]: [phone], [OLD_SLEEPS]: [] })
    expect(recordsOf(items, "cycle")).toMatchObject([{ steps: 900, device: "Watch" }])
  }
  const twice = await read({ "steps.csv": [watch], "steps_2026-09-01.csv": [watch], [OLD_SLEEPS]: [] })
  expect(recordsOf(twice, "cycle")).toMatchObject([{ steps: 900 }])
})

test("Google's daily oxygen uptake counts for dates without Fitbit's own estimate, before the old file", async () => {
  const items = await read({
    "demographic_vo2max.csv": [value("2026-09-10T00:00:00Z", "demographic vo2max", 44)],
    "daily_vo2_max.csv": [
      value("2026-09-10T00:00:00Z", "daily vo2 max value", 50),
      value("2026-09-11T00:00:00Z", "daily vo2 max value", 51),
      value("2026-09-12T00:00:00Z", "daily vo2 max value", 0),
    ],
    "demographic_vo2_max-2026-09-01.json": [
      { dateTime: "09/11/26 00:00:00", value: { demographicVO2Max: 40 } },
      { dateTime: "09/12/26 00:00:00", value: { demographicVO2Max: 41 } },
    ],
    [OLD_SLEEPS]: [],
  })
  expect(samplesOf(items, "vo2max").map((sample) => sample.value)).toEqual([44, 51, 41])
})

test("an old weight has the body fat beside it, for days that Google's file of it lacks", async () => {
  const old = (date: string, more: object) => ({
    logId: 1,
    weight: 176.4,
    bmi: 24.6,
    date,
    time: "21:59:59",
    source: "Aria",
    ...more,
  })
  const items = await read({
    "weight-2026-06-01.json": [
      old("06/10/26", { fat: 22.15 }),
      old("06/11/26", {}),
      old("06/12/26", { fat: 21 }),
      old("06/13/26", { fat: 0 }),
    ],
    "body_fat.csv": [value("2026-06-12T06:00:00Z", "body fat percentage", 20.5)],
    "weight.csv": [value("2026-06-10T06:00:00Z", "weight grams", 80_000)],
    [OLD_SLEEPS]: [],
  })
  expect(samplesOf(items, "body_fat")).toMatchObject([
    { value: 20.5 },
    { atMs: Date.parse("2026-06-10T19:59:59Z"), value: 22.15, utcOffsetMinutes: 120 },
  ])
  expect(samplesOf(items, "weight").map((sample) => Math.round(sample.value))).toEqual([80, 80, 80, 80])
  expect(archivedOf(items, "cycle")).toEqual([])
})
