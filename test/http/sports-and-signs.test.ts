import { DayResponseSchema, SignsResponseSchema, SportsResponseSchema, WorkoutResponseSchema } from "@restwell/client"
import { enduranceAthlete, startOuraSimulator, startSimulator } from "@restwell/simulator"
import { ouraArchive, whoopArchive } from "@restwell/testing/archive"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { NOW, TODAY } from "../connector/everyday-figures.ts"
import { meanOf, rounded, type Truth, truthOf, type Values } from "../connector/everyday-truth.ts"
import { nextDate, signsOf, sportsOf } from "../connector/sports-and-signs-truth.ts"
import { importedArchive } from "../imports/upload-archive.ts"

let service: TestService
let key: string
let truth: Truth
beforeAll(async () => {
  service = await startTestService({ days: 400, now: new Date(NOW), environment: { FREE_MONTHLY_REQUESTS: "100000" } })
  const email = "ada@example.com"
  ;({ key } = await Member.connected(service, service.simulator.people.add({ email })))
  truth = truthOf(service.simulator.records(email))
})
afterAll(() => service.close())

const get = (path: string) => fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } })
const readSports = async (search = "") =>
  SportsResponseSchema.parse(await (await get(`/api/v1/sports${search}`)).json())
const refusal = async (path: string) => {
  const answer = await get(path)
  return [answer.status, (await answer.json()).field]
}

describe("sports", () => {
  test.each([
    ["", nextDate(TODAY, -364), TODAY],
    ["?days=30", nextDate(TODAY, -29), TODAY],
    ["?start_date=2026-03-01&end_date=2026-05-31", "2026-03-01", "2026-05-31"],
  ])("of %j have the figures of the vendor's records", async (search, from, to) => {
    const { period, sports, count } = await readSports(search)
    expect([period.start_date, period.end_date]).toEqual([from, to])
    expect(sports).toEqual(sportsOf(truth, from, to))
    expect(count).toBe(sports.length)
    expect(count).toBeGreaterThan(1)
  })

  test("of one sport, in any vendor's spelling, and none for a sport without workouts", async () => {
    const { sports } = await readSports()
    const running = sports.filter(({ sport_type: sport }) => sport === "running")
    for (const spelling of ["running", "Run", "jogging"])
      expect((await readSports(`?sport=${spelling}`)).sports).toEqual(running)
    expect(await readSports("?sport=curling")).toMatchObject({ sports: [], count: 0 })
  })

  test("the longest and the farthest workout are those of the list", async () => {
    const { sports } = await readSports("?days=90")
    for (const { sport_type: sport, count, longest, farthest } of sports) {
      const path = `/api/v1/health?type=workout&days=90&sport=${sport}`
      const { records } = WorkoutResponseSchema.parse(await (await get(path)).json())
      expect(records).toHaveLength(count)
      expect(new Set(records.map(({ sport_type }) => sport_type))).toEqual(new Set([sport]))
      const hours = records.find(({ id }) => id === longest.id)?.duration_hours
      expect(hours).toBe(Math.max(...records.map(({ duration_hours }) => duration_hours)))
      expect(records.find(({ id }) => id === farthest?.id)?.distance_meters).toBe(farthest?.distance_meters)
    }
  })

  test("select workouts only, and each sport has a response of its own", async () => {
    expect(await refusal("/api/v1/health?type=sleep&sport=running")).toEqual([400, "sport"])
    expect(await refusal("/api/v1/health?sport=running")).toEqual([400, "sport"])
    expect(await refusal("/api/v1/sports?sport=")).toEqual([400, "sport"])
    const tags = ["", "&sport=running", "&sport=yoga"].map(async (more) =>
      (await get(`/api/v1/health?type=workout&days=30${more}`)).headers.get("etag"),
    )
    expect(new Set(await Promise.all(tags)).size).toBe(3)
    const bodies = ["running", "strength"].map(async (sport) => (await get(`/api/v1/sports?sport=${sport}`)).text())
    expect(new Set(await Promise.all(bodies)).size).toBe(2)
  })
})

