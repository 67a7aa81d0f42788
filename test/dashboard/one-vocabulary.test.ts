// The page and the connector speak of every metric with one vocabulary: the same mean, rounding, unit and words of a verdict.
import { METRIC_IDS, MetricsResponseSchema, round, SERIES_TYPES, wholeMinutes } from "@restwell/client"
import { metricOf, seriesTitle } from "@restwell/client/figures"
import { mergeSamples } from "@restwell/core"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { useBrowser, type Visit, visit } from "@restwell/testing/browser"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const DAYS = 60
const HOUR_MS = 3_600_000

let service: TestService
let member: Member
let token: string
let shown: Visit
const browser = useBrowser()
beforeAll(async () => {
  service = await startTestService({ days: 150, environment: { FREE_MONTHLY_REQUESTS: "1000000" } })
  const made = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" }))
  member = made.member
  await measure()
  token = (await connectAssistant(service, member)).access_token
  shown = await visit(browser, service, { member })
  await member.send("PUT", "/api/account/preferences", { units: "metric", clock: "24h", first_weekday: "monday" })
})
afterAll(async () => {
  await shown.close()
  await service.close()
})

/** A weight, a share of fat and steps of each day, with more decimals than a page has room for. */
async function measure(): Promise<void> {
  const { pool, database } = service.store
  const { rows } = await pool.query('select id from restwell."user" where email = $1', [member.email])
  const days = Array.from({ length: 120 }, (_, back) => ({ atMs: Date.now() - (120 - back) * 24 * HOUR_MS, back }))
  const samplesOf = (value: (day: number) => number) => days.map(({ atMs, back }) => ({ atMs, value: value(back) }))
  const sets = [
    { type: "weight", samples: samplesOf((day) => 71.37 + (day % 7) / 50 + day / 90) },
    { type: "body_fat", samples: samplesOf((day) => 18.25 + (day % 5) / 10) },
  ] as const
  const of = { userId: String(rows[0]?.id), provider: "whoop" }
  await database.transaction().execute((transaction) => mergeSamples(transaction, of, sets))
}

async function catalogue() {
  const answer = await member.send("GET", "/api/account/metrics")
  return MetricsResponseSchema.parse(await answer.json()).metrics
}

const textOf = async (tool: string, input: object): Promise<string> => {
  const { content, isError } = await callTool(service, token, tool, input)
  expect(isError, content[0]?.text).toBeFalsy()
  return content[0]?.text ?? ""
}

/** "hrv (ms), 2026-09-22 to 2026-11-20 (60 days): no clear change (rmssd)" in its parts, and the mean in the second line. */
function saidOf(text: string) {
  const [first = "", second = ""] = text.split("\n")
  return {
    unit: /^\S+ \(([^)]+)\),? ?/.exec(first)?.[1] ?? null,
    verdict: first.slice(first.lastIndexOf(": ") + 2).replace(/ \((?:rmssd|sdnn)\)$/, ""),
    mean: /\bmean ([\d.:-]+(?: [AP]M)?)/.exec(second)?.[1],
  }
}

/** What the page says of a metric in its details. */
async function pageOf(id: string) {
  const { page, open } = shown
  await open(`/trends?metric=${encodeURIComponent(id)}&days=${DAYS}`)
  const details = page.locator("details")
  await details.nth(1).waitFor()
  const facts = details.first().locator("dl > div")
  const values = await facts.evaluateAll((all) => all.map((each) => [...each.children].map((part) => part.textContent)))
  return {
    mean: values.find(([label]) => label === "Mean")?.[1] ?? "",
    trend: (await details.first().locator("p").first().textContent()) ?? "",
    comparison: (await details.nth(1).locator("p").first().textContent()) ?? "",
  }
}

const HOURS = /^(?:(\d+) h )?(\d+) min$/

/** A figure of the connector as the page has to write it. */
function expected(mean: string, unit: string | null, page: string): string {
  const [, hours = "0", minutes = "0"] = HOURS.exec(page) ?? []
  if (unit === "h") {
    expect(Number(hours) * 60 + Number(minutes)).toBe(wholeMinutes(Number(mean)))
    return page
  }
  if (unit === "m") return `${round(Number(mean) / 1000, 2).toFixed(2)} km`
  if (mean.includes(":")) return mean
  const decimals = /\.(\d+)/.exec(page)?.[1]?.length ?? 0
  const number = Number(mean).toLocaleString("en", { minimumFractionDigits: decimals, maximumFractionDigits: 3 })
  return unit === null ? number : `${number} ${unit}`
}

const startsWith = (words: string) => expect.stringMatching(new RegExp(`^${RegExp.escape(words)}\\b`, "i"))

async function expectOneVocabulary(id: string): Promise<void> {
  const trend = saidOf(await textOf("get_trend", { metric: id, days: DAYS }))
  const comparison = saidOf(await textOf("compare_periods", { metric: id, days: DAYS }))
  const page = await pageOf(id)
  if (trend.mean === undefined) throw new Error(`${id} has no mean`)
  expect({ id, ...page }).toEqual({
    id,
    mean: expected(trend.mean, trend.unit, page.mean),
    trend: startsWith(trend.verdict.replace(/;.*/, "")),
    comparison: startsWith(comparison.verdict),
  })
}

test("every metric of the API and every type of values within the day has its words in the table", async () => {
  const served = await catalogue()
  expect(served.length).toBeGreaterThan(25)
  expect(METRIC_IDS.map((id) => metricOf(id)?.id)).toEqual(METRIC_IDS)
  for (const { sources: _, first_date: __, last_date: ___, n: ____, ...metric } of served)
    expect(metricOf(metric.id)).toEqual(metric)
  for (const type of SERIES_TYPES) expect(seriesTitle(type)).toMatch(/^[A-Z][^_]+$/)
})

test("the page and the connector say the same of every metric", async () => {
  const known = (await catalogue()).filter(({ n, kind }) => n >= 14 && kind !== "yes_no")
  expect(known.length).toBeGreaterThan(25)
  for (const { id } of known) await expectOneVocabulary(id)
  expect(shown.faults).toEqual([])
}, 300_000)

test("they say the same in the units and on the clock of the other half of the world", async () => {
  await member.send("PUT", "/api/account/preferences", { units: "imperial", clock: "12h" })
  const known = (await catalogue()).filter(
    ({ n, kind, unit }) => n >= 14 && (kind === "clock" || ["m", "kg", "C"].includes(unit ?? "")),
  )
  expect(known.length).toBeGreaterThan(6)
  for (const { id } of known) await expectOneVocabulary(id)
}, 300_000)
