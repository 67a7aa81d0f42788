/* Several devices of a person behind one source that collects from all of them: a phone's pushes, or its archive. */
import { TrendResponseSchema } from "@restwell/client"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
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

/** Pushes a night of each date. */
async function wear(source: string, from: number, to: number, hours: number): Promise<void> {
  const records = Array.from({ length: (to - from) / DAY_MS }, (_, index) => {
    const day = from + index * DAY_MS
    return { type: "sleep_segment", start: at(day, 7 - hours), end: at(day, 7), value: "light", source }
  })
  await pushed(service, { records }, token)
}

async function get(path: string): Promise<unknown> {
  const response = await fetch(`${service.url}/api/v1${path}`, { headers: { authorization: `Bearer ${key}` } })
  return response.json()
}

const trend = async (query: string) => TrendResponseSchema.parse(await get(`/trend?${query}`))

test("a trend compares one device behind a source with itself, and says what it leaves out", async () => {
  await wear("Lena's ring", LAST - 119 * DAY_MS, LAST - 39 * DAY_MS, 6)
  await wear("Lena's watch", LAST - 39 * DAY_MS, LAST + DAY_MS, 7.5)
  const { verdict, n, notes } = await trend("metric=asleep&days=120")
  expect([verdict, n]).toEqual(["no_clear_change", 40])
  expect(notes.join()).toContain("80 days that only Lena's ring recorded are left out")
  // The ring's own time has its own trend.
  expect((await trend("metric=asleep&start_date=2026-08-01&end_date=2026-10-10")).n).toBe(71)
})

test("the first mornings of a new device have its figures, and the 100th night is that of all devices", async () => {
  const AsleepSchema = z.object({
    figures: z.array(z.object({ metric: z.string(), value: z.unknown() })),
    best: z.object({ kind: z.string(), value: z.number() }).nullable(),
  })
  const dayOf = async (date: string) => AsleepSchema.parse(await get(`/day?date=${date}`))
  const { figures } = await dayOf("2026-10-14")
  expect(figures).toContainEqual({ metric: "asleep", value: 7.5 })
  expect((await trend("metric=asleep&start_date=2026-10-12&end_date=2026-10-18")).n).toBe(7)
  expect((await dayOf("2026-10-31")).best).toEqual({ kind: "count", value: 100 })
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