describe("a sport as a factor", () => {
  const relate = async (search: string) => (await get(`/api/v1/relate?outcome=recovery_score&${search}`)).json()

  test("is yes on dates with a workout of it, and no on other dates with a record", async () => {
    const days = 180
    const from = nextDate(TODAY, 1 - days)
    const runs = new Set(truth.workouts.filter(({ sport }) => sport === "running").map(({ date }) => date))
    const sides = [true, false].map((isYes): Values => {
      const next = [...truth.recovery].filter(([date]) => date >= from && runs.has(nextDate(date, -1)) === isYes)
      return new Map(next)
    })
    const [yes, no] = sides.map((side) => ({ n: side.size, mean: rounded(meanOf(side), 1) }))
    expect(yes?.n).toBeGreaterThan(8)
    expect(await relate("factor=workout:running&lag=1")).toMatchObject({
      factor: "workout:running",
      lag: 1,
      yes,
      no,
      unanswered: 0,
    })
    expect(await relate("factor=workout:Run&lag=1")).toEqual(await relate("factor=workout:running&lag=1"))
  })

  test("is one of those that are tried without a factor", async () => {
    const { relations } = await relate("days=180")
    const factors = relations.map(({ factor }: { factor: string }) => factor)
    for (const sport of new Set(truth.workouts.map(({ sport }) => sport))) expect(factors).toContain(`workout:${sport}`)
  })

  test("is 400 with the known ones where the person has no such workout", async () => {
    for (const days of [30, 180]) {
      const answer = await get(`/api/v1/relate?outcome=hrv&factor=workout:runing&days=${days}`)
      expect(answer.status).toBe(400)
      const body = await answer.json()
      expect(body).toMatchObject({ error: "invalid_request", field: "factor" })
      expect(body.message).toMatch(/^factor workout:runing is unknown, .*\bworkout:running\b/)
    }
    expect(await refusal("/api/v1/relate?outcome=hrv&factor=workout:")).toEqual([400, "factor"])
    expect(await refusal("/api/v1/trend?metric=workout:running")).toEqual([400, "metric"])
  })
})

describe("signs", () => {
  const readSigns = async (search = "") => SignsResponseSchema.parse(await (await get(`/api/v1/signs${search}`)).json())

  test("are the figures of each morning beyond two deviations of the 30 before", async () => {
    const { records, count, checked } = await readSigns("?days=90")
    expect(records).toEqual(signsOf(truth, TODAY, 90))
    expect(count).toBe(records.length)
    expect(count).toBeGreaterThan(3)
    expect(new Set(records.flatMap(({ figures }) => figures.map(({ metric }) => metric))).size).toBeGreaterThan(1)
    expect(checked).toEqual(["resting_heart_rate", "hrv", "respiratory_rate", "skin_temp_deviation"])
  })

  test("are of 7 days by default, and of 1 to 90", async () => {
    expect((await readSigns()).records).toEqual(signsOf(truth, TODAY, 7))
    expect(await refusal("/api/v1/signs?days=91")).toEqual([400, "days"])
    const end = nextDate(TODAY, -120)
    expect((await readSigns(`?days=60&end_date=${end}`)).records).toEqual(signsOf(truth, end, 60))
    expect(await refusal("/api/v1/signs?start_date=2026-11-01")).toEqual([400, "start_date"])
  })

  test("are those of each morning's own source, as the day of its date has them", async () => {
    const email = "both@example.com"
    service.simulator.people.add({ email, days: 60 })
    const oura = await startOuraSimulator({ seed: 5, now: new Date(NOW), days: 60 })
    try {
      const { cycles, ...band } = service.simulator.records(email)
      const ring = oura.records(oura.people.add({ email, days: 60 }))
      // The band is laid aside, and the ring's newest mornings are far from usual.
      const since = nextDate(TODAY, -3)
      const worn = { ...band, cycles: cycles.filter(({ start }) => start < `${since}T12:00`) }
      const sleep = ring.sleep.map((night) => (night.day > since ? { ...night, average_hrv: 9 } : night))
      const owner = new Member(service)
      await owner.signUp()
      for (const archive of [whoopArchive(worn), ouraArchive({ ...ring, sleep })])
        expect(await importedArchive(service.url, owner, archive)).toMatchObject({ status: "done" })
      const order = ["whoop", "oura"]
      expect((await owner.send("PUT", "/api/account/sources", { order: { recovery: order } })).status).toBe(200)
      const headers = { authorization: `Bearer ${await owner.newKey()}` }
      const read = async (path: string) => (await fetch(service.url + path, { headers })).json()
      const { records, checked, source } = SignsResponseSchema.parse(await read("/api/v1/signs?days=7"))
      for (let back = 0; back < 7; back += 1) {
        const date = nextDate(TODAY, -back)
        const day = DayResponseSchema.parse(await read(`/api/v1/day?date=${date}&rows=0`))
        const figures = records.find((record) => record.date === date)?.figures ?? []
        if (day.figures_date === date) expect(figures, date).toEqual(day.signs)
      }
      const low = records.filter(({ figures }) => figures.some(({ metric }) => metric === "hrv"))
      expect(low.slice(0, 3).map(({ date }) => date)).toEqual([0, -1, -2].map((days) => nextDate(TODAY, days)))
      expect(checked).toEqual(expect.arrayContaining(["resting_heart_rate", "hrv"]))
      expect(source.provider).toBe("oura")
    } finally {
      await oura.close()
    }
  })

  test("say what was not checked: with too few nights before, nothing", async () => {
    const email = "new@example.com"
    const person = service.simulator.people.add({ email, days: 4 })
    const { key: ownKey } = await Member.connected(service, person)
    const answer = await fetch(`${service.url}/api/v1/signs`, { headers: { authorization: `Bearer ${ownKey}` } })
    expect(await answer.json()).toMatchObject({ records: [], count: 0, checked: [] })
  })
})

