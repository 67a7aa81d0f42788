import { SeriesResponseSchema, type SeriesType } from "@restwell/client"
import { mergeSamples } from "@restwell/core"
import { expectDescribed, Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

let service: TestService
let member: Member
let key: string
let stranger: string
let whoopOnly: string
beforeAll(async () => {
  service = await startTestService({ days: 10, now: new Date("2026-11-27T12:00:00Z") })
  ;({ member, key } = await Member.connected(service, service.simulator.people.add({ email: "ada@vendor.example" })))
  ;({ key: whoopOnly } = await Member.connected(
    service,
    service.simulator.people.add({ email: "lena@vendor.example" }),
  ))
  const other = new Member(service)
  await other.signUp()
  stranger = await other.newKey()
  for (const provider of ["oura", "withings"]) await addSource(member, provider)
  await add(
    "oura",
    "heart_rate",
    minutes("2026-11-20T00:00", 2_880, 1, (index) => 50 + (index % 20)),
  )
  await add("oura", "steps", [
    { at: "2026-11-20T09:50", value: 600, duration: 1_200 },
    { at: "2026-11-20T15:00", value: 40, duration: 60 },
  ])
  await add("oura", "sleep_stages", [
    { at: "2026-11-19T23:00", value: 1, duration: 900 },
    { at: "2026-11-20T00:15", value: 2, duration: 300 },
  ])
  await add("oura", "weight", [{ at: "2026-11-20T07:00", value: 70.25 }])
  await add("withings", "weight", [
    { at: "2026-11-20T07:00", value: 70.25 },
    { at: "2026-11-21T07:05", value: 70.1 },
  ])
  await add("oura", "hrv", [{ at: "2026-10-01T03:00", value: 40 }], "sdnn")
  await add("oura", "hrv", [{ at: "2026-11-20T03:00", value: 60, duration: 300 }], "rmssd")
})
afterAll(() => service.close())

async function idOf({ email }: Member): Promise<string> {
  const { rows } = await service.store.pool.query('select id from restwell."user" where email = $1', [email])
  return String(rows[0]?.id)
}

async function addSource(of: Member, provider: string): Promise<void> {
  await service.store.pool.query(
    `insert into restwell.connection (user_id, provider, status, status_changed_at, connected_at, next_sync_at, last_synced_at, history_complete)
     values ($1, $2, 'archive', now(), now(), 'infinity', now(), true)`,
    [await idOf(of), provider],
  )
}

interface Sample {
  readonly at: string
  readonly value: number
  /** Seconds. */
  readonly duration?: number
}

const minutes = (first: string, count: number, step: number, levelAt: (index: number) => number): Sample[] =>
  Array.from({ length: count }, (_, index) => ({
    at: new Date(Date.parse(`${first}Z`) + index * step * 60_000).toISOString().slice(0, 16),
    value: levelAt(index),
  }))

/** On the clock of UTC. */
async function add(provider: string, type: SeriesType, values: readonly Sample[], method?: "rmssd" | "sdnn") {
  const userId = await idOf(member)
  const samples = values.map(({ at, value, duration }) => ({
    atMs: Date.parse(`${at}Z`),
    value,
    utcOffsetMinutes: 0,
    ...(duration !== undefined && { durationMs: duration * 1000 }),
  }))
  const set = { type, samples, ...(method && { method }) }
  await service.store.database
    .transaction()
    .execute((transaction) => mergeSamples(transaction, { userId, provider }, [set]))
}

async function get(search: string, headers: Record<string, string> = {}, method = "GET", by = key): Promise<Response> {
  const path = `/api/v1/series?${search}`
  const response = await fetch(service.url + path, { method, headers: { authorization: `Bearer ${by}`, ...headers } })
  if (method === "GET") await expectDescribed(service.url, "GET", path, response)
  return response
}

async function read(search: string) {
  const answer = await get(search)
  const body: unknown = await answer.json()
  expect([search, answer.status]).toEqual([search, 200])
  expect(SeriesResponseSchema.parse(body)).toEqual(body)
  return SeriesResponseSchema.parse(body)
}

const DAY = "start_date=2026-11-20&end_date=2026-11-20"

test("a day of heart rate in buckets that fit, on the local clock", async () => {
  const body = await read(`type=heart_rate&${DAY}`)
  expect(body).toMatchObject({
    type: "heart_rate",
    unit: "bpm",
    resolution: "raw",
    count: 1_440,
    method: null,
    notes: [],
  })
  const hours = await read(`type=heart_rate&${DAY}&resolution=1h`)
  expect(hours).toMatchObject({ resolution: "1h", count: 24, source: { provider: "oura" }, empty_reason: null })
  expect("points" in hours && hours.points[3]).toEqual({
    start: "2026-11-20T03:00:00.000Z",
    n: 60,
    mean: 59.5,
    min: 50,
    max: 69,
  })
})

test.each(["heart_rate", "hrv", "spo2", "respiratory_rate", "skin_temperature"] as const)(
  "a mean of %s is over time: a moment stands until the next one, five minutes at most, and is divided where buckets end",
  async (type) => {
    const moments = (first: string, count: number, stepSeconds: number, value: number) =>
      Array.from({ length: count }, (_, index) => ({
        at: new Date(Date.parse(`${first}Z`) + index * stepSeconds * 1000).toISOString().slice(0, -1),
        value,
      }))
    await add("withings", type, [
      // 22 minutes of a workout by the second until ten past seven, and a value for each five minutes before and after.
      ...moments("2026-09-10T06:03", 9, 300, 20),
      ...moments("2026-09-10T06:48", 22 * 60, 1, 60),
      ...moments("2026-09-10T07:10", 10, 300, 20),
      // The last one stands for three minutes of the date, and for two of the next.
      { at: "2026-09-10T23:57", value: 100 },
      { at: "2026-09-11T00:05", value: 20, duration: 480 },
    ])
    const rowsOf = async (resolution: string) => {
      const range = "start_date=2026-09-10&end_date=2026-09-11&source=withings"
      const body = await read(`type=${type}&${range}&resolution=${resolution}`)
      return "points" in body
        ? body.points.map((point) => ("mean" in point ? [point.n, point.mean, point.min, point.max] : []))
        : []
    }
    const decimals = type === "skin_temperature" ? 100 : 10
    const rounded = (value: number) => Math.round(value * decimals) / decimals
    const workout = 22 * 60
    expect(await rowsOf("1d")).toEqual([
      [9 + workout + 10 + 1, rounded((20 * 95 + 60 * 22 + 100 * 3) / 120), 20, 100],
      [1, rounded((20 * 8 + 100 * 2) / 10), 20, 100],
    ])
    expect(await rowsOf("1h")).toEqual([
      [9 + 720, rounded((20 * 45 + 60 * 12) / 57), 20, 60],
      [600 + 10, rounded((60 * 10 + 20 * 50) / 60), 20, 60],
      [1, 100, 100, 100],
      [1, rounded((20 * 8 + 100 * 2) / 10), 20, 100],
    ])
  },
)

test("without a resolution it is the finest with at most 2,000 points", async () => {
  expect(await read("type=heart_rate&start_date=2026-11-20&end_date=2026-11-21")).toMatchObject({
    resolution: "5m",
    count: 576,
  })
})

test("a time of more than 2,000 dates is read by the day", async () => {
  await add(
    "withings",
    "vo2max",
    minutes("2010-01-01T08:00", 2_100, 1_440, () => 44),
  )
  expect(await read("type=vo2max&start_date=2010-01-01&end_date=2016-01-01")).toMatchObject({
    resolution: "1d",
    count: 2_100,
  })
})

test("instants select exactly, the end excluded", async () => {
  const body = await read("type=heart_rate&start=2026-11-20T04:00:00%2B01:00&end=2026-11-20T03:03:00Z")
  expect(body).toMatchObject({ start: "2026-11-20T03:00:00.000Z", end: "2026-11-20T03:03:00.000Z", count: 3 })
  // A time of the day may have no seconds.
  expect(await read("type=heart_rate&start=2026-11-20T04:00%2B01:00&end=2026-11-20T03:03Z")).toEqual(body)
  expect(await read("type=heart_rate&start=2026-11-20T04:00+01:00&end=2026-11-20T03:03Z")).toEqual(body)
  // A plus sign that was not escaped arrives as a space.
  expect(await read("type=heart_rate&start=2026-11-20T04:00:00+01:00&end=2026-11-20T03:03:00Z")).toEqual(body)
})

test("steps that cross an hour are divided by time, and empty buckets are absent", async () => {
  const body = await read(`type=steps&${DAY}&resolution=1h`)
  expect("points" in body && body.points).toEqual([
    { start: "2026-11-20T09:00:00.000Z", n: 1, sum: 300 },
    { start: "2026-11-20T10:00:00.000Z", n: 1, sum: 300 },
    { start: "2026-11-20T15:00:00.000Z", n: 1, sum: 40 },
  ])
  const day = await read(`type=steps&${DAY}&resolution=1d`)
  expect("points" in day && day.points).toMatchObject([{ date: "2026-11-20", n: 2, sum: 640 }])
})

test("stages of a date are the sleeps of that waking date, also where the first stage begins before the sleep", async () => {
  const userId = await idOf(member)
  const bed = Date.parse("2026-08-30T21:48Z")
  await service.store.pool.query(
    `insert into restwell.record (user_id, provider, kind, provider_id, date, started_at, ended_at, utc_offset_minutes, score_state,
       vendor_updated_at, detail, candidate, raw)
     values ($1, 'withings', 'sleep', 'early', '2026-08-31', to_timestamp($2 / 1000.0), to_timestamp($3 / 1000.0), 120, 'scored', now(), '{}',
       json_build_object('kind', 'sleep', 'isNap', false, 'scoreState', 'scored', 'startMs', $2::bigint, 'endMs', $3::bigint), '{}')`,
    [userId, bed, Date.parse("2026-08-31T04:30Z")],
  )
  await add("withings", "sleep_stages", [
    { at: "2026-08-30T21:45", value: 0, duration: 300 },
    { at: "2026-08-30T21:50", value: 1, duration: 9_000 },
    { at: "2026-08-31T00:20", value: 2, duration: 15_000 },
  ])
  const starts = async (date: string) => {
    const body = await read(`type=sleep_stages&start_date=${date}&end_date=${date}&source=withings`)
    return "segments" in body ? body.segments.map(({ start }) => start.slice(0, 16)) : []
  }
  expect(await starts("2026-08-31")).toEqual(["2026-08-30T21:45", "2026-08-30T21:50", "2026-08-31T00:20"])
  expect(await starts("2026-08-30")).toEqual([])
})

test("stages of sleep are segments", async () => {
  const body = await read("type=sleep_stages&start_date=2026-11-19&end_date=2026-11-20")
  expect("segments" in body && body.segments).toEqual([
    { start: "2026-11-19T23:00:00.000Z", end: "2026-11-19T23:15:00.000Z", stage: "light" },
    { start: "2026-11-20T00:15:00.000Z", end: "2026-11-20T00:20:00.000Z", stage: "deep" },
  ])
})

test("weight comes from all sources, and equal values of one instant once", async () => {
  const body = await read("type=weight&start_date=2026-11-01&end_date=2026-11-30")
  expect("points" in body && body.points).toEqual([
    { time: "2026-11-20T07:00:00.000Z", value: 70.25, source: "oura" },
    { time: "2026-11-21T07:05:00.000Z", value: 70.1, source: "withings" },
  ])
  const alone = await read("type=weight&start_date=2026-11-01&end_date=2026-11-30&source=withings")
  expect("points" in alone && alone.points.map((point) => "source" in point && point.source)).toEqual([
    "withings",
    "withings",
  ])
})

test("an answer has one method, the newest, and says what it leaves out", async () => {
  expect(await read("type=hrv&start_date=2026-09-01&end_date=2026-11-30")).toMatchObject({
    method: "rmssd",
    count: 1,
    notes: ["1 value of SDNN from 2026-10-01 to 2026-10-01 left out: RMSSD is newer, and they cannot be compared."],
  })
  expect(await read("type=hrv&start_date=2026-09-01&end_date=2026-10-30")).toMatchObject({ method: "sdnn", notes: [] })
})

test("a source that has no such values says so, and one that has says that these dates have none", async () => {
  expect(await read(`type=heart_rate&${DAY}&source=whoop`)).toMatchObject({ count: 0, empty_reason: "not_delivered" })
  expect(await read("type=heart_rate&start_date=2020-01-01&end_date=2020-01-02")).toMatchObject({
    count: 0,
    empty_reason: "no_data_in_range",
  })
  for (const resolution of ["raw", "5m", "1d"])
    expect(await read(`type=steps&start_date=2020-01-01&resolution=${resolution}&end_date=2020-01-02`)).toMatchObject({
      resolution,
      points: [],
    })
  const answer = await get(`type=heart_rate&${DAY}`, {}, "GET", whoopOnly)
  expect(await answer.json()).toMatchObject({ count: 0, points: [], empty_reason: "not_delivered" })
})

describe("as CSV", () => {
  test.each([
    [`type=heart_rate&${DAY}&resolution=raw`, "time,value,duration_seconds", "2026-11-20T00:00:00.000Z,50,"],
    [`type=heart_rate&${DAY}&resolution=1h`, "start,n,mean,min,max", "2026-11-20T00:00:00.000Z,60,59.5,50,69"],
    [`type=steps&${DAY}&resolution=1d`, "start,date,n,sum", "2026-11-20T00:00:00.000Z,2026-11-20,2,640"],
    [`type=sleep_stages&${DAY}`, "start,end,stage", "2026-11-20T00:15:00.000Z,2026-11-20T00:20:00.000Z,deep"],
    ["type=weight&end_date=2026-11-21", "time,value,duration_seconds,source", "2026-11-20T07:00:00.000Z,70.25,,oura"],
  ])("%s has the columns of its points", async (search, header, first) => {
    const answer = await get(search, { accept: "text/csv" })
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"])
    expect((await answer.text()).split("\r\n").slice(0, 2)).toEqual([header, first])
  })
})

test("counts one request, cached or not, and 304 and HEAD none", async () => {
  const search = `type=heart_rate&${DAY}&resolution=15m`
  const first = await get(search)
  const remaining = Number(first.headers.get("x-ratelimit-remaining"))
  const etag = first.headers.get("etag") ?? ""
  const unchanged = await get(search, { "if-none-match": etag })
  const head = await get(search, {}, "HEAD")
  const again = await get(search)
  expect([unchanged.status, unchanged.headers.get("etag")]).toEqual([304, etag])
  expect([head.status, await head.text(), head.headers.get("etag")]).toEqual([200, "", etag])
  expect(again.headers.get("x-ratelimit-remaining")).toBe(String(remaining - 1))
  expect([again.headers.get("etag"), await again.text()]).toEqual([etag, await first.text()])
})

test("the signed-in person gets the same answer, not counted and not kept by the browser", async () => {
  const own = await member.send("GET", `/api/account/series?type=heart_rate&${DAY}&resolution=1h`)
  expect([own.status, own.headers.get("cache-control")]).toEqual([200, "no-store"])
  expect(await own.json()).toEqual(await read(`type=heart_rate&${DAY}&resolution=1h`))
})

test("another person's key reads none of it", async () => {
  expect((await get(`type=heart_rate&${DAY}`, {}, "GET", stranger)).status).toBe(404)
  expect(await (await get(`type=weight&end_date=2026-11-21`, {}, "GET", whoopOnly)).json()).toMatchObject({ count: 0 })
})

test("more than 20,000 points get 400 that names the finest resolution that fits", async () => {
  await add(
    "withings",
    "spo2",
    minutes("2026-09-01T00:00", 20_001, 1, () => 97),
  )
  const answer = await get("type=spo2&start_date=2026-09-01&end_date=2026-09-30&resolution=1m")
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ field: "resolution", message: expect.stringMatching(/fits is 5m$/) })
  expect(Number(answer.headers.get("x-ratelimit-remaining"))).toBeGreaterThan(0)
  expect(await read("type=spo2&start_date=2026-09-01&end_date=2026-09-30&resolution=5m")).toMatchObject({
    count: 4_001,
  })
})

