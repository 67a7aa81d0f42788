import { type TrendDay, TrendsResponseSchema } from "@restwell/client"
import type { Person } from "@restwell/simulator"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { missesNights } from "@restwell/testing/vendor"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

const DAY_MS = 86_400_000

let service: TestService
let person: Person
let member: Member
let key: string
beforeAll(async () => {
  service = await startTestService({ days: 200 })
  person = service.simulator.people.add({ email: "lena@vendor.example", traits: missesNights })
  ;({ member, key } = await Member.connected(service, person))
})
afterAll(() => service.close())

async function trends(search = "", of: Member = member) {
  const answer = await of.send("GET", `/api/account/trends${search}`)
  expect(answer.status).toBe(200)
  return TrendsResponseSchema.parse(await answer.json())
}

const records = async (type: string, date: string) =>
  (await (await readHealth(service.url, key, `?type=${type}&start_date=${date}&end_date=${date}`)).json()).records

const sample = (values: readonly number[]) => {
  const mean = values.reduce((sum, value) => sum + value) / values.length
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1))
  return { low: mean - deviation, high: mean + deviation }
}

describe("a row for each date", () => {
  test.each(["?days=7", "?days=31", "", "?days=all"])("%s has no gaps, oldest first, up to today", async (search) => {
    const { period, days } = await trends(search)
    expect(days.length).toBe(period.days)
    expect([days[0]?.date, days.at(-1)?.date]).toEqual([period.start_date, period.end_date])
    for (const [index, { date }] of days.entries())
      expect(Date.parse(date)).toBe(Date.parse(period.start_date) + index * DAY_MS)
    const [newest] = (await (await readHealth(service.url, key, "?type=summary&days=1")).json()).period.end.split("T")
    expect(Math.abs(Date.parse(newest) - Date.parse(period.end_date))).toBeLessThanOrEqual(DAY_MS)
  })

  test("has the values of the health API", async () => {
    const { days } = await trends("?days=all")
    const seen = { night: 0, nap: 0, recovery: 0, strain: 0, workout: 0, empty: 0 }
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...days), async (day) => {
        const sleeps = await records("sleep", day.date)
        const [recovery] = await records("recovery", day.date)
        const [cycle] = await records("cycle", day.date)
        const workouts = await records("workout", day.date)
        const nights = sleeps.filter(({ is_nap }: { is_nap: boolean }) => !is_nap)
        const naps = sleeps.filter(({ is_nap }: { is_nap: boolean }) => is_nap)
        const longest = Math.max(...nights.map(({ duration_hours }: { duration_hours: number }) => duration_hours))
        const night = nights.find(({ duration_hours }: { duration_hours: number }) => duration_hours === longest)
        expectNight(day, night)
        expect(day.nap_hours === null).toBe(naps.length === 0)
        if (day.nap_hours !== null)
          expect(day.nap_hours).toBeCloseTo(
            naps.reduce((sum: number, { duration_hours }: { duration_hours: number }) => sum + duration_hours, 0),
            1,
          )
        if (recovery) {
          const { cycle_id: _, date: __, chosen_because: ___, device: ____, contributors: _____, ...figures } = recovery
          expect(day.recovery).toEqual(figures)
        } else expect(day.recovery).toBeNull()
        expect(day.strain?.strain ?? null).toBe(cycle?.strain ?? null)
        expect(day.strain?.is_open ?? false).toBe(cycle !== undefined && cycle.end === null)
        expect(workouts.map(({ id }: { id: string }) => id)).toEqual(
          expect.arrayContaining(day.workouts.map(({ id }) => id)),
        )
        seen.night += night ? 1 : 0
        seen.nap += naps.length
        seen.recovery += recovery ? 1 : 0
        seen.strain += cycle ? 1 : 0
        seen.workout += day.workouts.length
        seen.empty += sleeps.length === 0 ? 1 : 0
      }),
      { numRuns: 150 },
    )
    for (const [name, count] of Object.entries(seen)) expect(count, name).toBeGreaterThan(0)
  })

  test("has times in the local time of the night", async () => {
    const { days } = await trends("?days=all")
    const truth = service.simulator.records(person).sleeps
    let compared = 0
    for (const { sleep, date } of days) {
      const wire = sleep && truth.find(({ start }) => Date.parse(start) === Date.parse(sleep.start))
      if (!sleep || !wire) continue
      const sign = wire.timezone_offset.startsWith("-") ? -1 : 1
      const [hours = 0, minutes = 0] = wire.timezone_offset.replace(/^[+-]/, "").split(":").map(Number)
      const local = new Date(Date.parse(wire.end) + sign * (hours * 60 + minutes) * 60_000)
      expect(local.toISOString().slice(0, 10)).toBe(date)
      expect(sleep.end_minutes).toBe(local.getUTCHours() * 60 + local.getUTCMinutes())
      expect(sleep.start_minutes).toBeLessThan(sleep.end_minutes)
      compared += 1
    }
    expect(compared).toBeGreaterThan(100)
  })
})

