import { expectDescribed, Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { parse } from "csv-parse/sync"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"

let service: TestService
let key: string
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 80 })
  const person = service.simulator.people.add({ email: "ada@vendor.example" })
  ;({ key, member } = await Member.connected(service, person))
  // A device has the name that its owner or its vendor gave it. A sport has none of their signs.
  await service.store.pool.query("update restwell.record set detail = detail::jsonb || $1 where kind = 'workout'", [
    { device: '=HYPERLINK("http://evil.example","watch")' },
  ])
})
afterAll(() => service.close())

async function get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Response> {
  const response = await fetch(service.url + path, { method, headers: { authorization: `Bearer ${key}`, ...headers } })
  if (method === "GET") await expectDescribed(service.url, "GET", path, response)
  return response
}

const TableSchema = z.array(z.array(z.string()))

/** The lines of CSV, the header first. RFC 4180 */
function linesOf(text: string): string[][] {
  expect(text.endsWith("\r\n")).toBe(true)
  return TableSchema.parse(parse(text, { record_delimiter: "\r\n" }))
}

const ListSchema = z.object({ records: z.array(z.record(z.string(), z.unknown())) })
const TrendSchema = z.object({ points: z.array(z.tuple([z.string(), z.union([z.number(), z.string()])])) })

/** What a cell has for a value. */
const cellOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.length === 0 ? "" : JSON.stringify(value)
  const text = value === null ? "" : String(value)
  return text.startsWith("=") ? `'${text}` : text
}

/** A record's cells by column, as the manual describes them. */
const cellsOf = (record: Record<string, unknown>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]) =>
      typeof value === "object" && value !== null && !Array.isArray(value)
        ? Object.entries(value).map(([inner, cell]) => [`${name}_${inner}`, cellOf(cell)])
        : [[name, cellOf(value)]],
    ),
  )

describe.each(["sleep", "recovery", "workout", "cycle"])("type=%s", (type) => {
  const path = `/api/v1/health?type=${type}&days=60`

  test("CSV has a line for each record of the JSON, with the same figures", async () => {
    const answer = await get(`${path}&format=csv`)
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"])
    const [header = [], ...rows] = linesOf(await answer.text())
    const { records } = ListSchema.parse(await (await get(path)).json())
    expect(records.length).toBeGreaterThan(10)
    expect(rows).toHaveLength(records.length)
    for (const [index, record] of records.entries())
      expect(header.map((name) => [name, rows[index]?.[header.indexOf(name)]])).toEqual(
        header.map((name) => [name, cellsOf(record)[name] ?? ""]),
      )
    expect(header).toEqual(
      expect.arrayContaining(Object.keys(cellsOf(records[0] ?? {})).filter((name) => name !== "zones")),
    )
  })

  test("the header Accept asks for the same bytes as the parameter, which wins over it", async () => {
    const byParameter = await get(`${path}&format=csv`)
    const byHeader = await get(path, { accept: "text/csv" })
    expect(byHeader.headers.get("content-type")).toBe("text/csv; charset=utf-8")
    expect(byHeader.headers.get("etag")).toBe(byParameter.headers.get("etag"))
    expect(await byHeader.text()).toBe(await byParameter.text())
    const json = await get(`${path}&format=json`, { accept: "text/csv" })
    expect(json.headers.get("content-type")).toBe("application/json; charset=utf-8")
    expect(await json.text()).toBe(await (await get(path)).text())
  })

  test("without records there is the header alone", async () => {
    const answer = await get(`/api/v1/health?type=${type}&start_date=2001-01-01&end_date=2001-01-31&format=csv`)
    const [header, ...rows] = linesOf(await answer.text())
    expect([header, rows]).toEqual([linesOf(await (await get(`${path}&format=csv`)).text())[0], []])
  })

  test("with source=all a column says which records are chosen", async () => {
    const [header = [], ...rows] = linesOf(await (await get(`${path}&source=all&format=csv`)).text())
    expect(new Set(rows.map((row) => row[header.indexOf("chosen")]))).toEqual(new Set(["true"]))
    expect(linesOf(await (await get(`${path}&format=csv`)).text())[0]).not.toContain("chosen")
  })
})

test.each([
  ["text/csv", "text/csv"],
  ["text/csv;charset=utf-8", "text/csv"],
  ["text/csv, */*;q=0.1", "text/csv"],
  ["application/json;q=0.5, text/csv", "text/csv"],
  ["application/json, text/csv", "application/json"],
  ["text/csv;q=0", "application/json"],
  ["*/*", "application/json"],
  ["text/html,application/xhtml+xml,*/*;q=0.8", "application/json"],
])("Accept: %s gets %s, and Vary names the header", async (accept, mediaType) => {
  const answer = await get("/api/v1/health?type=sleep", { accept })
  expect(answer.headers.get("content-type")).toBe(`${mediaType}; charset=utf-8`)
  expect(answer.headers.get("vary")).toBe("Authorization, Accept-Encoding, Restwell-Reader, Accept, Prefer")
})

test("a trend as CSV is its points", async () => {
  const path = "/api/v1/trend?metric=bedtime&days=90"
  const answer = await get(path, { accept: "text/csv" })
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8")
  const { points } = TrendSchema.parse(await (await get(`${path}&points=true`)).json())
  expect(points.length).toBeGreaterThan(30)
  expect(linesOf(await answer.text())).toEqual([["date", "value"], ...points.map((point) => point.map(String))])
  expect(answer.headers.get("etag")).not.toBe((await get(path)).headers.get("etag"))
})

