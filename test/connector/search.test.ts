import { whoopArchive } from "@restwell/testing/archive"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { z } from "zod"
import { ImportsSchema, uploadArchive } from "../imports/upload-archive.ts"
import { daysBack, drinks, last, NOW, TODAY } from "./everyday-figures.ts"
import { type Truth, truthOf, type Values, within } from "./everyday-truth.ts"
import { sportsOf } from "./sports-and-signs-truth.ts"

let service: TestService
let member: Member
let token: string
let truth: Truth
beforeAll(async () => {
  service = await startTestService({ days: 400, now: new Date(NOW), environment: { FREE_MONTHLY_REQUESTS: "100000" } })
  const email = "ada@example.com"
  ;({ member } = await Member.connected(service, service.simulator.people.add({ email })))
  const records = service.simulator.records(email)
  await uploadArchive(service.url, member, whoopArchive(records))
  const readImports = async () => ImportsSchema.parse(await (await member.send("GET", "/api/imports")).json()).imports
  await vi.waitFor(async () => expect(await readImports()).toMatchObject([{ status: "done" }]), 60_000)
  truth = truthOf(records)
  token = (await connectAssistant(service, member)).access_token
}, 120_000)
afterAll(() => service.close())

const ResultsSchema = z.object({ results: z.array(z.object({ id: z.string(), title: z.string() })) })

async function search(query: string, by = token) {
  const { structuredContent, isError, content } = await callTool(service, by, "search", { query })
  expect(isError, content[0]?.text).toBeFalsy()
  return ResultsSchema.parse(structuredContent).results
}

const idsOf = async (query: string): Promise<string[]> => (await search(query)).map(({ id }) => id)

/** The newest ten of some dates. */
const newest = (dates: Iterable<string>): string[] =>
  [...dates]
    .toSorted()
    .toReversed()
    .slice(0, 10)
    .map((date) => `day:${date}`)

const datesWhere = (values: Values, is: (value: number) => boolean): string[] =>
  [...values].flatMap(([date, value]) => (is(value) ? [date] : []))

describe("months", () => {
  test.each(["March", "last March", "how was my March", "march?", "March 2026"])(
    "“%s” finds that month",
    async (query) => {
      const [summary, ...days] = await idsOf(query)
      expect(summary).toBe("summary:2026-03-01:2026-03-31")
      const dates = Array.from({ length: 31 }, (_, day) => `2026-03-${String(day + 1).padStart(2, "0")}`)
      expect(days).toEqual(newest(dates).slice(0, 7))
    },
  )

  test("“nights in March under 7 hours” finds those of March only", async () => {
    const march = within(truth.asleep, "2026-03-01", "2026-03-31")
    expect(await idsOf("nights in March under 7 hours")).toEqual(newest(datesWhere(march, (hours) => hours < 7)))
  })
})

describe("limits", () => {
  test.each<[string, (truth: Truth) => string[]]>([
    ["nights under 6 hours", ({ asleep }) => datesWhere(asleep, (hours) => hours < 6)],
    ["when did I sleep at least 9 h", ({ asleep }) => datesWhere(asleep, (hours) => hours >= 9)],
    ["days with recovery above 90 %", ({ recovery }) => datesWhere(recovery, (score) => score > 90)],
    ["HRV below 45 this year", ({ hrv }) => datesWhere(within(hrv, "2026-01-01", TODAY), (value) => value < 45)],
    ["strain over 18", ({ strain }) => datesWhere(strain, (value) => value > 18)],
    ["woke up before 6 am", ({ wakeTime }) => datesWhere(wakeTime, (minutes) => Math.round(minutes) < 360)],
    [
      "went to bed after midnight",
      ({ bedtime }) => datesWhere(bedtime, (minutes) => Math.round(minutes) > 0 && Math.round(minutes) < 720),
    ],
    [
      "runs over 8 km",
      ({ workouts }) => [
        ...new Set(
          workouts
            .filter(({ date, sport, metres = 0 }) => sport === "running" && metres > 8000 && date >= daysBack(89))
            .map(({ date }) => date),
        ),
      ],
    ],
  ])("“%s” finds the days beyond it", async (query, expected) => {
    const ids = await idsOf(query)
    expect(ids).toEqual(newest(expected(truth)))
    if (query.includes("nights")) expect(ids.length).toBeGreaterThan(0)
  })
})

