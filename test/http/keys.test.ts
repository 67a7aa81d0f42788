/* Keys that open a part of a person's data: within their types and dates they read as the API key does, and nothing else. */
import { KeyResponseSchema, KeysResponseSchema } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { officeWorker } from "@restwell/simulator"
import { expectDescribed, Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { newToken, pushed } from "../pushes/pusher.ts"
import { readAccessLog } from "./read-logs.ts"

const PATH = "/api/account/keys"
const DAY_MS = 86_400_000

let service: TestService
let member: Member
let primary: string
beforeAll(async () => {
  service = await startTestService({ days: 60, now: new Date(), isStill: true })
  ;({ member, key: primary } = await Member.connected(
    service,
    service.simulator.people.add({ email: "ada@vendor.example" }),
  ))
})
afterAll(() => service.close())

async function make(wanted: object, owner = member): Promise<{ id: string; key: string }> {
  const response = await owner.send("POST", PATH, { name: "Home Assistant", ...wanted })
  expect([response.status, await response.clone().text()]).toEqual([201, expect.any(String)])
  const { id, api_key: key } = KeyResponseSchema.parse(await response.json())
  return { id, key }
}

async function get(key: string, path: string, headers: Record<string, string> = {}): Promise<Response> {
  const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${key}`, ...headers } })
  await expectDescribed(service.url, "GET", path, response)
  return response
}

const bodyOf = async (key: string, path: string) => {
  const response = await get(key, path)
  expect([response.status, path]).toEqual([200, path])
  return response.json()
}

/** A refusal, with its status. */
const refusal = async (key: string, path: string) => {
  const response = await get(key, path)
  return { status: response.status, ...(await response.json()) }
}

const today = async (): Promise<string> => (await bodyOf(primary, "/api/v1/health?days=1")).period.end_date
const before = (date: string, days: number) => new Date(Date.parse(date) - days * DAY_MS).toISOString().slice(0, 10)

const LISTS = ["sleep", "recovery", "workout", "cycle"]

test("a key without limits reads what the API key reads, to the byte", async () => {
  const { key } = await make({})
  for (const path of [
    ...LISTS.map((type) => `/api/v1/health?type=${type}&days=30`),
    "/api/v1/health",
    "/api/v1/sources",
  ])
    expect(await (await get(key, path)).text()).toBe(await (await get(primary, path)).text())
})

test("a type that the key lacks is 403 with its name, and costs nothing", async () => {
  const { key } = await make({ types: ["sleep", "statistics"] })
  const used = async () => Number((await get(key, "/api/v1/health?type=sleep")).headers.get("x-ratelimit-remaining"))
  const remaining = await used()
  for (const [path, scope] of [
    ["/api/v1/health", "summary"],
    ["/api/v1/health?type=recovery", "recovery"],
    ["/api/v1/health?type=profile", "profile"],
    ["/api/v1/journal", "journal"],
    ["/api/v1/series?type=heart_rate", "series"],
    ["/api/v1/trend?metric=hrv", "recovery"],
    ["/api/v1/relate?outcome=asleep&factor=strain", "cycle"],
    ["/api/v1/sports", "workout"],
  ] as const)
    expect(await refusal(key, path), path).toMatchObject({ status: 403, error: "forbidden", scope })
  expect(await refusal(key, "/api/v1/trend?metric=asleep&days=x")).toMatchObject({ status: 400 })
  expect(await used()).toBe(remaining - 1)
})

test("statistics are of the key's other types alone", async () => {
  const { key } = await make({ types: ["sleep", "statistics"] })
  const { metrics } = await bodyOf(key, "/api/v1/metrics")
  const ids = metrics.map(({ id }: { id: string }) => id)
  expect(ids).toEqual(expect.arrayContaining(["asleep", "bedtime"]))
  for (const id of ["hrv", "strain", "steps", "weight"]) expect(ids).not.toContain(id)
  const { relations } = await bodyOf(key, "/api/v1/relate?outcome=asleep&days=50")
  for (const { factor } of relations) expect(ids).toContain(factor)
  // After midnight, today has no night yet.
  const { records } = await bodyOf(key, "/api/v1/health?type=sleep&days=7")
  const day = await bodyOf(key, `/api/v1/day?date=${records[0].date}`)
  expect(day.sleep.records.length).toBeGreaterThan(0)
  expect(day.recovery).toBeNull()
  expect(await refusal((await make({ types: ["sleep"] })).key, "/api/v1/trend?metric=asleep")).toMatchObject({
    status: 403,
    scope: "statistics",
  })
})

test("the sources name what the key may read", async () => {
  const { key } = await make({ types: ["sleep"] })
  const { sources } = await bodyOf(key, "/api/v1/sources")
  expect(sources).toMatchObject([{ provider: "whoop", types: ["sleep"], series: [] }])
  expect(new Set(sources[0].fields.map(({ type }: { type: string }) => type))).toEqual(new Set(["sleep"]))
})

test("dates before the window are 403 with its first date, and a range by default is cut and says so", async () => {
  const { key } = await make({ days: 3 })
  const first = before(await today(), 2)
  for (const path of [
    "/api/v1/health?type=sleep&days=4",
    `/api/v1/health?type=sleep&start_date=${before(first, 1)}`,
    `/api/v1/health?end_date=${before(first, 1)}`,
    "/api/v1/trend?metric=hrv&days=4",
    "/api/v1/compare?metric=hrv&days=3",
    "/api/v1/compare?metric=hrv&with_start_date=2025-01-01&with_end_date=2025-01-31",
    `/api/v1/compare?metric=hrv&end_date=${before(first, 1)}`,
    "/api/v1/signs?days=4",
    "/api/v1/sports?days=4",
    `/api/v1/day?date=${before(first, 1)}`,
    "/api/v1/series?type=heart_rate&days=4",
    `/api/v1/series?type=heart_rate&start=${before(first, 2)}T00:00:00Z&end=${first}T00:00:00Z`,
  ])
    expect(await refusal(key, path), path).toMatchObject({ status: 403, error: "forbidden", from_date: first })

  const { records, note } = await bodyOf(key, "/api/v1/health?type=cycle")
  const exact = await bodyOf(primary, "/api/v1/health?type=cycle&days=3")
  expect(records).toEqual(exact.records)
  expect(note).toContain(first)
  const summary = await bodyOf(key, "/api/v1/health")
  expect(summary).toMatchObject({ period: { start_date: first, days: 3 }, note: expect.stringContaining(first) })
  expect(summary.sleep).toEqual((await bodyOf(primary, "/api/v1/health?days=3")).sleep)
  expect((await bodyOf(key, "/api/v1/trend?metric=asleep")).period).toMatchObject({ start_date: first, days: 3 })
  expect((await bodyOf(key, "/api/v1/compare?metric=asleep")).period).toMatchObject({ days: 1 })
  const yesterday = before(first, -1)
  const pair = await bodyOf(key, `/api/v1/compare?metric=asleep&end_date=${yesterday}`)
  expect([pair.with.start_date, pair.period.start_date]).toEqual([first, yesterday])
  for (const path of ["/api/v1/sports", "/api/v1/relate?outcome=asleep"])
    expect((await bodyOf(key, path)).period, path).toMatchObject({ start_date: first })
  for (const { first_date } of (await bodyOf(key, "/api/v1/metrics")).metrics)
    if (first_date !== null) expect(first_date >= first).toBe(true)
})

test("statistics of a range by default that is cut say so, and have an entity tag of their own", async () => {
  const { key } = await make({ days: 3 })
  const first = before(await today(), 2)
  const note = `this key opens dates from ${first} on, so the range begins there`
  for (const path of ["trend?metric=hrv", "compare?metric=hrv", "relate?outcome=hrv", "series?type=weight"]) {
    const { notes } = await bodyOf(key, `/api/v1/${path}`)
    expect(notes, path).toContain(note)
  }
  for (const path of ["sports", "signs"]) expect(await bodyOf(key, `/api/v1/${path}`), path).toMatchObject({ note })
  for (const path of ["trend?metric=hrv", "sports", "health?type=sleep"]) {
    const whole = `/api/v1/${path}`
    const exact = `${whole}${whole.includes("?") ? "&" : "?"}days=3`
    const [cut, asked] = [await get(key, whole), await get(key, exact)]
    expect(await asked.text(), path).not.toContain(note)
    expect(cut.headers.get("etag"), path).not.toBe(asked.headers.get("etag"))
  }
})

test("equal questions with two keys have entity tags of their own", async () => {
  const [wide, narrow] = [
    await make({ types: ["sleep", "recovery", "statistics"] }),
    await make({ types: ["sleep", "statistics"] }),
  ]
  for (const path of ["/api/v1/sources", "/api/v1/metrics", "/api/v1/day"]) {
    const etag = (await get(wide.key, path)).headers.get("etag") ?? ""
    expect((await get(wide.key, path, { "if-none-match": etag })).status).toBe(304)
    expect((await get(narrow.key, path, { "if-none-match": etag })).status, path).toBe(200)
  }
})

test("a key that is ended is 401 at once, and the others go on", async () => {
  const [one, other] = [await make({}), await make({})]
  await bodyOf(one.key, "/api/v1/health?type=sleep")
  expect((await member.send("DELETE", `${PATH}/${one.id}`)).status).toBe(204)
  expect(await refusal(one.key, "/api/v1/health?type=sleep")).toMatchObject({ status: 401, error: "unauthorized" })
  await bodyOf(other.key, "/api/v1/health?type=sleep")
  await bodyOf(primary, "/api/v1/health?type=sleep")
  expect((await member.send("DELETE", `${PATH}/${one.id}`)).status).toBe(404)
})

test("a key is 401 in words after its end, also for an answer that is kept, and a date ends with that date", async () => {
  const path = "/api/v1/health?type=sleep"
  const now = service.simulator.clock.now().getTime()
  const { key } = await make({ expires_at: new Date(now + 60_000).toISOString() })
  // Of tomorrow, because today may end within the minute.
  const ofDate = await make({ expires_at: addDays(await today(), 1) })
  await bodyOf(key, path)
  await bodyOf(ofDate.key, path)
  service.simulator.clock.advance(60_000)
  expect(await refusal(key, path)).toMatchObject({ status: 401, message: expect.stringContaining("ended at") })
  expect((await get(ofDate.key, path)).status).toBe(200)
  service.simulator.clock.advance(2 * DAY_MS)
  expect(await refusal(ofDate.key, path)).toMatchObject({ status: 401 })
  expect((await get(primary, path)).status).toBe(200)
})

test("the list has names, limits and use, the log names the key, and nobody ends another's", async () => {
  const email = "grace@vendor.example"
  const { member: owner, key: full } = await Member.connected(service, service.simulator.people.add({ email }))
  const wanted = { name: "Coach", types: ["sleep"], days: 30, expires_at: null }
  const { id, key } = await make(wanted, owner)
  await bodyOf(key, "/api/v1/health?type=sleep")
  await bodyOf(full, "/api/v1/health?type=sleep")
  await expect
    .poll(async () => KeysResponseSchema.parse(await (await owner.send("GET", PATH)).json()).keys)
    .toMatchObject([{ id, ...wanted, prefix: key.slice(0, 8), last_used_at: expect.any(String) }])
  const { entries } = await readAccessLog(owner)
  expect(entries.map(({ reader, key_name }) => [reader, key_name])).toEqual([
    ["api_key", undefined],
    ["api_key", "Coach"],
  ])
  const account = await (await owner.send("GET", "/api/account")).json()
  expect([account.api_key.prefix, account.usage.used]).toEqual([full.slice(0, 8), 2])
  expect((await member.send("DELETE", `${PATH}/${id}`)).status).toBe(404)
  await owner.send("POST", "/api/account/api-key")
  expect((await get(key, "/api/v1/health?type=sleep")).status).toBe(200)
})

test.each([
  [{ name: "" }, "name"],
  [{ types: [] }, "types"],
  [{ types: ["sleep", "dreams"] }, "types"],
  [{ days: 0 }, "days"],
  [{ days: 4001 }, "days"],
  [{ expires_at: "2020-01-01" }, "expires_at"],
  [{ expires_at: "tomorrow" }, "expires_at"],
  [{ window: 3 }, "body"],
])("%o is refused", async (wanted, field) => {
  const response = await member.send("POST", PATH, { name: "A", ...wanted })
  expect([response.status, (await response.json()).field]).toEqual([400, expect.stringContaining(field)])
})

test("a person has at most twenty keys, also of requests at the same time", async () => {
  const owner = new Member(service)
  await owner.signUp()
  const made = await Promise.all(
    Array.from({ length: 25 }, (_, index) => owner.send("POST", PATH, { name: `Key ${index}` })),
  )
  expect(made.map(({ status }) => status).toSorted()).toEqual([...Array(20).fill(201), ...Array(5).fill(409)])
})

describe("in Berlin, whose clocks went back within the window of a key", () => {
  let berlin: TestService
  let owner: Member
  let key: string
  beforeAll(async () => {
    berlin = await startTestService({ days: 10, now: new Date("2026-11-29T12:00:00Z"), isStill: true })
    const traits = {
      ...officeWorker,
      homeZone: "Europe/Berlin",
      life: { ...officeWorker.life, tripsPerYear: 0 },
    }
    const person = berlin.simulator.people.add({ email: "ada@vendor.example", traits })
    ;({ member: owner } = await Member.connected(berlin, person))
    const { token } = await newToken(owner)
    const records = ["2026-09-30T20:00:00+02:00", "2026-09-30T23:30:00+02:00", "2026-10-01T00:30:00+02:00"].map(
      (start) => ({ type: "heart_rate", start, value: 50, source: "Watch" }),
    )
    await pushed(berlin, { records }, { token })
    // Of the last 60 dates 2026-10-01 is the first.
    ;({ key } = await make({ days: 60 }, owner))
  })
  afterAll(() => berlin.close())

  const isIn = async (time_zone: string) =>
    expect((await owner.send("PUT", "/api/account/preferences", { time_zone })).status).toBe(200)
  const timesFrom = async (start: string) => {
    const search = new URLSearchParams({ type: "heart_rate", resolution: "raw", start, end: "2026-10-02T00:00:00Z" })
    const response = await fetch(`${berlin.url}/api/v1/series?${search}`, {
      headers: { authorization: `Bearer ${key}` },
    })
    const { points, from_date } = await response.json()
    return points?.map(({ time }: { time: string }) => time) ?? [response.status, from_date]
  }

  test("its first date begins at its own midnight", async () => {
    await isIn("Europe/Berlin")
    expect(await timesFrom("2026-10-01T00:00:00+02:00")).toEqual(["2026-09-30T22:30:00.000Z"])
    expect(await timesFrom("2026-09-30T23:59:59+02:00")).toEqual([403, "2026-10-01"])
  })

  test("values of the date before are none of the answer, wherever the account's time zone is", async () => {
    await isIn("Asia/Tokyo")
    expect(await timesFrom("2026-09-30T17:00:00+02:00")).toEqual(["2026-09-30T22:30:00.000Z"])
    await isIn("America/New_York")
    expect(await timesFrom("2026-10-01T01:00:00+02:00")).toEqual([])
    expect(await timesFrom("2026-10-01T00:00:00+02:00")).toEqual([403, "2026-10-01"])
  })

  test.each([
    ["a date of summer ends by the clocks of then", "Europe/Berlin", "2027-06-30", "2027-06-30T22:00:00.000Z"],
    ["a date of winter", "Europe/Berlin", "2026-12-31", "2026-12-31T23:00:00.000Z"],
    ["who is elsewhere keeps the clock of now", "America/New_York", "2027-06-30", "2027-06-30T23:00:00.000Z"],
    ["an instant without seconds", "Europe/Berlin", "2027-06-30T18:00Z", "2027-06-30T18:00:00.000Z"],
    ["one with an offset", "Europe/Berlin", "2027-06-30T18:00+02:00", "2027-06-30T16:00:00.000Z"],
  ])("%s", async (_, timeZone, expires_at, end) => {
    await isIn(timeZone)
    const { id } = await make({ expires_at }, owner)
    const { keys } = KeysResponseSchema.parse(await (await owner.send("GET", PATH)).json())
    expect(keys.find((one) => one.id === id)?.expires_at).toBe(end)
  })
})
