import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { PointSeriesSchema, StageSeriesSchema } from "@restwell/client"
import { mergeSamples } from "@restwell/core"
import { officeWorker } from "@restwell/simulator"
import { ALL_SCOPES, connectAssistant, resourceOf } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"

/** An afternoon in New York, where clocks have changed three days before. */
const NOW = new Date("2026-03-11T18:30:00Z")
const TODAY = "2026-03-11"
const OFFSET_MINUTES = -240
const MOST_TOKENS_OF_A_DAY = 1_500

let service: TestService
let ring: Member
let key: string
let client: Client
beforeAll(async () => {
  service = await startTestService({ days: 135, now: NOW, vendor: "oura" })
  // In bed before midnight, on weekends too.
  const sleep = { ...officeWorker.sleep, bedtimeMinute: -90, weekendShiftMinutes: 0 }
  const person = service.simulator.people.add({ email: "ring@vendor.example", traits: { ...officeWorker, sleep } })
  ;({ member: ring, key } = await Member.connected(service, person, undefined, "oura"))
  await ring.untilHistoryIsComplete()
  await measureEachMinute("2026-03-10")
  client = await assistantOf(ring)
}, 240_000)
afterAll(async () => {
  await client.close()
  await service.close()
})

/** A day with a value for each minute. */
const measureEachMinute = (date: string, hours = 24) =>
  store({
    type: "heart_rate",
    samples: Array.from({ length: hours * 60 }, (_, minute) => ({
      atMs: Date.parse(`${date}T00:00:00-04:00`) + minute * 60_000,
      value: 50 + (minute % 37),
      // Clocks change two hours after midnight.
      utcOffsetMinutes: hours === 25 && minute >= 120 ? OFFSET_MINUTES - 60 : OFFSET_MINUTES,
    })),
  })

async function store(samples: Parameters<typeof mergeSamples>[2][number]): Promise<void> {
  const { rows } = await service.store.pool.query('select id from restwell."user" where email = $1', [ring.email])
  const of = { userId: String(rows[0]?.id), provider: "oura" }
  await service.store.database.transaction().execute((transaction) => mergeSamples(transaction, of, [samples]))
}

interface Consent {
  readonly scopes?: readonly string[]
  readonly days?: "7" | "all"
}

async function assistantOf(member: Member, { scopes = ALL_SCOPES.split(" "), days = "all" }: Consent = {}) {
  const { access_token } = await connectAssistant(service, member, { scope: ALL_SCOPES, choice: { scopes, days } })
  const connected = new Client({ name: "reference", version: "1" }, { versionNegotiation: { mode: "auto" } })
  const requestInit = { headers: { authorization: `Bearer ${access_token}` } }
  await connected.connect(new StreamableHTTPClientTransport(new URL(resourceOf(service)), { requestInit }))
  return connected
}

const ResultSchema = z.object({
  isError: z.boolean().default(false),
  content: z.array(z.looseObject({ text: z.string().default("") })),
  structuredContent: z.looseObject({}).default({}),
})
const RowsSchema = z.array(z.array(z.union([z.string(), z.number()])))
const SeriesSchema = z.looseObject({
  resolution: z.string(),
  columns: z.array(z.string()),
  dates: z.array(z.object({ date: z.string(), utc_offset_minutes: z.number(), rows: RowsSchema })).default([]),
  rows: RowsSchema.default([]),
  count: z.number(),
  left_out: z.number().optional(),
  empty_reason: z.string().nullable(),
})

async function call(input: Record<string, unknown>, by = client) {
  const { content, ...rest } = ResultSchema.parse(await by.callTool({ name: "get_series", arguments: input }))
  return { text: content[0]?.text ?? "", ...rest }
}

async function series(input: Record<string, unknown>) {
  const { text, structuredContent, isError } = await call(input)
  expect(isError, text).toBe(false)
  return { text, structured: structuredContent, ...SeriesSchema.parse(structuredContent) }
}

const rest = async (search: string): Promise<unknown> =>
  (await fetch(`${service.url}/api/v1/series?${search}`, { headers: { authorization: `Bearer ${key}` } })).json()

/** "02:15" */
const local = (instant: string): string =>
  new Date(Date.parse(instant) + OFFSET_MINUTES * 60_000).toISOString().slice(11, 16)

