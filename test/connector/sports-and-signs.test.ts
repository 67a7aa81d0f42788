import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { officeWorker } from "@restwell/simulator"
import { ALL_SCOPES, callTool, connectAssistant, resourceOf } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { NOW, TODAY } from "./everyday-figures.ts"
import { type Truth, truthOf } from "./everyday-truth.ts"
import { nextDate, signsOf, sportsOf } from "./sports-and-signs-truth.ts"

let service: TestService
let member: Member
let key: string
let client: Client
let truth: Truth
beforeAll(async () => {
  service = await startTestService({ days: 400, now: new Date(NOW), environment: { FREE_MONTHLY_REQUESTS: "100000" } })
  const email = "ada@example.com"
  ;({ member, key } = await Member.connected(service, service.simulator.people.add({ email })))
  truth = truthOf(service.simulator.records(email))
  const { access_token } = await connectAssistant(service, member)
  client = await clientOf(access_token)
})
afterAll(async () => {
  await client.close()
  await service.close()
})

async function clientOf(token: string): Promise<Client> {
  const connected = new Client({ name: "reference", version: "1" }, { versionNegotiation: { mode: "auto" } })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await connected.connect(new StreamableHTTPClientTransport(new URL(resourceOf(service)), { requestInit }))
  return connected
}

const ResultSchema = z.object({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ text: z.string().optional() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
})

async function call(name: string, input: Record<string, unknown> = {}, by = client) {
  const { content, structuredContent, isError } = ResultSchema.parse(await by.callTool({ name, arguments: input }))
  return { text: content[0]?.text ?? "", structured: structuredContent ?? {}, isError: isError ?? false }
}

const rest = async (path: string) =>
  (await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } })).json()

/** The tool lists five sports, without the vendor's ids and without what is unknown. */
const listed = (sports: ReturnType<typeof sportsOf>) =>
  sports.slice(0, 5).map(({ longest, farthest, ...sport }) => ({
    ...Object.fromEntries(Object.entries(sport).filter(([, value]) => value !== null)),
    longest: longest && { date: longest.date, hours: longest.hours },
    ...(farthest && { farthest: { date: farthest.date, distance_meters: farthest.distance_meters } }),
  }))

/** An assistant that may read these types of the last days. */
async function limited(scopes: readonly string[], days: "30" | "all" = "all"): Promise<Client> {
  const { access_token } = await connectAssistant(service, member, { scope: ALL_SCOPES, choice: { scopes, days } })
  return clientOf(access_token)
}

const usedOf = async (): Promise<number> => (await (await member.send("GET", "/api/account")).json()).usage.used
const newestEntry = async () => (await (await member.send("GET", "/api/account/access-log")).json()).entries[0]

describe("get_sports", () => {
  test("has the figures of the vendor's records, in both forms", async () => {
    const { text, structured } = await call("get_sports")
    const all = sportsOf(truth, nextDate(TODAY, -364), TODAY)
    expect(structured["sports"]).toEqual(listed(all))
    const rarer = all.slice(5).map(({ sport_type, count }) => [sport_type, count])
    expect(structured["others"] ?? {}).toEqual(Object.fromEntries(rarer))
    for (const { sport_type, count, hours, longest, last_date } of all.slice(0, 5)) {
      expect(text).toContain(`${sport_type}: ${count} workouts, ${hours} h`)
      expect(text).toContain(`longest ${longest?.hours} h on ${longest?.date}`)
      expect(text).toContain(`last on ${last_date}`)
    }
  })

  test("and get_workouts take one sport", async () => {
    const { structured } = await call("get_sports", { sport: "run", days: 90 })
    expect(structured["sports"]).toMatchObject([{ sport_type: "running" }])
    const workouts = await call("get_workouts", { sport: "running", days: 90 })
    expect(workouts.structured["count"]).toBe((await rest("/api/v1/sports?sport=running&days=90")).sports[0].count)
    expect((await call("get_sports", { sport: "curling" })).text).toMatch(/^No workouts of curling from /)
  })

  test("is one request, and logged with the types and dates that it read", async () => {
    const before = await usedOf()
    await call("get_sports", { days: 28 })
    expect((await usedOf()) - before).toBe(1)
    expect(await newestEntry()).toMatchObject({
      operation: "get_sports",
      types: ["workout", "recovery"],
      start_date: nextDate(TODAY, -27),
      end_date: TODAY,
      outcome: "answered",
    })
  })

  test("has no recovery and no older workouts for an assistant that may not read them", async () => {
    const assistant = await limited(["workouts:read"], "30")
    const { text, structured } = await call("get_sports", {}, assistant)
    const expected = sportsOf(truth, nextDate(TODAY, -29), TODAY)
    expect(structured["sports"]).toEqual(listed(expected.map((sport) => ({ ...sport, next_day_recovery: null }))))
    expect(text).toContain("Not shared with this assistant: recovery")
    expect(await newestEntry()).toMatchObject({ operation: "get_sports", types: ["workout"] })
    const older = await call("get_sports", { days: 31 }, assistant)
    expect([older.isError, older.text]).toEqual([true, expect.stringMatching(/^forbidden: .*last 30 days/)])
    await assistant.close()
  })

  test("is refused without workouts, and so is a sport as a factor", async () => {
    const assistant = await limited(["sleep:read", "recovery:read"])
    for (const [name, input] of [
      ["get_sports", {}],
      ["get_workouts", { sport: "running" }],
      ["find_relations", { outcome: "hrv", factor: "workout:running" }],
    ] as const) {
      const { isError, text } = await call(name, input, assistant)
      expect([isError, text], name).toEqual([true, expect.stringMatching(/^forbidden: .*does not share workouts/)])
    }
    const all = await call("find_relations", { outcome: "hrv" }, assistant)
    expect(all.text).toContain("Not shared with this assistant: workouts and strain, the journal")
    expect(all.text.replace("workouts and strain", "")).not.toContain("workout")
    await assistant.close()
  })

  test("names sports that find_relations takes", async () => {
    const { text, isError } = await call("find_relations", {
      outcome: "recovery_score",
      factor: "workout:running",
      lag: 1,
    })
    expect(isError).toBe(false)
    expect(text).toMatch(/^workout:running with recovery_score, lag 1/)
    const unknown = await call("find_relations", { outcome: "hrv", factor: "workout:curling" })
    expect([unknown.isError, unknown.text]).toEqual([
      true,
      expect.stringMatching(/workout:curling is unknown, there are/),
    ])
  })
})

