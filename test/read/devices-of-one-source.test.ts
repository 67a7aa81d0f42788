/* Several devices of a person behind one source that collects from all of them: a phone's pushes, or its archive. */
import { TrendResponseSchema } from "@restwell/client"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { newToken, pushed } from "../pushes/pusher.ts"

const DAY_MS = 86_400_000
const LAST = Date.parse("2026-11-20T00:00:00Z")

let service: TestService
let token: Awaited<ReturnType<typeof newToken>>
let key: string
beforeAll(async () => {
  service = await startTestService({ now: new Date(LAST + DAY_MS / 2), isStill: true })
  const member = new Member({ url: service.url })
  await member.signUp()
  token = await newToken(member)
  key = await member.newKey()
})
afterAll(() => service.close())

const at = (day: number, hours: number): string => new Date(day + hours * 3_600_000).toISOString()

/** Pushes a night of each date, with the HRV and the resting heart rate of its morning. */
async function wear(source: string, from: number, to: number, hours: number): Promise<void> {
  const records = Array.from({ length: (to - from) / DAY_MS }, (_, index) => {
    const day = from + index * DAY_MS
    const morning = { start: at(day, 6), end: at(day, 6), source }
    return [
      { type: "sleep_segment", start: at(day, 7 - hours), end: at(day, 7), value: "light", source },
      { type: "resting_heart_rate", ...morning, value: 50 + hours + (index % 3) },
    ]
  })
  await pushed(service, { records: records.flat() }, token)
}

async function get(path: string): Promise<unknown> {
  const response = await fetch(`${service.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
  return response.json()
}

const trend = async (query: string) => TrendResponseSchema.parse(await get(`/trend?${query}`))

test("a trend compares one device behind a source with itself, and says what it leaves out", async () => {
  await wear("Lena's ring", LAST - 119 * DAY_MS, LAST - 39 * DAY_MS, 6)
  await wear("Lena's watch", LAST - 39 * DAY_MS, LAST + DAY_MS, 7.5)
  for (const metric of ["asleep", "resting_heart_rate"]) {
    const { verdict, n, notes } = await trend(`metric=${metric}&days=120`)
    expect([metric, verdict, n]).toEqual([metric, "no_clear_change", 40])
    expect(notes.join()).toContain("80 days that only Lena's ring recorded are left out")
  }
  // The ring's own time has its own trend.
  expect((await trend("metric=asleep&start_date=2026-08-01&end_date=2026-10-10")).n).toBe(71)
})

test("heart rates are those of the device that measured the night, however many an app copied", async () => {
  const morning = (source: string, count: number, value: number) =>
    Array.from({ length: count }, (_, index) => ({
      type: "heart_rate",
      start: at(LAST, 1 + index / 100),
      value,
      source,
    }))
  await pushed(service, { records: [...morning("Oura", 400, 90), ...morning("Lena's watch", 40, 52)] }, token)
  expect(await get("/series?type=heart_rate&resolution=1d&days=1")).toMatchObject({ points: [{ n: 40, mean: 52 }] })
  expect(await trend("metric=lowest_heart_rate&days=30")).toMatchObject({ n: 1, mean: 52 })
})
