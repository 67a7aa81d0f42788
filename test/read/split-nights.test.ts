/* A night in parts is one night in every answer, and a fragment of another source's night does not answer for it. */
import { TrendsResponseSchema } from "@restwell/client"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { newToken, pushed, type Row } from "../pushes/pusher.ts"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-20T20:30:00Z"), isStill: true })
})
afterAll(() => service.close())

async function person() {
  const member = new Member(service)
  await member.signUp()
  await member.send("PUT", "/api/account/preferences", { time_zone: "Europe/Berlin" })
  const key = await member.newKey()
  const { token } = await newToken(member)
  const get = async (path: string) =>
    (await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${key}` } })).json()
  return {
    member,
    get,
    read: async (search: string) => (await readHealth(service.url, key, search)).json(),
    push: (records: Row[]) => pushed(service, { records }, { token }),
  }
}

/** Hours after midnight in Berlin's winter. */
const at = (hours: number): string => {
  const local = new Date(Date.parse("2026-11-20T00:00:00Z") + Math.round(hours * 3_600_000)).toISOString()
  return `${local.slice(0, 19)}+01:00`
}
const segment = (from: number, to: number, value = "asleep"): Row => ({
  type: "sleep_segment",
  start: at(from),
  end: at(to),
  value,
  source: "Watch",
})

const DAY = "start_date=2026-11-20&end_date=2026-11-20"

test.each([
  ["two parts of one date", [segment(0, 1.5), segment(2.75, 7)], 5.75, 7],
  ["a part that ends before midnight", [segment(-3.75, -0.5), segment(0.75, 6.5)], 9, 10.25],
  ["three parts", [segment(-1, 1.5), segment(2.75, 4), segment(5.5, 8.75)], 7, 9.75],
  ["parts with stages", [segment(-2, 1, "light"), segment(2.5, 4, "deep"), segment(4, 6, "rem")], 6.5, 8],
])("%s: the summary, the trend and the page have one night", async (_name, records, asleep, inBed) => {
  const { member, read, get, push } = await person()
  await push(records)
  const { sleep } = await read(`?${DAY}`)
  expect(sleep).toMatchObject({ night_count: 1, average_asleep_hours: asleep, average_duration_hours: inBed })
  expect((await read("?days=7")).sleep).toEqual(sleep)
  for (const [metric, value] of [
    ["asleep", asleep],
    ["in_bed", inBed],
  ] as const)
    expect(await get(`/api/v1/trend?metric=${metric}&days=7&points=true`)).toMatchObject({
      n: 1,
      points: [["2026-11-20", value]],
      latest: { date: "2026-11-20", value },
    })
  const trends = TrendsResponseSchema.parse(await (await member.send("GET", "/api/account/trends?days=7")).json())
  expect(trends.days.filter((day) => day.sleep !== null)).toMatchObject([
    { date: "2026-11-20", sleep: { asleep_hours: asleep, duration_hours: inBed, end_minutes: expect.any(Number) } },
  ])
  // The parts stay records of their own, each with the whole night.
  const list = await read("?type=sleep&days=7")
  expect(list.records.length).toBeGreaterThan(1)
  for (const record of list.records)
    expect(record).toMatchObject({
      is_nap: false,
      night: { date: "2026-11-20", asleep_hours: asleep, duration_hours: inBed },
    })
})

test("sleep two hours after a night is no part of it", async () => {
  const { read, push } = await person()
  await push([segment(0, 5), segment(7, 10)])
  const { records } = await read("?type=sleep&days=7")
  expect(records).toHaveLength(2)
  for (const record of records) expect(record).not.toHaveProperty("night")
})