describe("get_signs", () => {
  test("has the figures that are far from usual, in calm words", async () => {
    const { text, structured } = await call("get_signs", { days: 90 })
    const expected = signsOf(truth, TODAY, 90)
    expect(structured["records"]).toEqual(expected)
    for (const { date, figures } of expected)
      for (const { value, usual, direction } of figures)
        expect(text).toMatch(
          new RegExp(`^${date}: .*${value}.*${direction} the usual ${usual.low} to ${usual.high}`, "m"),
        )
    expect(text).not.toMatch(/ill|sick|fever|infect|warn|alarm|danger|abnormal/i)
  })

  test("says what was checked where nothing is unusual", async () => {
    const calm = Array.from({ length: 60 }, (_, back) => nextDate(TODAY, -back)).find(
      (date) => signsOf(truth, date, 1).length === 0,
    )
    expect(calm).toBeDefined()
    const days = signsOf(truth, TODAY, 7).length
    const { text, structured } = await call("get_signs")
    expect(structured["count"]).toBe(days)
    expect(text).toMatch(/Checked: resting heart rate, HRV, respiratory rate, skin temperature deviation/)
  })

  test("is of what is shared, one request, and refused without sleep and recovery", async () => {
    const sleepOnly = await limited(["sleep:read"])
    const before = await usedOf()
    const { structured } = await call("get_signs", { days: 90 }, sleepOnly)
    expect((await usedOf()) - before).toBe(1)
    expect(structured["checked"]).toEqual(["respiratory_rate"])
    expect(await newestEntry()).toMatchObject({
      operation: "get_signs",
      types: ["sleep"],
      start_date: nextDate(TODAY, -89),
    })
    const workoutsOnly = await limited(["workouts:read"])
    const refused = await call("get_signs", {}, workoutsOnly)
    expect([refused.isError, refused.text]).toEqual([true, expect.stringMatching(/^forbidden: .*sleep or recovery/)])
    await Promise.all([sleepOnly.close(), workoutsOnly.close()])
  })
})

describe("get_today", () => {
  test("has the signs of its figures' date", async () => {
    const { structured } = await call("get_today")
    const [record] = signsOf(truth, String(structured["figures_date"]), 1)
    expect(structured["signs"]).toEqual(record?.figures ?? [])
    expect(structured).toMatchObject({ date: TODAY, pending: null, night: { date: TODAY } })
  })
})

describe("before waking", () => {
  /** Lives in Berlin, and never travels. */
  const homebody = { ...officeWorker, homeZone: "Europe/Berlin", life: { ...officeWorker.life, tripsPerYear: 0 } }
  /** 02:18 there. */
  const NIGHT = new Date("2026-11-18T01:18:00Z")
  let night: TestService
  afterAll(() => night.close())

  test("get_today has the newest night with its date, the local time, and why today's is not there", async () => {
    night = await startTestService({ days: 60, now: NIGHT })
    const email = "ada@example.com"
    const { member: sleeper } = await Member.connected(night, night.simulator.people.add({ email, traits: homebody }))
    const { access_token } = await connectAssistant(night, sleeper)
    const { content, structuredContent, isError } = await callTool(night, access_token, "get_today")
    expect(isError, content[0]?.text).toBeFalsy()
    const { asleep, bedtime } = truthOf(night.simulator.records(email))
    const newest = [...asleep.keys()].at(-1) ?? ""
    expect(bedtime.has(newest)).toBe(true)
    expect(newest).toBe(nextDate(TODAY, -1))
    expect(structuredContent).toMatchObject({
      date: TODAY,
      local_time: expect.stringMatching(/^02:(18|19|20)$/),
      pending: { date: TODAY, since: null, newest_scored_date: newest },
      night: { date: newest, asleep_hours: Math.round((asleep.get(newest) ?? 0) * 100) / 100 },
      figures_date: newest,
    })
    const text = content[0]?.text ?? ""
    expect(text).toMatch(/^Today is 2026-11-18, 02:\d\d where the person is$/m)
    expect(text).toMatch(/^Reason: it is 02:\d\d where the person is: the night has not ended/m)
    expect(text).toContain(`Newest night, of ${newest},`)
    expect(text).not.toContain("Last night")
  })
})
