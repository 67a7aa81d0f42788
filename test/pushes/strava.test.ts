// Strava's terms: assistants get nothing of what it gave. The page and the API show it.
import { callConnector, callTool, connectAssistant, messageOf } from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { newToken, pushed, rowsOfNight } from "./pusher.ts"

const DATE = "2026-11-20"
const at = (clock: string) => `${DATE}T${clock}+01:00`
const OF_STRAVA = { source: "Strava" }
/** Words and figures that nothing else has. */
const WORDS = ["unicycling", "Strava", "strava", "13579", "177"]

let service: TestService
let member: Member
let key: string
beforeAll(async () => {
  service = await startTestService({ now: new Date(`${DATE}T21:00:00Z`), isStill: true })
  member = new Member(service)
  await member.signUp()
  await member.send("PUT", "/api/account/preferences", { time_zone: "Europe/Berlin" })
  key = await member.newKey()
  const { token } = await newToken(member)
  const records = [
    ...rowsOfNight(DATE),
    { ...OF_STRAVA, type: "workout", start: at("10:00:00"), end: at("11:00:00"), value: "unicycling" },
    { ...OF_STRAVA, type: "steps", start: at("12:00:00"), end: at("13:00:00"), value: 13579 },
    { ...OF_STRAVA, type: "heart_rate", start: "2026-11-18T10:30:00+01:00", value: 177 },
    { type: "heart_rate", start: at("14:30:00"), value: 66, source: "Apple Watch" },
  ]
  expect((await pushed(service, { records }, { token })).stored).toBe(records.length)
})
afterAll(() => service.close())

const get = async (path: string) => {
  const answer = await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } })
  return JSON.stringify(await answer.json())
}

test("the API shows what Strava gave, and the sums of a day leave it out", async () => {
  const workouts = await (await readHealth(service.url, key, "?type=workout&days=7")).json()
  expect(workouts.records).toMatchObject([{ sport_type: "running" }, { sport_type: "unicycling", device: "Strava" }])
  expect(await get("/api/v1/series?type=heart_rate&days=5&resolution=raw")).toContain("177")
  expect(await get("/api/v1/sports")).toContain("unicycling")
  const cycles = await (await readHealth(service.url, key, "?type=cycle&days=7")).json()
  expect(cycles.records).toMatchObject([{ steps: 3000 }])
})

test("no tool of an assistant answers with anything of it, also after the page has read it", async () => {
  const { access_token } = await connectAssistant(service, member)
  await member.send("GET", "/api/account/trends?days=7")
  await get("/api/v1/health?type=workout&days=7")
  const calls: Readonly<Record<string, readonly object[]>> = {
    get_workouts: [{ days: 7 }, { days: 7, source: "phone" }, { days: 7, source: "all" }],
    get_series: [{ type: "heart_rate", days: 5 }, { type: "heart_rate", date: "2026-11-18" }, { type: "steps" }],
    get_trend: [{ metric: "workout_count" }, { metric: "steps" }],
    get_sports: [{}],
    get_day: [{ date: DATE }],
    search: [{ query: "unicycling" }, { query: "workouts" }, { query: "longest workout" }],
    fetch: [{ id: `workout:${DATE}` }],
  }
  const list = await messageOf(await callConnector(service, access_token, "tools/list"))
  const { tools } = z.object({ tools: z.array(z.object({ name: z.string() })) }).parse(list.result)
  const names = tools.map(({ name }) => name)
  expect(names.length).toBeGreaterThan(10)
  const reported: string[] = []
  for (const name of names)
    for (const call of calls[name] ?? [{ days: 7 }, {}]) {
      // A search repeats its own words.
      const words = "query" in call && call.query === "unicycling" ? WORDS.slice(1) : WORDS
      const text = JSON.stringify(await callTool(service, access_token, name, call))
      reported.push(
        ...words.filter((word) => text.includes(word)).map((word) => `${name} ${JSON.stringify(call)}: ${word}`),
      )
    }
  expect(reported).toEqual([])
  const workouts = JSON.stringify(await callTool(service, access_token, "get_workouts", { days: 7 }))
  expect(workouts).toContain("running")
})
