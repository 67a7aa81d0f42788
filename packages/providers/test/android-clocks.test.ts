// Nights and workouts of Android's databases over which clocks or places change: each end has its own offset.
import { type AndroidTables, androidDatabase } from "@restwell/simulator"
import { describe, expect, test } from "vitest"
import { readBytes } from "./archive-files.ts"

const HOUR_MS = 3_600_000
const ms = (text: string) => Date.parse(text)

/** Read for a person in Berlin. */
async function read(tables: AndroidTables) {
  const items = await readBytes(androidDatabase(tables), { name: "export.db", isZip: false })
  const records = items.flatMap((item) => (item.type === "record" ? [item.archived] : []))
  const times = (kind: string) =>
    records.flatMap(({ record, date }) =>
      record.kind === kind && "startUtcOffsetMinutes" in record
        ? [[date, record.startUtcOffsetMinutes, record.endUtcOffsetMinutes, record.utcOffsetMinutes]]
        : [],
    )
  const reasons = items.flatMap((item) => (item.type === "ignored" ? [item.reason] : []))
  return { records, reasons, sleeps: times("sleep"), workouts: times("workout") }
}

const span = (start: string, startHours: number | null, end: string, endHours: number | null, more: object = {}) => ({
  app_info_id: 1,
  start_time: ms(start),
  end_time: ms(end),
  start_zone_offset: startHours === null ? null : startHours * 3_600,
  end_zone_offset: endHours === null ? null : endHours * 3_600,
  ...more,
})
const APPS = [{ row_id: 1, package_name: "com.example.band", app_name: "Band" }]
const sleeping = (...rows: readonly object[]): AndroidTables => ({
  application_info_table: APPS,
  sleep_session_record_table: rows.map((row, index) => ({ row_id: index + 1, ...row })),
})

describe("Health Connect", () => {
  test("a night in which clocks go back or forward ends with the offset of its end", async () => {
    const { sleeps } = await read(
      sleeping(
        span("2026-03-28T22:00Z", 1, "2026-03-29T05:00Z", 2),
        span("2026-10-24T21:00Z", 2, "2026-10-25T06:00Z", 1),
        span("2026-10-25T21:30Z", 1, "2026-10-26T05:00Z", 1),
      ),
    )
    expect(sleeps).toEqual([
      ["2026-03-29", 60, 120, 120],
      ["2026-10-25", 120, 60, 60],
      ["2026-10-26", 60, 60, 60],
    ])
  })

  test("a night of a flight has the date of where it ended, whatever another app says of the time", async () => {
    const { sleeps, records } = await read({
      ...sleeping(
        span("2026-06-10T20:00Z", 0, "2026-06-11T04:00Z", -5),
        span("2026-06-12T00:00Z", -5, "2026-06-12T11:00Z", -5),
      ),
      steps_record_table: [span("2026-06-11T03:55Z", 0, "2026-06-11T04:00Z", 0, { app_info_id: 2, count: 10 })],
      oxygen_saturation_record_table: [
        { app_info_id: 1, time: ms("2026-06-10T23:00Z"), zone_offset: 0, percentage: 97 },
      ],
    })
    expect(sleeps).toEqual([
      ["2026-06-10", 0, -300, -300],
      ["2026-06-12", -300, -300, -300],
    ])
    const recoveries = records.filter(({ record }) => record.kind === "recovery")
    expect(recoveries).toMatchObject([{ date: "2026-06-10", utcOffsetMinutes: -300 }])
  })

  test("sessions of one night are one sleep, with the first offset and the last", async () => {
    const { sleeps } = await read(
      sleeping(
        span("2026-06-10T20:00Z", 0, "2026-06-10T23:00Z", -1),
        span("2026-06-10T23:30Z", -1, "2026-06-11T04:30Z", -5),
      ),
    )
    expect(sleeps).toEqual([["2026-06-10", 0, -300, -300]])
  })

  test("a workout has both of its offsets, and the date of its start", async () => {
    const { workouts } = await read({
      application_info_table: APPS,
      exercise_session_record_table: [span("2026-06-10T23:30Z", 1, "2026-06-11T02:00Z", -1, { exercise_type: 4 })],
      steps_record_table: [span("2026-06-10T23:00Z", -1, "2026-06-10T23:30Z", -1, { app_info_id: 2, count: 10 })],
    })
    expect(workouts).toEqual([["2026-06-11", 60, -60, 60]])
  })

  test("a night without an offset has the rules of the person's zone, also between nights that have one", async () => {
    const changing = span("2026-10-24T21:00Z", null, "2026-10-25T06:00Z", null)
    const alone = await read(sleeping(changing))
    expect(alone.sleeps).toEqual([["2026-10-25", 120, 60, 60]])
    const between = await read(
      sleeping(
        span("2026-10-23T21:00Z", 2, "2026-10-24T06:00Z", null),
        changing,
        span("2026-10-26T00:00Z", 1, "2026-10-26T05:00Z", 1),
      ),
    )
    expect(between.sleeps).toEqual([
      ["2026-10-24", 120, 120, 120],
      ["2026-10-25", 120, 60, 60],
      ["2026-10-26", 60, 60, 60],
    ])
  })

  test("a session without a length is counted", async () => {
    const { sleeps, reasons } = await read(sleeping(span("2026-06-10T20:00Z", 0, "2026-06-10T20:00Z", 0)))
    expect([sleeps, reasons]).toEqual([[], ["sleep_session_record_table: a session without a length"]])
  })
})

describe("Gadgetbridge", () => {
  const night = (start: string, hours: number) => ({
    TIMESTAMP: ms(start),
    DEVICE_ID: 1,
    WAKEUP_TIME: ms(start) + hours * HOUR_MS,
    TOTAL_DURATION: hours * 60,
  })
  const band = (
    nights: readonly ReturnType<typeof night>[],
    days: readonly (readonly [at: string, quarters: number])[],
  ) => ({
    DEVICE: [{ _id: 1, NAME: "Band" }],
    XIAOMI_SLEEP_TIME_SAMPLE: nights,
    XIAOMI_DAILY_SUMMARY_SAMPLE: days.map(([at, TIMEZONE]) => ({ TIMESTAMP: ms(at), DEVICE_ID: 1, TIMEZONE })),
  })

  test.each([
    ["2026-10-24T21:00Z", ["2026-10-24T22:00Z", 8], ["2026-10-25T23:00Z", 4], ["2026-10-25", 120, 60, 60]],
    ["2026-03-28T21:00Z", ["2026-03-28T23:00Z", 4], ["2026-03-29T22:00Z", 8], ["2026-03-29", 60, 120, 120]],
  ] as const)(
    "the night of %s, in which clocks change at home, ends by the rules of the zone",
    async (start, before, after, expected) => {
      for (const days of [[before, after], [before], [after], []])
        expect((await read(band([night(start, 9)], days))).sleeps, JSON.stringify(days)).toEqual([expected])
    },
  )

  test("a night of a journey has the offset of the nearest day", async () => {
    const days = [
      ["2026-06-10T22:00Z", 8],
      ["2026-06-11T07:00Z", -20],
    ] as const
    expect((await read(band([night("2026-06-10T23:00Z", 7)], days))).sleeps).toEqual([["2026-06-11", 120, -300, -300]])
  })
})
