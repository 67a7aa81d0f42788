import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { importedArchive } from "../imports/upload-archive.ts"
import { newToken, push, pushed, rowsOfNight, TOKENS } from "./pusher.ts"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-20T23:30:00Z"), isStill: true })
})
afterAll(() => service.close())

async function person() {
  const member = new Member(service)
  await member.signUp()
  await member.send("PUT", "/api/account/preferences", { time_zone: "Europe/Berlin" })
  const { id, token } = await newToken(member)
  const read = async (type: string, search = "&days=7") =>
    (await readHealth(service.url, await key, `?type=${type}${search}`)).json()
  const key = member.newKey()
  return { member, id, token, read, key: await key }
}

const DATE = "2026-11-20"

const workoutOn = (date: string, offset = "+01:00") => ({
  type: "workout",
  start: `${date}T18:00:00${offset}`,
  end: `${date}T18:45:00${offset}`,
  source: "Apple Watch",
})

test("a pushed night is a sleep, a recovery, a day and a workout of the source phone", async () => {
  const { token, read } = await person()
  const rows = rowsOfNight(DATE)
  expect(await pushed(service, { records: rows }, { token })).toEqual({
    stored: rows.length,
    unchanged: 0,
    ignored: [],
  })
  const sleep = await read("sleep")
  expect(sleep.sources).toEqual([{ provider: "phone", status: "ok", last_synced_at: "2026-11-20T23:30:00.000Z" }])
  expect(sleep.records).toMatchObject([
    {
      date: DATE,
      source: "phone",
      device: "Apple Watch",
      asleep_hours: 7.33,
      start_local: "2026-11-19T23:10:00+01:00",
    },
  ])
  expect((await read("recovery")).records).toMatchObject([
    { date: DATE, score: null, hrv: 50, hrv_method: "sdnn", resting_heart_rate: 52, device: "Apple Watch" },
  ])
  // The phone's steps of the same half hour are not added.
  expect((await read("cycle")).records).toMatchObject([{ date: DATE, steps: 3000 }])
  expect((await read("workout")).records).toMatchObject([
    { date: DATE, sport_type: "running", start_local: "2026-11-20T18:00:00+01:00", device: "Apple Watch" },
  ])
})

test("a sport has one spelling in every answer, whatever programs and questions call it", async () => {
  const { token, key } = await person()
  const names = ["ice-hockey", "Ice Hockey", "ice_hockey", "IceHockey", "ICE_HOCKEY"]
  const rows = names.map((value, index) => ({ ...workoutOn(`2026-11-1${index}`), value }))
  await pushed(service, { records: [...rows, { ...workoutOn("2026-11-15"), value: "curling" }] }, { token })
  const get = async (path: string) =>
    (await fetch(`${service.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${key}` } })).json()
  expect((await get("sports")).sports).toMatchObject([
    { sport_type: "ice-hockey", count: 5 },
    { sport_type: "curling", count: 1 },
  ])
  for (const sport of names.map(encodeURIComponent)) {
    const { records } = await get(`health?type=workout&days=14&sport=${sport}`)
    expect(new Set(records.map(({ sport_type: type }: { sport_type: string }) => type))).toEqual(
      new Set(["ice-hockey"]),
    )
    expect((await get(`sports?sport=${sport}`)).sports).toMatchObject([{ count: records.length }])
    expect(await get(`trend?metric=workout_count&sport=${sport}`)).toMatchObject({ sum: records.length, n: 6 })
    const relation = await get(`relate?outcome=workout&factor=workout:${sport}`)
    expect(relation).toMatchObject({ factor: "workout:ice-hockey", yes: { n: 5 }, no: { n: 1 } })
  }
})

