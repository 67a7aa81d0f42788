import { CHART_KEY, ChartSchema } from "@restwell/client"
import type { OuraSimulator } from "@restwell/simulator"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { type Replica, startTestService, type TestService, vendorEnvironment } from "@restwell/testing/service"
import { startOuraBeside } from "@restwell/testing/vendor"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
let oura: OuraSimulator
let replica: Replica
beforeAll(async () => {
  // The first replica does not know Oura, so it runs no jobs.
  service = await startTestService({ days: 30, role: "api", now: new Date("2026-11-18T17:00:00Z") })
  oura = await startOuraBeside(service.simulator)
  replica = await service.startReplica("all", { ...vendorEnvironment(oura, "oura"), BASE_URL: service.url })
})
afterAll(async () => {
  await service.close()
  await oura.close()
})

test("the chart of last night has the phases of a source that has them, and the times of the night", async () => {
  const email = "ring@vendor.example"
  const { member } = await Member.connected(replica, service.simulator.people.add({ email }))
  await member.connect({ email }, "oura")
  await member.untilHistoryIsComplete()
  const put = await member.send("PUT", "/api/account/sources", { order: { sleep: ["oura", "whoop"] } })
  expect(put.status).toBe(200)
  const { access_token: token } = await connectAssistant(service, member)
  const result = await callTool(service, token, "get_today")
  const chart = ChartSchema.parse(result._meta?.[CHART_KEY])
  if (chart.kind !== "night" || !chart.night) throw new Error("no night")
  const { night } = chart
  expect(night.source).toBe("oura")
  const minutes = (night.course?.phases.length ?? 0) * (night.course?.interval_minutes ?? 0)
  expect(Math.abs(minutes - (night.end_minutes - night.start_minutes))).toBeLessThan(6)
  expect(night.end_minutes - night.start_minutes).toBeCloseTo(night.duration_hours * 60, -1)
  expect(JSON.stringify(result.structuredContent)).not.toContain("phases")
  // The minutes that the clock showed, as in the text.
  const clock = (minutes: number) => new Date(minutes * 60_000).toISOString().slice(11, 16)
  expect(result.content[0]?.text).toContain(
    `Last night ${clock(night.start_minutes)} to ${clock(night.end_minutes)} local time`,
  )
})
