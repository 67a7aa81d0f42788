import {
  CompareResponseSchema,
  DayResponseSchema,
  MetricsResponseSchema,
  RelateResponseSchema,
  SignsResponseSchema,
  type SleepRecord,
  SleepResponseSchema,
  SportsResponseSchema,
  TrendResponseSchema,
} from "@restwell/client"
import { officeWorker } from "@restwell/simulator"
import { expectDescribed, Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { newToken, pushed } from "../pushes/pusher.ts"

let service: TestService
let key: string
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 200 })
  ;({ key, member } = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" })))
})
afterAll(() => service.close())

const get = (path: string, headers: Record<string, string> = {}, method = "GET") =>
  fetch(service.url + path, { method, headers: { authorization: `Bearer ${key}`, ...headers } })

const QUESTIONS = {
  metrics: ["/api/v1/metrics", MetricsResponseSchema],
  trend: ["/api/v1/trend?metric=hrv&days=180&by=week&points=true&top=20", TrendResponseSchema],
  "trend of a clock time": ["/api/v1/trend?metric=midsleep&days=180&by=weekday", TrendResponseSchema],
  "trend of one sport": ["/api/v1/trend?metric=workout&days=180&by=month&sport=running", TrendResponseSchema],
  compare: ["/api/v1/compare?metric=asleep&days=28", CompareResponseSchema],
  "relate to one factor": ["/api/v1/relate?outcome=hrv&factor=strain&lag=1", RelateResponseSchema],
  sports: ["/api/v1/sports?days=180", SportsResponseSchema],
  signs: ["/api/v1/signs?days=90", SignsResponseSchema],
  day: ["/api/v1/day?rows=14", DayResponseSchema],
  "relate to all": ["/api/v1/relate?outcome=recovery_score", RelateResponseSchema],
} as const

describe.each(Object.entries(QUESTIONS))("%s", (_, [path, schema]) => {
  test("200 matches its schema and the description, with quota and cache headers", async () => {
    const answer = await get(path)
    expect(answer.status).toBe(200)
    await expectDescribed(service.url, "GET", path, answer.clone())
    const body: unknown = await answer.json()
    expect(schema.parse(body)).toEqual(body)
    expect(answer.headers.get("x-ratelimit-limit")).toBe("1000")
    expect(answer.headers.get("cache-control")).toBe("private, max-age=900")
    expect(answer.headers.get("content-type")).toBe("application/json; charset=utf-8")
  })

  test("counts one request, cached or not, and 304 and HEAD none", async () => {
    const first = await get(path)
    const remaining = Number(first.headers.get("x-ratelimit-remaining"))
    const etag = first.headers.get("etag") ?? ""
    expect(etag).toMatch(/^"[\x21\x23-\x7e]+"$/)
    const unchanged = await get(path, { "if-none-match": etag })
    const head = await get(path, {}, "HEAD")
    const again = await get(path)
    expect([unchanged.status, await unchanged.text(), unchanged.headers.get("etag")]).toEqual([304, "", etag])
    expect([head.status, await head.text(), head.headers.get("etag")]).toEqual([200, "", etag])
    expect(again.headers.get("x-ratelimit-remaining")).toBe(String(remaining - 1))
    expect([again.headers.get("etag"), await again.text()]).toEqual([etag, await first.text()])
  })

  test("401 without a key, 405 for other methods with the quota of a valid one", async () => {
    const [plain = ""] = path.split("?")
    const unknown = await fetch(service.url + path)
    expect(unknown.status).toBe(401)
    await expectDescribed(service.url, "GET", path, unknown)
    const refused = await get(plain, {}, "POST")
    expect([refused.status, refused.headers.get("allow")]).toEqual([405, "GET, HEAD"])
    expect(refused.headers.get("x-ratelimit-limit")).toBe("1000")
  })

  test("the signed-in person gets the same answer, not counted and not kept by the browser", async () => {
    const own = await member.send("GET", path.replace("/api/v1/", "/api/account/"))
    expect([own.status, own.headers.get("cache-control")]).toEqual([200, "no-store"])
    expect(await own.json()).toEqual(await (await get(path)).json())
  })
})

test.each([
  // Means as programs compute and write them.
  ["asleep", "7.0523809523809525"],
  ["spo2", "95.66666666666667"],
  ["skin_temp_deviation", "-0.012345678901234568"],
  ["skin_temp_deviation", "0.0000012345678901234567"],
])("values of %s above %s are counted", async (metric, limit) => {
  const response = await get(`/api/v1/trend?metric=${metric}&days=180&above=${limit}&points=true`)
  expect(response.status).toBe(200)
  const { above, points } = TrendResponseSchema.parse(await response.json())
  const distances = points?.map(([, value]) => Number(value) - Number(limit)) ?? []
  expect(distances.length).toBeGreaterThan(0)
  // Points are rounded.
  const near = distances.filter((distance) => Math.abs(distance) <= 0.05).length
  const higher = distances.filter((distance) => distance > 0).length
  expect(Math.abs((above?.n ?? 0) - higher)).toBeLessThanOrEqual(near)
})

