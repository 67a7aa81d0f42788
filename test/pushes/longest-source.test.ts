// Apple's archive and a program's pushes are both collected on a phone. Of a date that both have, the one that came first answers.
import { AccountResponseSchema, SourceSettingsResponseSchema } from "@restwell/client"
import { appleArchive, appleRecord } from "@restwell/simulator"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { importedArchive } from "../imports/upload-archive.ts"
import { newToken, pushed } from "./pusher.ts"

const DATE = "2026-11-17"
const AT_MS = Date.parse(`${DATE}T10:00:00Z`)
const MINUTE_MS = 60_000

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-20T12:30:00Z") })
})
afterAll(() => service.close())

const HOUR = { startMs: AT_MS, endMs: AT_MS + 60 * MINUTE_MS }

/** Uploads the archive of a day, and pushes a minute of it as another program does. */
async function personWithBoth({ isArchiveFirst = true, hasCalories = false }) {
  const member = new Member(service)
  await member.signUp()
  const { token } = await newToken(member)
  const key = await member.newKey()
  const counted = (name: string, unit: string, value: number) =>
    appleRecord(name, HOUR, { unit, value: `${value}`, sourceName: "Watch" })
  const upload = async () => {
    const energy = [counted("BasalEnergyBurned", "kcal", 1_500), counted("ActiveEnergyBurned", "kcal", 300)]
    const bytes = appleArchive([counted("StepCount", "count", 300), ...(hasCalories ? energy : [])])
    expect(await importedArchive(service.url, member, bytes)).toMatchObject({ status: "done" })
  }
  const start = new Date(AT_MS).toISOString()
  const end = new Date(AT_MS + MINUTE_MS).toISOString()
  const records = [{ type: "steps", start, end, value: 20, source: "Watch" }]
  const push = () => pushed(service, { records }, { token })
  for (const bring of isArchiveFirst ? [upload, push] : [push, upload]) await bring()
  const answer = await (await readHealth(service.url, key, `?type=cycle&start_date=${DATE}&end_date=${DATE}`)).json()
  const settings = await (await member.send("GET", "/api/account/sources")).json()
  return { member, records: answer.records, order: SourceSettingsResponseSchema.parse(settings).default_order }
}

test.each([
  ["an archive before a push", true, { source: "apple_health", steps: 300 }, ["apple_health", "phone"]],
  ["a push before an archive", false, { source: "phone", steps: 20 }, ["phone", "apple_health"]],
])("%s: the one that came first answers, and Sources has it first", async (_what, isArchiveFirst, first, expected) => {
  const { records, order } = await personWithBoth({ isArchiveFirst })
  expect(records).toMatchObject([{ ...first, chosen_because: "default_order" }])
  expect(order).toEqual(expected)
})

test.each([true, false])(
  "a day with calories goes before a single count, archive first: %s",
  async (isArchiveFirst) => {
    const { records } = await personWithBoth({ isArchiveFirst, hasCalories: true })
    expect(records).toMatchObject([{ source: "apple_health", steps: 300, chosen_because: "complete" }])
  },
)

test("an archive is there since its upload by the service's clock, however long the process has been running", async () => {
  const beforeMs = service.simulator.clock.nowMs()
  const { member } = await personWithBoth({})
  const { connections } = AccountResponseSchema.parse(await (await member.send("GET", "/api/account")).json())
  const since = connections.map(({ provider, connected_at }) => ({ provider, ms: Date.parse(connected_at) }))
  expect(since.map(({ provider }) => provider)).toEqual(["apple_health", "phone"])
  for (const { ms } of since) {
    expect(ms).toBeGreaterThanOrEqual(beforeMs)
    expect(ms).toBeLessThanOrEqual(service.simulator.clock.nowMs())
  }
})
