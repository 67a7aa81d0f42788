// Rows that a phone corrects: their newest version counts, in records and in values within the day.
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { countingPerson } from "./counted-days.ts"
import { pushed, rowsOfNight } from "./pusher.ts"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-20T12:30:00Z"), isStill: true })
})
afterAll(() => service.close())

const PointsSchema = z.object({ points: z.array(z.object({ value: z.number() })) })
const RecordsSchema = z.object({ records: z.array(z.looseObject({ date: z.iso.date() })) })
const DATES = "start_date=2026-08-24&end_date=2026-11-20"

async function phone() {
  const person = await countingPerson(service)
  const plain = (records: readonly object[], series: readonly object[] = []) =>
    pushed(service, { records, series }, { token: person.token })
  const values = async (type: string) => {
    const path = `/api/v1/series?type=${type}&resolution=raw&start_date=2026-11-10&end_date=2026-11-20`
    return PointsSchema.parse(await person.read(path)).points.map(({ value }) => value)
  }
  const records = async (type: string) =>
    RecordsSchema.parse(await person.read(`/api/v1/health?type=${type}&${DATES}`)).records
  return { ...person, plain, values, records }
}

const at = (clock: string, date = "2026-11-18") => `${date}T${clock}:00+01:00`

test.each([
  ["weight", 80, 71, 90],
  ["heart_rate", 70, 50, 95],
  ["spo2", 98, 91, 99],
  ["respiratory_rate", 15, 12, 17],
] as const)(
  "of a %s with an id the newest version counts, lower, higher and at another time",
  async (type, first, lower, higher) => {
    const { plain, values } = await phone()
    const row = (value: number, start: string) => ({ type, value, start, id: "a", source: "Watch" })
    const other = { ...row(first, at("12:00")), id: "b" }
    await plain([row(first, at("08:00")), other])
    expect(await values(type)).toEqual([first, first])
    await plain([row(lower, at("08:00"))])
    expect(await values(type)).toEqual([lower, first])
    await plain([row(lower, at("07:00", "2026-11-17"))])
    expect(await values(type)).toEqual([lower, first])
    await plain([row(higher, at("09:00", "2026-11-13"))])
    expect(await values(type)).toEqual([higher, first])
    const report = await plain([row(higher, at("09:00", "2026-11-13"))])
    expect(report).toMatchObject({ stored: 0, unchanged: 1 })
    expect(await values(type)).toEqual([higher, first])
  },
)

test("of two ids at one instant the other value is back once the greater is corrected, and values without an id stay", async () => {
  const { plain, values } = await phone()
  const row = (value: number, id: string) => ({ type: "weight", value, start: at("08:00"), id })
  await plain(
    [row(80, "a"), row(75, "b")],
    [{ type: "weight", start: at("09:00"), offsets_seconds: [0], values: [77] }],
  )
  expect(await values("weight")).toEqual([80, 77])
  await plain([row(70, "a")])
  expect(await values("weight")).toEqual([75, 77])
})

test("a workout that is pushed again by its id at a date weeks away is there alone", async () => {
  const { plain, records } = await phone()
  const workout = (date: string, value = "Running") => ({
    ...{ type: "workout", value, id: "run", source: "Watch" },
    ...{ start: at("10:00", date), end: at("11:00", date) },
  })
  const other = { ...workout("2026-11-12"), id: "other" }
  await plain([workout("2026-11-18"), other])
  for (const date of ["2026-11-03", "2026-09-01", "2026-11-19"]) {
    await plain([workout(date)])
    const dates = (await records("workout")).map((record) => record.date)
    expect(dates.toSorted()).toEqual([date, "2026-11-12"].toSorted())
  }
})

test("a lower count with an id is the sum of its day, also on a date far away", async () => {
  const { plain, sums } = await phone()
  const row = (value: number, date = "2026-11-18") => ({
    ...{ type: "steps", value, id: "day", source: "Watch" },
    ...{ start: at("10:00", date), end: at("11:00", date) },
  })
  await plain([row(900)])
  await plain([row(400)])
  expect(await sums("steps")).toEqual({ "2026-11-18": 400 })
  await plain([row(300, "2026-11-10")])
  expect(await sums("steps")).toEqual({ "2026-11-10": 300 })
})

test("a lower HRV with an id is that of the recovery and of the series", async () => {
  const { plain, values, records } = await phone()
  await plain(rowsOfNight("2026-11-18").filter(({ type }) => !type.startsWith("hrv")))
  const hrv = (value: number) => ({ type: "hrv_rmssd", value, start: at("03:00"), id: "hrv", source: "Apple Watch" })
  await plain([hrv(80)])
  await plain([hrv(60)])
  expect(await records("recovery")).toMatchObject([{ date: "2026-11-18", hrv: 60 }])
  expect(await values("hrv")).toEqual([60])
})
