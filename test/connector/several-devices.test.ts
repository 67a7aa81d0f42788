// A person with a band and the archive of a watch: whose figure each one is, and what the other one has beside it.
import { garminArchive } from "@restwell/simulator"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
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
