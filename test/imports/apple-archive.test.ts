// Apple Health's export as an import: whole, once, undone, exported again, and beside another source.
import { exportAccount, undoImport } from "@restwell/core"
import {
  APPLE_WATCH_DEVICE,
  type AppleElement,
  appleArchive,
  appleRows,
  appleStage,
  type OuraRecords,
  type OuraSimulator,
  startOuraSimulator,
  zoneOf,
} from "@restwell/simulator"
import { ouraArchive } from "@restwell/testing/archive"
import { createWorld, storedRows, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { coursesOf, everythingOf, expectFailedImport, importArchive, phasesOf, spanOf } from "./import-archive.ts"

const MINUTE_MS = 60_000
const DAYS = 40

let world: World
let oura: OuraSimulator
let documents: OuraRecords
let rows: readonly AppleElement[]
beforeAll(async () => {
  world = await createWorld({ days: DAYS, seed: "watches" })
  oura = await startOuraSimulator({ seed: 3, now: world.simulator.clock.now(), days: DAYS })
  const [first] = oura.people.list()
  if (!first) throw new Error("nobody at Oura")
  documents = oura.records(first)
  rows = appleRows(documents)
})
afterAll(async () => {
  await oura.close()
  await world.close()
})

const imported = (userId: string, elements: readonly AppleElement[]) =>
  importArchive(world, userId, { bytes: appleArchive(elements), fileName: "export.zip" })

interface StoredFields {
  readonly kind: string
  readonly date: string
  readonly device?: string
  readonly asleepMs?: number
  readonly stages?: { readonly lightMs: number; readonly deepMs: number; readonly remMs: number }
  readonly isNap?: boolean
  readonly steps?: number
  readonly hrvMs?: number
  readonly hrvMethod?: string
}

async function recordsOf(userId: string, kind: string): Promise<StoredFields[]> {
  const { rows: found } = await world.store.pool.query<{ record: string }>(
    "select restwell.stored_record(r, r.detail) as record from restwell.record r where user_id = $1 and provider = 'apple_health' and kind = $2 order by date, provider_id",
    [userId, kind],
  )
  return found.map(({ record }) => JSON.parse(record))
}

/** Minutes asleep by local date of waking, counted in the ring's own phases. */
function asleepByDate(): Map<string, number> {
  const minutes = new Map<string, number>()
  for (const { type, sleep_phase_5_min: phases, bedtime_start: start } of documents.sleep) {
    if (type !== "long_sleep" || !phases) continue
    const endMs = Date.parse(start) + phases.length * 5 * MINUTE_MS
    const date = Temporal.Instant.fromEpochMilliseconds(endMs)
      .toZonedDateTimeISO(zoneOf(start))
      .toPlainDate()
      .toString()
    const asleep = [...phases].filter((phase) => phase !== "4").length * 5
    minutes.set(date, Math.max(asleep, minutes.get(date) ?? 0))
  }
  return minutes
}

/** Steps by UTC date, minute by minute: the watch before the phone, and the ring's app nowhere. */
function stepsByDate(): Map<string, number> {
  const minutes = new Map<number, { watch: number; phone: number }>()
  for (const { attributes } of rows) {
    const { type, sourceName = "", startDate = "", endDate = "", value } = attributes
    if (type !== "HKQuantityTypeIdentifierStepCount" || sourceName === "Oura") continue
    const [from, to] = [startDate, endDate].map((text) => Date.parse(text.replace(/ ([+-]\d\d)(\d\d)$/, "$1:$2")))
    if (from === undefined || to === undefined) continue
    for (let minute = from; minute < to; minute += MINUTE_MS) {
      const of = minutes.get(minute) ?? { watch: 0, phone: 0 }
      of[sourceName.includes("iPhone") ? "phone" : "watch"] += (Number(value) * MINUTE_MS) / (to - from)
      minutes.set(minute, of)
    }
  }
  const days = new Map<string, number>()
  for (const [minute, { watch, phone }] of minutes) {
    const date = new Date(minute).toISOString().slice(0, 10)
    days.set(date, (days.get(date) ?? 0) + (watch > 0 ? watch : phone))
  }
  return days
}

test("nights and steps are those of an independent count of the rows", async () => {
  const userId = await world.addUser()
  const { status, kind, report, error } = await imported(userId, rows)
  expect({ status, kind, error }).toEqual({ status: "done", kind: "apple_archive", error: null })
  expect(report?.ignored).toEqual([])
  const nights = (await recordsOf(userId, "sleep")).filter(({ isNap }) => isNap === false)
  const measured = nights.filter(({ stages }) => stages !== undefined)
  const expected = asleepByDate()
  expect(measured.length).toBeGreaterThan(DAYS / 2)
  for (const { date, stages, device } of measured) {
    const asleepMs = (stages?.lightMs ?? 0) + (stages?.deepMs ?? 0) + (stages?.remMs ?? 0)
    expect([date, device, asleepMs / MINUTE_MS]).toEqual([date, APPLE_WATCH_DEVICE, expected.get(date)])
  }
  // Nights of the phone's bedtime alone have no time asleep.
  for (const { stages, asleepMs, device } of nights)
    if (stages === undefined) expect([asleepMs, device]).toEqual([undefined, "Lena's iPhone"])
  const steps = stepsByDate()
  const days = await recordsOf(userId, "cycle")
  expect(days.length).toBe(documents.daily_activity.length)
  const total = days.reduce((sum, day) => sum + (day.steps ?? 0), 0)
  const counted = [...steps.values()].reduce((sum, each) => sum + each, 0)
  expect(Math.abs(total - counted)).toBeLessThan(days.length)
  expect(days.every(({ device }) => device === APPLE_WATCH_DEVICE)).toBe(true)
  const recoveries = await recordsOf(userId, "recovery")
  expect(recoveries.filter(({ hrvMs }) => hrvMs !== undefined).length).toBeGreaterThan(DAYS / 2)
  for (const { hrvMs, hrvMethod } of recoveries) expect(hrvMethod).toBe(hrvMs === undefined ? undefined : "sdnn")
  expect(report?.dates_by_type).toMatchObject({
    sleep: spanOf((await recordsOf(userId, "sleep")).map(({ date }) => date)),
    cycle: spanOf([...steps.entries()].flatMap(([date, count]) => (count > 0 ? [date] : []))),
    workout: spanOf(documents.workout.map(({ start_datetime: start }) => start.slice(0, 10))),
  })
  expect(report?.by_type).toMatchObject({
    cycle: days.length,
    workout: documents.workout.length,
    recovery: recoveries.length,
    weight: Math.ceil(documents.daily_activity.length / 7),
  })
})

/** The watch's night ends with its last phase. */
const endedByPhases = (night: OuraRecords["sleep"][number]) => ({
  ...night,
  bedtime_end: new Date(
    Date.parse(night.bedtime_start) + (night.sleep_phase_5_min?.length ?? 0) * 5 * MINUTE_MS,
  ).toISOString(),
})

test("a row over a change of the clocks is of the dates of its hours", async () => {
  const userId = await world.addUser()
  const element: AppleElement = {
    tag: "Record",
    attributes: {
      type: "HKQuantityTypeIdentifierStepCount",
      sourceName: "Ring",
      unit: "count",
      startDate: "2026-03-29 00:00:00 +0000",
      endDate: "2026-03-29 23:00:00 +0000",
      value: "2300",
    },
    within: '<MetadataEntry key="HKTimeZone" value="Europe/Berlin"/>',
  }
  await imported(userId, [element])
  const days = await recordsOf(userId, "cycle")
  // In Berlin the date ends at 22:00 UTC.
  expect(days.map(({ date, steps }) => ({ date, steps }))).toEqual([
    { date: "2026-03-29", steps: 2200 },
    { date: "2026-03-30", steps: 100 },
  ])
})

test("each night with stages is drawn by the ring's own phases", async () => {
  const userId = await world.addUser()
  await imported(userId, rows)
  const nights = documents.sleep.flatMap((night) =>
    night.type === "long_sleep" && night.sleep_phase_5_min
      ? [[night.day, phasesOf(endedByPhases(night))] as const]
      : [],
  )
  expect(nights.length).toBeGreaterThan(DAYS / 2)
  expect(await coursesOf(world, userId)).toEqual(Object.fromEntries(nights))
})

test("importing it twice changes nothing, and undoing both leaves no trace", async () => {
  const userId = await world.addUser()
  const before = await everythingOf(world, userId)
  const first = await imported(userId, rows)
  const records = await storedRows(world, userId)
  const second = await imported(userId, rows.toReversed())
  expect(second.report).toMatchObject({ stored: 0, unchanged: first.report?.stored, by_type: first.report?.by_type })
  expect(await storedRows(world, userId)).toEqual(records)
  await undoImport(world.context, userId, first.id)
  expect(await storedRows(world, userId)).toEqual(records)
  await undoImport(world.context, userId, second.id)
  expect(await everythingOf(world, userId)).toBe(before)
})

test("a later export with more of a night replaces it, whichever came first", async () => {
  const start = Date.parse("2026-11-10T22:00:00Z")
  const part = [appleStage("AsleepCore", { startMs: start, endMs: start + 200 * MINUTE_MS })]
  const whole = [...part, appleStage("AsleepREM", { startMs: start + 200 * MINUTE_MS, endMs: start + 400 * MINUTE_MS })]
  for (const exports of [
    [part, whole],
    [whole, part],
  ]) {
    const userId = await world.addUser()
    for (const each of exports) await imported(userId, each)
    const nights = await recordsOf(userId, "sleep")
    expect(nights.map(({ stages }) => stages && stages.lightMs + stages.remMs)).toEqual([400 * MINUTE_MS])
  }
})

test("our own export has devices and methods, and gives them back", async () => {
  const userId = await world.addUser()
  await imported(userId, rows)
  const own = Buffer.from((await Array.fromAsync(exportAccount(world.context, userId))).join(""))
  const other = await world.addUser()
  const { status } = await importArchive(world, other, { bytes: own, fileName: "export.json" })
  expect(status).toBe("done")
  for (const kind of ["sleep", "recovery", "workout", "cycle"])
    expect(await recordsOf(other, kind)).toEqual(await recordsOf(userId, kind))
})

test("another source beside it stays as it is", async () => {
  const userId = await world.addUser()
  await importArchive(world, userId, { bytes: ouraArchive(documents) })
  const before = await storedRows(world, userId)
  const { id } = await imported(userId, rows)
  expect((await storedRows(world, userId)).length).toBeGreaterThan(before.length)
  await undoImport(world.context, userId, id)
  expect(await storedRows(world, userId)).toEqual(before)
})

const xml = (text: string) => ({ fileName: "export.xml", bytes: Buffer.from(text) })
const root = (within: string) => `<?xml version="1.0"?><HealthData>${within}</HealthData>`

test.each([
  ["a file that ends within its rows", xml("<HealthData><Record/>"), /export\.xml ends too early/],
  [
    "an attribute that is never closed",
    xml(root(`<Record type="${"x".repeat(3_000_000)}`)),
    /an element of more than 1 MB/,
  ],
  ["thousands of levels", xml(root("<a>".repeat(5_000))), /has elements 32 levels deep/],
  [
    "bytes that are no text",
    { fileName: "export.xml", bytes: Buffer.concat([Buffer.from("<HealthData>\n"), Buffer.from([0xff, 0xc0])]) },
    /export\.xml, line 2: neither UTF-8/,
  ],
  ["a clinical document alone", xml('<ClinicalDocument><HealthData type="a"/></ClinicalDocument>'), /export\.xml/],
])("%s fails in one plain sentence", async (_, upload, words) => {
  await expectFailedImport(world, upload, words)
})

test("hostile rows are counted and stored nowhere", async () => {
  const device = (
    index: number,
  ) => `<Record type="HKQuantityTypeIdentifierStepCount" sourceName="d${index}" unit="count" value="1"
    startDate="2026-11-10 10:00:00 +0100" endDate="2026-11-10 10:01:00 +0100"/>`
  const huge = `<Record type="HKQuantityTypeIdentifierStepCount" sourceName="d0" unit="count" value="9e307"
    startDate="2026-11-11 10:00:00 +0100" endDate="2026-11-11 10:01:00 +0100"/>`
  const units = Array.from({ length: 300 }, (_, index) => device(0).replace('"count"', `"unit ${index}\u202e"`))
  const all = [huge, ...Array.from({ length: 700 }, (_, index) => device(index)), ...units].join("")
  const userId = await world.addUser()
  const { status, report } = await importArchive(world, userId, xml(root(all)))
  expect(status).toBe("done")
  expect(report?.ignored.length).toBeLessThan(110)
  const count = (words: string) =>
    report?.ignored.filter(({ reason }) => reason.includes(words)).reduce((sum, each) => sum + each.count, 0)
  expect(count("devices and apps")).toBe(200)
  expect((count("is not known") ?? 0) + (count("further rows") ?? 0)).toBe(300)
  const days = await recordsOf(userId, "cycle")
  expect(days.map(({ date }) => date)).toEqual(["2026-11-10"])
})
