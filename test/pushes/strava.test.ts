// Strava's terms: assistants get nothing of what it gave. The page and the API show it.
import { callConnector, callTool, connectAssistant, messageOf } from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { newToken, pushed, rowsOfNight } from "./pusher.ts"

const DATE = "2026-11-20"
const at = (clock: string) => `${DATE}T${clock}+01:00`
/** Ways to write the name: full width, capitals, accents, and marks between its letters that nobody sees. */
const NAMES = [
  "Strava",
  "ＳＴＲＡＶＡ for iPhone",
  "\u200bSt\u00adra\u2060va",
  "S\ufe0ft\u202er\u2066a\u{e0101}v\u061ca",
  `${"Apple Watch|".repeat(9)}Strava`,
  "S\u034ft\u180er\u3164a\ufeffva\u0301",
]
/** Words and figures that nothing else has. */
const WORDS = ["unicycling", "trava", "Apple Watch|", "13579", "177", "61.25", ...NAMES]

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
    ...NAMES.flatMap((source, index) => [
      { source, type: "workout", start: at(`1${index}:00:00`), end: at(`1${index}:50:00`), value: "unicycling" },
      {
        source,
        type: "steps",
        start: `2026-11-17T1${index}:00:00+01:00`,
        end: `2026-11-17T1${index}:50:00+01:00`,
        value: 13579,
      },
      { source, type: "heart_rate", start: `2026-11-18T10:3${index}:00+01:00`, value: 177 },
      { source, type: "weight", start: `2026-11-18T10:3${index}:00+01:00`, value: 61.25, unit: "kg" },
    ]),
    // Today's workouts are not counted yet.
    {
      source: "Strava",
      type: "workout",
      start: "2026-11-19T10:00:00+01:00",
      end: "2026-11-19T10:50:00+01:00",
      value: "unicycling",
    },
    { type: "heart_rate", start: at("14:30:00"), value: 66, source: "Apple Watch" },
  ]
  expect((await pushed(service, { records }, { token })).stored).toBe(records.length)
})
afterAll(() => service.close())

const read = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(service.url + path, { headers: { authorization: `Bearer ${key}`, ...headers } })

const get = async (path: string) => JSON.stringify(await (await read(path)).json())

test("the API shows what Strava gave, and the sums of a day leave it out", async () => {
  const workouts = await (await readHealth(service.url, key, "?type=workout&days=7")).json()
  const [run, ...rides] = z.array(z.object({ sport_type: z.string() })).parse(workouts.records)
  expect(run?.sport_type).toBe("running")
  expect(rides.map(({ sport_type }) => sport_type)).toEqual([...NAMES, "Strava"].map(() => "unicycling"))
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

const READS = [
  "/api/v1/health?type=workout&days=7",
  "/api/v1/health?type=workout&days=7&source=all&format=csv",
  "/api/v1/health?type=summary&days=7",
  "/api/v1/series?type=heart_rate&days=5&resolution=raw",
  "/api/v1/series?type=weight&days=30",
  "/api/v1/sports",
  "/api/v1/trend?metric=workout_count&points=true",
  "/api/v1/trend?metric=steps&points=true",
  "/api/v1/trend?metric=weight&points=true",
]

test.each(READS)(
  "a program that reads %s for an assistant gets nothing of it, and another entity tag",
  async (path) => {
    const own = await read(path)
    const shared = await read(path, { "restwell-reader": "assistant" })
    expect([own.status, shared.status]).toEqual([200, 200])
    expect(shared.headers.get("vary")).toContain("Restwell-Reader")
    const text = await shared.text()
    expect(WORDS.filter((word) => text.includes(word))).toEqual([])
    expect(text).not.toBe(await own.text())
    const unchanged = await read(path, {
      "restwell-reader": "assistant",
      "if-none-match": own.headers.get("etag") ?? "",
    })
    expect([unchanged.status, await unchanged.text()]).toEqual([200, text])
  },
)

test("a reader that is unknown is refused in words", async () => {
  const answer = await read("/api/v1/sports", { "restwell-reader": "robot" })
  expect([answer.status, await answer.json()]).toEqual([
    400,
    { error: "invalid_request", message: "Restwell-Reader must be assistant, or left out", field: "Restwell-Reader" },
  ])
})
