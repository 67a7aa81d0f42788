import { callTool, connectAssistant, type Tokens } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { leanRecord } from "./lean-record.ts"

const MOST_TOKENS_OF_A_RECORD = 110
const MOST_TOKENS_OF_A_LIST = 10_000

let service: TestService
let tokens: Tokens
let member: Member
let key: string
beforeAll(async () => {
  service = await startTestService({ days: 120, environment: { FREE_MONTHLY_REQUESTS: "1000000" } })
  ;({ member, key } = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" })))
  tokens = await connectAssistant(service, member)
})
afterAll(() => service.close())

const ListSchema = z.looseObject({ records: z.array(z.record(z.string(), z.unknown())) })
const listOf = async (name: string) =>
  ListSchema.parse((await callTool(service, tokens.access_token, name, { days: 90 })).structuredContent)

test.each(["get_sleep", "get_recovery", "get_workouts", "get_cycles"])(
  "90 days of %s fit in a conversation",
  async (name) => {
    const list = await listOf(name)
    expect(list.records.length).toBeGreaterThan(20)
    for (const record of list.records)
      expect(countTokens(JSON.stringify(record)), JSON.stringify(record)).toBeLessThanOrEqual(MOST_TOKENS_OF_A_RECORD)
    expect(countTokens(JSON.stringify(list))).toBeLessThanOrEqual(MOST_TOKENS_OF_A_LIST)
    expect(list).not.toHaveProperty("sources")
    expect(list).toHaveProperty("source.provider", "whoop")
  },
)

const RestSchema = z.object({ records: z.array(z.record(z.string(), z.unknown())) })

test.each([
  ["get_sleep", "sleep"],
  ["get_recovery", "recovery"],
  ["get_workouts", "workout"],
  ["get_cycles", "cycle"],
])("%s has every figure of REST once", async (name, type) => {
  const headers = { authorization: `Bearer ${key}` }
  const response = await fetch(`${service.url}/api/v1/health?type=${type}&days=90`, { headers })
  const { records } = RestSchema.parse(await response.json())
  expect((await listOf(name)).records).toEqual(records.map((record) => leanRecord(record, type)))
})
