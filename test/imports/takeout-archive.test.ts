// Google Takeout with Fitbit's data as an import: whole, once, in both forms, in any order, undone, and when it is broken.
import { undoImport } from "@restwell/core"
import {
  type OuraRecords,
  type OuraSimulator,
  oldTakeoutRows,
  startOuraSimulator,
  type TakeoutRows,
  takeoutArchive,
  takeoutRows,
  zipOf,
} from "@restwell/simulator"
import { ouraArchive } from "@restwell/testing/archive"
import { createWorld, storedRows, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import {
  coursesOf,
  everythingOf,
  expectFailedImport,
  importArchive,
  measuredDays,
  phasesOf,
  spanOf,
} from "./import-archive.ts"

let world: World
let oura: OuraSimulator
let documents: OuraRecords
beforeAll(async () => {
  world = await createWorld({ days: 60, seed: "bands" })
  oura = await startOuraSimulator({ seed: 5, now: world.simulator.clock.now(), days: 60 })
  const [first] = oura.people.list()
  if (!first) throw new Error("nobody at Oura")
  documents = oura.records(first)
})
afterAll(async () => {
  await oura.close()
  await world.close()
})

const fileName = "takeout.zip"
const imported = (userId: string, rows: TakeoutRows) =>
  importArchive(world, userId, { bytes: takeoutArchive(rows), fileName })

/** Sleeps whose stages the ring found, of the two types that a Fitbit finds too. */
const staged = (type: string) => documents.sleep.filter((each) => each.type === type && each.sleep_phase_5_min)

async function sampleSums(userId: string) {
  const { rows } = await world.store.pool.query<{ type: string; count: number }>(
    "select type, sum(count)::int as count from restwell.series where user_id = $1 group by type order by type",
    [userId],
  )
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]))
}

/** Figures of the stored records by kind and date, recomputed from the ring's documents. */
function expectedFigures() {
  const nights = staged("long_sleep").map((night) => {
    const phases = [...(night.sleep_phase_5_min ?? "")]
    const startMs = Date.parse(night.bedtime_start)
    const lastMs = Date.parse(night.bedtime_end) - startMs - (phases.length - 1) * 300_000
    const msOf = (digit: string) =>
      phases.reduce(
        (sum, each, index) =>
          sum + (each === digit ? Math.min(300_000, index === phases.length - 1 ? lastMs : 300_000) : 0),
        0,
      )
    return [night.day, { deep: msOf("1"), light: msOf("2"), rem: msOf("3"), awake: msOf("4") }] as const
  })
  const steps = documents.daily_activity.filter((day) => day.steps > 0).map((day) => [day.day, day.steps] as const)
  const scores = documents.daily_readiness.flatMap(({ day, score }) => (score === null ? [] : [[day, score] as const]))
  return { nights: nights.toSorted(), steps: steps.toSorted(), scores: scores.toSorted() }
}

async function storedFigures(userId: string) {
  const { rows } = await world.store.pool.query<{
    kind: string
    date: string
    nap: boolean | null
    steps: number | null
    score: number | null
    stages: { lightMs: number; deepMs: number; remMs: number; awakeMs: number } | null
  }>(
    `select kind, date::text, (detail->>'steps')::float as steps, (detail#>>'{isNap}')::boolean as nap,
       (detail#>>'{scorePercent}')::float as score, detail#>'{stages}' as stages
     from restwell.record where user_id = $1 order by date`,
    [userId],
  )
  const of = (kind: string) => rows.filter((row) => row.kind === kind)
  return {
    nights: of("sleep").flatMap(({ date, nap, stages }) =>
      nap || !stages
        ? []
        : [[date, { deep: stages.deepMs, light: stages.lightMs, rem: stages.remMs, awake: stages.awakeMs }] as const],
    ),
    steps: of("cycle").map(({ date, steps }) => [date, steps] as const),
    scores: of("recovery").flatMap(({ date, score }) => (score === null ? [] : [[date, score] as const])),
  }
}