test("the strains of a sport are those of one vendor: a day's 21 and a training load have no mean", async () => {
  const now = new Date(NOW)
  const intervals = await startTestService({ vendor: "intervals", days: 60, now })
  const whoop = await startSimulator({ seed: 3, now, days: 60 })
  try {
    const person = intervals.simulator.people.add({ email: "rider@vendor.example", traits: enduranceAthlete })
    const owner = new Member(intervals)
    await owner.signUp()
    const credential = { key: intervals.simulatorOf("intervals").keyOf(person) }
    expect((await owner.send("PUT", "/api/connections/intervals/credential", credential)).status).toBe(200)
    await owner.untilHistoryIsComplete()
    const wearer = whoop.people.add({ email: "band@vendor.example", traits: enduranceAthlete })
    const archive = whoopArchive(whoop.records(wearer.email))
    expect(await importedArchive(intervals.url, owner, archive)).toMatchObject({ status: "done" })
    const headers = { authorization: `Bearer ${await owner.newKey()}` }
    const read = async (path: string) => (await fetch(intervals.url + path, { headers })).json()
    const { records } = WorkoutResponseSchema.parse(await read("/api/v1/health?type=workout&days=60"))
    const { sports } = SportsResponseSchema.parse(await read("/api/v1/sports?days=60"))
    const ofBoth = sports.filter(({ sport_type: sport }) => {
      const known = records.filter((record) => record.sport_type === sport && record.strain !== null)
      return new Set(known.map(({ source }) => source)).size > 1
    })
    expect(ofBoth.length).toBeGreaterThan(0)
    for (const { sport_type: sport, average_strain: mean } of ofBoth) {
      const known = records.filter((record) => record.sport_type === sport && record.strain !== null)
      const bySource = [...Map.groupBy(known, ({ source }) => source).values()]
      const most = Math.max(...bySource.map(({ length }) => length))
      const means = bySource
        .filter(({ length }) => length === most)
        .map((each) => each.reduce((sum, { strain }) => sum + (strain ?? 0), 0) / each.length)
      // Strains of the list are rounded.
      expect(Math.min(...means.map((each) => Math.abs(each - (mean ?? 0)))), sport).toBeLessThan(0.11)
    }
  } finally {
    await whoop.close()
    await intervals.close()
  }
}, 120_000)
