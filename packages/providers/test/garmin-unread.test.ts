// What the report of Garmin's archive says of figures that are not read.
import { expect, test } from "vitest"
import { DAY, NIGHT, RUN, read, recordsOf } from "./garmin-rows.ts"

const unreadOf = (items: Awaited<ReturnType<typeof read>>) =>
  items.flatMap((item) => (item.type === "note" && item.note.startsWith("Figures of ") ? [item.note] : []))

test("figures that have no place here are named with the number of rows that have them, by kind of row", async () => {
  const restless = (calendarDate: string, more: object) => ({
    ...NIGHT,
    calendarDate,
    restlessMomentCount: 31,
    ...more,
  })
  const nights = [
    restless("2026-11-17", { avgSleepStress: 17.5 }),
    restless("2026-11-18", { avgSleepStress: null, sleepWindowConfirmationType: "OFF_WRIST" }),
  ]
  const items = await read({
    nights,
    days: [{ ...DAY, bodyBattery: {}, userProfilePk: 7 }],
    activities: [{ ...RUN, steps: 900, deviceId: 3 }],
  })
  expect(unreadOf(items)).toEqual([
    "Figures of days that Restwell does not read: currentDayRestingHeartRate 1",
    "Figures of nights that Restwell does not read: restlessMomentCount 2, avgSleepStress 1",
    "Figures of activities that Restwell does not read: steps 1",
  ])
  expect(recordsOf(items, "sleep")).toMatchObject([{ timesAwake: 2 }])
})

test("a row with thousands of fields is one short line of the report", async () => {
  const fields = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`field${index}`.padEnd(90, "x"), 1]))
  const [note = "", ...others] = unreadOf(await read({ nights: [{ ...NIGHT, ...fields }], days: [] }))
  expect(others).toEqual([])
  expect(note).toMatch(/further figures 2,980/)
  expect(note.length).toBeLessThan(5_000)
})
