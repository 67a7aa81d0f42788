// One date says what every other read says of it: lists, trends, signs and the rows of the page.
import { DayResponseSchema, NO_VALUE_REASONS, TrendResponseSchema, TrendsResponseSchema } from "@restwell/client"
import { besideUsual } from "@restwell/client/figures"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

const DAYS = 120

let service: TestService
let member: Member
let key: string
let today: string
beforeAll(async () => {
  service = await startTestService({
    now: new Date("2026-11-20T12:00:00Z"),
    days: DAYS,
    environment: { FREE_MONTHLY_REQUESTS: "1000000" },
  })
  ;({ key, member } = await Member.connected(service, service.simulator.people.add({ email: "ada@vendor.example" })))
  today = (await readDay("")).today
})
afterAll(() => service.close())

async function get(path: string, ownKey = key) {
  const answer = await fetch(`${service.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${ownKey}` } })
  expect(answer.status, path).toBe(200)
  return answer.json()
}

const readDay = async (search: string, ownKey = key) => DayResponseSchema.parse(await get(`day${search}`, ownKey))

const dateBefore = (date: string, days: number) => Temporal.PlainDate.from(date).subtract({ days }).toString()

test("any date has the lists, figures, usual ranges and signs that the other reads have of it", async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: DAYS + 3 }), async (ago) => {
      const date = dateBefore(today, ago)
      const day = await readDay(`?date=${date}`)
      const of = `start_date=${date}&end_date=${date}`
      for (const type of ["sleep", "recovery", "cycle", "workout"] as const)
        expect(day[type], type).toEqual(await get(`health?type=${type}&${of}`))
      expect(day.journal?.records).toEqual((await get(`journal?${of}`)).records)
      const signs = await get(`signs?days=1&end_date=${day.figures_date ?? date}`)
      expect(day.signs).toEqual(signs.records[0]?.figures ?? [])
      for (const { metric, value, usual, position, latest, missing } of day.figures) {
        const { latest: own, usual: ownUsual } = await get(`trend?metric=${metric}&${of}`)
        expect(value, metric).toEqual(own?.value ?? null)
        expect(missing === null, metric).toBe(value !== null)
        expect(position).toBe(value !== null && usual ? besideUsual(value, usual) : null)
        if (own) expect(usual, metric).toEqual(ownUsual)
        const before = await get(`trend?metric=${metric}&days=14&end_date=${date}`)
        expect(latest && { date: latest.date, value: latest.value }).toEqual(own ? null : before.latest)
        if (latest) expect(latest.usual).toEqual(before.usual)
      }
    }),
    { numRuns: 6, examples: [[0], [DAYS + 2]] },
  )
})

test("its rows are those of the page's charts", async () => {
  for (const [rows, date] of [
    [1, today],
    [31, dateBefore(today, 20)],
  ] as const) {
    const trends = await member.send("GET", `/api/account/trends?days=${rows}&end_date=${date}`)
    const { days, oldest_date: oldest } = TrendsResponseSchema.parse(await trends.json())
    expect(await readDay(`?date=${date}&rows=${rows}`)).toMatchObject({ rows: days, oldest_date: oldest, today })
  }
  expect((await readDay("")).rows).toEqual([])
})

test("the best of a date is the one that the points of the trend have, and nothing else of the same values", async () => {
  const points = async (metric: string) => {
    const { points } = TrendResponseSchema.parse(await get(`trend?metric=${metric}&days=${DAYS + 9}&points=true`))
    return (points ?? []).flatMap(([date, value]) => (typeof value === "number" ? [{ date, value }] : []))
  }
  const rates = await points("resting_heart_rate")
  const lowest = (before: typeof rates) => Math.min(...before.map(({ value }) => Math.round(value)))
  const bests = rates.filter(({ value }, index) => index >= 90 && Math.round(value) < lowest(rates.slice(0, index)))
  for (const { date, value } of [...bests, ...rates.slice(-12)]) {
    const before = rates.filter((each) => each.date < date)
    const former = before.findLast((each) => Math.round(each.value) === lowest(before))
    const { best } = await readDay(`?date=${date}`)
    if (bests.some((each) => each.date === date))
      expect(best).toEqual({
        metric: "resting_heart_rate",
        unit: "bpm",
        kind: "lowest",
        span: "ever",
        value,
        former,
        source: null,
      })
    else expect(best?.metric).not.toBe("resting_heart_rate")
  }
  const nights = await points("asleep")
  const hundredth = nights[99]
  if (hundredth === undefined) throw new Error("fewer than 100 nights")
  const { best } = await readDay(`?date=${hundredth.date}`)
  expect(best).not.toBeNull()
  const { api_key: windowed } = await (
    await member.send("POST", "/api/account/keys", { name: "week", types: null, days: 30, expires_at: null })
  ).json()
  // Of some dates alone nobody knows what is a best.
  for (const { date } of rates.slice(-5)) expect((await readDay(`?date=${date}`, windowed)).best).toBeNull()
})

test.each(["?rows=32", "?rows=-1", "?date=2026-02-30", "?days=3", "?source=fitbit"])("400 for %s", async (search) => {
  const answer = await fetch(`${service.url}/api/v1/day${search}`, { headers: { authorization: `Bearer ${key}` } })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: "invalid_request", field: search.slice(1).split("=")[0] })
})