describe("beside the night", () => {
  test.each([
    ["recovery_score_band", ({ recovery }: TrendDay) => recovery?.score],
    ["asleep_band", ({ sleep }: TrendDay) => sleep?.asleep_hours],
    ["hrv_band", ({ recovery }: TrendDay) => recovery?.hrv],
    ["resting_heart_rate_band", ({ recovery }: TrendDay) => recovery?.resting_heart_rate],
    ["spo2_band", ({ recovery }: TrendDay) => recovery?.spo2],
    ["skin_temp_deviation_band", ({ recovery }: TrendDay) => recovery?.skin_temp_deviation_celsius],
    ["respiratory_rate_band", ({ sleep }: TrendDay) => sleep?.respiratory_rate],
  ] as const)("%s is of the 30 values before, whatever the period", async (band, valueOn) => {
    const { days } = await trends("?days=all")
    const short = (await trends("?days=10")).days
    expect(short).toEqual(days.slice(-10))
    const before: number[] = []
    for (const day of days) {
      const values = before.slice(-30)
      if (values.length < 5) expect(day[band]).toBeNull()
      else {
        // The API rounds heart rates to whole beats and others to a tenth, so a range of its values is not exact.
        const digits = ["recovery_score_band", "hrv_band", "resting_heart_rate_band"].includes(band) ? 0 : 0.7
        expect(day[band]?.low).toBeCloseTo(sample(values).low, digits)
        expect(day[band]?.high).toBeCloseTo(sample(values).high, digits)
      }
      const value = valueOn(day)
      if (value != null) before.push(value)
    }
    expect(before.length).toBeGreaterThan(100)
  })

  test("dates without any record have the ranges of a longer period", async () => {
    const { days } = await trends("?start_date=2026-08-01&end_date=2026-12-20")
    const { days: empty } = await trends("?start_date=2026-12-01&end_date=2026-12-20")
    expect(empty).toEqual(days.slice(-20))
    expect(empty.every(({ sleep, hrv_band: band }) => sleep === null && band !== null)).toBe(true)
  })

  test("says how long the vendor took to score it, from the vendor's own time", async () => {
    const { days } = await trends("?days=all")
    const updatedAt = new Map(
      service.simulator.records(person).sleeps.map(({ end, updated_at }) => [Date.parse(end), Date.parse(updated_at)]),
    )
    let compared = 0
    for (const { sleep } of days) {
      if (sleep === null) continue
      const delayMs = (updatedAt.get(Date.parse(sleep.end)) ?? Number.NaN) - Date.parse(sleep.end)
      if (sleep.score_state !== "scored") expect(sleep.score_delay_minutes).toBeNull()
      else if (delayMs > 0 && delayMs < 12 * 3_600_000) {
        expect(sleep.score_delay_minutes).toBe(Math.ceil(delayMs / 60_000))
        compared += 1
      }
    }
    expect(compared).toBeGreaterThan(100)
  })

  test("lists naps apart from the night, in local time", async () => {
    const { days } = await trends("?days=all")
    const truth = service.simulator.records(person).sleeps.filter(({ nap }) => nap)
    const naps = days.flatMap(({ date, naps: ofDate }) => ofDate.map((nap) => ({ date, ...nap })))
    expect(naps.length).toBe(truth.length)
    expect(naps.length).toBeGreaterThan(0)
    for (const { date, start_minutes, duration_hours, asleep_hours } of naps) {
      const [sleep] = await records("sleep", date).then((all) =>
        all.filter(
          (each: { is_nap: boolean; duration_hours: number }) => each.is_nap && each.duration_hours === duration_hours,
        ),
      )
      const { light_hours, deep_hours, rem_hours } = sleep.stages
      if (asleep_hours === null) expect(light_hours).toBeNull()
      else expect(asleep_hours).toBeCloseTo(light_hours + deep_hours + rem_hours, 1)
      expect(start_minutes).toBeGreaterThan(0)
    }
  })
})

function expectNight(day: TrendDay, night: Record<string, unknown> | undefined): void {
  if (!night) {
    expect(day.sleep).toBeNull()
    return
  }
  const { performance, efficiency, consistency, light_hours, deep_hours, rem_hours, awake_hours } = day.sleep ?? {}
  expect({ performance, efficiency, consistency }).toEqual(night["score"])
  expect({ light_hours, deep_hours, rem_hours, awake_hours }).toEqual(night["stages"])
  expect(day.sleep).toMatchObject({ start: night["start"], end: night["end"], score_state: night["score_state"] })
}

