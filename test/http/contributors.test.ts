// What a score is made of: the vendor's own documents beside the API, CSV and an assistant.
import { RecoveryResponseSchema, SleepResponseSchema } from "@restwell/client"
import { garminArchive, garminRows, type OuraRecords, startOuraSimulator } from "@restwell/simulator"
import { ouraArchive } from "@restwell/testing/archive"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { importedArchive } from "../imports/upload-archive.ts"

let service: TestService
let member: Member
let key: string
let ring: OuraRecords
beforeAll(async () => {
  service = await startTestService({ days: 30, now: new Date("2026-03-11T18:30:00Z"), isStill: true })
  member = new Member(service)
  await member.signUp()
  key = await member.newKey()
  const oura = await startOuraSimulator({ seed: 5, now: service.simulator.clock.now(), days: 30 })
  const [wearer] = oura.people.list()
  if (wearer === undefined) throw new Error("nobody at Oura")
  ring = oura.records(wearer)
  await oura.close()
  for (const bytes of [ouraArchive(ring), garminArchive(garminRows(ring))])
    expect(await importedArchive(service.url, member, bytes)).toMatchObject({ status: "done" })
})
afterAll(() => service.close())

const get = (query: string) =>
  fetch(`${service.url}/api/v1/health?${query}`, { headers: { authorization: `Bearer ${key}` } })

/** Those that have a value, by name. */
const known = (parts: Readonly<Record<string, number | null>> | undefined) =>
  Object.fromEntries(Object.entries(parts ?? {}).filter(([, value]) => value !== null))

const byName = (contributors: readonly { readonly name: string; readonly value: number }[]) =>
  Object.fromEntries(contributors.map(({ name, value }) => [name, value]))

test("each readiness has the points that the ring gives its parts, and a part without any is absent", async () => {
  const { records } = RecoveryResponseSchema.parse(await (await get("type=recovery&days=30&source=oura")).json())
  expect(records.length).toBeGreaterThan(20)
  for (const { date, contributors } of records) {
    const readiness = ring.daily_readiness.find(({ day }) => day === date)
    expect(byName(contributors)).toEqual(known(readiness?.contributors))
    expect(contributors.every(({ unit }) => unit === null)).toBe(true)
  }
  const empty = ring.daily_readiness.flatMap(({ contributors }) => Object.values(contributors)).filter((one) => !one)
  expect(empty.length).toBeGreaterThan(0)
})

test("a night of a watch has parts of its score, and its readiness the factors in percent", async () => {
  const nights = SleepResponseSchema.parse(await (await get("type=sleep&days=30&source=garmin")).json())
  const [night] = nights.records.filter(({ is_nap, contributors }) => !is_nap && contributors.length > 0)
  const score = ring.daily_sleep.find(({ day }) => day === night?.date)?.contributors
  expect(byName(night?.contributors ?? [])).toEqual(
    known({
      duration: score?.["total_sleep"] ?? null,
      deep: score?.["deep_sleep"] ?? null,
      rem: score?.["rem_sleep"] ?? null,
      interruptions: score?.["restfulness"] ?? null,
    }),
  )
  const { records } = RecoveryResponseSchema.parse(await (await get("type=recovery&days=30&source=garmin")).json())
  const factors = records.flatMap(({ contributors }) => contributors)
  expect(new Set(factors.map(({ unit }) => unit))).toEqual(new Set(["%"]))
})

test("CSV has a list as one cell of JSON, and none as an empty cell", async () => {
  const csv = await (await get("type=sleep&days=30&source=oura&format=csv&fields=date,contributors")).text()
  const [header, ...lines] = csv.trim().split("\r\n")
  expect(header).toBe("date,contributors")
  const cells = lines.map((line) => line.slice(11).replace(/^"|"$/g, "").replaceAll('""', '"'))
  const { records } = SleepResponseSchema.parse(await (await get("type=sleep&days=30&source=oura")).json())
  expect(cells.map((cell) => (cell === "" ? [] : JSON.parse(cell)))).toEqual(
    records.map(({ contributors }) => contributors),
  )
  expect(cells).toContain("")
})

test("an assistant learns of today what the scores are made of, the lowest first", async () => {
  const { access_token: token } = await connectAssistant(service, member)
  const { structuredContent, content } = await callTool(service, token, "get_today", {})
  const TodaySchema = z.object({
    date: z.string(),
    score_parts: z.record(z.string(), z.record(z.string(), z.number())),
  })
  const { date, score_parts: parts } = TodaySchema.parse(structuredContent)
  const values = Object.values(parts["recovery"] ?? {})
  expect(values).toEqual(values.toSorted((one, other) => one - other))
  const sleep = await (await get(`type=sleep&start_date=${date}&end_date=${date}`)).json()
  expect(parts["sleep"]).toEqual(
    byName(SleepResponseSchema.parse(sleep).records.find(({ is_nap }) => !is_nap)?.contributors ?? []),
  )
  expect(content[0]?.text).toMatch(/Parts of the recovery score, 0 to 100, the lowest first: \w+ \d+/)
})
