// That a grant of an app on trial ends after a week is said before a person connects and on the day before, and never to others.
import { AccountResponseSchema } from "@restwell/client"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let service: TestService
beforeAll(async () => {
  service = await startTestService({
    vendor: "google_health",
    now: new Date("2026-11-20T12:00:00Z"),
    isStill: true,
    days: 3,
  })
})
afterAll(() => service.close())

test("the end of a week's grant is named before connecting and on the sixth day, and not after the week", async () => {
  const person = service.simulator.people.add({ email: "ada@example.com" })
  const member = new Member(service)
  await member.signUp()
  await member.connect(person, "google_health")
  const read = async () => AccountResponseSchema.parse(await (await member.send("GET", "/api/account")).json())
  const noticeOf = async () => (await read()).connections.find(({ provider }) => provider === "google_health")?.notice
  const { vendors } = await read()
  expect(vendors.flatMap(({ provider, grant_note: note }) => (note === null ? [] : [provider, note]))).toEqual([
    "google_health",
    expect.stringContaining("ends after seven days"),
  ])
  expect(await noticeOf()).toBeNull()
  service.simulator.clock.advance(6 * DAY_MS + HOUR_MS)
  expect(await noticeOf()).toMatch(/may end Restwell's access at 2026-11-27 12:0\d UTC\..+Connect again now/)
  service.simulator.clock.advance(DAY_MS)
  expect(await noticeOf()).toBeNull()
})
