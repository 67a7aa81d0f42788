// Pushes that are larger, slower or more than a phone sends every hour.
import { acknowledgePush, openDatabase, openIngestToken, receivePush } from "@restwell/core"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { newToken, push, pushed, reportOf, rowsOfNight } from "./pusher.ts"

const NOW = new Date("2026-11-20T23:30:00Z")
const DATE = "2026-11-20"
const DAY_MS = 86_400_000

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: NOW, isStill: true })
})
afterAll(() => service.close())

async function person() {
  const member = new Member(service)
  await member.signUp()
  await member.send("PUT", "/api/account/preferences", { time_zone: "Europe/Berlin" })
  const { token } = await newToken(member)
  const { userId } = await openIngestToken(
    { database: openDatabase(service.store.pool), clock: { now: () => NOW } },
    token,
  )
  return { member, token, userId, key: await member.newKey() }
}

const dateBefore = (days: number): string => new Date(Date.parse(DATE) - days * DAY_MS).toISOString().slice(0, 10)

test.each([
  ["waits for the removal of others", "select from restwell.import for update"],
  ["writes its rows", "lock table restwell.pushed_day in share mode"],
])("a push that %s for longer than 10 seconds has an id, and its report says what was stored", async (_what, block) => {
  const { token, member } = await person()
  await pushed(service, { records: [] }, { token })
  const blocking = await service.store.pool.connect()
  const rows = rowsOfNight(DATE)
  try {
    await blocking.query("begin")
    await blocking.query(block)
    const answer = await push(service, { records: rows }, { token })
    expect(answer.status).toBe(202)
    const { id } = await answer.json()
    const other = await newToken(member, "Another phone")
    const refused = await fetch(`${service.url}/api/ingest/${id}`, {
      headers: { authorization: `Bearer ${other.token}` },
    })
    expect([refused.status, (await refused.json()).message]).toEqual([404, "there is no push with this id"])
    await blocking.query("commit")
    expect(await reportOf(service, id, { token })).toEqual({ stored: rows.length, unchanged: 0, ignored: [] })
  } finally {
    blocking.release(true)
  }
})

/** A push that another process was told to store, and that was silent for a while. @param deaths processes that died before */
async function leavePush(token: string, records: readonly object[], deaths = 0): Promise<string> {
  const context = {
    database: openDatabase(service.store.pool),
    clock: { now: () => NOW },
    disk: { freeBytes: async () => undefined },
  }
  async function* content() {
    yield Buffer.from(JSON.stringify({ records }))
  }
  const pusher = await openIngestToken(context, token)
  const left = await receivePush(context, pusher, { provider: "phone", isGzip: false, content: content() })
  expect(await acknowledgePush(context, left)).toBe(true)
  await service.store.pool.query(
    "update restwell.push set claimed_at = now() - interval '1 minute', deaths = $2 where id = $1",
    [left.id, deaths],
  )
  return left.id
}

test("a push during which processes died again and again is given up, and its report says so", async () => {
  const { token } = await person()
  const id = await leavePush(token, rowsOfNight(DATE), 2)
  const report = async () => {
    const answer = await fetch(`${service.url}/api/ingest/${id}`, { headers: { authorization: `Bearer ${token}` } })
    return answer.json()
  }
  await expect.poll(report, { timeout: 30_000 }).toMatchObject({
    status: "failed",
    stored: 0,
    error: expect.stringContaining("the service ended several times while it stored this push"),
  })
})

test("a day has the samples of 100 devices by their names, whichever came first", async () => {
  const records = Array.from({ length: 130 }, (_, index) => ({
    type: "heart_rate",
    start: new Date(Date.parse(DATE) + index * 1_000).toISOString(),
    value: 60,
    source: `Device ${String(index).padStart(3, "0")}`,
  }))
  const devicesOf = async (userId: string): Promise<string[]> => {
    const { rows } = await service.store.pool.query<{ device: string }>(
      'select device from restwell.import_series_day where user_id = $1 order by device collate "C"',
      [userId],
    )
    return rows.map(({ device }) => device)
  }
  const [one, other] = [await person(), await person()]
  expect(await pushed(service, { records }, one)).toEqual({
    stored: 100,
    unchanged: 0,
    ignored: [{ reason: "more than 100 devices and apps in a day", count: 30 }],
  })
  await pushed(service, { records: records.slice(65) }, other)
  await pushed(service, { records: records.slice(0, 65) }, other)
  expect(await devicesOf(one.userId)).toEqual(records.slice(0, 100).map(({ source }) => source))
  expect(await devicesOf(other.userId)).toEqual(await devicesOf(one.userId))
})

