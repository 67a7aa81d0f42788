// A figure that a device does not give is left out of a text, or called unknown: no text says null.
import { garminArchive } from "@restwell/simulator"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { importedArchive } from "../imports/upload-archive.ts"

const PHASES = {
  deepSleepSeconds: 3_600,
  lightSleepSeconds: 16_200,
  remSleepSeconds: 5_400,
  awakeSleepSeconds: 1_800,
}
type Phase = keyof typeof PHASES

let service: TestService
beforeAll(async () => {
  service = await startTestService({ now: new Date("2026-11-20T13:18:00Z"), isStill: true })
})
afterAll(() => service.close())

/** A person's assistant, with a watch's archive of one night and some days. */
async function tokenWith(given: Pick<Parameters<typeof garminArchive>[0], "nights" | "days">): Promise<string> {
  const member = new Member(service)
  await member.signUp()
  await member.send("PUT", "/api/account/preferences", { time_zone: "Europe/Berlin" })
  const archive = garminArchive({ health: [], readiness: [], body: [], activities: [], fit: [], ...given })
  expect(await importedArchive(service.url, member, archive)).toMatchObject({ status: "done" })
  return (await connectAssistant(service, member)).access_token
}

/** The texts of all tools that tell of a night, for a person whose watch does not know these phases. */
async function textsWithout(leftOut: readonly Phase[]): Promise<Record<string, string>> {
  const night = {
    calendarDate: "2026-11-20",
    sleepStartTimestampGMT: "2026-11-19T22:10:00.0",
    sleepEndTimestampGMT: "2026-11-20T05:40:00.0",
    ...Object.fromEntries(Object.entries(PHASES).filter(([name]) => leftOut.every((each) => each !== name))),
  }
  const token = await tokenWith({ nights: [night], days: [] })
  const texts: Record<string, string> = {}
  for (const [name, question] of [
    ["get_today", {}],
    ["get_sleep", { days: 1 }],
    ["get_summary", { days: 1 }],
    ["get_trend", { metric: "rem", days: 7, points: true }],
    ["compare_periods", { metric: "deep", days: 7 }],
    ["search", { query: "last night" }],
  ] as const) {
    texts[name] = (await callTool(service, token, name, question)).content[0]?.text ?? ""
  }
  return texts
}

test.each<[Phase[]]>([
  [[]],
  [["remSleepSeconds"]],
  [["lightSleepSeconds"]],
  [["deepSleepSeconds"]],
  [["awakeSleepSeconds"]],
  [["remSleepSeconds", "awakeSleepSeconds"]],
])("without %j no text of a night says null", async (leftOut) => {
  const texts = await textsWithout(leftOut)
  expect(texts["get_sleep"]).toContain("2026-11-20")
  for (const text of Object.values(texts)) expect(text).not.toMatch(/\b(?:null|undefined|NaN)\b/)
})

test("the place of an unknown phase is kept in a list, and its word is left out of a sentence", async () => {
  const texts = await textsWithout(["remSleepSeconds"])
  expect(texts["get_sleep"]).toContain("4.5/1/unknown/0.5")
  expect(texts["get_today"]).toContain("light h 4.5, deep h 1, awake h 0.5")
})

test.each([
  [{ totalSteps: 9000, totalKilocalories: 2100 }, "So far today: 9000 steps, 2100 kcal"],
  [{ totalSteps: 9000 }, "So far today: 9000 steps"],
])("a day of a watch without strain is told by what it has: %j", async (figures, said) => {
  const day = {
    calendarDate: "2026-11-20",
    wellnessStartTimeGmt: "2026-11-19T23:00:00.0",
    wellnessEndTimeGmt: "2026-11-20T12:00:00.0",
    ...figures,
  }
  const token = await tokenWith({ nights: [], days: [day] })
  const { content, structuredContent } = await callTool(service, token, "get_today", {})
  expect(content[0]?.text.split("\n")).toContain(said)
  expect(structuredContent).toMatchObject({ strain_so_far: { strain: null, steps: 9000 } })
})
