import { callTool, connectAssistant, type Tokens } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
let tokens: Tokens
beforeAll(async () => {
  service = await startTestService({ days: 120, environment: { FREE_MONTHLY_REQUESTS: "1000000" } })
  const { member } = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" }))
  tokens = await connectAssistant(service, member)
})
afterAll(() => service.close())

/** Every number of a value, and every date. */
function factsOf(value: unknown): string[] {
  if (typeof value === "number") return [String(value)]
  if (typeof value === "string") return /^(?:\d{4}-\d{2}-\d{2}|\d{2}:\d{2})$/.test(value) ? [value] : []
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(factsOf) : []
}

/** The offsets of a text, in minutes. */
const offsetsIn = (text: string): string[] =>
  [...text.matchAll(/UTC([+-])(\d{2}):(\d{2})/g)].map(([, sign, hours, minutes]) =>
    String((Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1)),
  )

const NUMBER = /(?<![\d.:-])-?\d+(?:\.\d+)?(?![\d:]|\.\d)/g

/** Programs show an assistant the text or the structured content, so that neither may know more. */
test.each<[string, object]>([
  ["get_summary", { days: 1 }],
  ["get_summary", { days: 30 }],
  ["get_sleep", { days: 30 }],
  ["get_recovery", { days: 30 }],
  ["get_workouts", { days: 30 }],
  ["get_workouts", { days: 30, limit: 2 }],
  ["get_cycles", { days: 30 }],
  ["get_profile", {}],
  ["get_today", {}],
  ["get_sports", {}],
  ["get_sports", { sport: "running", days: 90 }],
  ["get_workouts", { days: 90, sport: "running" }],
  ["get_signs", { days: 90 }],
  ["get_trend", { metric: "hrv", days: 90, by: "weekday", points: true }],
  ["get_trend", { metric: "bedtime", days: 30, by: "week" }],
  ["get_trend", { metric: "sleep_debt", days: 30, top: 1 }],
  ["get_trend", { metric: "strain", days: 30 }],
  ["get_trend", { metric: "midsleep", days: 60, by: "month" }],
  ["compare_periods", { metric: "recovery_score", days: 28 }],
  ["compare_periods", { metric: "wake_time", days: 28 }],
  ["find_relations", { outcome: "recovery_score", factor: "bedtime", days: 90 }],
  ["find_relations", { outcome: "recovery_score", days: 90 }],
])("%s %j has every number and date of its structured content in its text", async (name, input) => {
  const { content, structuredContent } = await callTool(service, tokens.access_token, name, input)
  const text = content[0]?.text ?? ""
  const times = text.match(/\d{4}-\d{2}-\d{2}|\d{2}:\d{2}/g) ?? []
  const mentioned = new Set([...(text.match(NUMBER) ?? []), ...times, ...offsetsIn(text)])
  const facts = factsOf(structuredContent)
  expect(facts.length).toBeGreaterThan(2)
  expect(facts.filter((fact) => !mentioned.has(fact))).toEqual([])
})
