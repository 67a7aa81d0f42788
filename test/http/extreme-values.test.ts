// Values at the ends of what a format allows, and words that every object of the language knows: refused or answered, never 500.
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { newToken, push, rowsOfNight } from "../pushes/pusher.ts"

let service: TestService
let member: Member
let key: string
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-20T21:00:00Z"), isStill: true })
  member = new Member(service)
  await member.signUp()
  key = await member.newKey()
  const { token } = await newToken(member, "first")
  expect((await push(service, { records: rowsOfNight("2026-11-20") }, { token })).status).toBe(200)
})
afterAll(() => service.close())

const read = (path: string) => fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } })

describe("instants and dates at the ends of the calendar", () => {
  const YEARS = ["0000", "0001", "0099", "1899", "2201", "9999"]
  test.each(YEARS)("of the year %s are refused at their parameter", async (year) => {
    const [one, two] = [`${year}-01-01T00:00:00Z`, `${year}-12-31T23:59:59.999Z`]
    const offset = `${year}-12-31T23:59:59-23:59`.replace("+", "%2B")
    for (const [query, field] of [
      [`start=${one}&end=${two}`, "start"],
      [`start=2026-11-20T00:00:00Z&end=${two}`, year < "2000" ? undefined : "end"],
      [`start=${offset}&end=${two}`, "start"],
      [`start_date=${year}-01-01&end_date=${year}-12-31`, "start_date"],
    ] as const) {
      const answer = await read(`/api/v1/series?type=heart_rate&${query}`)
      const { field: named } = await answer.json()
      expect(answer.status, query).toBe(400)
      if (field !== undefined) expect(named, query).toBe(field)
    }
    for (const path of [
      `/api/v1/health?type=sleep&start_date=${year}-01-01`,
      `/api/v1/health?type=sleep&end_date=${year}-12-31`,
      `/api/v1/trend?metric=hrv&start_date=${year}-12-31`,
      `/api/v1/compare?metric=hrv&with_start_date=${year}-01-01&with_end_date=${year}-01-02`,
    ])
      expect((await read(path)).status, path).toBe(400)
    expect((await member.send("GET", `/api/account/journal/${year}-12-31`)).status).toBe(400)
  })

  test.each(["1900-01-01", "2200-12-31"])("%s, the last that is allowed, is answered", async (date) => {
    for (const offset of ["Z", "%2B14:00", "-12:00"]) {
      const query = `start=${date}T00:00:00${offset}&end=${date}T23:59:59${offset}`
      for (const resolution of ["raw", "1h", "1d"])
        expect((await read(`/api/v1/series?type=steps&resolution=${resolution}&${query}`)).status, query).toBe(200)
    }
    const dates = `start_date=${date}&end_date=${date}`
    for (const path of [`series?type=hrv&${dates}`, `health?type=sleep&${dates}`, `trend?metric=hrv&${dates}`])
      expect((await read(`/api/v1/${path}`)).status, path).toBe(200)
  })
})

/** Properties of every object of the language. */
const WORDS = ["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty", "isPrototypeOf"]

describe("words that every object knows", () => {
  test.each(WORDS)("%s as unit, type, value and source of a pushed row is ignored or stored", async (word) => {
    const { token } = await newToken(member, word)
    const row = { type: "weight", start: "2026-11-19T08:00:00+01:00", value: 61 }
    const records = [
      { ...row, unit: word },
      { ...row, type: word },
      { ...row, type: "steps", end: "2026-11-19T09:00:00+01:00", unit: word },
      { ...row, source: word },
      { ...row, type: "sleep_segment", end: "2026-11-19T09:00:00+01:00", value: word },
      { ...row, type: "workout", end: "2026-11-19T09:00:00+01:00", value: word },
    ]
    const answer = await push(service, { records }, { token })
    expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)])
    const metric = { name: "weight_body_mass", units: word, data: [{ date: "2026-11-19 08:00:00 +0100", qty: 61 }] }
    const body = { data: { metrics: [metric, { ...metric, name: word }], workouts: [{ name: word }] } }
    const exported = await push(service, body, { token, path: "/api/ingest/health-auto-export" })
    expect([exported.status, await exported.text()]).toEqual([200, expect.any(String)])
  })

  test.each(WORDS)("%s as a parameter is refused in words", async (word) => {
    for (const path of [
      `health?type=${word}`,
      `health?${word}=1`,
      `health?type=sleep&fields=${word}`,
      `health?source=${word}`,
      `trend?metric=${word}`,
      `trend?metric=hrv&by=${word}`,
      `relate?outcome=hrv&factor=${word}`,
      `series?type=${word}`,
      `series?type=steps&resolution=${word}`,
      `sports?sport=${word}`,
    ])
      expect([200, 400, 404], path).toContain((await read(`/api/v1/${path}`)).status)
    const { status } = await member.send("PUT", "/api/account/journal/2026-11-20", {
      answers: [{ factor: word, answer: true }],
    })
    expect(status).toBe(400)
    expect((await member.send("PUT", "/api/account/preferences", { units: word })).status).toBe(400)
    expect((await member.send("PUT", "/api/account/sources", { order: { [word]: ["whoop"] } })).status).toBeLessThan(
      500,
    )
  })
})

