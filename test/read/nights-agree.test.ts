/* Whatever parts people sleep in, wherever they are: every answer has the same nights, with the same dates and lengths. */
import {
  SeriesResponseSchema,
  SleepResponseSchema,
  TrendResponseSchema,
  TrendsResponseSchema,
  wholeNightOf,
} from "@restwell/client"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { newToken, pushed, type Row } from "../pushes/pusher.ts"

const NOW = "2026-11-20T20:30:00Z"
let service: TestService
beforeAll(async () => {
  service = await startTestService({
    now: new Date(NOW),
    isStill: true,
    environment: { FREE_MONTHLY_REQUESTS: "1000000" },
  })
})
afterAll(() => service.close())

const MINUTE_MS = 60_000
const ZONES = ["UTC", "Europe/Berlin", "America/Los_Angeles", "Asia/Kolkata", "Pacific/Auckland", "Pacific/Kiritimati"]

/** Sleeps one after the other, with minutes awake between them: around two hours, and around an hour, more often. */
const parts = fc.array(
  fc.record({
    gap: fc.oneof(fc.integer({ min: 61, max: 700 }), fc.integer({ min: 115, max: 125 })),
    length: fc.integer({ min: 20, max: 420 }),
    stage: fc.constantFrom("light", "deep", "rem", "asleep"),
  }),
  { minLength: 1, maxLength: 9 },
)

/** A night of four parts that takes longer than a day. */
const AROUND_THE_CLOCK = [
  { gap: 375, length: 417, stage: "asleep" as const },
  { gap: 116, length: 341, stage: "deep" as const },
  { gap: 609, length: 73, stage: "deep" as const },
  { gap: 405, length: 285, stage: "asleep" as const },
  { gap: 635, length: 248, stage: "asleep" as const },
  { gap: 119, length: 185, stage: "light" as const },
  { gap: 115, length: 407, stage: "asleep" as const },
  { gap: 140, length: 404, stage: "asleep" as const },
]

const TodaySchema = z.object({ night: z.object({ date: z.string(), duration_hours: z.number() }).nullable() })
const SummarySchema = z.object({
  sleep: z.object({ night_count: z.int(), average_duration_hours: z.number().nullable() }),
})

async function personIn(timeZone: string) {
  const member = new Member(service)
  await member.signUp()
  await member.send("PUT", "/api/account/preferences", { time_zone: timeZone })
  const [key, { token }] = [await member.newKey(), await newToken(member)]
  const get = async (path: string): Promise<unknown> =>
    (await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${key}` } })).json()
  const read = async (search: string): Promise<unknown> => (await readHealth(service.url, key, search)).json()
  return { member, token, get, read }
}

test("the summary, trends, the page, the stages and the connector have the same nights", async () => {
  await fc.assert(
    fc.asyncProperty(
      parts,
      fc.constantFrom(...ZONES),
      fc.integer({ min: 0, max: 1439 }),
      async (sleeps, zone, shift) => {
        const { member, token, get, read } = await personIn(zone)
        let atMs = Date.parse("2026-11-16T00:00:00Z") + shift * MINUTE_MS
        const records = sleeps.flatMap(({ gap, length, stage }): Row[] => {
          const startMs = atMs + gap * MINUTE_MS
          atMs = startMs + length * MINUTE_MS
          const [start, end] = [startMs, atMs].map((ms) => new Date(ms).toISOString())
          return atMs > Date.parse(NOW) || !start || !end
            ? []
            : [{ type: "sleep_segment", start, end, value: stage, source: "Watch" }]
        })
        fc.pre(records.length > 0)
        await pushed(service, { records }, { token })
        const list = SleepResponseSchema.parse(await read("?type=sleep&days=8")).records
        const wholes = new Map(
          list.filter(({ is_nap }) => !is_nap).map((sleep) => [wholeNightOf(sleep).start, wholeNightOf(sleep)]),
        )
        const nights = [...Map.groupBy(wholes.values(), ({ date }) => date)]
          .map(([date, ofDate]) => ({ date, hours: Math.max(...ofDate.map(({ duration_hours }) => duration_hours)) }))
          .toSorted((one, other) => (one.date < other.date ? -1 : 1))
        expect(list.length).toBe(records.length)

        const { sleep } = SummarySchema.parse(await read("?days=8"))
        const trend = TrendResponseSchema.parse(await get("/api/v1/trend?metric=in_bed&days=8&points=true"))
        const trends = TrendsResponseSchema.parse(await (await member.send("GET", "/api/account/trends?days=8")).json())
        const pairs = nights.map(({ date, hours }) => [date, hours])
        expect(sleep.night_count).toBe(nights.length)
        expect(trend.points).toEqual(pairs)
        expect(trends.days.flatMap(({ date, sleep: night }) => (night ? [[date, night.duration_hours]] : []))).toEqual(
          pairs,
        )
        if (nights.length > 0)
          expect(sleep.average_duration_hours).toBeCloseTo(
            nights.reduce((sum, { hours }) => sum + hours, 0) / nights.length,
            1,
          )
        const { access_token } = await connectAssistant(service, member)
        const { structuredContent } = await callTool(service, access_token, "get_today", {})
        const newest = nights.at(-1)
        expect(TodaySchema.parse(structuredContent).night).toEqual(
          newest ? expect.objectContaining({ date: newest.date, duration_hours: newest.hours }) : null,
        )
        for (const date of new Set(list.map((each) => each.date))) {
          const ofDate = list.filter((each) => (each.is_nap ? each : wholeNightOf(each)).date === date)
          const path = `/api/v1/series?type=sleep_stages&start_date=${date}&end_date=${date}`
          const series = SeriesResponseSchema.parse(await get(path))
          const found = "segments" in series ? series.segments.map(({ start, end }) => [start, end]) : []
          expect(found).toEqual(ofDate.map(({ start, end }) => [start, end]).toSorted())
        }
      },
    ),
    { numRuns: 9, examples: [[AROUND_THE_CLOCK, "Pacific/Kiritimati", 626]] },
  )
}, 240_000)
