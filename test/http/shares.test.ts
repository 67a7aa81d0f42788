/* Links for others: within its types and dates a share opens the report, and nothing else. */
import { type SharedReport, SharedReportSchema, ShareResponseSchema, SharesResponseSchema } from "@restwell/client"
import { expectDescribed, Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { readAccessLog, readSecurityLog } from "./read-logs.ts"

const PATH = "/api/account/shares"
const REPORT = "/api/shared/report"
const DAY_MS = 86_400_000

let service: TestService
let member: Member
let key: string
let other: Member
beforeAll(async () => {
  service = await startTestService({ days: 200, now: new Date(), isStill: true })
  const { people } = service.simulator
  ;({ member, key } = await Member.connected(service, people.add({ email: "ada@vendor.example" })))
  ;({ member: other } = await Member.connected(service, people.add({ email: "omar@vendor.example" })))
}, 120_000)
afterAll(() => service.close())

async function make(wanted: object = {}, owner = member): Promise<{ id: string; url: string; token: string }> {
  const response = await owner.send("POST", PATH, { name: "Dr. Weber", ...wanted })
  expect([response.status, await response.clone().text()]).toEqual([201, expect.any(String)])
  const { id, url } = ShareResponseSchema.parse(await response.json())
  return { id, url, token: new URL(url).hash.slice(1) }
}

async function open(token: string, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(service.url + REPORT, { headers: { authorization: `Bearer ${token}`, ...headers } })
  await expectDescribed(service.url, "GET", REPORT, response)
  return response
}

async function report(token: string): Promise<SharedReport> {
  const response = await open(token)
  expect(response.status).toBe(200)
  return SharedReportSchema.parse(await response.json())
}

const list = async (owner = member) => SharesResponseSchema.parse(await (await owner.send("GET", PATH)).json()).shares
const read = async (path: string) => (await member.send("GET", path)).json()
const inDays = (days: number) => new Date(service.simulator.clock.nowMs() + days * DAY_MS)

test("a share opens the report of all of it, and says whose it is", async () => {
  const { url, token } = await make()
  expect(url).toBe(`${service.url}/shared#${token}`)
  expect(token).toMatch(/^rws_[0-9A-Za-z]{38}$/)
  const { shared, ...page } = await report(token)
  expect(page).toEqual(await read("/api/account/pages/report?days=all"))
  expect(shared).toMatchObject({ name: "Dr. Weber", by: "Ada", types: null, days: null })
  const response = await open(token)
  expect(response.headers.get("cache-control")).toBe("no-store")
  expect(response.headers.get("x-robots-tag")).toBe("noindex")
  expect(response.headers.get("referrer-policy")).toBe("no-referrer")
})

test("everything in the report is computed from the window's dates alone", async () => {
  const { token } = await make({ days: 20 })
  const page = await report(token)
  const from = page.period.start_date
  expect(page.period.days).toBe(20)
  expect(page.days.map(({ date }) => date)).toHaveLength(20)
  const { period } = await read("/api/account/pages/report?days=20")
  expect(page.period).toEqual(period)
  for (const { metric, trend, comparison } of page.figures) {
    expect(comparison).toBeNull()
    expect(metric.first_date ?? from, metric.id).toSatisfy((date: string) => date >= from)
    expect(metric.n).toBeLessThanOrEqual(20)
    expect(trend.usual?.n ?? 0).toBeLessThan(20)
  }
  expect(page.oldest_date).toSatisfy((date: string) => date >= from)
  // The first dates have too few values before them in the window.
  for (const day of page.days.slice(0, 5)) expect([day.hrv_band, day.asleep_band]).toEqual([null, null])
  await before(token, from)
})

/** What happened before the window changes nothing in the report. */
async function before(token: string, from: string): Promise<void> {
  const first = await report(token)
  await service.store.pool.query(
    `update restwell.record set detail = jsonb_set(detail::jsonb, '{hrvMs}', '123')
     where kind = 'recovery' and date < $1 and user_id = (select id from restwell."user" where email = $2)`,
    [from, member.email],
  )
  await service.store.pool.query("update restwell.person set data_version = data_version + 1")
  expect(await report(token)).toEqual(first)
}

test.each([
  ["sleep", ["asleep", "bedtime", "sleep_efficiency", "wake_time", "respiratory_rate"]],
  ["recovery", ["recovery_score", "hrv", "resting_heart_rate", "spo2", "skin_temp_deviation"]],
  ["cycle", ["strain"]],
] as const)("a share of %s has nothing else", async (type, metrics) => {
  const { token } = await make({ types: [type], days: 30 })
  const { days, figures, strain_by_recovery, journal } = await report(token)
  expect(figures.length).toBeGreaterThan(0)
  for (const { metric } of figures) expect(metrics).toContain(metric.id)
  expect(strain_by_recovery).toBeNull()
  expect(journal).toEqual([])
  const parts = { sleep: "sleep", recovery: "recovery", cycle: "strain" } as const
  for (const day of days) {
    for (const [kind, part] of Object.entries(parts)) if (kind !== type) expect(day[part], part).toBeNull()
    expect(day.workouts).toEqual([])
    if (type !== "sleep") expect([day.naps, day.nap_hours]).toEqual([[], null])
    if (type !== "recovery") expect([day.hrv_band, day.resting_heart_rate_band]).toEqual([null, null])
  }
  expect(days.some((day) => day[parts[type]] !== null)).toBe(true)
})

test("the journal is in a report only where the share names it, and the log says so", async () => {
  const date = inDays(-1).toISOString().slice(0, 10)
  const answered = await member.send("PUT", `/api/account/journal/${date}`, {
    answers: [{ factor: "alcohol", answer: true }],
  })
  expect(answered.status).toBeLessThan(300)
  const typesOfView = async () => {
    const { entries } = await read("/api/account/access-log")
    return entries[0].types
  }
  expect((await report((await make({ types: null })).token)).journal).toEqual([])
  expect(await typesOfView()).not.toContain("journal")
  expect((await report((await make({ types: ["journal"] })).token)).journal.length).toBeGreaterThan(0)
  expect(await typesOfView()).toEqual(["journal"])
})

test("the share of one person has nothing of another, and only its person lists and ends it", async () => {
  const { id, token } = await make({ name: "Coach" }, other)
  const { shared: _, ...page } = await report(token)
  expect(page).toEqual(await (await other.send("GET", "/api/account/pages/report?days=all")).json())
  expect((await list()).some((share) => share.id === id)).toBe(false)
  expect((await member.send("DELETE", `${PATH}/${id}`)).status).toBe(404)
  expect((await open(token)).status).toBe(200)
})

describe("nothing else is opened, and nothing else opens a report", () => {
  test("the token of a share is refused elsewhere", async () => {
    const { token } = await make()
    const headers = { authorization: `Bearer ${token}` }
    const paths = ["/api/v1/health", "/api/v1/trend?metric=hrv", "/api/account", PATH, "/api/account/pages/report"]
    for (const path of paths) expect((await fetch(service.url + path, { headers })).status, path).toBe(401)
    expect((await fetch(`${service.url}/api/mcp/oauth`, { method: "POST", headers })).status).toBe(401)
    const push = await fetch(`${service.url}/api/ingest/records`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: "{}",
    })
    expect(push.status).toBe(401)
    const refused = await (await fetch(`${service.url}/api/v1/health`, { headers })).json()
    expect(refused.message).toContain("opens a shared report alone")
  })

  test("an API key, a session and a wrong token open no report", async () => {
    expect((await open(key)).status).toBe(401)
    expect((await member.send("GET", REPORT)).status).toBe(401)
    const { token } = await make()
    expect((await open(`${token.slice(0, -1)}${token.endsWith("x") ? "y" : "x"}`)).status).toBe(401)
    expect((await fetch(`${service.url}${REPORT}?token=${token}`)).status).toBe(401)
  })
})