describe("a figure without a value says why", () => {
  const reasonsOf = async (date: string, ownKey = key) =>
    Object.fromEntries((await readDay(`?date=${date}`, ownKey)).figures.map(({ metric, missing }) => [metric, missing]))

  test("nothing was recorded, or the vendor withholds it", async () => {
    expect(new Set(Object.values(await reasonsOf(dateBefore(today, DAYS + 30))))).toEqual(new Set(["no_record"]))
    const person = service.simulator.people.add({ email: "ben@vendor.example" })
    const match = { path: /\/recovery/, personId: person.userId }
    service.simulator.faults.add({ match, kind: "status", status: 426 })
    const other = await Member.connected(service, person)
    const { figures, recovery } = await readDay("", other.key)
    expect(recovery?.missing).toHaveLength(1)
    expect(figures.find(({ metric }) => metric === "hrv")).toMatchObject({ value: null, missing: "withheld" })
  })

  test.each(["pending", "unscorable"] as const)("%s scores, and figures that a record does not have", async (state) => {
    const date = dateBefore(today, 3)
    await service.store.pool.query(
      `update restwell.record set score_state = $2, detail = detail::jsonb - array['scorePercent', 'hrvMs', 'restingHeartRateBpm', 'spo2Percent']
         || jsonb_build_object('scoreState', $2::text)
       where kind = 'recovery' and date = $1`,
      [date, state],
    )
    await service.store.pool.query(
      "update restwell.record set detail = detail::jsonb - array['respiratoryRatePerMinute'] where kind = 'sleep' and date = $1",
      [date],
    )
    await service.store.pool.query("update restwell.person set data_version = data_version + 1")
    const reasons = await reasonsOf(date)
    expect(reasons).toMatchObject({ hrv: state, respiratory_rate: "not_in_record", asleep: null })
    for (const reason of Object.values(reasons)) expect([null, ...NO_VALUE_REASONS]).toContain(reason)
  })
})

test("HRV is beside values of its own method alone, in figures and in rows, on dates before and after a change", async () => {
  const person = service.simulator.people.add({ email: "dee@vendor.example" })
  const { key: ownKey } = await Member.connected(service, person)
  const change = dateBefore(today, 12)
  await service.store.pool.query(
    `update restwell.record r set detail = detail::jsonb || '{"hrvMethod": "sdnn"}' from restwell.api_key k
     where kind = 'recovery' and date < $1 and r.user_id = k.user_id and k.key_hash = sha256($2::bytea)`,
    [change, ownKey],
  )
  await service.store.pool.query("update restwell.person set data_version = data_version + 1")
  const methods = new Set<string>()
  for (const ago of [0, 8, 11, 12, 13, 20]) {
    const { figures, rows, recovery } = await readDay(`?date=${dateBefore(today, ago)}&rows=1`, ownKey)
    const hrv = figures.find(({ metric }) => metric === "hrv")
    expect(hrv?.value ?? null, String(ago)).toBe(recovery?.records[0]?.hrv ?? null)
    expect(hrv?.usual?.n ?? 0).toBeLessThanOrEqual(ago <= 12 ? 12 - ago : 30)
    if (hrv?.value != null) expect(rows[0]?.hrv_band).toEqual(hrv.usual && { low: hrv.usual.low, high: hrv.usual.high })
    for (const { hrv_method: method } of recovery?.records ?? []) if (method !== null) methods.add(method)
    const date = dateBefore(today, ago)
    const trend = await get(`trend?metric=hrv&start_date=${date}&end_date=${date}`, ownKey)
    expect(trend.latest?.value ?? null, String(ago)).toBe(hrv?.value ?? null)
    // A trend without any value has nothing to be beside, as before the night of today has arrived.
    if (trend.n === 0) continue
    expect([trend.usual?.n, trend.method]).toEqual([hrv?.usual?.n, recovery?.records[0]?.hrv_method])
  }
  expect(methods).toEqual(new Set(["rmssd", "sdnn"]))
  // Weeks of the older method compare with each other, and a period that has both methods is of the newer one.
  const before = `start_date=${dateBefore(today, 20)}&end_date=${dateBefore(today, 13)}`
  const { period, with: other, method } = await get(`compare?metric=hrv&${before}`, ownKey)
  expect([method, Math.min(period.n, other.n) > 4]).toEqual(["sdnn", true])
  expect((await get(`signs?days=7&end_date=${dateBefore(today, 13)}`, ownKey)).checked).toContain("hrv")
  const whole = await get("trend?metric=hrv&days=20", ownKey)
  expect([whole.method, whole.notes.join()]).toEqual(["rmssd", expect.stringContaining("sdnn is another method")])
})

test("the person's own page has the days of a source that was disconnected with its data kept, and a key has none", async () => {
  const person = service.simulator.people.add({ email: "cy@vendor.example" })
  const { member: other, key: ownKey } = await Member.connected(service, person)
  const { date, figures } = await readDay("?rows=30", ownKey)
  expect((await other.send("DELETE", "/api/connections/whoop")).ok).toBe(true)
  const kept = DayResponseSchema.parse(await (await other.send("GET", `/api/account/day?rows=30&date=${date}`)).json())
  expect(kept).toMatchObject({ figures, sources: [{ provider: "whoop", status: "archive" }] })
  expect(kept.rows).toHaveLength(30)
  const refused = await fetch(`${service.url}/api/v1/day`, { headers: { authorization: `Bearer ${ownKey}` } })
  expect(refused.status).toBe(404)
})
