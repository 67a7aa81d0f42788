import {
  InsightsPageSchema,
  MetricPageSchema,
  type PeriodPage,
  PeriodPageSchema,
  type TrendDay,
  WeekPageSchema,
} from "@restwell/client"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { storeSecondSource } from "../dashboard/second-source.ts"

let service: TestService
let member: Member
let several: Member
beforeAll(async () => {
  service = await startTestService({ days: 200 })
  const { people } = service.simulator
  ;({ member } = await Member.connected(service, people.add({ email: "lena@vendor.example" })))
  ;({ member: several } = await Member.connected(service, people.add({ email: "omar@vendor.example" })))
  await storeSecondSource(service, several.email)
  const { time } = await today(member)
  await member.send("PUT", `/api/account/journal/${time}`, { answers: [{ factor: "alcohol", answer: true }] })
}, 120_000)
afterAll(() => service.close())

async function read(person: Member, path: string) {
  const response = await person.send("GET", `/api/account/${path}`)
  expect(response.status, path).toBe(200)
  return response.json()
}

const today = async (person: Member): Promise<{ time: string }> => ({
  time: (await read(person, "trends?days=1")).today,
})

const datesOf = ({ period: { start_date, end_date } }: PeriodPage) => `start_date=${start_date}&end_date=${end_date}`

/** The rows without the phases of nights, which pages do not draw. */
const withoutPhases = (days: readonly TrendDay[]) =>
  days.map(({ sleep, ...day }) => ({ ...day, sleep: sleep && { ...sleep, course: null } }))

/** The parts of a page as their own endpoints answer. */
async function expectSameAsParts(person: Member, page: PeriodPage, hasBefore: boolean): Promise<void> {
  const dates = datesOf(page)
  const { metrics } = await read(person, "metrics")
  const { missing: _, ...days } = await read(person, `trends?${dates}`)
  const { own_days, journal, figures, strain_by_recovery: relation, ...own } = page
  expect(own).toEqual({ ...days, days: withoutPhases(days.days) })
  expect(journal).toEqual((await read(person, `journal?${dates}`)).days)
  for (const { source, days: ofSource } of own_days)
    expect(ofSource).toEqual(withoutPhases((await read(person, `trends?${dates}&source=${source}`)).days))
  for (const { metric, trend, comparison } of figures) {
    expect(metric).toEqual(metrics.find(({ id }: { id: string }) => id === metric.id))
    expect(trend).toEqual(await read(person, `trend?metric=${metric.id}&${dates}&points=${trend.points !== null}`))
    if (hasBefore) expect(comparison).toEqual(await read(person, `compare?metric=${metric.id}&${dates}`))
    else expect(comparison).toBeNull()
  }
  expect(relation).toEqual(await read(person, `relate?outcome=strain&factor=recovery_score&lag=0&${dates}`))
}