test("both forms are imported alike: figures equal those of the person, and steps are of one source", async () => {
  const forms = {
    new: takeoutRows(documents),
    old: oldTakeoutRows(documents),
    both: { ...oldTakeoutRows(documents), ...takeoutRows(documents) },
  }
  for (const [form, content] of Object.entries(forms)) {
    const userId = await world.addUser()
    await world.store.pool.query("update restwell.person set time_zone = 'Europe/Zurich' where user_id = $1", [userId])
    const { status, kind, report, error } = await imported(userId, content)
    expect({ status, kind, error }, form).toEqual({ status: "done", kind: "google_takeout", error: null })
    expect(await storedFigures(userId), form).toEqual(expectedFigures())
    expect(report?.by_type, form).toMatchObject({
      sleep: staged("long_sleep").length + staged("late_nap").length,
      cycle: documents.daily_activity.filter(({ steps }) => steps > 0).length,
      workout: documents.workout.length,
      weight: Math.ceil(documents.daily_activity.length / 7),
    })
    const sleeps = [...staged("long_sleep"), ...staged("late_nap")]
    expect(report?.dates_by_type, form).toMatchObject({
      sleep: spanOf(sleeps.map(({ bedtime_end: end }) => end.slice(0, 10))),
      cycle: spanOf(documents.daily_activity.filter(({ steps }) => steps > 0).map(({ day }) => day)),
      workout: spanOf(documents.workout.map(({ start_datetime: start }) => start.slice(0, 10))),
      hrv: spanOf(measuredDays(staged("long_sleep"), "hrv")),
    })
    const rows = Object.values(report?.by_type ?? {})
    expect(report?.stored, form).toBe(rows.reduce((sum, count) => sum + count, 0))
    const items = staged("long_sleep").flatMap(({ hrv }) => hrv?.items ?? [])
    expect(await sampleSums(userId), form).toMatchObject({ hrv: items.filter((item) => item !== null).length })
  }
})

test("each night is drawn by the ring's own phases, in both forms", async () => {
  const nights = staged("long_sleep").map((night) => [night.day, phasesOf(night)] as const)
  expect(nights.length).toBeGreaterThan(30)
  for (const rows of [takeoutRows(documents), oldTakeoutRows(documents)]) {
    const userId = await world.addUser()
    await world.store.pool.query("update restwell.person set time_zone = 'Europe/Zurich' where user_id = $1", [userId])
    await imported(userId, rows)
    expect(await coursesOf(world, userId)).toEqual(Object.fromEntries(nights))
  }
})

test("importing it twice changes nothing, and undoing both leaves no trace", async () => {
  const userId = await world.addUser()
  const before = await everythingOf(world, userId)
  const rows = { ...oldTakeoutRows(documents), ...takeoutRows(documents) }
  const first = await imported(userId, rows)
  const [records, samples] = [await storedRows(world, userId), await sampleSums(userId)]
  const second = await imported(userId, rows)
  expect(second.report).toMatchObject({ stored: 0, unchanged: first.report?.stored, by_type: first.report?.by_type })
  await undoImport(world.context, userId, first.id)
  expect([await storedRows(world, userId), await sampleSums(userId)]).toEqual([records, samples])
  await undoImport(world.context, userId, second.id)
  expect(await everythingOf(world, userId)).toBe(before)
})

test("of an old archive and a new one the fuller records count, whichever came first", async () => {
  const rows = takeoutRows(documents)
  const alone = await world.addUser()
  await imported(alone, rows)
  const expected = await storedRows(world, alone)
  for (const order of [
    [oldTakeoutRows(documents), rows],
    [rows, oldTakeoutRows(documents)],
  ]) {
    const userId = await world.addUser()
    await world.store.pool.query("update restwell.person set time_zone = 'Europe/Zurich' where user_id = $1", [userId])
    for (const each of order) await imported(userId, each)
    const found = await storedFigures(userId)
    expect(found).toEqual(expectedFigures())
    expect((await storedRows(world, userId)).length).toBe(expected.length)
  }
})

test("another source beside it stays as it is", async () => {
  const userId = await world.addUser()
  await importArchive(world, userId, { bytes: ouraArchive(documents) })
  const before = await storedRows(world, userId)
  const { id } = await imported(userId, takeoutRows(documents))
  expect((await storedRows(world, userId)).length).toBeGreaterThan(before.length)
  await undoImport(world.context, userId, id)
  expect(await storedRows(world, userId)).toEqual(before)
})