describe("without data", () => {
  test("an account without a connection has empty rows and no source", async () => {
    const unconnected = new Member(service)
    await unconnected.signUp()
    const { days, source } = await trends("?days=all", unconnected)
    expect(source).toBeNull()
    expect(days).toHaveLength(30)
    expect(days.every(({ sleep, recovery, strain }) => !sleep && !recovery && !strain)).toBe(true)
  })

  test("stored records stay readable after a disconnect", async () => {
    const leaver = await Member.connected(service, service.simulator.people.add({ email: "bo@vendor.example" }))
    const before = await trends("?days=30", leaver.member)
    expect((await leaver.member.send("DELETE", "/api/connections/whoop")).status).toBe(204)
    expect(await trends("?days=30", leaver.member)).toEqual({ ...before, source: null, sources: [] })
  })
})

describe("own dates", () => {
  test("have the same rows as a longer period up to today", async () => {
    const { days } = await trends("?days=60")
    const [from, to] = [days[10]?.date, days[29]?.date]
    const own = await trends(`?start_date=${from}&end_date=${to}`)
    expect(own.period).toEqual({ start_date: from, end_date: to, days: 20 })
    // A night has its course in short periods only.
    const shown = days.slice(10, 30).map((day) => ({ ...day, sleep: day.sleep && { ...day.sleep, course: null } }))
    expect(own.days.map((day) => ({ ...day, sleep: day.sleep && { ...day.sleep, course: null } }))).toEqual(shown)
    expect((await trends(`?days=20&end_date=${to}`)).days).toEqual(own.days)
    expect((await trends(`?days=7&start_date=${days[55]?.date}`)).days).toEqual((await trends("?days=5")).days)
  })

  test.each([
    ["start_date=2026-11-02&end_date=2026-11-01", "start_date"],
    ["start_date=1900-01-01&end_date=2026-11-01", "start_date"],
    ["start_date=2026-02-30", "start_date"],
    ["end_date=yesterday", "end_date"],
  ])("?%s gets 400", async (search, field) => {
    const answer = await member.send("GET", `/api/account/trends?${search}`)
    expect([answer.status, (await answer.json()).field]).toEqual([400, field])
  })

  test("the journal refuses dates in the wrong order too", async () => {
    const answer = await member.send("GET", "/api/account/journal?start_date=2026-11-02&end_date=2026-11-01")
    expect([answer.status, (await answer.json()).field]).toEqual([400, "start_date"])
  })
})

test.each(["0", "-1", "1.5", "36501", "week", "", "7&days=8"])("days=%s gets 400", async (days) => {
  const answer = await member.send("GET", `/api/account/trends?days=${days}`)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: "invalid_request", field: "days" })
})

test("a period says what today is, and since when there are records", async () => {
  const { period } = await trends("?days=all")
  const { today, oldest_date } = await trends("?days=14&end_date=2026-01-31")
  expect([oldest_date, today]).toEqual([period.start_date, period.end_date])
})

test("a request without a session gets 401, even with a key", async () => {
  const answer = await fetch(`${service.url}/api/account/trends`, { headers: { authorization: `Bearer ${key}` } })
  expect(answer.status).toBe(401)
})

test("trends are compressed if the client accepts gzip", async () => {
  const answer = await fetch(`${service.url}/api/account/trends?days=90`, {
    headers: { cookie: member.cookie, "accept-encoding": "gzip" },
  })
  expect(answer.headers.get("content-encoding")).toBe("gzip")
  expect(TrendsResponseSchema.parse(await answer.json()).days).toHaveLength(90)
})

describe("the same read by session and by key", () => {
  test.each(["?type=sleep&days=30", "?type=recovery", "?type=summary", "?type=profile"])(
    "%s gets the same body, and only the read by key is counted",
    async (search) => {
      const usage = async () => (await (await member.send("GET", "/api/account")).json()).usage.used
      const before = await usage()
      const bySession = await member.send("GET", `/api/account/health${search}`)
      expect(await usage()).toBe(before)
      // Answers by key are compressed, and each coding has a tag of its own.
      const byKey = await readHealth(service.url, key, search, { "accept-encoding": "identity" })
      expect(await bySession.json()).toEqual(await byKey.json())
      expect(bySession.headers.get("etag")).toBe(byKey.headers.get("etag"))
      expect(bySession.headers.get("cache-control")).toBe("no-store")
      expect(await usage()).toBe(before + 1)
      const tag = bySession.headers.get("etag") ?? ""
      expect(
        (await member.send("GET", `/api/account/health${search}`, undefined, { "if-none-match": tag })).status,
      ).toBe(304)
    },
  )
})
