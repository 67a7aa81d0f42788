// What a vendor does not give is said by the tools, in as few sentences as it has runs of dates.
import { MissingSchema } from "@restwell/client"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const WITHHELD = "WHOOP withholds workouts until its app is updated"

let service: TestService
let key: string
let token: string
beforeAll(async () => {
  service = await startTestService({ days: 30 })
  const person = service.simulator.people.add({ email: "ada@example.com" })
  const match = { path: /\/activity\/workout/, personId: person.userId }
  service.simulator.faults.add({ match, kind: "status", status: 426 })
  const { member, key: ownKey } = await Member.connected(service, person)
  key = ownKey
  token = (await connectAssistant(service, member)).access_token
})
afterAll(() => service.close())

async function missingIn(search: string) {
  return MissingSchema.parse((await (await readHealth(service.url, key, search)).json()).missing)
}

test.each([
  ["get_workouts", "workout"],
  ["get_summary", "summary"],
])("%s says which dates lack workouts, as REST does, and why", async (name, type) => {
  const missing = await missingIn(`?type=${type}&days=5`)
  expect(missing).toHaveLength(5)
  const [newest, oldest] = [missing[0]?.date, missing.at(-1)?.date]
  const said = `workout of ${oldest} to ${newest}: ${WITHHELD}`
  const { structuredContent, content } = await callTool(service, token, name, { days: 5 })
  expect(structuredContent?.["missing"]).toEqual([said])
  expect(content[0]?.text).toContain(WITHHELD)
  expect(content[0]?.text).not.toMatch(/no workouts were|did not train/i)
})

test.each([
  ["get_sleep", "sleep"],
  ["get_recovery", "recovery"],
])("%s says nothing of workouts", async (name, type) => {
  expect(await missingIn(`?type=${type}&days=5`)).toEqual([])
  const { structuredContent, content } = await callTool(service, token, name, { days: 5 })
  expect(structuredContent).not.toHaveProperty("missing")
  expect(content[0]?.text).not.toContain(WITHHELD)
})
