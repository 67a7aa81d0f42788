// A watch without readiness: its mornings have no score, and what it measured counts all the same.
import { garminArchive, garminRows } from "@restwell/simulator"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { importedArchive } from "../imports/upload-archive.ts"

const NOW = new Date("2026-11-18T17:00:00Z")

let service: TestService
let key: string
beforeAll(async () => {
  service = await startTestService({ days: 60, now: NOW, isStill: true, vendor: "oura" })
  const person = service.simulator.people.add({ email: "ada@vendor.example", days: 60 })
  const member = new Member(service)
  await member.signUp()
  const rows = garminRows(service.simulatorOf("oura").records(person))
  const archive = garminArchive({ ...rows, readiness: [] })
  expect(await importedArchive(service.url, member, archive)).toMatchObject({ status: "done" })
  const made = await member.send("POST", "/api/account/api-key")
  key = z.object({ api_key: z.string() }).parse(await made.json()).api_key
})
afterAll(() => service.close())

const RecoveriesSchema = z.object({
  records: z.array(
    z.object({
      date: z.string(),
      score_state: z.string(),
      score: z.number().nullable(),
      hrv: z.number().nullable(),
      resting_heart_rate: z.number().nullable(),
    }),
  ),
})

const read = async (path: string) =>
  (await fetch(`${service.url}${path}`, { headers: { authorization: `Bearer ${key}` } })).json()

test("averages and trends have the figures of mornings without a score", async () => {
  const all = RecoveriesSchema.parse(
    await (await readHealth(service.url, key, "?type=recovery&days=30")).json(),
  ).records
  const mornings = all.filter(({ score_state: state }) => state !== "pending")
  expect(new Set(mornings.map(({ score_state: state }) => state))).toEqual(new Set(["unscorable"]))
  expect(mornings.length).toBeGreaterThan(20)
  expect(mornings.every(({ score }) => score === null)).toBe(true)
  const mean = (values: readonly (number | null)[]) => {
    const known = values.filter((value) => value !== null)
    return known.reduce((sum, value) => sum + value, 0) / known.length
  }
  const { recovery } = await read("/api/v1/health?days=30")
  expect(recovery).toMatchObject({ average_score: null, day_count: mornings.length, source: "garmin" })
  expect(recovery.average_hrv).toBeCloseTo(mean(mornings.map(({ hrv }) => hrv)), 0)
  expect(recovery.average_rhr).toBeCloseTo(mean(mornings.map(({ resting_heart_rate: rate }) => rate)), 0)
  for (const metric of ["hrv", "resting_heart_rate"]) {
    const { points } = await read(`/api/v1/trend?metric=${metric}&days=30&points=true`)
    expect(points.length).toBeGreaterThan(20)
  }
})
