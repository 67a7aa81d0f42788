import { mergeSamples } from "@restwell/core"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
let member: Member
let key: string
beforeAll(async () => {
  service = await startTestService({ days: 60 })
  const person = service.simulator.people.add({ email: "lena@vendor.example" })
  ;({ member, key } = await Member.connected(service, person))
  // A device has the name that its owner or its vendor gave it. A sport has none of their signs.
  await service.store.pool.query("update restwell.record set detail = detail::jsonb || $1 where kind = 'workout'", [
    { device: '=HYPERLINK("http://evil.example","watch")' },
  ])
})
afterAll(() => service.close())

/** Parses CSV as RFC 4180 defines it. */
function parseCsv(text: string): Record<string, string>[] {
  const lines = text.split("\r\n")
  expect(lines.pop()).toBe("")
  const [header = [], ...rows] = lines.map((line) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
      ([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain ?? "",
    ),
  )
  return rows.map((row) => {
    expect(row).toHaveLength(header.length)
    return Object.fromEntries(header.map((name, index) => [name, row[index] ?? ""]))
  })
}

async function table(type: string): Promise<Record<string, string>[]> {
  const answer = await member.send("GET", `/api/account/export?format=csv&type=${type}`)
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8")
  expect(answer.headers.get("content-disposition")).toBe(`attachment; filename="restwell-${type}.csv"`)
  return parseCsv(await answer.text())
}

/** A list is one cell of JSON. */
const flatten = (record: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(record).flatMap(([name, value]): [string, string][] =>
      Array.isArray(value)
        ? [[name, value.length === 0 ? "" : JSON.stringify(value)]]
        : typeof value === "object" && value !== null
          ? Object.entries(value).map(([inner, cell]) => [`${name}_${inner}`, cell === null ? "" : String(cell)])
          : [[name, value === null ? "" : String(value)]],
    ),
  )

test.each(["sleep", "recovery", "cycle"])(
  "the CSV of %s has every record, with the fields of the API",
  async (type) => {
    const rows = await table(type)
    const { records } = await (await readHealth(service.url, key, `?type=${type}&days=90`)).json()
    expect(records.length).toBeGreaterThan(30)
    expect(rows).toHaveLength(records.length)
    const byId = (row: Record<string, string>) => row["id"] ?? row["cycle_id"] ?? ""
    const sorted = rows.toSorted((one, other) => byId(one).localeCompare(byId(other)))
    const expected = records
      .map(flatten)
      .toSorted((one: Record<string, string>, other: Record<string, string>) => byId(one).localeCompare(byId(other)))
    expect(sorted.map(({ utc_offset_minutes: _, ...row }) => row)).toEqual(expected)
  },
)

test("rows are newest first and have the UTC offset", async () => {
  const rows = await table("sleep")
  const dates = rows.map(({ date = "" }) => date)
  expect(dates).toEqual(dates.toSorted().toReversed())
  expect(rows.every(({ utc_offset_minutes = "" }) => /^-?\d+$/.test(utc_offset_minutes))).toBe(true)
})

test("the CSV of series has every value within the day, with its source, time and duration", async () => {
  const { rows } = await service.store.pool.query('select id from restwell."user" where email = $1', [member.email])
  const owner = { userId: String(rows[0]?.id), provider: "oura" }
  const at = Date.parse("2026-11-02T01:00:00Z")
  const beats = { atMs: at, value: 51.5, durationMs: 300_000, utcOffsetMinutes: 60 }
  await service.store.database.transaction().execute((transaction) =>
    mergeSamples(transaction, owner, [
      { type: "heart_rate", samples: [beats, { atMs: at + 86_400_000, value: 49 }] },
      { type: "sleep_stages", samples: [{ atMs: at, value: 2, durationMs: 60_000 }] },
    ]),
  )
  const common = { source: "oura", device: "", method: "" }
  const unknown = { duration_seconds: "", utc_offset_minutes: "" }
  expect(await table("series")).toEqual([
    {
      type: "heart_rate",
      ...common,
      time: "2026-11-02T01:00:00.000Z",
      value: "51.5",
      duration_seconds: "300",
      utc_offset_minutes: "60",
    },
    { type: "heart_rate", ...common, time: "2026-11-03T01:00:00.000Z", value: "49", ...unknown },
    {
      type: "sleep_stages",
      ...common,
      time: "2026-11-02T01:00:00.000Z",
      value: "deep",
      ...unknown,
      duration_seconds: "60",
    },
  ])
})

test("vendor text is never a spreadsheet formula", async () => {
  const devices = (await table("workout")).map(({ device = "" }) => device)
  expect(devices.filter((device) => /^[=+\-@\t\r]/.test(device))).toEqual([])
  expect(devices.some((device) => device.startsWith("'="))).toBe(true)
})

test.each([
  ["?format=xml", "format"],
  ["?format=csv", "type"],
  ["?type=sleep", "type"],
  ["?format=json&type=sleep", "type"],
  ["?format=csv&type=summary", "type"],
  ["?format=csv&format=json", "format"],
  ["?colour=red", "colour"],
])("%s gets 400 that names the parameter", async (search, field) => {
  const answer = await member.send("GET", `/api/account/export${search}`)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: "invalid_request", field })
})
