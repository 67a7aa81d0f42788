// Oura's data export of a simulated person gives the records that the API gives.
import { type OuraSimulator, startOuraSimulator, zipOf } from "@restwell/simulator"
import { type OuraArchiveVariant, type OuraTables, ouraArchive, ouraFiles } from "@restwell/testing/archive"
import { afterAll, beforeAll, expect, test } from "vitest"
import {
  type ArchiveItem,
  createOuraAdapter,
  type NormalizedRecord,
  pageThrough,
  RECORD_KINDS,
  readVendorArchive,
} from "../src/index.ts"
import { adapterUnderTest } from "./adapter-under-test.ts"
import { connect, simulatorCredentials } from "./connect.ts"

const NOW = new Date("2026-11-19T12:00:00Z")
const LENA = "lena@example.com"

let simulator: OuraSimulator
beforeAll(async () => {
  simulator = await startOuraSimulator({ seed: 7, now: NOW, days: 120, autoApprove: true, rateLimits: "off" })
})
afterAll(() => simulator.close())

async function itemsOf(bytes: Buffer, { name = "oura.zip", isZip = true } = {}): Promise<ArchiveItem[]> {
  const read = async (position: number, length: number) => bytes.subarray(position, position + length)
  const archive = await readVendorArchive({ name, size: bytes.length, read }, { isZip, now: NOW, timeZone: "UTC" })
  expect(archive).toMatchObject({ kind: "oura_archive", provider: "oura" })
  return Array.fromAsync(archive.items)
}

const recordsOf = (items: readonly ArchiveItem[]) =>
  items.flatMap((item) => (item.type === "record" ? [item.archived] : []))
const reasonsOf = (items: readonly ArchiveItem[]) =>
  items.flatMap((item) => (item.type === "ignored" && !item.reason.endsWith(" is empty") ? [item.reason] : []))
const answersOf = (items: readonly ArchiveItem[]) =>
  items.flatMap((item) => (item.type === "journal" ? [item.answer] : []))

/** The export has no times of change. */
const comparable = ({ raw: _, updatedMs: __, ...record }: NormalizedRecord) => record
const byId = (records: readonly NormalizedRecord[]) =>
  new Map(records.map((record) => [`${record.kind}/${record.providerId}`, comparable(record)]))

async function recordsOfApi(): Promise<NormalizedRecord[]> {
  const { adapter } = adapterUnderTest(simulator.url, simulatorCredentials(simulator), (options) =>
    createOuraAdapter({ ...options, now: () => NOW }),
  )
  const { accessToken } = await connect(adapter, LENA)
  const pages = RECORD_KINDS.map((kind) =>
    Array.fromAsync(pageThrough((request) => adapter.fetchPage(accessToken, request), { kind })),
  )
  return (await Promise.all(pages)).flat(2).flatMap((page) => page.records)
}

test.each<OuraArchiveVariant>([
  {},
  { json: "plain" },
  { delimiter: ",", names: "dated" },
  { names: "dated", lineEnd: "\r\n" },
])("gives the records of the API when it is written as %j", async (variant) => {
  const expected = byId(await recordsOfApi())
  expect(expected.size).toBeGreaterThan(300)
  const items = await itemsOf(ouraArchive(simulator.records(LENA), variant))
  expect(byId(recordsOf(items).map(({ record }) => record))).toEqual(expected)
  expect(new Set(reasonsOf(items))).toEqual(new Set(["sleep periods that were rejected or deleted in Oura's app"]))
})

test("a night, its recovery and its activity day have the date of waking", async () => {
  const records = recordsOf(await itemsOf(ouraArchive(simulator.records(LENA))))
  const { sleep, daily_readiness } = simulator.records(LENA)
  const night = sleep.find(({ type, day }) => type === "long_sleep" && daily_readiness.some((each) => each.day === day))
  const readiness = daily_readiness.find(({ day }) => day === night?.day)
  if (!night) throw new Error("a person without nights")
  const dateOf = (id: string | undefined) => records.find(({ record }) => record.providerId === id)?.date
  expect([dateOf(night.id), dateOf(readiness?.id)]).toEqual([night.day, night.day])
  const start = records.find(({ record }) => record.providerId === readiness?.id)?.startedAt
  expect(start).toEqual(new Date(night.bedtime_start))
})

const NONE: OuraTables = {
  sleep: [],
  daily_sleep: [],
  daily_readiness: [],
  daily_spo2: [],
  daily_activity: [],
  workout: [],
  enhanced_tag: [],
}