describe("400", () => {
  test.each([
    ["trend", "", "metric", /must be one of/],
    ["trend", "metric=heart", "metric", /must be one of recovery_score, hrv/],
    ["trend", "metric=journal:", "metric", /journal:<factor>/],
    ["trend", "metric=hrv&days=0", "days", /from 1 to 4000/],
    ["trend", "metric=hrv&days=4001", "days", /from 1 to 4000/],
    ["trend", "metric=hrv&by=day", "by", /week, month, weekday/],
    ["trend", "metric=hrv&points=yes", "points", /true or false/],
    ["trend", "metric=hvr", "metric", /^metric is unknown, did you mean hrv\? It must be one of recovery_score/],
    ["trend", "metric=recovery", "metric", /did you mean recovery_score\?/],
    ["compare", "metric=RHR", "metric", /did you mean resting_heart_rate\?/],
    ["relate", "outcome=sleep-score", "outcome", /did you mean sleep_performance\?/],
    ["trend", "metric=constructor", "metric", /^metric must be one of recovery_score/],
    ["trend", "metric=alcohol", "metric", /did you mean journal:alcohol\?/],
    ["trend", "metric=Resting heart rat", "metric", /did you mean resting_heart_rate\?/],
    ["trend", "metric=hrv&top=101", "top", /from 1 to 100/],
    ["trend", "metric=hrv&top=0", "top", /from 1 to 100/],
    ["trend", "metric=hrv&above=high", "above", /a number like 7.5/],
    ["trend", "metric=hrv&above=23:30", "above", /must be a number like 7.5 for hrv/],
    ["trend", "metric=bedtime&below=7.5", "below", /must be a time like 23:30 for bedtime/],
    ["trend", "metric=hrv&start_date=2026-02-30", "start_date", /day of the calendar/],
    ["trend", "metric=hrv&start_date=2025-05-02&end_date=2025-05-01", "start_date", /is after end_date/],
    ["trend", "metric=hrv&metric=strain", "metric", /more than once/],
    ["trend", "metrics=hrv", "metrics", /did you mean metric$/],
    ["trend", "metric=hrv&source=fitbit", "source", /one of apple_health/],
    ["metrics", "metric=hrv", "metric", /unknown parameter/],
    ["compare", "metric=hrv&with_start=2026-01-01", "with_start", /did you mean with_start_date$/],
    ["compare", "metric=hrv&days=7&with_start_date=2026-01-01", "with_end_date", /is missing/],
    ["compare", "metric=hrv&days=7&with_end_date=2026-01-01", "with_start_date", /is missing/],
    [
      "compare",
      "metric=hrv&start_date=2026-05-01&end_date=2026-05-31&with_start_date=2026-05-31&with_end_date=2026-06-30",
      "with_start_date",
      /overlap/,
    ],
    [
      "compare",
      "metric=hrv&start_date=2026-05-01&end_date=2026-05-31&with_start_date=2026-03-31&with_end_date=2026-03-30",
      "with_start_date",
      /is after with_end_date/,
    ],
    ["compare", "metric=hrv&with_source=whoop", "source", /the one source/],
    ["compare", "metric=hrv&source=all&with_source=whoop", "source", /the one source/],
    ["compare", "metric=hrv&source=whoop&with_source=whoop", "with_source", /another source/],
    ["compare", "metric=hrv&source=whoop&with_source=all", "with_source", /must be one of apple_health/],
    ["compare", "metric=journal:alcohol&source=whoop&with_source=whoop", "with_source", /answer of the person/],
    ["trend", "metric=hrv&sport=running", "sport", /goes with metrics of workouts, hrv is none: workout_count/],
    ["trend", "metric=workout&sport=curling", "sport", /^sport curling is unknown, there are [a-z_-]+,/],
    ["relate", "", "outcome", /must be one of/],
    ["relate", "outcome=journal:alcohol", "outcome", /must be one of/],
    ["relate", "outcome=hrv&factor=hrv", "factor", /the outcome itself/],
    ["relate", "outcome=hrv&lag=2", "lag", /0 or 1/],
    ["relate", "outcome=hvr", "outcome", /did you mean hrv\?/],
    ["relate", "outcome=hrv&factor=alcohol", "factor", /did you mean journal:alcohol\?/],
    ["relate", "outcome=hrv&factor=stain", "factor", /did you mean strain\?/],
  ])("%s?%s names %s", async (type, search, field, message) => {
    const path = `/api/v1/${type}?${search}`
    const before = (await get("/api/v1/health?days=0")).headers.get("x-ratelimit-remaining")
    const answer = await get(path)
    expect(answer.status).toBe(400)
    await expectDescribed(service.url, "GET", path, answer.clone())
    expect(await answer.json()).toEqual({ error: "invalid_request", message: expect.stringMatching(message), field })
    expect(answer.headers.get("x-ratelimit-remaining")).toBe(before)
  })
})