describe("text that is cut or broken", () => {
  test("of pushed workouts is stored without halves of characters", async () => {
    const { token } = await newToken(member, "halves")
    const times = { start: "2026-11-18T08:00:00+01:00", end: "2026-11-18T09:00:00+01:00" }
    const halves = ["\ud800", "a\udc00b", `${"x".repeat(99)}😀`, `${"x".repeat(79)}😀`, "\0", "a\u0000b"]
    const records = halves.flatMap((text, index) => [
      { ...times, type: "workout", value: text, source: `w${index}` },
      { ...times, type: "workout", value: "running", source: text },
      { ...times, type: "workout", value: "running", id: text, source: `i${index}` },
      { ...times, type: text, value: text },
      { ...times, type: "weight", value: 61, unit: text },
    ])
    const answer = await push(service, { records }, { token })
    expect(answer.status, await answer.text()).toBeLessThan(500)
    const workouts = halves.map((text) => ({ ...times, name: text, id: text, start: times.start, end: times.end }))
    const body = { data: { metrics: halves.map((name) => ({ name, units: name, data: [] })), workouts } }
    const exported = await push(service, body, { token, path: "/api/ingest/health-auto-export" })
    expect(exported.status, await exported.text()).toBeLessThan(500)
    expect((await read("/api/v1/health?type=workout&days=7")).status).toBe(200)
  })

  test.each(["𐐀".repeat(40), `a${"𐐀".repeat(40)}`, `ab${"𠀀".repeat(40)}`])(
    "of a topic of the journal is cut between characters: %s",
    async (words) => {
      const answers = [{ factor: `own:${words}`, title: "Pizza", answer: true }]
      const answer = await member.send("PUT", "/api/account/journal/2026-11-20", { answers })
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("Pizza")])
    },
  )
})

test("no answers at all change nothing of the journal", async () => {
  const path = "/api/account/journal/2026-11-19"
  await member.send("PUT", path, { answers: [{ factor: "alcohol", answer: true }] })
  const before = await (await member.send("GET", path)).json()
  const answer = await member.send("PUT", path, { answers: [] })
  expect([answer.status, await answer.json()]).toEqual([200, before])
})

describe("time zones", () => {
  const ALIASES = ["PST", "ACT", "JST", "IST", "SystemV/AST4", "US/Pacific-New", "EST", "GMT0", "UCT", "US/Pacific"]
  const ODD = ["T00:00[Europe/Berlin]", "Factory", "localtime", "posixrules", "europe/berlin", "Z", "Etc/Unknown"]
  test("that are taken are ones by which every read counts its days", async () => {
    const statuses = new Set<number>()
    const everywhere = Intl.supportedValuesOf("timeZone").filter((_, index) => index % 20 === 0)
    for (const time_zone of [...ALIASES, ...ODD, ...everywhere]) {
      const change = await member.send("PUT", "/api/account/preferences", { time_zone })
      expect([200, 400], time_zone).toContain(change.status)
      statuses.add(change.status)
      for (const path of ["/api/account/trends?days=1", "/api/account/journal/2026-11-19"])
        expect((await member.send("GET", path)).status, time_zone).toBe(200)
      expect((await read("/api/v1/health?type=summary")).status, time_zone).toBe(200)
    }
    expect([...statuses].toSorted()).toEqual([200, 400])
  })
})