test("what another process left is stored, and its report can be read", async () => {
  const { token, key } = await person()
  const rows = rowsOfNight(DATE)
  const id = await leavePush(token, rows)
  expect(await reportOf(service, id, { token })).toEqual({ stored: rows.length, unchanged: 0, ignored: [] })
  expect((await readHealth(service.url, key, "?type=sleep&days=7")).status).toBe(200)
})

test("a history of many days is stored in pieces, and a repeat changes nothing", async () => {
  const { token, key } = await person()
  const records = Array.from({ length: 70 }, (_, days) => rowsOfNight(dateBefore(days))).flat()
  expect(await pushed(service, { records }, { token, isZipped: true })).toEqual({
    stored: records.length,
    unchanged: 0,
    ignored: [],
  })
  const read = async () => (await readHealth(service.url, key, "?type=sleep&days=90")).json()
  const before = await read()
  expect(before.count).toBe(70)
  expect(await pushed(service, { records: records.toReversed() }, { token })).toEqual({
    stored: 0,
    unchanged: records.length,
    ignored: [],
  })
  expect((await read()).records).toEqual(before.records)
})

test("others are answered while thousands of nights, devices and rows of one day are stored", async () => {
  const { token } = await person()
  const reader = await person()
  await pushed(service, { records: rowsOfNight(DATE) }, reader)
  const startMs = Date.parse("2026-11-10T00:00:00Z")
  const at = (ms: number) => new Date(startMs + ms).toISOString()
  const nights = Array.from({ length: 6_000 }, (_, index) => ({
    sleepStart: at(index * 10_000),
    sleepEnd: at(index * 10_000 + 9_000),
    totalSleep: 0.002,
    source: "Band",
  }))
  const body = { data: { metrics: [{ name: "sleep_analysis", units: "hr", data: nights }] } }
  let isStored = false
  const storing = push(service, body, { token, path: "/api/ingest/health-auto-export", isZipped: true }).then(
    (response) => {
      isStored = true
      return response.status
    },
  )
  for (let count = 0; count < 3; count += 1)
    expect((await readHealth(service.url, reader.key, "?type=sleep&days=7")).status).toBe(200)
  expect(isStored).toBe(false)
  expect([200, 202]).toContain(await storing)
  const records = Array.from({ length: 3_000 }, (_, index) => ({
    type: "steps",
    start: at(index * 20_000),
    end: at(index * 20_000 + 10_000),
    value: 10,
    source: `Device ${index}`,
  }))
  expect(await pushed(service, { records }, { token })).toEqual({
    stored: 100,
    unchanged: 0,
    ignored: [{ reason: "more than 100 devices and apps in a day", count: 2_900 }],
  })
})

test("text that is longer than any name costs its own row", async () => {
  const { token } = await person()
  const good = { type: "weight", start: "2026-11-20T07:00:00Z", value: 70, unit: "kg" }
  const long = "x".repeat(1_000_000)
  const records = [
    good,
    { ...good, source: long },
    { ...good, unit: long },
    { ...good, type: long },
    { ...good, id: long },
  ]
  expect(await pushed(service, { records }, { token, isZipped: true })).toEqual({
    stored: 1,
    unchanged: 0,
    ignored: ["source", "unit", "type", "id"].map((field) => ({
      reason: `${field} is longer than 200 characters`,
      count: 1,
    })),
  })
})

test("pushes of one person at the same time wait for their turn", async () => {
  const { token } = await person()
  const answers = await Promise.all(
    Array.from({ length: 5 }, async (_, days) => push(service, { records: rowsOfNight(dateBefore(days)) }, { token })),
  )
  expect(answers.every(({ status }) => status === 200 || status === 202)).toBe(true)
})

test("a person may store two million rows a day, and the rows of the next one again", async () => {
  const { token, userId } = await person()
  const rows = rowsOfNight(DATE)
  await pushed(service, { records: rows }, { token })
  await service.store.pool.query("update restwell.push_usage set rows = 1999995 where user_id = $1", [userId])
  const steps = (count: number, value: number) =>
    Array.from({ length: count }, (_, hour) => ({ type: "weight", start: `2026-11-19T${10 + hour}:00:00Z`, value }))
  const refused = await push(service, { records: steps(6, 70) }, { token })
  expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toEqual([
    429,
    "1800",
    expect.objectContaining({ error: "rate_limited", limit: 2_000_000, reset: "2026-11-21T00:00:00.000Z" }),
  ])
  expect(await pushed(service, { records: [...rows, ...steps(5, 71)] }, { token })).toMatchObject({ stored: 5 })
  expect((await push(service, { records: rows }, { token })).status).toBe(429)
  await service.store.pool.query("update restwell.push_usage set day = day - 1 where user_id = $1", [userId])
  expect(await pushed(service, { records: steps(1, 72) }, { token })).toMatchObject({ stored: 1 })
})