test("404 without a provider, and for a known provider that is not connected", async () => {
  const stranger = new Member(service)
  await stranger.signUp()
  const authorization = `Bearer ${await stranger.newKey()}`
  for (const path of ["/api/v1/metrics", "/api/v1/trend?metric=hrv", "/api/v1/compare?metric=hrv"]) {
    const answer = await fetch(service.url + path, { headers: { authorization } })
    expect(answer.status).toBe(404)
    expect(await answer.json()).toMatchObject({ error: "not_found" })
  }
  const other = await get("/api/v1/trend?metric=hrv&source=oura")
  expect([other.status, (await other.json()).message]).toEqual([404, expect.stringMatching(/oura is not connected/)])
  const pair = await get("/api/v1/compare?metric=hrv&source=whoop&with_source=oura")
  expect([pair.status, (await pair.json()).message]).toEqual([404, expect.stringMatching(/oura is not connected/)])
})

test("429 once the month is used up", async () => {
  const poor = new Member(service)
  await poor.signUp()
  await poor.connect(service.simulator.people.add({ email: "poor@vendor.example" }))
  await poor.untilHistoryIsComplete()
  const authorization = `Bearer ${await poor.newKey()}`
  const read = () => fetch(`${service.url}/api/v1/trend?metric=hrv`, { headers: { authorization } })
  expect((await read()).status).toBe(200)
  await service.store.pool.query(
    'update restwell.usage set used = 1000 where user_id = (select id from restwell."user" where email = $1)',
    [poor.email],
  )
  const answer = await read()
  expect([answer.status, (await answer.json()).error]).toEqual([429, "rate_limited"])
  expect(answer.headers.get("retry-after")).toMatch(/^\d+$/)
})

test("a trend's values are those of the nights", async () => {
  const nights = SleepResponseSchema.parse(await (await get("/api/v1/health?type=sleep&days=60")).json()).records
  const scored = nights.filter(({ is_nap, score_state }) => !is_nap && score_state === "scored")
  const asleep = ({ stages: { light_hours: light, deep_hours: deep, rem_hours: rem } }: SleepRecord) =>
    (light ?? Number.NaN) + (deep ?? Number.NaN) + (rem ?? Number.NaN)
  const { points, n } = TrendResponseSchema.parse(
    await (await get("/api/v1/trend?metric=asleep&days=60&points=true")).json(),
  )
  expect(n).toBeGreaterThan(50)
  const byDate = new Map(points)
  expect(byDate.size).toBe(n)
  for (const night of scored) expect(Number(byDate.get(night.date))).toBeCloseTo(asleep(night), 1)
})

test("a trend of one sport has that sport's workouts, in any spelling, and zeros on other dates", async () => {
  const sports = SportsResponseSchema.parse(await (await get("/api/v1/sports?days=180")).json()).sports
  const running = sports.find(({ sport_type: sport }) => sport === "running")
  if (!running) throw new Error("nobody ran")
  const trendOf = async (metric: string, sport: string) =>
    TrendResponseSchema.parse(await (await get(`/api/v1/trend?metric=${metric}&days=180&sport=${sport}`)).json())
  const count = await trendOf("workout_count", "Running")
  // Today's are not counted yet.
  expect(running.count - (count.sum ?? 0)).toBeOneOf([0, 1, 2])
  expect(count.n).toBeGreaterThan(150)
  expect((await trendOf("workout", "running")).highest[0]?.value).toBeGreaterThan(0)
  expect((await trendOf("first_workout_start", "running")).n).toBeLessThanOrEqual(running.count)
})

test("after a gap of 60 dates a trend says where the usual range begins anew", async () => {
  const owner = new Member(service)
  await owner.signUp()
  const authorization = `Bearer ${await owner.newKey()}`
  const at = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString()
  const weighed = [...range(100, 120), ...range(1, 9)].map((daysAgo) => ({
    source: "scale",
    type: "weight",
    start: at(daysAgo),
    value: 70 + (daysAgo % 3),
    unit: "kg",
  }))
  await pushed(service, { records: weighed }, await newToken(owner))
  const trendOf = async (days: number) =>
    TrendResponseSchema.parse(
      await (
        await fetch(`${service.url}/api/v1/trend?metric=weight&days=${days}`, { headers: { authorization } })
      ).json(),
    )
  const { usual, notes } = await trendOf(150)
  expect(usual?.n).toBe(8)
  expect(notes).toContainEqual(`The usual range begins anew on ${at(9).slice(0, 10)}, after 90 dates without a value.`)
})

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => first + index)

