// A faulty field in every file of Google Takeout: everything beside it is stored, and no other row is lost.
import type { TakeoutRows } from "@restwell/simulator"
import { expect, test } from "vitest"
import { expectFieldsAlone, numbersOf, outcomeOfItems, outcomeOfRows, withValue } from "./faulty-fields.ts"
import {
  NIGHT_STAGES,
  OLD_NIGHT,
  OLD_SLEEPS,
  read as readTakeout,
  SCORE,
  SCORES,
  SLEEPS,
  STAGES,
  NIGHT as TAKEOUT_NIGHT,
  value,
} from "./takeout-rows.ts"

test("a wrong number in a sleep of Google's tables costs this number alone", async () => {
  const figures = await expectFieldsAlone({
    source: {
      night: { ...TAKEOUT_NIGHT, minutes_asleep: "405" },
      score: { ...SCORE, overall_score: "85", resting_heart_rate: "53" },
    },
    read: async ({ night, score }) =>
      outcomeOfItems(await readTakeout({ [SLEEPS]: [night], [STAGES]: NIGHT_STAGES, [SCORES]: [score] })),
    essential: ["night.sleep_id", "score.sleep_id"],
  })
  expect(figures).toBeGreaterThan(1)
})

const OLD_RUN = {
  logId: 50_000_000_002,
  activityName: "Run",
  startTime: "09/12/26 16:00:00",
  duration: 1_800_000,
  calories: 310,
  averageHeartRate: 141,
  distance: 5,
  distanceUnit: "Kilometer",
}

test.each([
  [
    "sleep",
    OLD_NIGHT,
    OLD_SLEEPS,
    ["logId", "levels.shortData.0.seconds", ...OLD_NIGHT.levels.data.map((_, index) => `levels.data.${index}.seconds`)],
  ],
  ["activity", OLD_RUN, "exercise-0.json", ["logId", "duration"]],
])("a wrong number in a %s of Fitbit's old files costs this number alone", async (_what, row, name, essential) => {
  const figures = await expectFieldsAlone<object>({
    source: row,
    read: async (each) => outcomeOfItems(await readTakeout({ [name]: [each] })),
    essential,
  })
  expect(figures).toBeGreaterThan(0)
})

const MORNINGS: TakeoutRows = {
  "daily_readiness_2026-09.csv": [{ timestamp: "2026-09-12", score: "71" }],
  "Daily Readiness Score - 2026-09.csv": [{ date: "2026-09-12", readiness_score_value: "70" }],
  "daily_resting_heart_rate_2026-09.csv": [value("2026-09-12", "beats per minute", "52")],
  "resting_heart_rate-2026-09-12.json": [{ dateTime: "09/12/26 00:00:00", value: { date: "09/12/26", value: 53.5 } }],
  "daily_heart_rate_variability_2026-09.csv": [
    value("2026-09-12", "average heart rate variability milliseconds", "44"),
  ],
  "Daily Heart Rate Variability Summary - 2026-09.csv": [{ timestamp: "2026-09-12T00:00:00", rmssd: "43" }],
  "daily_oxygen_saturation_2026-09.csv": [value("2026-09-12", "average percentage", "96")],
  "Daily SpO2 - 2026-09.csv": [{ timestamp: "2026-09-12T00:00:00Z", average_value: "95" }],
  "daily_respiratory_rate_2026-09.csv": [value("2026-09-12", "breaths per minute", "15")],
  "Daily Respiratory Rate Summary - 2026-09.csv": [{ timestamp: "2026-09-12T00:00:00", daily_respiratory_rate: "14" }],
  "daily_sleep_temperature_derivations_2026-09.csv": [
    {
      timestamp: "2026-09-12",
      "nightly temperature celsius": "34.1",
      "baseline temperature celsius": "33.9",
    },
  ],
}
const SUMS: TakeoutRows = {
  "steps_2026-09-01.csv": [
    value("2026-09-12T10:00:00Z", "steps", "50", "Google Fitbit Air"),
    value("2026-09-12T10:01:00Z", "steps", "60", "Google Fitbit Air"),
  ],
  "steps-2026-09-13.json": [
    { dateTime: "09/13/26 10:00:00", value: "40" },
    { dateTime: "09/13/26 10:01:00", value: "30" },
  ],
  "distance_2026-09-01.csv": [
    value("2026-09-12T10:00:00Z", "distance", "41.5", "Google Fitbit Air"),
    value("2026-09-12T10:01:00Z", "distance", "52", "Google Fitbit Air"),
  ],
  "distance-2026-09-13.json": [{ dateTime: "09/13/26 10:00:00", value: "2300" }],
  "calories_2026-09-01.csv": [
    value("2026-09-12T10:00:00Z", "calories", "4.5", "Google Fitbit Air"),
    value("2026-09-12T10:01:00Z", "calories", "5", "Google Fitbit Air"),
  ],
  "calories-2026-09-13.json": [{ dateTime: "09/13/26 10:00:00", value: "3.5" }],
}
/** Each table alone too, because a figure that is there twice hides that the other one is wrong. */
const aloneAndTogether = (rows: TakeoutRows): readonly TakeoutRows[] => [
  rows,
  ...Object.entries(rows).map(([name, own]) => ({
    ...(/^(?:steps|distance|calories)/.test(name) && STEPS),
    [name]: own,
  })),
]
const STEPS = { "steps_2026-09-02.csv": [value("2026-09-12T12:00:00Z", "steps", "9", "Google Fitbit Air")] }

test.each([
  ["morning", MORNINGS],
  ["minute", SUMS],
])("a wrong number in a %s of Takeout costs this number alone", async (_what, rows) => {
  let figures = 0
  for (const each of aloneAndTogether(rows)) {
    const withNight = { [SLEEPS]: [TAKEOUT_NIGHT], [STAGES]: NIGHT_STAGES, ...each }
    figures += await expectFieldsAlone<TakeoutRows>({
      source: withNight,
      read: async (source) => outcomeOfRows(await readTakeout(source)),
      essential: numbersOf({ [SLEEPS]: [TAKEOUT_NIGHT], [STAGES]: NIGHT_STAGES }).map(({ path }) => path.join(".")),
    })
  }
  expect(figures).toBeGreaterThan(Object.keys(rows).length)
})

test("a number that cannot be true is never chosen over one that can", async () => {
  const rows = Object.keys(MORNINGS)
  for (const name of rows) {
    const doubled = { ...MORNINGS, [name.replace(/(\.\w+)$/, " (1)$1")]: structuredClone(MORNINGS[name] ?? []) }
    const wrong = numbersOf(doubled[name]).reduce<TakeoutRows>(
      (all, { path }) => withValue(all, [name, ...path], name.endsWith("json") ? 1e9 : "1000000000"),
      doubled,
    )
    const expected = outcomeOfRows(await readTakeout(doubled))
    const found = outcomeOfRows(await readTakeout(wrong))
    expect(found.records, name).toEqual(expected.records)
    expect(found.leftOut.length, name).toBeGreaterThan(0)
  }
})