test("a tag is a yes of the waking that follows its day, and its comment is not read", async () => {
  const start_time = "2026-11-02T21:30:00+01:00"
  const tag = { start_time, start_day: "2026-11-02", custom_name: null, comment: "one; or two" }
  const enhanced_tag = [
    { ...tag, id: "a", tag_type_code: "tag_generic_alcohol" },
    { ...tag, id: "b", tag_type_code: "custom", custom_name: "Late coffee" },
    { ...tag, id: "c", tag_type_code: "tag_generic_period", start_time: null },
    { ...tag, id: "d", tag_type_code: null },
    { ...tag, id: "e", tag_type_code: "tag_generic_sauna", start_time: "yesterday" },
  ]
  const items = await itemsOf(ouraArchive({ ...NONE, enhanced_tag }))
  const day = { date: "2026-11-03", answer: true, isPrivate: false }
  const at = { ...day, cycleStartedAt: new Date("2026-11-02T20:30:00Z"), utcOffsetMinutes: 60 }
  const noon = { ...day, cycleStartedAt: new Date("2026-11-02T12:00:00Z"), utcOffsetMinutes: 0 }
  expect(answersOf(items)).toEqual([
    { ...at, providerId: "a", question: "alcohol", factor: "alcohol" },
    { ...at, providerId: "b", question: "Late coffee", factor: "caffeine" },
    { ...noon, providerId: "c", question: "period", factor: "menstruation", isPrivate: true },
  ])
  expect(reasonsOf(items)).toEqual([
    "App Data/enhancedtag.csv, line 5: a comment without a tag",
    "App Data/enhancedtag.csv, line 6: start_time: not a time of this century with an offset",
  ])
})

test("heart rates are streamed in parts, and a row that cannot be read is ignored with its line", async () => {
  const toMs = NOW.getTime()
  const heartrate = simulator.heartRates(LENA, { fromMs: toMs - 15 * 86_400_000, toMs })
  const broken = [
    { timestamp: "yesterday", bpm: 60, source: "awake" },
    { timestamp: "2026-11-01T00:00:00Z", bpm: "fast", source: "awake" },
    { timestamp: "2026-11-01T00:01:00Z", bpm: null, source: "awake" },
  ]
  const items = await itemsOf(ouraArchive({ ...NONE, heartrate: [...broken, ...heartrate] }))
  const sets = items.flatMap((item) => (item.type === "series" ? [item.set] : []))
  expect(sets.length).toBeGreaterThan(1)
  expect(sets.flatMap(({ samples }) => samples)).toEqual(
    heartrate.map(({ timestamp_unix: atMs, bpm: value }) => ({ atMs, value })),
  )
  expect(reasonsOf(items)).toEqual([
    "App Data/heartrate.csv, line 2: timestamp: not an instant of this century",
    "App Data/heartrate.csv, line 3: bpm: Invalid input: expected number, received string",
  ])
})

test("a row that cannot be read is ignored with file and line, and one without a field that cannot be read is used", async () => {
  const { sleep, daily_sleep, daily_spo2 } = simulator.records(LENA)
  const [night] = sleep.filter(({ type }) => type === "long_sleep")
  const items = await itemsOf(
    ouraArchive({
      ...NONE,
      sleep: [night, { ...night, id: "b", average_hrv: "many" }, { ...night, id: "c", bedtime_end: "soon" }].flatMap(
        (row) => row ?? [],
      ),
      daily_sleep: [{ ...daily_sleep[0], score: "good" }],
      daily_spo2: [{ ...daily_spo2[0], day: "02.11.2026" }],
    }),
  )
  expect(recordsOf(items).filter(({ record }) => record.kind === "sleep")).toHaveLength(2)
  expect(reasonsOf(items)).toEqual([
    "App Data/dailyspo2.csv, line 2: day: not a date",
    expect.stringMatching(/^App Data\/sleepmodel\.csv, line 4: sleep\.bedtime_end: /),
  ])
  expect(items.flatMap((item) => (item.type === "left_out" ? [item.reason] : []))).toContainEqual(
    expect.stringMatching(/^sleep: sleep\.average_hrv left out: /),
  )
})

test("one table alone is recognised by its header", async () => {
  const [sleeps] = ouraFiles(simulator.records(LENA))
  const items = await itemsOf(sleeps?.bytes ?? Buffer.alloc(0), { name: "sleepmodel.csv", isZip: false })
  expect(recordsOf(items).length).toBeGreaterThan(100)
})

test("a table with another header is named, and the rest is read", async () => {
  const files = ouraFiles(simulator.records(LENA)).map((file) =>
    file.name.endsWith("dailysleep.csv") ? { ...file, bytes: Buffer.from("a;b\n1;2\n") } : file,
  )
  const items = await itemsOf(zipOf(files))
  expect(reasonsOf(items)).toContain(
    "App Data/dailysleep.csv, line 1: this is no header of a table that is read of Oura's export: a;b",
  )
  expect(recordsOf(items).length).toBeGreaterThan(100)
})

test("an archive with none of the tables that are read fails with its first header", async () => {
  const files = ouraFiles(simulator.records(LENA)).filter(({ name }) => name.endsWith("dailystress.csv"))
  await expect(itemsOf(zipOf(files))).rejects.toThrow(
    /^App Data\/dailystress\.csv, line 1: this is no header .*: id;day;.*, upload the whole zip file of Oura's export$/,
  )
})

test("a table of trends is known as Oura's and not read, because it has no single sleeps", async () => {
  const table =
    "date,Sleep Score,Total Sleep Duration,Bedtime Start,Bedtime End,Average HRV\n2021-03-01,81,26100,,,48\n"
  await expect(itemsOf(Buffer.from(table), { name: "oura_2021-03-01_trends.csv", isZip: false })).rejects.toThrow(
    /^oura_2021-03-01_trends\.csv, line 1: this is no header .* of Oura's export: date,.*, upload the whole zip file of Oura's export$/,
  )
})
