import { METRIC_IDS } from "@restwell/client"
import { besideUsual } from "@restwell/client/figures"
import { ALL_SCOPES, callConnector, callTool, connectAssistant, type Tokens } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import fc from "fast-check"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { daysAgo } from "./days-ago.ts"

let service: TestService
let member: Member
let key: string
let tokens: Tokens & { clientId: string }
beforeAll(async () => {
  service = await startTestService({
    now: new Date("2026-11-20T12:00:00Z"),
    days: 200,
    environment: { FREE_MONTHLY_REQUESTS: "1000000" },
  })
  ;({ member, key } = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" })))
  tokens = await connectAssistant(service, member)
})
afterAll(() => service.close())

async function rest(path: string, question: object) {
  const search = new URLSearchParams(Object.entries(question).map(([name, value]) => [name, String(value)]))
  const answer = await fetch(`${service.url}/api/v1/${path}?${search}`, { headers: { authorization: `Bearer ${key}` } })
  expect(answer.status).toBe(200)
  return answer.json()
}

const metric = fc.constantFrom(...METRIC_IDS)
const days = fc.integer({ min: 1, max: 250 })

describe("the figures are those of REST", () => {
  test("in get_trend", async () => {
    const question = fc.record(
      {
        metric,
        days,
        by: fc.constantFrom("week", "month", "weekday"),
        points: fc.boolean(),
        top: fc.integer({ min: 1, max: 100 }),
      },
      { requiredKeys: ["metric"] },
    )
    await fc.assert(
      fc.asyncProperty(question, async (input) => {
        const { structuredContent } = await callTool(service, tokens.access_token, "get_trend", input)
        expect(structuredContent).toEqual(await rest("trend", input))
      }),
      { numRuns: 60 },
    )
  })

  test("in compare_periods", async () => {
    await fc.assert(
      fc.asyncProperty(fc.record({ metric, days }), async (input) => {
        const { structuredContent } = await callTool(service, tokens.access_token, "compare_periods", input)
        expect(structuredContent).toEqual(await rest("compare", input))
      }),
      { numRuns: 30 },
    )
  })

  test("in find_relations", async () => {
    const pair = fc.record({ outcome: metric, factor: metric, lag: fc.constantFrom(0, 1) })
    await fc.assert(
      fc.asyncProperty(pair, async (input) => {
        fc.pre(input.outcome !== input.factor)
        const { structuredContent } = await callTool(service, tokens.access_token, "find_relations", input)
        expect(structuredContent).toEqual(await rest("relate", input))
      }),
      { numRuns: 30 },
    )
  })

  test("in find_relations without a factor, which lists the clear relations first and counts what it leaves out", async () => {
    const { structuredContent } = await callTool(service, tokens.access_token, "find_relations", { outcome: "asleep" })
    const whole = await rest("relate", { outcome: "asleep" })
    const relations = structuredContent?.["relations"]
    const listed = Array.isArray(relations) ? relations.length : 0
    const names: readonly string[] = Array.isArray(relations) ? relations.map(({ factor }) => factor) : []
    const isTold = ({ factor }: { factor: string }) => names.includes(factor)
    const left = whole.relations.filter((each: { factor: string }) => !isTold(each))
    expect(structuredContent).toMatchObject({
      ...whole,
      relations: whole.relations.filter(isTold),
      left_out: whole.relations.length - listed,
    })
    const isClear = ({ verdict }: { verdict: string }) => !/^no_|not_enough/.test(verdict)
    expect(structuredContent?.["clear_left_out"] ?? 0).toBe(left.filter(isClear).length)
    const isOwnAndClear = (each: { verdict: string; part_of_outcome: boolean }) =>
      isClear(each) && !each.part_of_outcome
    if (left.some(isOwnAndClear)) expect(whole.relations.filter(isTold).filter(isOwnAndClear)).toHaveLength(7)
  })

  test("in get_today", async () => {
    const { structuredContent } = await callTool(service, tokens.access_token, "get_today")
    const figures = structuredContent?.["figures"]
    if (!Array.isArray(figures)) throw new Error("no figures")
    expect(figures.length).toBeGreaterThan(6)
    for (const figure of figures) {
      const { latest, usual, unit } = await rest("trend", { metric: figure.metric, days: 14 })
      const position = besideUsual(latest.value, usual)
      expect(figure).toMatchObject({
        value: latest.value,
        unit,
        usual_low: usual.low,
        usual_high: usual.high,
        position,
      })
      expect(figure.date ?? structuredContent?.["figures_date"]).toBe(latest.date)
    }
  })
})

test("a trend of one sport says which, and an unknown one is answered with those there are", async () => {
  const { content, structuredContent } = await callTool(service, tokens.access_token, "get_trend", {
    metric: "workout_max_heart_rate",
    days: 180,
    sport: "running",
  })
  expect(structuredContent).toEqual(
    await rest("trend", { metric: "workout_max_heart_rate", days: 180, sport: "running" }),
  )
  expect(content[0]?.text).toMatch(/^workout_max_heart_rate \(bpm\) of running alone, /)
  const refused = await callTool(service, tokens.access_token, "get_trend", { metric: "workout", sport: "curling" })
  expect(refused.isError).toBe(true)
  expect(refused.content[0]?.text).toMatch(/sport curling is unknown, there are [a-z]/)
})

test("an unknown sport is answered with those there are, by every tool that takes one", async () => {
  const textOf = async (name: string, input: object) =>
    (await callTool(service, tokens.access_token, name, input)).content[0]?.text ?? ""
  expect(await textOf("get_sports", { sport: "curling" })).toMatch(
    /^No workouts of curling from .+\n(?:.+\n)*There are workouts of (?=.*running)(?=.*cycling)/,
  )
  const { sports } = await rest("sports", { days: 60 })
  const text = await textOf("get_workouts", { sport: "curling", days: 60 })
  expect(text).toContain("No records: none of this sport, but of ")
  for (const { sport_type: sport } of sports.slice(0, 1)) expect(text).toContain(sport)
})

test("means beside a verdict that is adjusted say that they are raw", async () => {
  const { content, structuredContent } = await callTool(service, tokens.access_token, "find_relations", {
    outcome: "hrv",
    factor: "asleep",
  })
  expect(content[0]?.text).toMatch(/^Raw mean of the outcome by thirds of the factor: /m)
  expect(JSON.stringify(structuredContent?.["notes"])).toContain("The means by thirds of the factor are raw")
})

test("texts read as people speak", async () => {
  const textOf = async (name: string, input: object) =>
    (await callTool(service, tokens.access_token, name, input)).content[0]?.text ?? ""
  const debt = await textOf("get_trend", { metric: "sleep_debt", days: 14 })
  expect(debt).toMatch(/Last 14 dates: \d+(?:\.\d+)? h (more|less) sleep than needed, sum of \d+ nights/)
  const few = await textOf("get_trend", { metric: "hrv", days: 10 })
  expect(few).toMatch(/too few values to judge a trend \(\d+, 14 needed\); mean and range are valid/)
  expect(few).not.toContain("Change per 30 days")
  const bedtime = await textOf("get_trend", { metric: "bedtime", days: 30, by: "weekday", above: "00:00" })
  expect(bedtime).toMatch(/^Latest: \d\d:\d\d on .+\nEarliest: \d\d:\d\d on .+\nNewest: /m)
  expect(bedtime).toMatch(/^After 00:00: \d+ of \d+ dates/m)
  expect(bedtime).toContain("Weekdays are those of waking: Monday is the night from Sunday to Monday.")
  expect(bedtime).not.toMatch(/[Hh]ighest|[Ll]owest/)
  expect(await textOf("get_trend", { metric: "asleep", above: 7.5 })).toMatch(
    /, sum \d+\.?\d*.+\n(.+\n)+Above 7.5: \d+ of/,
  )
  expect(await textOf("get_trend", { metric: "recovery_score", days: 60 })).toMatch(
    /Change per 30 days \S+ percentage points/,
  )
  expect(await textOf("get_trend", { metric: "distance" })).toMatch(/Usual before it: 0 to|sum 0/)
  expect(await textOf("compare_periods", { metric: "hrv", days: 4 })).toContain("too few values to compare the periods")
  const relations = await textOf("find_relations", { outcome: "recovery_score" })
  expect(relations).toMatch(/hrv \(number, part of the outcome\): positive/)
  expect(relations).toContain("Relations are associations, not causes.")
  expect(await textOf("get_today", {})).not.toMatch(/ ,/)
})

test.each<[string, object, RegExp]>([
  ["get_trend", { metric: "happiness" }, /metric.+must be one of recovery_score/is],
  ["get_trend", { metric: "hvr" }, /did you mean hrv\?/],
  ["get_trend", { metric: "hrv", above: "23:30" }, /above must be a number like 7.5 for hrv/],
  ["find_relations", { outcome: "hrv", factor: "alcohol" }, /did you mean journal:alcohol\?/],
  ["get_trend", {}, /metric/],
  ["get_trend", { metric: "hrv", days: 4001 }, /4000/],
  ["get_trend", { metric: "hrv", by: "year" }, /week/],
  ["get_trend", { metric: "hrv", source: "fitbit" }, /apple_health/],
  ["get_trend", { metric: "hrv", start_date: "2026-02-30" }, /calendar/],
  ["compare_periods", { metric: "hrv", with_start_date: "2026-01-01" }, /with_end_date is missing/],
  [
    "compare_periods",
    {
      metric: "hrv",
      start_date: "2026-01-01",
      end_date: "2026-01-10",
      with_start_date: "2026-01-05",
      with_end_date: "2026-01-20",
    },
    /overlap/,
  ],
  ["find_relations", { outcome: "hrv", lag: 2 }, /0 or 1/],
  ["find_relations", { outcome: "hrv", factor: "hrv" }, /outcome itself/],
  ["find_relations", { outcome: "journal:alcohol" }, /must be one of/],
])("%s refuses %j with a message", async (name, input, message) => {
  const result = await callTool(service, tokens.access_token, name, input)
  expect(result.isError).toBe(true)
  expect(result.content[0]?.text).toMatch(message)
})

const METRIC_OF = {
  "sleep:read": "asleep",
  "recovery:read": "hrv",
  "workouts:read": "strain",
  "journal:read": "journal:alcohol",
  "series:read": "weight",
}

test("a metric needs the scope of its data, and a relation those of both", async () => {
  await fc.assert(
    fc.asyncProperty(fc.subarray(ALL_SCOPES.split(" "), { minLength: 1 }), async (allowed) => {
      const { access_token } = await connectAssistant(service, member, { choice: { scopes: allowed } })
      for (const [scope, metric] of Object.entries(METRIC_OF)) {
        for (const name of ["get_trend", "compare_periods"]) {
          const result = await callTool(service, access_token, name, { metric })
          expect(result.isError ?? false, `${name} ${metric}`).toBe(!allowed.includes(scope))
          if (result.isError) expect(result.content[0]?.text).toMatch(/^forbidden: the person does not share/)
        }
        if (metric === "asleep") continue
        const { isError } = await callTool(service, access_token, "find_relations", {
          outcome: "asleep",
          factor: metric,
        })
        expect(isError ?? false, metric).toBe(!allowed.includes(scope) || !allowed.includes("sleep:read"))
      }
      const today = await callTool(service, access_token, "get_today")
      expect(today.isError ?? false).toBe(!allowed.some((scope) => /sleep|recovery|workouts/.test(scope)))
      if (!allowed.includes("recovery:read")) expect(JSON.stringify(today)).not.toMatch(/hrv|recovery_score/)
      if (!allowed.includes("sleep:read")) expect(JSON.stringify(today)).not.toMatch(/asleep|bedtime/)
    }),
    { numRuns: 10 },
  )
})

test("without a factor only shared data are tried", async () => {
  const { access_token } = await connectAssistant(service, member, { choice: { scopes: ["sleep:read"] } })
  const { structuredContent, content } = await callTool(service, access_token, "find_relations", { outcome: "asleep" })
  expect(JSON.stringify(structuredContent)).toContain("bedtime")
  const note = "Not shared with this assistant: recovery, workouts and strain, the journal"
  const answer = `${JSON.stringify(structuredContent)} ${content[0]?.text}`
  expect(answer.split(note)).toHaveLength(3)
  expect(answer.replaceAll(note, "")).not.toMatch(/hrv|strain|recovery_score|journal/)
})

test("nothing older than the shared dates is in an answer, also not in a usual range", async () => {
  const { access_token } = await connectAssistant(service, member, { choice: { days: "30" } })
  const within = await callTool(service, access_token, "get_trend", { metric: "hrv", days: 30 })
  expect(within.structuredContent).toMatchObject({ usual: { n: expect.any(Number) } })
  const usual = Object(within.structuredContent?.["usual"])
  expect(usual.n).toBeLessThan(30)
  const refused = await callTool(service, access_token, "get_trend", { metric: "hrv", days: 31 })
  expect(refused.content[0]?.text).toContain(`ask for dates from ${daysAgo(service, 29)}`)
  const compared = await callTool(service, access_token, "compare_periods", { metric: "hrv", days: 16 })
  expect(compared.isError).toBe(true)
  const related = await callTool(service, access_token, "find_relations", { outcome: "hrv", factor: "asleep" })
  expect(related.structuredContent).toMatchObject({ period: { start_date: daysAgo(service, 29) } })
})

test("a trend without dates is about the shared ones where they are fewer than its default", async () => {
  const { access_token } = await connectAssistant(service, member, { choice: { days: "7" } })
  const week = await callTool(service, access_token, "get_trend", { metric: "hrv" })
  expect(week.structuredContent).toMatchObject({ period: { days: 7 } })
  const whole = await callTool(service, tokens.access_token, "get_trend", { metric: "hrv" })
  expect(whole.structuredContent).toMatchObject({ period: { days: 30 } })
})

test("a client that did not request the scope of a metric learns which one it needs", async () => {
  const { access_token } = await connectAssistant(service, member, {
    scope: "sleep:read",
    choice: { scopes: ["sleep:read"] },
  })
  const challengeOf = async (name: string, args: object) => {
    const answer = await callConnector(service, access_token, "tools/call", { name, arguments: args })
    return [answer.status, answer.headers.get("www-authenticate")?.match(/ scope="([^"]+)"/)?.[1]]
  }
  expect(await challengeOf("get_trend", { metric: "hrv" })).toEqual([403, "sleep:read recovery:read"])
  expect(await challengeOf("find_relations", { outcome: "asleep", factor: "journal:alcohol" })).toEqual([
    403,
    "sleep:read journal:read",
  ])
  expect(await challengeOf("get_trend", { metric: "asleep" })).toEqual([200, undefined])
})

test("each answer counts as one request and is logged with its types and dates", async () => {
  const usedOf = async () => (await (await member.send("GET", "/api/account")).json()).usage.used
  for (const [name, input, types] of [
    ["get_trend", { metric: "hrv" }, ["recovery"]],
    ["compare_periods", { metric: "asleep" }, ["sleep"]],
    ["find_relations", { outcome: "hrv", factor: "strain" }, ["recovery", "cycle"]],
    ["get_today", {}, ["sleep", "recovery", "cycle"]],
    ["get_sports", {}, ["workout", "recovery"]],
    ["get_signs", {}, ["sleep", "recovery"]],
  ] as const) {
    const before = await usedOf()
    await callTool(service, tokens.access_token, name, input)
    expect((await usedOf()) - before, name).toBe(1)
    const { entries } = await (await member.send("GET", "/api/account/access-log")).json()
    expect(entries[0]).toMatchObject({ operation: name, types, outcome: "answered", end_date: daysAgo(service, 0) })
  }
})
