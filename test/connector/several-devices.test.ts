// A person with a band and the archive of a watch: whose figure each one is, and what the other one has beside it.
import { garminArchive } from "@restwell/simulator"
import { ALL_SCOPES, callTool, connectAssistant } from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { importedArchive } from "../imports/upload-archive.ts"

const TODAY = "2026-11-20"
const YESTERDAY = "2026-11-19"
const STEPS = 7_961

let service: TestService
let key: string
let token: string
beforeAll(async () => {
  service = await startTestService({ days: 30, now: new Date(`${TODAY}T13:18:00Z`), isStill: true })
  const connected = await Member.connected(service, service.simulator.people.add({ email: "both@vendor.example" }))
  key = connected.key
  const day = {
    calendarDate: YESTERDAY,
    wellnessStartTimeGmt: `${YESTERDAY}T00:00:00.0`,
    wellnessEndTimeGmt: `${TODAY}T00:00:00.0`,
    totalSteps: STEPS,
    totalDistanceMeters: 6_000,
  }
  const archive = garminArchive({
    nights: [],
    health: [],
    days: [day],
    readiness: [],
    body: [],
    activities: [],
    fit: [],
  })
  expect(await importedArchive(service.url, connected.member, archive)).toMatchObject({ status: "done" })
  token = (await connectAssistant(service, connected.member)).access_token
})
afterAll(() => service.close())

const ListSchema = z.object({
  records: z.array(
    z.looseObject({
      date: z.string(),
      steps: z.number().nullable().optional(),
      others: z.array(z.unknown()).optional(),
      source: z.string(),
    }),
  ),
})
const cycles = async (search: string) =>
  ListSchema.parse(await (await readHealth(service.url, key, `?type=cycle&days=5${search}`)).json()).records