const list = (text: string) =>
  zipOf([{ name: "Takeout/Fitbit/Global Export Data/sleep-2026-01-01.json", bytes: Buffer.from(text) }])
const table = (bytes: Buffer) =>
  zipOf([{ name: "Takeout/Fitbit/Health Fitness Data_GoogleData/UserSleeps_2026-01-01.csv", bytes }])
const HEADER = "sleep_id,sleep_start,sleep_end\n"

test("40 archives that were cut off fail with the file's name and store nothing", async () => {
  const whole = takeoutArchive(takeoutRows(documents))
  for (let count = 1; count <= 40; count += 1)
    await expectFailedImport(
      world,
      { fileName, bytes: whole.subarray(0, Math.floor((whole.length * count) / 41)) },
      /takeout\.zip|\.csv/,
    )
}, 120_000)

test.each([
  ["JSON that ends too early", list('[{"logId": 1'), /sleep-2026-01-01\.json, line 1: the file ends too early/],
  ["invalid JSON", list("[{],"), /sleep-2026-01-01\.json, line 1: this is no valid JSON/],
  ["an entry of 5 MB", list(`[{"a": "${"x".repeat(5_000_000)}"}]`), /an entry is longer than 1 MB/],
  ["millions of levels", list("[".repeat(5_000_000)), /sleep-2026-01-01\.json|takeout\.zip/],
  [
    "a table that is no text",
    table(Buffer.from([0xff, 0x41, 0x0a, 0x80])),
    /UserSleeps_2026-01-01\.csv, line \d: neither UTF-8/,
  ],
  [
    "a quotation mark that is never closed",
    table(Buffer.from(`${HEADER}"1${",x".repeat(1_000_000)}`)),
    /line 2: (?:a quotation mark is never closed|this row)/,
  ],
  [
    "a name that climbs out",
    zipOf([{ name: "../UserSleeps_1.csv", bytes: Buffer.from("a") }]),
    /leads out of the archive/,
  ],
  ["a bomb", table(Buffer.alloc(60_000_000)), /unpack to more than 200 times its size/],
])("%s fails in one plain sentence", async (_, bytes, words) => {
  await expectFailedImport(world, { bytes, fileName }, words)
})

test("rows of the wrong shape are ignored one by one, and hostile values are no records", async () => {
  const rows = [
    "1,x,y",
    "1,2026-01-01T22:00:00Z,9e99",
    "1,1026-01-01T22:00:00Z,2026-01-02T06:00:00Z",
    "1,2026-01-02T06:00:00Z,2026-01-01T22:00:00Z",
    '"a b",2026-01-01T22:00:00Z,2026-01-02T06:00:00Z',
    ",,",
  ]
  for (const row of rows) {
    const { status, report } = await importArchive(world, await world.addUser(), {
      fileName,
      bytes: table(Buffer.from(`${HEADER}${row}\n`)),
    })
    expect([status, report?.stored, report?.ignored.length], row).toEqual(["done", 0, 1])
  }
})

test.each([
  "Takeout/Fitbit/Heart Rate Variability/Daily Heart Rate Variability Summary - 2026-01-01.csv",
  "Daily SpO2 - 2026-01-01-2026-01-31.csv",
  "Minute SpO2 - 2026-01-01.csv",
  "Computed Temperature - 2026-01-01.csv",
  "Heart Rate Variability Details - 2026-01-01.csv",
  "Daily Respiratory Rate Summary - 2026-01-01.csv",
  "Daily Readiness Score - 2026-01-01.csv",
  "Active Zone Minutes - 2026-01-01.csv",
  "sleep_score.csv",
  "Stress Score.csv",
  "Takeout/Fitbit/Global Export/steps-2026-01-01.json",
])("a part of an archive that has %s alone is of Takeout", async (name) => {
  const bytes = zipOf([
    { name: "Takeout/archive_browser.html", bytes: Buffer.from("<html></html>") },
    { name, bytes: Buffer.from(name.endsWith("json") ? "[]" : "timestamp,value\n") },
  ])
  const { status, kind } = await importArchive(world, await world.addUser(), { fileName, bytes })
  expect([status, kind]).toEqual(["done", "google_takeout"])
})
