// Days of Garmin's export archive whose rows lack a time.
import { expect, test } from "vitest"
import { DAY, read, reasonsOf, recordsOf } from "./garmin-rows.ts"

const LOCAL_DAY = { startMs: Date.parse("2026-11-17T23:00:00Z"), endMs: Date.parse("2026-11-18T23:00:00Z") }

test.each([
  ["its end", { wellnessEndTimeGmt: null, wellnessEndTimeLocal: null }],
  ["its start", { wellnessStartTimeGmt: null, wellnessStartTimeLocal: null }],
  ["all times", { wellnessStartTimeGmt: null, wellnessEndTimeGmt: undefined }],
])("a day without %s keeps its figures, between its local midnights", async (_name, times) => {
  const before = {
    ...{ ...DAY, calendarDate: "2026-11-17" },
    ...{ wellnessStartTimeGmt: "2026-11-16T23:00:00.0", wellnessStartTimeLocal: "2026-11-17T00:00:00.0" },
    ...{ wellnessEndTimeGmt: "2026-11-17T23:00:00.0", wellnessEndTimeLocal: "2026-11-18T00:00:00.0" },
  }
  const items = await read({ days: [before, { ...DAY, ...times }] }, "Asia/Tokyo")
  expect(reasonsOf(items)).toEqual([])
  expect(recordsOf(items, "cycle")[1]).toMatchObject({ ...LOCAL_DAY, energyKcal: 2300, utcOffsetMinutes: 60 })
  expect(recordsOf(items, "recovery")[1]).toMatchObject({ restingHeartRateBpm: 51 })
})

test("of two days of a date the one with an end counts, a day of neither times nor figures is none, and today goes on", async () => {
  const endless = { ...DAY, wellnessEndTimeGmt: null, totalKilocalories: 900 }
  for (const days of [
    [DAY, endless],
    [endless, DAY],
  ])
    expect(recordsOf(await read({ days }), "cycle")[0]).toMatchObject({ energyKcal: 2300 })
  expect(reasonsOf(await read({ days: [{ calendarDate: "2026-11-18" }] }))).toEqual(["days without data"])
  const start = { wellnessStartTimeGmt: "2026-11-19T23:00:00.0", wellnessStartTimeLocal: "2026-11-20T00:00:00.0" }
  const today = { ...endless, ...start, calendarDate: "2026-11-20" }
  expect(recordsOf(await read({ days: [today] }), "cycle")).toMatchObject([{ endMs: null, energyKcal: 900 }])
})