const textOf = async (tool: string, input: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  (await callTool(service, token, tool, input)).content[0]?.text ?? ""

test("fields that a record lacks and another source knows are named, and not filled in", async () => {
  const records = await cycles("")
  expect(records.find(({ date }) => date === YESTERDAY)).toMatchObject({
    source: "whoop",
    steps: null,
    others: [
      { field: "steps", source: "garmin" },
      { field: "distance_meters", source: "garmin" },
    ],
  })
  expect(records.find(({ date }) => date === TODAY)?.others).toEqual([])
  const [own] = await cycles("&source=garmin")
  expect(own).toMatchObject({ steps: STEPS })
  expect(own).not.toHaveProperty("others")
})

test("a list of the connector says once what its records lack and another source has", async () => {
  const answer = await callTool(service, token, "get_cycles", { days: 5 })
  expect(answer.structuredContent).toMatchObject({ elsewhere: { garmin: ["steps", "distance_meters"] } })
  expect(answer.content[0]?.text).toContain("Not in these records: garmin has steps, distance_meters.")
})

test("each figure of today names its source, and the last line only the sources that gave one", async () => {
  const text = await textOf("get_today")
  expect(text).toMatch(/^recovery_score \d+ % from whoop \(/m)
  expect(text.split("\n").at(-1)).toMatch(/^From whoop, synced [^;]+$/)
})

test("an archive says of which date it is, and never that it is not synced", async () => {
  const text = await textOf("get_cycles", { days: 5, source: "garmin" })
  expect(text.split("\n").at(-1)).toBe(`From garmin, from an archive of ${TODAY}`)
})

test("an empty list says why: the future, before the data begin, or that another source has the dates", async () => {
  expect(await textOf("get_sleep", { start_date: "2026-11-25", end_date: "2026-11-26" })).toContain(
    `No records: 2026-11-25 is in the future: today is ${TODAY}`,
  )
  const nights = ListSchema.parse(await (await readHealth(service.url, key, "?type=sleep&days=90")).json()).records
  expect(await textOf("get_sleep", { start_date: "2025-02-01", end_date: "2025-02-03" })).toContain(
    `No records: before your data begin (${nights.at(-1)?.date})`,
  )
  const old = { start_date: "2026-11-15", end_date: "2026-11-16" }
  expect(await textOf("get_cycles", { ...old, source: "garmin" })).toContain(
    "No records: garmin has none of these dates, and whoop has",
  )
})

test("the document of a date without data says why", async () => {
  for (const [date, why] of [
    ["2026-12-24", `2026-12-24 is in the future: today is ${TODAY}`],
    ["2025-02-01", "before your data begin (2026-"],
  ])
    expect(await textOf("fetch", { id: `day:${date}` })).toContain(`Nothing of ${date}: ${why}`)
})

test("two devices are compared on the dates that both have, date by date", async () => {
  const { member, key: ownKey } = await Member.connected(
    service,
    service.simulator.people.add({ email: "pair@vendor.example" }),
  )
  const recoveries = z
    .object({ records: z.array(z.object({ date: z.string(), resting_heart_rate: z.number().nullable() })) })
    .parse(await (await readHealth(service.url, ownKey, "?type=recovery&days=30")).json())
    .records.flatMap(({ date, resting_heart_rate: rate }) => (rate === null ? [] : [{ date, rate }]))
  // The watch reads 4 to 6 beats more, and has no value of the newest date.
  const worn = recoveries.slice(1).map(({ date, rate }, index) => ({
    calendarDate: date,
    wellnessStartTimeGmt: `${date}T00:00:00.0`,
    wellnessEndTimeGmt: `${date}T23:59:00.0`,
    restingHeartRate: rate + 4 + (index % 3),
  }))
  const archive = garminArchive({
    nights: [],
    health: [],
    days: worn,
    readiness: worn.map(({ calendarDate }) => ({ calendarDate, timestamp: `${calendarDate}T06:00:00.0`, score: 60 })),
    body: [],
    activities: [],
    fit: [],
  })
  expect(await importedArchive(service.url, member, archive)).toMatchObject({ status: "done" })
  const question = { metric: "resting_heart_rate", source: "garmin", with_source: "whoop", days: 30 }
  const search = new URLSearchParams(Object.entries(question).map(([name, value]) => [name, String(value)]))
  const answer = await fetch(`${service.url}/api/v1/compare?${search}`, {
    headers: { authorization: `Bearer ${ownKey}` },
  })
  const body = await answer.json()
  const extra = worn.reduce((sum, _, index) => sum + 4 + (index % 3), 0) / worn.length
  expect(body).toMatchObject({
    period: { n: worn.length },
    with: { n: worn.length },
    source: { provider: "garmin" },
    verdict: "higher",
  })
  // Of two noisy series the periods could not tell five beats apart so surely: only the differences vary here, by one beat.
  expect(Math.abs(body.difference - extra)).toBeLessThan(0.6)
  expect(body.interval[1] - body.interval[0]).toBeLessThan(2)
  expect(body.notes.join()).toContain(`Only the dates of the period on which both have a value count: ${worn.length}.`)
  const own = (await connectAssistant(service, member)).access_token
  const { content, structuredContent } = await callTool(service, own, "compare_periods", question)
  // Assistants also read when the archive was uploaded.
  const { source: _, sources: __, ...figures } = body
  expect(structuredContent).toMatchObject(figures)
  expect(content[0]?.text).toContain("resting_heart_rate (bpm): garmin is higher than whoop")
  expect(content[0]?.text.split("\n").at(-1)).toMatch(/^From (?=.*garmin)(?=.*whoop)/)
  const scores = await callTool(service, own, "compare_periods", { ...question, metric: "recovery_score" })
  expect(scores.structuredContent).toMatchObject({ comparable: false, verdict: "not_enough_data", difference: null })
  expect(scores.content[0]?.text).toContain("garmin and whoop are not on one scale, so they have no difference")
  await expectWholeWindow(member, { metric: "resting_heart_rate", source: "garmin", with_source: "whoop" })
})

/** Two devices are compared on the same dates: who may read some dates gets all of them, and is told that there are more. */
async function expectWholeWindow(member: Member, question: Readonly<Record<string, string>>) {
  for (const shared of ["7", "30"] as const) {
    const days = Number(shared)
    const choice = { scopes: ALL_SCOPES.split(" "), days: shared }
    const { access_token: limited } = await connectAssistant(service, member, { choice })
    const answer = await callTool(service, limited, "compare_periods", question)
    expect(answer.structuredContent).toMatchObject({ period: { days }, with: { days } })
    expect(JSON.stringify(answer.structuredContent?.["notes"])).toContain(`dates before the newest ${days}`)
    const exact = await callTool(service, limited, "compare_periods", { ...question, days })
    expect(exact.structuredContent).toMatchObject({ period: { days } })
    const made = await member.send("POST", "/api/account/keys", { name: "Part", days })
    const headers = { authorization: `Bearer ${(await made.json()).api_key}` }
    const byKey = await fetch(`${service.url}/api/v1/compare?${new URLSearchParams(question)}`, { headers })
    expect(await byKey.json()).toMatchObject({
      period: { days },
      notes: expect.arrayContaining([expect.stringContaining("so the range begins there")]),
    })
  }
}
