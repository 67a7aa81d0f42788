// What a vendor does not give is said by the tools, in as few sentences as it has runs of dates.
import { CHART_KEY, ChartSchema, MissingSchema } from "@restwell/client"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

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

const chartOf = async (owner: string) => {
  const { _meta } = await callTool(service, owner, "get_today")
  const chart = ChartSchema.parse(_meta?.[CHART_KEY])
  return chart.kind === "night" ? chart : undefined
}

describe("the chart of last night says why there is none", () => {
  let member: Member
  beforeAll(async () => {
    const person = service.simulator.people.add({ email: "mat@example.com" })
    ;({ member } = await Member.connected(service, person))
  })

  test("where the person does not share sleep", async () => {
    const scope = "recovery:read"
    const { access_token } = await connectAssistant(service, member, { scope })
    expect(await chartOf(access_token)).toMatchObject({
      night: null,
      reason: "Not shared with this assistant: sleep.",
    })
  })

  test("where the vendor withholds the night, as the text of get_today and the day do", async () => {
    const { access_token } = await connectAssistant(service, member)
    const { pool } = service.store
    const own = `user_id = (select id from restwell."user" where email = $1)`
    const gaps = [
      {
        holds: ["sleep"],
        reason: "WHOOP withholds sleep until its app is updated",
        lacksFrom: "2020-01-01T00:00:00Z",
        lacksTo: null,
      },
    ]
    await pool.query(`delete from restwell.record where kind in ('sleep', 'recovery') and ${own}`, [member.email])
    await pool.query(`update restwell.connection set gaps = $2 where ${own}`, [member.email, JSON.stringify(gaps)])
    await pool.query(`update restwell.person set data_version = data_version + 1 where ${own}`, [member.email])
    const chart = await chartOf(access_token)
    expect(chart).toMatchObject({ night: null, reason: expect.stringMatching(/^WHOOP withholds sleep/) })
    const { structuredContent, content } = await callTool(service, access_token, "get_today")
    expect(structuredContent?.["missing"]).toEqual([expect.stringContaining("WHOOP withholds sleep")])
    expect(content[0]?.text).toContain("WHOOP withholds sleep")
  })
})