test.each([
  ["", "type", /must be one of heart_rate/],
  ["type=pulse", "type", /must be one of heart_rate/],
  ["type=heart_rate&resolution=2m", "resolution", /raw, 1m, 5m/],
  ["type=heart_rate&start=2026-11-20", "start", /instant with an offset or Z/],
  ["type=heart_rate&start=2026-11-20T08:00", "start", /instant with an offset or Z/],
  ["type=heart_rate&start=2026-02-30T08:00Z", "start", /instant with an offset or Z/],
  ["type=heart_rate&start=1026-11-20T08:00Z", "start", /must lie between/],
  ["type=heart_rate&start=2026-11-20T00:00:00Z", "end", /end is missing/],
  ["type=heart_rate&end=2026-11-20T00:00:00Z", "start", /start is missing/],
  ["type=heart_rate&start=2026-11-20T00:00:00Z&end=2026-11-20T00:00:00Z", "start", /is not before end/],
  ["type=heart_rate&start=2026-11-20T00:00:00Z&end=2026-11-21T00:00:00Z&days=1", "start", /either these or dates/],
  ["type=heart_rate&days=4001", "days", /from 1 to 4000/],
  ["type=sleep_stages&resolution=1h", "resolution", /no other resolution than raw/],
  ["type=heart_rate&resolutions=1h", "resolutions", /did you mean resolution/],
])("%s gets 400", async (search, field, message) => {
  const answer = await get(search)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({
    error: "invalid_request",
    field,
    message: expect.stringMatching(message),
  })
})