describe("get_series", () => {
  test.each([
    ["1h", undefined],
    ["15m", "15m"],
  ])("gives a day's buckets of %s as REST does, in at most 1,500 tokens", async (length, resolution) => {
    const answer = await series({ type: "heart_rate", start_date: "2026-03-10", end_date: "2026-03-10", resolution })
    const { points } = PointSeriesSchema.parse(
      await rest(`type=heart_rate&start_date=2026-03-10&end_date=2026-03-10&resolution=${length}`),
    )
    const rows = points.flatMap((point) =>
      "mean" in point ? [[local(point.start), point.mean, point.min, point.max]] : [],
    )
    expect(rows.length).toBeGreaterThan(20)
    expect(answer.dates).toEqual([{ date: "2026-03-10", utc_offset_minutes: OFFSET_MINUTES, rows }])
    expect([answer.resolution, answer.count, answer.columns]).toEqual([
      length,
      rows.length,
      ["time", "mean", "min", "max"],
    ])
    expect(answer.text).toContain(`${rows.length} values`)
    expect(answer.text).toContain("UTC offset -240 min")
    for (const row of rows) expect(answer.text).toContain(row.join(" "))
    expect(countTokens(answer.text)).toBeLessThanOrEqual(MOST_TOKENS_OF_A_DAY)
    expect(countTokens(JSON.stringify(answer.structured))).toBeLessThanOrEqual(MOST_TOKENS_OF_A_DAY)
  })

  test("takes longer buckets for more dates, and the newest hundred of many", async () => {
    const hours = await series({ type: "heart_rate", days: 3, resolution: "15m" })
    expect([hours.resolution, hours.dates.length]).toEqual(["1h", 3])
    const days = await series({ type: "heart_rate", days: 5 })
    expect([days.resolution, days.rows.length, days.rows.at(-1)?.[0]]).toEqual(["1d", 5, TODAY])
    const many = await series({ type: "hrv", days: 119 })
    expect([many.rows.length, many.count, many.left_out]).toEqual([100, 100, expect.any(Number)])
    expect(many.text).toContain(`${many.left_out} older ones are left out`)
  })

  test("lists the stages of last night on the local clock", async () => {
    const answer = await series({ type: "sleep_stages" })
    const { segments } = StageSeriesSchema.parse(await rest(`type=sleep_stages&start_date=${TODAY}&end_date=${TODAY}`))
    const rows = segments.map(({ start, end, stage }) => [local(start), local(end), stage])
    expect(rows.length).toBeGreaterThan(5)
    expect(answer.dates.find(({ date }) => date === TODAY)?.rows).toEqual(rows)
    expect((await call({ type: "sleep_stages", days: 30 })).text).toContain("get_sleep has hours of each")
  })
})

describe("several dates of get_series", () => {
  test("of a night in which clocks change, times before midnight are those of the evening", async () => {
    const [date, hours] = ["2025-11-02", -4]
    const { segments } = StageSeriesSchema.parse(await rest(`type=sleep_stages&start_date=${date}&end_date=${date}`))
    const midnightMs = Date.parse(`${date}T00:00:00Z`) - hours * 3_600_000
    const evening = segments.filter(({ start }) => Date.parse(start) < midnightMs)
    expect(
      evening.map(({ start }) => start),
      JSON.stringify(segments[0]),
    ).not.toEqual([])
    const { dates } = await series({ type: "sleep_stages", start_date: date, end_date: date })
    const atHome = ({ start }: { readonly start: string }) =>
      new Date(Date.parse(start) + hours * 3_600_000).toISOString().slice(11, 16)
    expect(dates[0]?.rows.slice(0, evening.length).map(([time]) => time)).toEqual(evening.map(atHome))
  })

  test("each hour of a date of 25 hours has a time of its own", async () => {
    await measureEachMinute("2025-11-02", 25)
    const answer = await series({ type: "heart_rate", start_date: "2025-11-02", end_date: "2025-11-02" })
    const times = answer.dates[0]?.rows.map(([time]) => time)
    expect(times).toEqual(Array.from({ length: 25 }, (_, hour) => `${String(hour).padStart(2, "0")}:00`))
    const note = "Clocks change on 2025-11-02: its times count from its midnight, and it ends at 25:00."
    expect([answer.structured["notes"], answer.text]).toEqual([[note], expect.stringContaining(note)])
    const spring = await series({ type: "heart_rate", start_date: "2026-03-08", end_date: "2026-03-08" })
    expect(spring.text).toContain("it ends at 23:00")
  })

  test("leaves out the dates of another method than the newest one", async () => {
    const hrv = (date: string, value: number, method: "sdnn" | "rmssd") =>
      store({ type: "hrv", method, samples: [{ atMs: Date.parse(`${date}T10:00:00Z`), value }] })
    await hrv("2024-06-01", 80, "sdnn")
    await hrv("2024-06-02", 41, "rmssd")
    const answer = await series({ type: "hrv", start_date: "2024-06-01", end_date: "2024-06-02" })
    expect([answer.structured["method"], answer.count, answer.dates.map(({ date }) => date)]).toEqual([
      "rmssd",
      1,
      ["2024-06-02"],
    ])
    expect(answer.text).toContain("2024-06-01 left out: it has SDNN, RMSSD is newer, and they cannot be compared.")
    const alone = await series({ type: "hrv", start_date: "2024-06-01", end_date: "2024-06-01" })
    expect([alone.structured["method"], alone.count]).toEqual(["sdnn", 1])
  })
})

describe("what get_series may read", () => {
  test("says why there is nothing", async () => {
    const answer = await series({ type: "weight" })
    expect([answer.count, answer.rows, answer.empty_reason]).toEqual([0, [], "not_delivered"])
    expect(answer.text).toContain("No values of weight: no connected source delivers them")
  })

  test("needs a consent of its own, for the shared dates alone, and is counted and logged as one read", async () => {
    const others = ALL_SCOPES.split(" ").filter((scope) => scope !== "series:read")
    const without = await assistantOf(ring, { scopes: others })
    const forbidden = await call({ type: "heart_rate" }, without)
    expect(forbidden.isError).toBe(true)
    expect(forbidden.text).toContain("the person does not share measurements with this assistant")
    await without.close()
    const week = await assistantOf(ring, { days: "7" })
    expect((await call({ type: "heart_rate", days: 7 }, week)).isError).toBe(false)
    const refused = await call({ type: "heart_rate", days: 8 }, week)
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining("the last 7 days")])
    await week.close()
    const used = async () => (await (await ring.send("GET", "/api/account")).json()).usage.used
    const before = await used()
    client = await assistantOf(ring)
    await series({ type: "heart_rate", days: 3 })
    expect(await used()).toBe(before + 1)
    const { entries } = await (await ring.send("GET", "/api/account/access-log")).json()
    expect(entries[0]).toMatchObject({ operation: "get_series", types: ["series"] })
  })
})
