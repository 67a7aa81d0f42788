// Texts and charts follow the person's preferences. Structured results are those of REST.
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { CHART_KEY, type Chart, ChartSchema, type PreferencesChange } from "@restwell/client"
import { figureText } from "@restwell/client/figures"
import { connectAssistant, resourceOf } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest"
import { z } from "zod"

const METRIC: PreferencesChange = { units: "metric", clock: "24h", first_weekday: "monday" }
const AMERICAN: PreferencesChange = { units: "imperial", clock: "12h", first_weekday: "sunday" }
const TextSchema = z.tuple([z.object({ type: z.literal("text"), text: z.string() })]).rest(z.unknown())

let service: TestService
let member: Member
let client: Client
beforeAll(async () => {
  service = await startTestService({ days: 100, now: new Date("2026-11-20T13:18:00Z"), isStill: true })
  const made = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" }))
  member = made.member
  const { access_token: token } = await connectAssistant(service, member)
  client = new Client({ name: "reference", version: "1" })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(resourceOf(service)), { requestInit }))
})
afterAll(async () => {
  await client.close()
  await service.close()
})
beforeEach(() => prefer(METRIC))

const prefer = (change: PreferencesChange) => member.send("PUT", "/api/account/preferences", change)

async function call(name: string, question: Record<string, unknown> = {}) {
  const { content, structuredContent, _meta } = await client.callTool({ name, arguments: question })
  return { text: TextSchema.parse(content)[0].text, structured: structuredContent, meta: _meta }
}

/** The same call with both preferences: the texts differ, and the structured result does not. */
async function both(name: string, question?: Record<string, unknown>): Promise<{ metric: string; american: string }> {
  const metric = await call(name, question)
  await prefer(AMERICAN)
  const american = await call(name, question)
  expect(american.structured).toEqual(metric.structured)
  return { metric: metric.text, american: american.text }
}

const chartOf = async (name: string, question: Record<string, unknown>): Promise<Chart> =>
  ChartSchema.parse((await call(name, question)).meta?.[CHART_KEY])

/** "23:41" as people of a 12-hour clock write it. */
function twelve(time: string): string {
  const [hours = 0, minutes = 0] = time.split(":").map(Number)
  return `${hours % 12 || 12}:${String(minutes).padStart(2, "0")} ${hours < 12 ? "AM" : "PM"}`
}

test.each([
  ["get_today", {}],
  ["get_sleep", { days: 3 }],
  ["get_workouts", { days: 20 }],
  ["get_trend", { metric: "bedtime", days: 60, points: true, above: "23:30", by: "weekday" }],
  ["compare_periods", { metric: "wake_time", days: 28 }],
  ["find_relations", { outcome: "recovery_score", factor: "bedtime", days: 90 }],
  ["search", { query: "latest bedtime" }],
])("every clock time of %s is written on the person's clock", async (name, question) => {
  const { metric, american } = name === "search" ? await titles(question) : await both(name, question)
  const sort = (times: readonly string[]) => times.toSorted()
  const times = metric.match(/(?<!UTC[+-])\b\d\d:\d\d\b(?!Z)/g) ?? []
  expect(times.length).toBeGreaterThan(0)
  expect(sort(american.match(/\b\d{1,2}:\d\d [AP]M\b/g) ?? [])).toEqual(sort(times.map(twelve)))
  expect(american.replaceAll(/\d [AP]M\b/g, "")).not.toMatch(/(?<!UTC[+-])\b(?:1[3-9]|2[0-3]|0\d):\d\d\b(?!Z)/)
})

/** The titles of a search are its text and its structured result. */
async function titles(question: Record<string, unknown>) {
  const metric = await call("search", question)
  await prefer(AMERICAN)
  return { metric: metric.text, american: (await call("search", question)).text }
}

test("lengths, weights and temperatures are in the person's units", async () => {
  const profile = await both("get_profile")
  const kilograms = Number(/weight kg ([\d.]+)/.exec(profile.metric)?.[1])
  const pounds = Number(/weight lb ([\d.]+)/.exec(profile.american)?.[1])
  expect(pounds).toBeCloseTo(kilograms / 0.45359237, 0)
  expect(profile.american).toMatch(/height \d ft \d{1,2} in/)
  await prefer(METRIC)
  const recovery = await both("get_recovery", { days: 1 })
  const celsius = Number(/skin ([\d.]+)/.exec(recovery.metric)?.[1])
  expect(Number(/skin ([\d.]+)/.exec(recovery.american)?.[1])).toBeCloseTo(celsius * 1.8 + 32, 1)
  await prefer(METRIC)
  const sports = await both("get_sports", { sport: "running" })
  const meters = Number(/farthest ([\d.]+) m on/.exec(sports.metric)?.[1])
  expect(Number(/farthest ([\d.]+) mi on/.exec(sports.american)?.[1])).toBeCloseTo(meters / 1609.344, 2)
})

test("a distance is in miles with its changes, and its limit too", async () => {
  const question = { metric: "distance", days: 60, above: 3000, top: 1 }
  const { metric, american } = await both("get_trend", question)
  const mean = (text: string): number => Number(/\bmean ([\d.]+)/.exec(text)?.[1])
  expect(mean(american)).toBeCloseTo(mean(metric) / 1609.344, 2)
  expect(american).toContain("distance (mi)")
  expect(american).toContain("Above 1.86 (the limit is read as 3000 m):")
})

test("weekdays begin with the person's first one, in the text and in the chart", async () => {
  const question = { metric: "asleep", days: 90, by: "weekday" }
  const { metric, american } = await both("get_trend", question)
  expect(metric).toContain("Groups: monday")
  expect(american).toContain("Groups: sunday")
  expect(await chartOf("get_trend", question)).toMatchObject({ first_weekday: "sunday" })
})

test("charts have the person's units and clock", async () => {
  const plain = await chartOf("get_trend", { metric: "distance", days: 60 })
  const bedtime = await chartOf("get_trend", { metric: "bedtime", days: 30 })
  await prefer(AMERICAN)
  const miles = await chartOf("get_trend", { metric: "distance", days: 60 })
  if (plain.kind !== "trend" || miles.kind !== "trend") throw new Error("no trend")
  expect(plain.metric).toMatchObject({ unit: "m", units: "metric" })
  expect(miles.metric).toMatchObject({ unit: "m", units: "imperial" })
  expect(miles.answer).toEqual(plain.answer)
  const mean = Number(plain.answer.mean)
  expect(figureText(plain.metric, mean)).toBe(`${(mean / 1000).toFixed(2)} km`)
  expect(figureText(miles.metric, mean)).toBe(`${(mean / 1609.344).toFixed(2)} mi`)
  expect(bedtime).toMatchObject({ metric: { clock: "24h" } })
  expect(await chartOf("get_trend", { metric: "bedtime", days: 30 })).toMatchObject({ metric: { clock: "12h" } })
  expect(await chartOf("get_today", {})).toMatchObject({ clock: "12h" })
})
