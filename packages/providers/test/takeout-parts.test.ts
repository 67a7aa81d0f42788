// What Google Takeout's scores are made of, how long it took to fall asleep, and columns that are not read.
import { expect, test } from "vitest"
import { reasonsOf, recordsOf } from "./garmin-rows.ts"
import { NIGHT, OLD_NIGHT, OLD_SLEEPS, read, SCORE, SCORES, SLEEPS, STAGES, stage } from "./takeout-rows.ts"

const OLD_SCORE = {
  sleep_log_entry_id: OLD_NIGHT.logId,
  timestamp: "2026-09-12T04:30:00Z",
  overall_score: 74,
  composition_score: 20,
  revitalization_score: 17,
  duration_score: 37,
  deep_sleep_in_minutes: 47,
  resting_heart_rate: 53,
  restlessness: 0.0873,
}
const points = (parts: Readonly<Record<string, number>>) =>
  Object.entries(parts).map(([name, value]) => ({ name, value, unit: null }))
const notesOf = (items: Awaited<ReturnType<typeof read>>) =>
  items.flatMap((item) => (item.type === "note" && /does not read/.test(item.note) ? [item.note] : []))

test("a score of a night has its parts, in both forms, and -1 and blank cells are none", async () => {
  const old = { [OLD_SLEEPS]: [OLD_NIGHT], "sleep_score.csv": [OLD_SCORE] }
  const ofOld = points({ duration: 37, composition: 20, revitalization: 17 })
  expect(recordsOf(await read(old), "sleep")).toMatchObject([{ scorePercent: 74, contributors: ofOld }])
  const score = { ...SCORE, duration_score: 41, composition_score: -1, revitalization_score: "" }
  const both = { ...old, [SLEEPS]: [NIGHT], [SCORES]: [score] }
  expect(recordsOf(await read(both), "sleep")).toMatchObject([
    { scorePercent: 85.18, contributors: points({ duration: 41 }) },
  ])
  // They are those of the score that counts.
  const withoutScore = { ...old, [SLEEPS]: [{ ...NIGHT, sleep_end: "2026-09-12T01:20:00Z" }] }
  expect(recordsOf(await read(withoutScore, {}, "Asia/Kolkata"), "sleep")).toMatchObject([
    { scorePercent: 74, contributors: ofOld },
  ])
  const none = await read({ [SLEEPS]: [NIGHT], [SCORES]: [{ ...SCORE, composition_score: 140 }] })
  expect(recordsOf(none, "sleep")[0]).not.toHaveProperty("contributors")
})

test("a score of a morning has its parts", async () => {
  const row = { date: "2026-09-12", readiness_score_value: 71, readiness_state: "HIGH", activity_subcomponent: 65 }
  const items = await read({
    "Daily Readiness Score - 2026-09-01.csv": [{ ...row, sleep_subcomponent: 80, hrv_subcomponent: -1 }],
  })
  expect(recordsOf(items, "recovery")).toMatchObject([
    { scorePercent: 71, contributors: points({ activity: 65, sleep: 80 }) },
  ])
  expect(reasonsOf(items)).toEqual([])
})

test("a night has how long it took to fall asleep, where it was measured", async () => {
  for (const [rows, latencyMs] of [
    [{ [SLEEPS]: [{ ...NIGHT, minutes_to_fall_asleep: 12 }] }, 720_000],
    [{ [SLEEPS]: [{ ...NIGHT, minutes_to_fall_asleep: 0 }] }, undefined],
    [{ [SLEEPS]: [{ ...NIGHT, minutes_to_fall_asleep: -4 }] }, undefined],
    [{ [OLD_SLEEPS]: [{ ...OLD_NIGHT, minutesToFallAsleep: 9 }] }, 540_000],
    [{ [OLD_SLEEPS]: [{ ...OLD_NIGHT, minutesToFallAsleep: 0 }] }, undefined],
    [{ [OLD_SLEEPS]: [{ ...OLD_NIGHT, minutesToFallAsleep: 9_000 }] }, undefined],
    [{ [SLEEPS]: [NIGHT], [OLD_SLEEPS]: [{ ...OLD_NIGHT, minutesToFallAsleep: 9 }] }, 540_000],
  ] as const) {
    const [night, ...others] = recordsOf(await read(rows, {}, "Asia/Kolkata"), "sleep")
    expect(others).toEqual([])
    expect(night && "latencyMs" in night ? night.latencyMs : undefined).toBe(latencyMs)
  }
})

test("columns and figures that are not read are named once, however many files have them", async () => {
  const items = await read({
    [SLEEPS]: [NIGHT],
    "UserSleeps_2026-10-01.csv": [{ ...NIGHT, minutes_awake: 40 }],
    [STAGES]: [stage("LIGHT", "11T17:45:00", "11T20:00:00")],
    "sleep_score.csv": [OLD_SCORE],
    [OLD_SLEEPS]: [{ ...OLD_NIGHT, minutesAwake: 49 }],
    "steps_2026-09-01.csv": [{ timestamp: "2026-09-12T10:00:00Z", steps: 5, "data source": "Charge" }],
  })
  expect(notesOf(items)).toEqual([
    "Columns of UserSleeps that Restwell does not read: minutes_in_sleep_period, data_source",
    "Columns of UserSleeps that Restwell does not read: minutes_in_sleep_period, data_source, minutes_awake",
    "Columns of UserSleepStages that Restwell does not read: start_utc_offset, end_utc_offset",
    "Figures of old sleeps that Restwell does not read: duration 1, efficiency 1, minutesAwake 1, timeInBed 1",
    "Columns of sleep score that Restwell does not read: deep_sleep_in_minutes, restlessness",
  ])
})

test("a table with hundreds of columns is one short line", async () => {
  const columns = Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`c${index}`.padEnd(90, "x"), 1]))
  const notes = notesOf(await read({ [SLEEPS]: [{ ...NIGHT, ...columns }] }))
  expect(notes).toEqual([expect.stringMatching(/, 882 further columns$/)])
  expect(notes.join("").length).toBeLessThan(3_000)
})