test("the journal as CSV has its columns, also while it is empty", async () => {
  const answer = await get("/api/v1/journal?days=90&format=csv")
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8")
  expect(await answer.text()).toBe("date,factor,question,answer,value,source\r\n")
})

test("each format has a tag of its own, is counted once, and gets 304", async () => {
  const path = "/api/v1/health?type=cycle&days=14"
  const [json, csv] = [await get(path), await get(`${path}&format=csv`)]
  const etag = csv.headers.get("etag") ?? ""
  expect(etag).not.toBe(json.headers.get("etag"))
  expect(Number(csv.headers.get("x-ratelimit-remaining"))).toBe(Number(json.headers.get("x-ratelimit-remaining")) - 1)
  const unchanged = await get(path, { accept: "text/csv", "if-none-match": etag })
  expect([unchanged.status, unchanged.headers.get("vary")]).toEqual([
    304,
    "Authorization, Accept-Encoding, Restwell-Reader, Accept, Prefer",
  ])
  expect((await get(path, { "if-none-match": etag })).status).toBe(200)
  const head = await get(path, { accept: "text/csv" }, "HEAD")
  expect([head.headers.get("etag"), head.headers.get("content-type")]).toEqual([etag, "text/csv; charset=utf-8"])
})

test("vendor text is never a spreadsheet formula", async () => {
  const [header = [], ...rows] = linesOf(await (await get("/api/v1/health?type=workout&days=90&format=csv")).text())
  const devices = rows.map((row) => row[header.indexOf("device")] ?? "")
  expect(devices.filter((device) => /^[=+\-@\t\r]/.test(device))).toEqual([])
  expect(devices.some((device) => device.startsWith("'="))).toBe(true)
})

test("the person who is signed in gets the same table, not kept by the browser", async () => {
  const own = await member.send("GET", "/api/account/health?type=sleep&days=30&format=csv")
  expect([own.status, own.headers.get("cache-control")]).toEqual([200, "no-store"])
  expect(await own.text()).toBe(await (await get("/api/v1/health?type=sleep&days=30&format=csv")).text())
})

describe("fields", () => {
  test("selects and orders columns", async () => {
    const answer = await get(
      "/api/v1/health?type=sleep&days=30&fields=asleep_hours,date,score_efficiency,stages&format=csv",
    )
    const [header = [], ...rows] = linesOf(await answer.text())
    expect(header).toEqual([
      "asleep_hours",
      "date",
      "score_efficiency",
      "stages_light_hours",
      "stages_deep_hours",
      "stages_rem_hours",
      "stages_awake_hours",
    ])
    const { records } = ListSchema.parse(await (await get("/api/v1/health?type=sleep&days=30")).json())
    expect(rows).toEqual(records.map((record) => header.map((name) => cellsOf(record)[name])))
  })

  test.each(["score,score_performance", "score_performance,score", "score_performance,date,score"])(
    "%s has each column once, where it is named first",
    async (fields) => {
      const answer = await get(`/api/v1/health?type=sleep&days=30&format=csv&fields=${fields}`)
      const [header = [], ...rows] = linesOf(await answer.text())
      expect(header.toSorted()).toEqual([...new Set(header)].toSorted())
      expect(header[0]).toBe("score_performance")
      expect(header).toContain("score_efficiency")
      const { records } = ListSchema.parse(await (await get("/api/v1/health?type=sleep&days=30")).json())
      expect(rows).toEqual(records.map((record) => header.map((name) => cellsOf(record)[name])))
    },
  )

  test("selects fields of JSON records, and leaves the rest of the answer as it is", async () => {
    const whole = await (await get("/api/v1/health?type=sleep&days=30")).json()
    const answer = await get("/api/v1/health?type=sleep&days=30&fields=date,score_performance,score_efficiency")
    const part = await answer.json()
    const records = ListSchema.extend({
      records: z.array(z.looseObject({ score: z.record(z.string(), z.unknown()) })),
    })
      .parse(whole)
      .records.map(({ date, score: { performance, efficiency } }) => ({ date, score: { performance, efficiency } }))
    expect(part).toEqual({ ...whole, records })
  })
})

test.each([
  ["health?type=summary&format=csv", "type", /is no list/],
  ["health?type=profile&format=csv", "type", /is no list/],
  ["health?type=sleep&format=xml", "format", /must be one of json, csv/],
  ["health?type=sleep&format=csv&format=csv", "format", /more than once/],
  ["health?type=summary&fields=date&format=json", "fields", /type=summary has none/],
  ["health?type=sleep&fields=date,asleep_hour", "fields", /did you mean asleep_hours/],
  ["health?type=sleep&fields=hrv_from_my_other_watch", "fields", /there are id, date, start/],
  ["health?type=sleep&fields=", "fields", /names of fields/],
  ["health?type=sleep&fields=date;id", "fields", /names of fields/],
  ["journal?fields=score", "fields", /fields has no score/],
  ["compare?metric=hrv&format=csv", "format", /unknown parameter/],
])("%s gets 400 as JSON, also with Accept: text/csv", async (path, field, message) => {
  const answer = await get(`/api/v1/${path}`, { accept: "text/csv" })
  expect([answer.status, answer.headers.get("content-type")]).toEqual([400, "application/json; charset=utf-8"])
  expect(await answer.json()).toMatchObject({
    error: "invalid_request",
    field,
    message: expect.stringMatching(message),
  })
})

test("a summary with Accept: text/csv alone gets 400 that says which types are lists", async () => {
  const answer = await get("/api/v1/health", { accept: "text/csv" })
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ message: expect.stringMatching(/type=sleep, recovery, workout, cycle/) })
})