test("a share ends with its date, at the latest after a year, and by itself after 30 days", async () => {
  const usual = await make({ name: "usual" })
  const end = new Date((await list()).find(({ id }) => id === usual.id)?.expires_at ?? "")
  expect(end.getTime()).toBeGreaterThan(inDays(30).getTime() - 1)
  expect(end.getTime()).toBeLessThanOrEqual(inDays(31).getTime())
  const refused = async (expires_at: string) => {
    const response = await member.send("POST", PATH, { name: "late", expires_at })
    return [response.status, (await response.json()).field]
  }
  expect(await refused(inDays(367).toISOString())).toEqual([400, "expires_at"])
  expect(await refused(inDays(-1).toISOString())).toEqual([400, "expires_at"])
  expect(await refused("soon")).toEqual([400, "expires_at"])
  const year = await make({ expires_at: inDays(365).toISOString() })
  const short = await make({ expires_at: new Date(service.simulator.clock.nowMs() + 60_000).toISOString() })
  expect((await open(short.token)).status).toBe(200)
  service.simulator.clock.advance(61_000)
  const gone = await open(short.token)
  expect(gone.status).toBe(401)
  expect((await gone.json()).message).toBe("this link has expired, ask the person who sent it for a new one")
  expect((await open(year.token)).status).toBe(200)
})