describe("workouts", () => {
  test.each([
    ["longest run", "running", "1900-01-01"],
    ["my longest running workout this year", "running", "2026-01-01"],
  ])("“%s” finds the longest and the farthest", async (query, sport, from) => {
    const found = sportsOf(truth, from, TODAY).find(({ sport_type }) => sport_type === sport)
    const results = await search(query)
    expect(results[0]).toMatchObject({
      id: `day:${found?.longest?.date}`,
      title: expect.stringContaining(`longest ${sport}, ${found?.longest?.hours} h`),
    })
    expect(results.map(({ id }) => id)).toEqual([
      ...new Set([found?.longest?.date, found?.farthest?.date].map((date) => `day:${date}`)),
    ])
  })

  test("“farthest run” and “longest workout” find one day each", async () => {
    const sports = sportsOf(truth, "1900-01-01", TODAY)
    const run = sports.find(({ sport_type }) => sport_type === "running")
    expect(await idsOf("farthest run")).toEqual([`day:${run?.farthest?.date}`])
    const [longest] = sports.toSorted((one, other) => (other.longest?.hours ?? 0) - (one.longest?.hours ?? 0))
    expect(await idsOf("longest workout ever")).toEqual([`day:${longest?.longest?.date}`])
  })
})

describe("the journal", () => {
  test.each([
    ["when did I drink alcohol", true],
    ["days without alcohol", false],
  ])("“%s” finds the days with that answer", async (query, isYes) => {
    const { yes, no } = drinks(truth, 400)
    expect(await idsOf(query)).toEqual(newest((isYes ? yes : no).keys()))
  })

  test("“alcohol in October” finds those of October", async () => {
    const october = within(drinks(truth, 400).yes, "2026-10-01", "2026-10-31")
    expect(await idsOf("alcohol in October")).toEqual(newest(october.keys()))
  })

  test("is not searched without its permission", async () => {
    const choice = { scopes: ["sleep:read", "recovery:read", "workouts:read"] }
    const { access_token } = await connectAssistant(service, member, { choice })
    const { isError, content } = await callTool(service, access_token, "search", { query: "when was I sick" })
    expect([isError, content[0]?.text]).toEqual([true, expect.stringMatching(/^forbidden: .*journal/)])
  })
})

describe("what it cannot answer", () => {
  test.each([
    "when was I sick",
    "blood pressure in March",
    "average blood sugar",
    "worst nights after alcohol",
    "longest streak of good nights",
    "longest curling",
    "shortest run",
    "hardest run",
    "how did I sleep badly",
    "nights under 40 ms",
    "weight over 80 kg",
    "sick friends",
    "runs faster than 5 minutes",
    "my mood last week",
    "should I see a doctor",
  ])("“%s” is empty, never unrelated days", async (query) => {
    expect(await search(query)).toEqual([])
  })

  test("has no words that change what is found for what it can", async () => {
    const asleep = last(truth.asleep, 7)
    expect((await idsOf("how did I sleep in the last 7 days")).filter((id) => id.startsWith("day:"))).toEqual(
      newest(asleep.keys()),
    )
  })
})

test("each search is one request", async () => {
  const usedOf = async () => (await (await member.send("GET", "/api/account")).json()).usage.used
  for (const query of [
    "March",
    "longest run",
    "nights under 7 hours",
    "when did I drink alcohol",
    "yoga",
    "worst nights",
  ]) {
    const before = await usedOf()
    await search(query)
    expect((await usedOf()) - before, query).toBe(1)
  }
})