test("the access log names the path and what was read", async () => {
  await get("/api/v1/trend?metric=hrv&start_date=2026-01-01&end_date=2026-10-31")
  await get("/api/v1/relate?outcome=hrv&factor=strain&days=30")
  const { entries } = await (await member.send("GET", "/api/account/access-log")).json()
  expect(entries.slice(0, 2)).toMatchObject([
    { operation: "/api/v1/relate", types: ["recovery", "cycle"] },
    { operation: "/api/v1/trend", types: ["recovery"], start_date: "2026-01-01", end_date: "2026-10-31" },
  ])
})

test.each(["HRV", "hrv", "Hrv", "Resting heart rate", "resting-heart-rate", "Sleep_Need"])(
  "a metric is known in any spelling of its words: %s",
  async (name) => {
    const id = name.toLowerCase().replaceAll(/[ -]/g, "_")
    const search = new URLSearchParams({ metric: name })
    const related = new URLSearchParams({ outcome: name, factor: "Strain" })
    for (const path of [`trend?${search}`, `compare?${search}`, `relate?${related}`]) {
      const answer = await fetch(`${service.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${key}` } })
      const body: unknown = await answer.json()
      expect([path, answer.status, body]).toEqual([
        path,
        200,
        expect.objectContaining(path.startsWith("relate") ? { outcome: id, factor: "strain" } : { metric: id }),
      ])
    }
  },
)

/** Mean on the clock, minutes. */
function clockMean(times: readonly string[]): number {
  const angles = times.map((time) => {
    const [hours = 0, minutes = 0] = time.split(":").map(Number)
    return ((hours * 60 + minutes) * Math.PI) / 720
  })
  const sum = (of: (angle: number) => number) => angles.reduce((total, angle) => total + of(angle), 0)
  return (Math.atan2(sum(Math.sin), sum(Math.cos)) * 720) / Math.PI
}

test("trends by weekend and social jetlag go by the person's days off, and an answer from before they changed is out of date", async () => {
  const person = service.simulator.people.add({ email: "noor@example.com", traits: officeWorker })
  const { key: ownKey, member: own } = await Member.connected(service, person)
  const ask = (query: string, headers: Record<string, string> = {}) =>
    fetch(`${service.url}/api/v1/trend?days=180&points=true&${query}`, {
      headers: { authorization: `Bearer ${ownKey}`, ...headers },
    })
  const trend = async (query: string) => TrendResponseSchema.parse(await (await ask(query)).json())
  const prefer = async (change: object) =>
    expect((await own.send("PUT", "/api/account/preferences", change)).status).toBe(200)
  /** @param off 5 is Friday */
  const expectDaysOff = async (off: readonly number[]) => {
    const isOff = ([date]: readonly [string, unknown]) => off.includes(Temporal.PlainDate.from(date).dayOfWeek)
    const { groups, points } = await trend("metric=asleep&by=weekend")
    const [working = [], free = []] = [false, true].map((wanted) => points?.filter((each) => isOff(each) === wanted))
    const mean = (of: typeof free) => of.reduce((sum, [, value]) => sum + Number(value), 0) / of.length
    expect(groups).toMatchObject([
      { group: "working_day", n: working.length, mean: expect.closeTo(mean(working), 1) },
      { group: "weekend", n: free.length, mean: expect.closeTo(mean(free), 1) },
    ])
    const { extras, points: middles = [] } = await trend("metric=midsleep")
    const timesOf = (wanted: boolean) =>
      middles?.filter((each) => isOff(each) === wanted).map(([, time]) => String(time)) ?? []
    const jetlag = extras?.social_jetlag_minutes ?? Number.NaN
    // The listed times are whole minutes.
    expect(Math.abs(clockMean(timesOf(true)) - clockMean(timesOf(false)) - jetlag)).toBeLessThan(2)
    return jetlag
  }
  const atWeekends = await expectDaysOff([6, 7])
  const etag = (await ask("metric=midsleep")).headers.get("etag") ?? ""
  await prefer({ clock: "12h" })
  expect((await ask("metric=midsleep", { "if-none-match": etag })).status).toBe(304)
  await prefer({ days_off: ["friday", "saturday"] })
  expect((await ask("metric=midsleep", { "if-none-match": etag })).status).toBe(200)
  expect(Math.abs((await expectDaysOff([5, 6])) - atWeekends)).toBeGreaterThan(5)
  await prefer({ days_off: null })
  expect(await expectDaysOff([6, 7])).toBe(atWeekends)
})
