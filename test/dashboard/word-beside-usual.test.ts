// Figures at the edges of a person's usual range: the page and the connector say the same word of each, below, within or above.
import { DayResponseSchema, TrendsResponseSchema } from "@restwell/client"
import { enduranceAthlete, wornAlways } from "@restwell/simulator"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { useBrowser, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import type { Page } from "playwright-core"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"

let service: TestService
const browser = useBrowser()
beforeAll(async () => {
  service = await startTestService({
    now: new Date("2026-11-20T12:00:00Z"),
    days: 60,
    environment: { FREE_MONTHLY_REQUESTS: "1000000" },
  })
})
afterAll(() => service.close())

/** What the page calls the metrics that both have. */
const LABELS = {
  hrv: "Heart rate variability",
  resting_heart_rate: "Resting heart rate",
  respiratory_rate: "Respiratory rate",
  skin_temp_deviation: "Skin temperature",
} as const
type Labelled = keyof typeof LABELS
const METRICS = ["hrv", "resting_heart_rate", "respiratory_rate", "skin_temp_deviation"] as const satisfies Labelled[]
const WORD = /\b(below|within|above) your usual\b/i

const FiguresSchema = z.object({
  figures: z.array(z.object({ metric: z.string(), value: z.unknown(), position: z.string().nullable() })),
})

async function newestDay(member: Member) {
  const { days } = TrendsResponseSchema.parse(await (await member.send("GET", "/api/account/trends?days=14")).json())
  const day = days.findLast(({ recovery, sleep }) => recovery?.score != null && sleep !== null)
  if (!day?.recovery || !day.sleep) throw new Error("no scored morning")
  return { ...day, recovery: day.recovery, sleep: day.sleep }
}

type Day = Awaited<ReturnType<typeof newestDay>>

/** An end of the usual range of a metric, and a little more or less. */
function edgeOf(day: Day, metric: Labelled | "recovery_score", end: "low" | "high", by: number): number {
  const band = day[`${metric}_band`]
  if (!band) throw new Error(`no usual range of ${metric}`)
  return Math.round((band[end] + by) * 10) / 10
}

/** Gives the newest morning figures at the edges. */
async function putAtEdges(email: string, member: Member, end: "low" | "high", by: number): Promise<Day> {
  const { simulator } = service
  const day = await newestDay(member)
  const { recoveries, sleeps } = simulator.records(email)
  const recovery = recoveries.find(
    ({ score }) => score && Math.abs(score.hrv_rmssd_milli - (day.recovery.hrv ?? Number.NaN)) < 0.06,
  )
  const sleep = sleeps.find(({ id }) => id === recovery?.sleep_id)
  if (!recovery?.score || !sleep?.score) throw new Error("no records of the newest morning")
  const deviation = edgeOf(day, "skin_temp_deviation", end, by) - (day.recovery.skin_temp_deviation_celsius ?? 0)
  const hrv = edgeOf(day, "hrv", end, by)
  simulator.edit.sleep.patch(email, sleep.id, {
    score: { ...sleep.score, respiratory_rate: edgeOf(day, "respiratory_rate", end, by) },
  })
  simulator.edit.recovery.patch(email, recovery.cycle_id, {
    score: {
      ...recovery.score,
      recovery_score: Math.round(edgeOf(day, "recovery_score", end, by)),
      hrv_rmssd_milli: hrv,
      resting_heart_rate: edgeOf(day, "resting_heart_rate", end, by),
      skin_temp_celsius: (recovery.score.skin_temp_celsius ?? 33) + deviation,
    },
  })
  await member.send("POST", "/api/connections/whoop/sync")
  await expect
    .poll(
      async () => {
        const { recovery: found, sleep: night } = await newestDay(member)
        return [found.hrv, night.respiratory_rate]
      },
      { timeout: 30_000 },
    )
    .toEqual([hrv, edgeOf(day, "respiratory_rate", end, by)])
  return newestDay(member)
}

async function wordsOnPage(page: Page): Promise<Record<string, string | undefined>> {
  const words: Record<string, string | undefined> = {}
  for (const metric of METRICS) {
    const tiles = page.getByRole("listitem").filter({ has: page.getByRole("heading", { name: LABELS[metric] }) })
    const said = await tiles.allInnerTexts()
    const found = new Set(said.flatMap((text) => WORD.exec(text.replace(/far /gi, ""))?.[1]?.toLowerCase() ?? []))
    expect([...found], `${metric}: ${said.join(" | ")}`).toHaveLength(1)
    words[metric] = [...found][0]
  }
  words["recovery_score"] = WORD.exec((await page.locator("p[aria-live]").textContent()) ?? "")?.[1]
  return words
}

/** The page lists as different what the connector names: nothing, or at least two figures that are outside together. */
async function expectSameDifferences(page: Page, text: string): Promise<void> {
  const panel = page.getByRole("region", { name: /(?:different|far) from usual$/i })
  const title = await panel.getByRole("heading", { level: 2 }).textContent()
  const listed = await panel.getByRole("listitem").getByRole("heading").allTextContents()
  const said = /^Different from usual: (.*)$/m.exec(text)?.[1]?.split(", ") ?? []
  expect(listed.length).toBe(said.length)
  expect(title).toBe(listed.length > 0 ? "Different from usual" : "No measurement is far from usual")
  expect(text).toContain(title)
}

test.each([
  ["low", -0.3],
  ["low", 0.3],
  ["low", -0.6],
  ["high", -0.3],
  ["high", 0.3],
  ["high", 0.6],
] as const)(
  "figures at the %s end of the range, %d beside it",
  async (end, by) => {
    const { email } = service.simulator.people.add({
      email: `edge-${end}${by}@vendor.example`,
      traits: wornAlways(enduranceAthlete),
    })
    const { member } = await Member.connected(service, { email })
    const day = await putAtEdges(email, member, end, by)
    const { page, faults, open, close } = await visit(browser, service, { member })
    await open(`/?date=${day.date}`)
    await page.getByRole("heading", { name: LABELS.hrv }).first().waitFor()
    const words = await wordsOnPage(page)
    const { access_token } = await connectAssistant(service, member)
    const { content, structuredContent } = await callTool(service, access_token, "get_today", {})
    const { figures } = FiguresSchema.parse(structuredContent)
    const said = Object.fromEntries(figures.map(({ metric, position }) => [metric, position]))
    for (const metric of [...METRICS, "recovery_score"] as const) {
      expect(said[metric], `${metric}: ${JSON.stringify(figures)}`).toBe(words[metric])
      expect(content[0]?.text).toMatch(new RegExp(`^${metric} .*\\b${words[metric]} it\\)$`, "m"))
    }
    await expectSameDifferences(page, content[0]?.text ?? "")
    expect(faults).toEqual([])
    await close()
  },
  120_000,
)

test("a single figure just outside of its range is nothing different, and two together are", async () => {
  const person = service.simulator.people.add({ email: "calm@vendor.example", traits: wornAlways(enduranceAthlete) })
  const { member } = await Member.connected(service, person)
  const { date: newest } = await newestDay(member)
  const mornings = await Promise.all(
    Array.from({ length: 20 }, async (_, ago) => {
      const date = Temporal.PlainDate.from(newest).subtract({ days: ago }).toString()
      const day = DayResponseSchema.parse(await (await member.send("GET", `/api/account/day?date=${date}`)).json())
      const outside = day.figures.filter(
        ({ metric, position }) => METRICS.some((id) => id === metric) && position !== null && position !== "within",
      )
      return { date, outside: outside.length, signs: day.signs.length }
    }),
  )
  const one = mornings.find(({ outside, signs }) => outside === 1 && signs === 0)
  const two = mornings.find(({ outside, signs }) => outside === 2 && signs === 0)
  if (!one || !two) throw new Error(`no such mornings in ${JSON.stringify(mornings)}`)
  const { page, open, close } = await visit(browser, service, { member })
  await open(`/?date=${one.date}`)
  await page.getByRole("heading", { name: "No measurement is far from usual" }).waitFor()
  await open(`/?date=${two.date}`)
  const panel = page.getByRole("region", { name: "Different from usual" })
  await expect.poll(() => panel.getByRole("listitem").count()).toBe(2)
  await close()
})