describe("each page of statistics is one answer, with the figures of the endpoints of its parts", () => {
  test.each([
    ["trends", "days=30"],
    ["trends", "days=all"],
    ["report", "days=90"],
    ["report", ""],
  ])("%s?%s", async (name, query) => {
    const page = PeriodPageSchema.parse(await read(member, `pages/${name}?${query}`))
    expect(page.own_days).toEqual([])
    expect(page.figures.length).toBeGreaterThan(5)
    if (query === "") expect(page.period.days).toBe(90)
    await expectSameAsParts(member, page, query !== "days=all")
  })

  test("of a person with two sources, the dates of each source that a figure is of", async () => {
    await several.send("PUT", "/api/account/sources", { order: { sleep: ["oura"], recovery: ["whoop"] }, choices: [] })
    const page = PeriodPageSchema.parse(await read(several, "pages/trends?days=30"))
    expect(page.own_days.map(({ source }) => source).toSorted()).toEqual(["oura", "whoop"])
    await expectSameAsParts(several, page, true)
  })

  test("the week", async () => {
    const end = (await today(member)).time
    const page = WeekPageSchema.parse(await read(member, `pages/week?date=2190-01-01`))
    expect(page.period).toMatchObject({ end_date: end, days: 7 })
    const dates = `start_date=${page.period.start_date}&end_date=${end}`
    const day = (back: number) =>
      new Date(Date.parse(page.period.start_date) - back * 86_400_000).toISOString().slice(0, 10)
    expect(page.figures.length).toBeGreaterThan(4)
    for (const { metric, before, usual } of page.figures) {
      const compare = `compare?metric=${metric.id}&${dates}`
      expect(before).toEqual(await read(member, compare))
      expect(usual).toEqual(await read(member, `${compare}&with_start_date=${day(30)}&with_end_date=${day(1)}`))
    }
    expect(page.journal).toEqual([{ date: end, yes: ["alcohol"], no: [] }])
  })

  test("a metric, and one that is unknown", async () => {
    const page = MetricPageSchema.parse(await read(member, "pages/metric?metric=hrv&days=90"))
    expect(page.metrics).toEqual((await read(member, "metrics")).metrics)
    expect(page.figure).toEqual({
      trend: await read(member, "trend?metric=hrv&days=90&by=weekday&points=true"),
      comparison: await read(member, "compare?metric=hrv&days=90"),
    })
    expect(MetricPageSchema.parse(await read(member, "pages/metric?metric=mood&days=90")).figure).toBeNull()
  })

  test("a metric of one sport, beside the dates before of the same sport", async () => {
    const { sports } = await read(member, "sports?days=90")
    const [{ sport_type: sport }] = sports
    const query = `metric=workout&days=90&sport=${sport}`
    const page = MetricPageSchema.parse(await read(member, `pages/metric?${query}`))
    const trend = await read(member, `trend?${query}&by=weekday&points=true`)
    expect(page.figure?.trend).toEqual(trend)
    const { period, with: before } = page.figure?.comparison ?? {}
    expect(period?.mean).toBe(trend.mean)
    const dates = `start_date=${before?.start_date}&end_date=${before?.end_date}`
    expect(before?.mean).toBe((await read(member, `trend?metric=workout&sport=${sport}&${dates}`)).mean)
    for (const refused of ["metric=hrv&sport=running", "metric=workout&sport=curling"])
      expect((await member.send("GET", `/api/account/pages/metric?${refused}`)).status, refused).toBe(400)
  })

  test("insights about all factors and about one", async () => {
    const all = InsightsPageSchema.parse(await read(member, "pages/insights?days=180"))
    expect(all.outcome).toBe("recovery_score")
    expect(all.relations).toEqual([
      await read(member, "relate?outcome=recovery_score&days=180&lag=0"),
      await read(member, "relate?outcome=recovery_score&days=180&lag=1"),
    ])
    expect(all.trend).toEqual(await read(member, "trend?metric=recovery_score&days=180"))
    const one = InsightsPageSchema.parse(await read(member, "pages/insights?outcome=hrv&factor=strain&days=180"))
    expect(one.relations).toEqual([await read(member, "relate?outcome=hrv&factor=strain&days=180&lag=1")])
  })
})

test("a page that is unchanged is 304, and one that another date or sync changed is not", async () => {
  const first = await member.send("GET", "/api/account/pages/trends?days=30")
  const etag = first.headers.get("etag") ?? ""
  const again = (query: string) =>
    member.send("GET", `/api/account/pages/trends?${query}`, undefined, { "if-none-match": etag })
  expect((await again("days=30")).status).toBe(304)
  expect((await again("days=31")).status).toBe(200)
  await service.store.pool.query("update restwell.person set data_version = data_version + 1")
  expect((await again("days=30")).status).toBe(200)
})

test("a page needs a session, and refuses dates that are none", async () => {
  const response = await fetch(`${service.url}/api/account/pages/trends?days=30`)
  expect(response.status).toBe(401)
  expect((await member.send("GET", "/api/account/pages/report?days=0")).status).toBe(400)
  expect((await member.send("GET", "/api/account/pages/week?date=2026-02-30")).status).toBe(400)
})
