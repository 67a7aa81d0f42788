import { whoopArchive } from "@restwell/testing/archive"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"
import { z } from "zod"
import { ImportsSchema, uploadArchive } from "../imports/upload-archive.ts"
import { drinks, last, NOW, TODAY } from "./everyday-figures.ts"
import { type Truth, truthOf, within } from "./everyday-truth.ts"
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

describe("months", () => {
  test.each(["March", "how was my March", "march?", "March 2026", "2026-03"])(
    "“%s” finds that month",
    async (query) => {
      const [summary, ...days] = await idsOf(query)
      expect(summary).toBe("summary:2026-03-01:2026-03-31")
      const dates = Array.from({ length: 31 }, (_, day) => `2026-03-${String(day + 1).padStart(2, "0")}`)
      expect(days).toEqual(newest(dates).slice(0, 7))
    },
  )
})

describe("workouts", () => {
  test.each([
    ["longest run", "running", "1900-01-01"],
    ["my longest running workout in 2026", "running", "2026-01-01"],
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

  test("“longest workout” finds one day", async () => {
    const sports = sportsOf(truth, "1900-01-01", TODAY)
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
    "nights under 7 hours",
    "nights under 40 ms",
    "weight over 80 kg",
    "sick friends",
    "runs faster than 5 minutes",
    "my mood last week",
    "should I see a doctor",
  ])("“%s” is empty and lists what search understands, never unrelated days", async (query) => {
    const { structuredContent } = await callTool(service, token, "search", { query })
    expect(structuredContent).toEqual({
      results: [],
      note: expect.stringMatching(/understands dates .* sports .* topics/),
    })
  })

  test("has no words that change what is found for what it can", async () => {
    const asleep = last(truth.asleep, 7)
    expect((await idsOf("how did I sleep in the last 7 days")).filter((id) => id.startsWith("day:"))).toEqual(
      newest(asleep.keys()),
    )
  })
})

test.each([
  ["March", "summary:2026-03-01:2026-03-31", "/trends?start_date=2026-03-01&end_date=2026-03-31"],
  ["2026-03-10", "day:2026-03-10", "/?date=2026-03-10"],
])("the link of “%s” opens its dates, as that of the document does", async (query, id, page) => {
  const LinkedSchema = z.object({ id: z.string(), url: z.string() })
  const found = await callTool(service, token, "search", { query })
  const { results } = z.object({ results: z.array(LinkedSchema) }).parse(found.structuredContent)
  expect(results).toContainEqual({ id, url: service.url + page })
  const { structuredContent } = await callTool(service, token, "fetch", { id })
  expect(LinkedSchema.parse(structuredContent).url).toBe(service.url + page)
})

test("the link of a summary of the last days opens as many", async () => {
  const { structuredContent } = await callTool(service, token, "fetch", { id: "summary:30" })
  expect(structuredContent).toMatchObject({ url: `${service.url}/trends?days=30` })
})

test("each search is one request", async () => {
  const usedOf = async () => (await (await member.send("GET", "/api/account")).json()).usage.used
  for (const query of ["March", "longest run", "when did I drink alcohol", "yoga", "worst nights"]) {
    const before = await usedOf()
    await search(query)
    expect((await usedOf()) - before, query).toBe(1)
  }
})