test("dates before and after a clock change begin at the midnights of their own clock, in summaries and in series", async () => {
  const october = { start: "2026-09-30T22:00:00.000Z", end: "2026-10-31T23:00:00.000Z" }
  const dates = "&start_date=2026-10-01&end_date=2026-10-31"
  const workouts = [workoutOn("2026-10-02", "+02:00"), workoutOn("2026-10-26"), workoutOn(DATE)].map((row) => ({
    ...row,
    value: "running",
  }))
  // The clock of records, and without any record that of the account.
  for (const records of [workouts, [{ type: "weight", start: "2026-10-02T07:00:00Z", value: 70, unit: "kg" }]]) {
    const { token, read, key } = await person()
    await pushed(service, { records }, { token })
    expect((await read("summary", dates)).period).toMatchObject(october)
    const series = await fetch(`${service.url}/api/v1/series?type=weight${dates}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    expect(await series.json()).toMatchObject(october)
  }
})

test("steps without an offset are of one date in days, series and summaries, also before a clock change", async () => {
  const { token, read, key } = await person()
  const steps = (start: string, end: string, value: number) => ({ type: "steps", start, end, value, unit: "count" })
  // Half past midnight in Berlin's summer, which is an hour earlier on the clock of winter.
  const night = steps("2026-10-01T22:30:00Z", "2026-10-01T22:40:00Z", 500)
  await pushed(service, { records: [night, steps("2026-11-20T10:00:00Z", "2026-11-20T11:00:00Z", 900)] }, { token })
  const dates = "&start_date=2026-10-01&end_date=2026-10-03"
  expect((await read("cycle", dates)).records).toMatchObject([{ date: "2026-10-02", steps: 500 }])
  const series = await fetch(`${service.url}/api/v1/series?type=steps&resolution=1d${dates}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  expect((await series.json()).points).toMatchObject([{ date: "2026-10-02", sum: 500 }])
  expect((await read("summary", "&start_date=2026-10-02&end_date=2026-10-02")).period).toMatchObject({
    start: "2026-10-01T22:00:00.000Z",
  })
})

test("a repeat changes nothing, also in gzip, and a doubled row is unchanged", async () => {
  const { token, read } = await person()
  const rows = rowsOfNight(DATE)
  await pushed(service, { records: rows }, { token })
  const before = await read("sleep")
  const again = await pushed(service, { records: [...rows, ...rows] }, { token, isZipped: true })
  for (const coding of ["GZIP", "x-gzip", " X-GZip "])
    await pushed(service, { records: rows }, { token, isZipped: true, headers: { "content-encoding": coding } })
  await pushed(service, { records: rows }, { token, headers: { "content-encoding": "Identity" } })
  expect(again).toEqual({ stored: 0, unchanged: 2 * rows.length, ignored: [] })
  expect(await read("sleep")).toEqual(before)
})

test("samples come in columns, and answer within the day", async () => {
  const { token, key } = await person()
  const series = [
    {
      type: "heart_rate",
      source: "Band",
      unit: "bpm",
      start: "2026-11-20T10:00:00+01:00",
      offsets_seconds: [0, 5, 10, 15],
      values: [61, 62, null, 999],
    },
  ]
  expect(await pushed(service, { series }, { token })).toEqual({
    stored: 2,
    unchanged: 0,
    ignored: [{ reason: "heart_rate: outside 20 to 300 bpm", count: 1 }],
  })
  const answer = await fetch(
    `${service.url}/api/v1/series?type=heart_rate&start_date=${DATE}&end_date=${DATE}&resolution=raw`,
    {
      headers: { authorization: `Bearer ${key}` },
    },
  )
  expect((await answer.json()).points).toEqual([
    { time: "2026-11-20T09:00:00.000Z", value: 61 },
    { time: "2026-11-20T09:00:05.000Z", value: 62 },
  ])
})

test("rows that cannot be used are counted by reason, and the others are stored", async () => {
  const { token } = await person()
  const good = { type: "weight", start: "2026-11-20T07:00:00Z", value: 70, unit: "kg" }
  const records = [
    good,
    { ...good, type: "mood" },
    { ...good, unit: "stone tablets" },
    { ...good, start: "2026-11-20T07:00:00" },
    { ...good, start: "2027-11-20T07:00:00Z" },
    { ...good, value: null },
    { type: "sleep_segment", start: "2026-11-20T01:00:00Z", end: "2026-11-20T00:00:00Z", value: "deep" },
    { type: "sleep_segment", start: "2026-11-20T01:00:00Z", end: "2026-11-20T02:00:00Z", value: "dozing" },
    7,
  ]
  const { stored, ignored } = await pushed(service, { records }, { token })
  expect(stored).toBe(1)
  expect(ignored.toSorted((one, other) => (one.reason < other.reason ? -1 : 1))).toEqual([
    { reason: "a row is missing or has the wrong type", count: 1 },
    { reason: "sleep_segment: it does not end after its start", count: 1 },
    { reason: "sleep_segment: unknown stage", count: 1 },
    { reason: "unknown type mood", count: 1 },
    { reason: "value is missing or has the wrong type", count: 1 },
    { reason: "weight: more than a day in the future", count: 1 },
    { reason: "weight: start is not an instant with an offset", count: 1 },
    { reason: "weight: unknown unit stone tablets", count: 1 },
  ])
})

test("units of other countries are converted", async () => {
  const { token, key } = await person()
  const start = "2026-11-20T07:00:00Z"
  await pushed(
    service,
    {
      records: [
        { type: "weight", start, value: "154,3", unit: "lb" },
        { type: "body_fat", start, value: 0.215, unit: "%" },
      ],
    },
    { token },
  )
  const read = async (type: string) =>
    (
      await (
        await fetch(`${service.url}/api/v1/series?type=${type}`, { headers: { authorization: `Bearer ${key}` } })
      ).json()
    ).points[0].value
  expect([await read("weight"), await read("body_fat")]).toEqual([69.989, 21.5])
})

test("a token only pushes: every read answers 401 in words, and the API key pushes nothing", async () => {
  const { token, key, member } = await person()
  for (const path of ["/api/v1/health?type=sleep", "/api/v1/metrics", "/api/v1/series?type=weight", "/api/account"]) {
    const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${token}` } })
    expect([path, response.status]).toEqual([path, 401])
    if (path.startsWith("/api/v1")) expect((await response.json()).message).toContain("this token can only push")
  }
  const connector = await fetch(`${service.url}/api/mcp/oauth`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: "{}",
  })
  expect(connector.status).toBe(401)
  const byKey = await push(service, { records: [] }, { token: key })
  expect([byKey.status, (await byKey.json()).message]).toEqual([401, expect.stringContaining("this is the API key")])
  const listed = await (await member.send("GET", TOKENS)).json()
  expect(listed.tokens).toMatchObject([{ name: "Ada's phone", prefix: token.slice(0, 9), last_used_at: null }])
})

test("a token is listed with its last use, and ends at once", async () => {
  const { token, member, id } = await person()
  await pushed(service, { records: [] }, { token })
  const { tokens } = await (await member.send("GET", TOKENS)).json()
  expect(tokens).toMatchObject([{ last_used_at: "2026-11-20T23:30:00.000Z" }])
  expect((await member.send("DELETE", `${TOKENS}/${id}`)).status).toBe(204)
  const refused = await push(service, { records: [] }, { token })
  expect([refused.status, (await refused.json()).message]).toEqual([401, expect.stringContaining("it was ended")])
  expect((await member.send("DELETE", `${TOKENS}/${id}`)).status).toBe(404)
})

test("one person's tokens and pushes are not another's", async () => {
  const one = await person()
  const other = await person()
  await pushed(service, { records: rowsOfNight(DATE) }, one)
  expect((await readHealth(service.url, other.key, "?type=sleep")).status).toBe(404)
  expect((await other.member.send("DELETE", `${TOKENS}/${one.id}`)).status).toBe(404)
  await pushed(service, { records: rowsOfNight(DATE, { restingHeartRate: 70 }) }, other)
  expect((await one.read("recovery")).records[0].resting_heart_rate).toBe(52)
})

test("removing all pushes removes their source", async () => {
  const { member, token, key } = await person()
  await pushed(service, { records: rowsOfNight(DATE) }, { token })
  const { imports } = await (await member.send("GET", "/api/imports")).json()
  expect(imports).toMatchObject([
    { kind: "push", status: "done", report: { by_type: { sleep: 1, recovery: 1, cycle: 1, workout: 1 } } },
  ])
  expect((await member.send("DELETE", `/api/imports/${imports[0].id}`)).status).toBe(204)
  expect((await readHealth(service.url, key, "?type=sleep")).status).toBe(404)
})

const ExportSchema = z.looseObject({
  push_tokens: z.array(z.object({ name: z.string(), prefix: z.string() })),
  pushed_rows: z.array(
    z.looseObject({ provider: z.string(), type: z.string(), start: z.string(), source: z.string() }),
  ),
})

test("the export has each row as it came and no token, and an import says that it leaves them out", async () => {
  const { member, token, read } = await person()
  const rows = rowsOfNight(DATE)
  await pushed(service, { records: rows }, { token })
  const text = await (await member.send("GET", "/api/account/export")).text()
  const { pushed_rows: exported, push_tokens: tokens } = ExportSchema.parse(JSON.parse(text))
  const shown = ({ type, start, source }: { type: string; start: string; source?: string | null | undefined }) =>
    `${type} ${new Date(start).toISOString()} ${source}`
  expect(exported.map(shown).toSorted()).toEqual(rows.map(shown).toSorted())
  expect(tokens.map(({ name, prefix }) => [name, token.startsWith(prefix)])).toEqual([["Ada's phone", true]])
  expect(text).not.toContain(token)
  const other = await person()
  const done = await importedArchive(service.url, other.member, Buffer.from(text))
  expect(done?.report.notes).toEqual([
    expect.stringContaining(`${rows.length} rows as phones pushed them were left out`),
  ])
  expect((await other.read("sleep")).records).toEqual((await read("sleep")).records)
})

test("neither the removal of pushes nor that of an account leaves a row", async () => {
  const leftOf = async () =>
    (await service.store.pool.query("select count(*)::integer as count from restwell.pushed_day")).rows[0].count
  const before = await leftOf()
  const { member, token } = await person()
  await pushed(service, { records: rowsOfNight(DATE) }, { token })
  expect(await leftOf()).toBeGreaterThan(before)
  const [pushes] = (await (await member.send("GET", "/api/imports")).json()).imports
  expect((await member.send("DELETE", `/api/imports/${pushes.id}`)).status).toBe(204)
  expect(await leftOf()).toBe(before)
  await pushed(service, { records: rowsOfNight(DATE) }, { token })
  expect((await member.send("DELETE", "/api/account", { password: member.password })).status).toBe(204)
  expect(await leftOf()).toBe(before)
})

test("bodies that are broken, too large or too dense are refused in words", async () => {
  const { token } = await person()
  const refusal = async (body: unknown, options: { isZipped?: boolean; headers?: Record<string, string> } = {}) => {
    const response = await push(service, body, { token, ...options })
    return [response.status, (await response.json()).message]
  }
  expect(await refusal("{")).toEqual([400, "the body is not valid JSON"])
  expect(await refusal([])).toEqual([400, "the body must have a list records, or a list series"])
  expect(await refusal("[]", { headers: { "content-encoding": "gzip" } })).toEqual([
    400,
    "the body is not gzip, or it ended early",
  ])
  expect(await refusal("[]", { headers: { "content-encoding": "br" } })).toEqual([400, expect.stringContaining("gzip")])
  expect((await refusal(`{"records":[${" ".repeat(50 * 1_048_576)}]}`, { isZipped: true }))[0]).toBe(413)
  expect((await refusal(`{"records":[${"{},".repeat(2_000_001)}{}]}`, { isZipped: true }))[0]).toBe(413)
  expect((await refusal("a=b", { headers: { "content-type": "application/x-www-form-urlencoded" } }))[0]).toBe(415)
  expect(await pushed(service, { records: [] }, { token })).toEqual({ stored: 0, unchanged: 0, ignored: [] })
})

test("a person's pushes have a limit by the minute", async () => {
  const { token } = await person()
  const answers = await Promise.all(
    Array.from({ length: 3 }, async () => (await push(service, { records: [] }, { token })).status),
  )
  expect(answers.every((status) => status === 200 || status === 429)).toBe(true)
  for (let sent = 3; sent < 120; sent += 1) await push(service, { records: [] }, { token })
  const refused = await push(service, { records: [] }, { token })
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "60"])
  service.simulator.clock.advance(60_000)
  expect((await push(service, { records: [] }, { token })).status).toBe(200)
})