test.each([
  ["a year with 29 February is a year", "2027-03-15T12:00:00Z", "2028-03-15", 201],
  ["a day more is not", "2027-03-15T12:00:00Z", "2028-03-16", 400],
  ["the date after 29 February", "2028-02-29T12:00:00Z", "2029-02-28", 201],
  ["365 days end on the next date after a clock change", "2025-03-29T22:30:00Z", "2026-03-29T22:30:00.000Z", 201],
])("%s", async (_, now, expires_at, status) => {
  await using stack = new AsyncDisposableStack()
  const berlin = await startTestService({ days: 1, now: new Date(now), isStill: true })
  stack.defer(() => berlin.close())
  const owner = new Member(berlin)
  await owner.signUp()
  await owner.send("PUT", "/api/account/preferences", { time_zone: "Europe/Berlin" })
  expect((await owner.send("POST", PATH, { name: "Dr. Weber", expires_at })).status).toBe(status)
})

test("a share of the summary has what a summary has, and the log says so", async () => {
  const { shared: _, ...page } = await report((await make({ types: ["summary"], days: 30 })).token)
  const types = ["sleep", "recovery", "workout", "cycle"]
  expect((await readAccessLog(member)).entries[0]?.types).toEqual(types)
  const { shared: __, ...named } = await report((await make({ types, days: 30 })).token)
  expect(page).toEqual(named)
  expect(page.figures.length).toBeGreaterThan(0)
})

test.each([[["statistics"]], [["profile"]], [["profile", "statistics"]]])(
  "a share of %j, of which a report has nothing, is refused, and one of sleep beside it is made",
  async (types) => {
    const refused = await member.send("POST", PATH, { name: "nothing", types })
    const message = expect.stringContaining(
      "must have one of summary, sleep, recovery, workout, cycle, journal, series",
    )
    expect([refused.status, await refused.json()]).toEqual([400, expect.objectContaining({ field: "types", message })])
    const { id } = await make({ types: ["sleep", ...types] })
    expect((await member.send("DELETE", `${PATH}/${id}`)).status).toBe(204)
  },
)

test("a view is in the access log with the share's name, and counts against no quota", async () => {
  const { token, id } = await make({ name: "Coach Kim", types: ["sleep"], days: 14 })
  const used = async () => (await read("/api/account")).usage.used
  const before = await used()
  const { period } = await report(token)
  expect(await used()).toBe(before)
  const [entry] = (await readAccessLog(member)).entries
  expect(entry).toMatchObject({
    reader: "share",
    key_name: "Coach Kim",
    operation: REPORT,
    types: ["sleep"],
    start_date: period.start_date,
    end_date: period.end_date,
    outcome: "answered",
  })
  expect((await list()).find((share) => share.id === id)?.last_viewed_at).toBe(
    new Date(service.simulator.clock.nowMs()).toISOString(),
  )
})

test("an ended share opens nothing from then on, however many views run at the time", async () => {
  const { token, id } = await make({ name: "ends", days: 30 })
  const views = Array.from({ length: 6 }, () => open(token))
  const [ended] = await Promise.all([member.send("DELETE", `${PATH}/${id}`)])
  expect(ended.status).toBe(204)
  const statuses = (await Promise.all(views)).map(({ status }) => status)
  for (const status of statuses) expect([200, 401]).toContain(status)
  const answered = statuses.filter((status) => status === 200).length
  const { entries } = await readAccessLog(member)
  expect(entries.filter(({ key_name: name }) => name === "ends")).toHaveLength(answered)
  const refused = await open(token)
  expect(refused.status).toBe(401)
  expect((await refused.json()).message).toBe("this link was ended, ask the person who sent it for a new one")
  expect((await member.send("DELETE", `${PATH}/${id}`)).status).toBe(404)
  const types = (await readSecurityLog(member)).entries.map(({ type }) => type)
  expect(types.slice(0, 2)).toEqual(["share_ended", "share_created"])
})

test("views of one share are limited, and those of another are not", async () => {
  const [one, two] = [await make({ days: 7 }), await make({ days: 7 })]
  const statuses: number[] = []
  for (let view = 0; view < 31; view += 1) statuses.push((await open(one.token)).status)
  expect(statuses.indexOf(429)).toBe(30)
  expect((await open(two.token)).status).toBe(200)
})

test("a person has at most twenty, and the export has them without the tokens", async () => {
  const { member: many } = await Member.connected(
    service,
    service.simulator.people.add({ email: "kim@vendor.example" }),
  )
  const made = await Promise.all(Array.from({ length: 21 }, () => many.send("POST", PATH, { name: "one of many" })))
  expect(made.map(({ status }) => status).toSorted()).toEqual([...Array(20).fill(201), 409])
  const text = await (await many.send("GET", "/api/account/export")).text()
  const { shares } = JSON.parse(text)
  expect(shares).toHaveLength(20)
  expect(shares[0]).toMatchObject({ name: "one of many", types: null, days: null, last_viewed_at: null })
  expect(text).not.toContain("token_hash")
  const [first] = made.filter(({ status }) => status === 201)
  const { url } = ShareResponseSchema.parse(await first?.json())
  await many.send("DELETE", "/api/account", { password: many.password })
  expect((await open(new URL(url).hash.slice(1))).status).toBe(401)
})
