import { callConnector, callTool, connectAssistant, messageOf, type Tokens } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { daysAgo } from "./days-ago.ts"

const ToolsSchema = z.object({ tools: z.array(z.looseObject({ name: z.string() })) })

let service: TestService
let member: Member
let tokens: Tokens & { clientId: string }
beforeAll(async () => {
  service = await startTestService({ days: 120, environment: { FREE_MONTHLY_REQUESTS: "1000000" } })
  ;({ member } = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" })))
  tokens = await connectAssistant(service, member)
})
afterAll(() => service.close())

const callMethod = async (method: string, params: object = {}) =>
  (await messageOf(await callConnector(service, tokens.access_token, method, params))).result

test("today, the week and any day can be read as resources", async () => {
  expect(await callMethod("resources/list")).toMatchObject({
    resources: [{ uri: "restwell://summary/today" }, { uri: "restwell://summary/week" }],
  })
  expect(await callMethod("resources/templates/list")).toMatchObject({
    resourceTemplates: [{ uriTemplate: "restwell://day/{date}" }],
  })
  const week = await callTool(service, tokens.access_token, "get_summary")
  expect(await callMethod("resources/read", { uri: "restwell://summary/week" })).toMatchObject({
    contents: [{ mimeType: "text/plain", text: week.content[0]?.text }],
  })
  const date = daysAgo(service, 3)
  expect(await callMethod("resources/read", { uri: `restwell://day/${date}` })).toMatchObject({
    contents: [{ text: expect.stringContaining(date) }],
  })
})

test.each(["restwell://day/2026-02-30", "restwell://day/yesterday", "restwell://nothing"])(
  "the resource %s gets an error",
  async (uri) => {
    const { error } = await messageOf(await callConnector(service, tokens.access_token, "resources/read", { uri }))
    expect(error?.code).toBeLessThan(0)
  },
)

test("lists three prompts, which name only existing tools", async () => {
  const { tools } = ToolsSchema.parse(await callMethod("tools/list"))
  expect(await callMethod("prompts/list")).toMatchObject({
    prompts: [{ name: "weekly_review" }, { name: "readiness_today" }, { name: "sleep_debt" }],
  })
  for (const name of ["weekly_review", "readiness_today", "sleep_debt"]) {
    const text = JSON.stringify(await callMethod("prompts/get", { name }))
    for (const [tool = ""] of text.matchAll(/get_\w+/g)) expect(tools.map(({ name }) => name)).toContain(tool)
  }
})
