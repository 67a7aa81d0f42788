// Oura's data export as an import: whole, once, undone, and beside WHOOP's.
import { readSeriesDays, undoImport } from "@restwell/core"
import { type OuraSimulator, type Person, startOuraSimulator, zipOf } from "@restwell/simulator"
import { ouraArchive, whoopArchive } from "@restwell/testing/archive"
import { createWorld, storedRows, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { everythingOf, importArchive, storedRecordsOf } from "./import-archive.ts"

let world: World
let oura: OuraSimulator
let person: Person
beforeAll(async () => {
  world = await createWorld({ days: 60, seed: "rings" })
  oura = await startOuraSimulator({ seed: 3, now: world.simulator.clock.now(), days: 60, heartRateShare: 0.02 })
  const [first] = oura.people.list()
  if (!first) throw new Error("nobody at Oura")
  person = first
})
afterAll(async () => {
  await oura.close()
  await world.close()
})

const documents = () => oura.records(person)
const archive = () => ouraArchive({ ...documents(), heartrate: oura.heartRates(person) })

function countsOf() {
  const { sleep, daily_readiness, workout, daily_activity, enhanced_tag } = documents()
  const nights = sleep.filter(({ type }) => type === "long_sleep")
  const ready = new Set(daily_readiness.map(({ day }) => day))
  const unready = nights.filter((night) => !ready.has(night.day) && night.lowest_heart_rate !== null)
  return {
    cycle: daily_activity.length,
    heart_rate: oura.heartRates(person).length,
    journal: enhanced_tag.length,
    recovery: daily_readiness.length + unready.length,
    sleep: sleep.filter(({ type }) => type !== "deleted" && type !== "rest").length,
    workout: workout.length,
  }
}

test("the whole archive is imported, and counted by type", async () => {
  const userId = await world.addUser()
  const { status, kind, report, error } = await importArchive(world, userId, {
    bytes: archive(),
    includesPrivate: true,
  })
  expect({ status, kind, error }).toEqual({ status: "done", kind: "oura_archive", error: null })
  expect(report?.by_type).toEqual(countsOf())
  expect(report?.unchanged).toBe(0)
  const { rows } = await world.store.pool.query("select provider, status from restwell.connection where user_id = $1", [
    userId,
  ])
  expect(rows).toEqual([{ provider: "oura", status: "archive" }])
})

test("more than a hundred thousand rows that cannot be used cost no other row", async () => {
  const userId = await world.addUser()
  const broken = Array.from({ length: 100_001 }, () => ({ timestamp: "yesterday", bpm: 60, source: "awake" }))
  const bytes = ouraArchive({ ...documents(), heartrate: [...broken, ...oura.heartRates(person)] })
  const { status, report, error } = await importArchive(world, userId, { bytes, includesPrivate: true })
  expect({ status, error }).toEqual({ status: "done", error: null })
  expect(report?.by_type).toEqual(countsOf())
  expect(report?.ignored.reduce((sum, { count }) => sum + count, 0)).toBeGreaterThanOrEqual(broken.length)
})

test("of two versions of a night the row that comes later counts, with its score and its heart rates alone", async () => {
  const { sleep, daily_sleep, ...others } = documents()
  const night = sleep.find((each) => each.type === "long_sleep" && each.heart_rate && each.total_sleep_duration)
  const score = daily_sleep.find(({ day }) => day === night?.day)?.score
  if (!night) throw new Error("no night")
  const edited = {
    ...night,
    efficiency: 61,
    heart_rate: { interval: 300, items: [50, 51], timestamp: night.bedtime_start },
  }
  for (const [versions, expected] of [
    [[night, edited], edited],
    [[edited, night], night],
  ] as const) {
    const userId = await world.addUser()
    const bytes = ouraArchive({
      ...others,
      daily_sleep,
      sleep: [versions[0], ...sleep.filter(({ id }) => id !== night.id), versions[1]],
    })
    const { report } = await importArchive(world, userId, { bytes, includesPrivate: true })
    expect(report?.unchanged).toBe(1)
    const found = await storedRecordsOf(world, userId, { provider: "oura", kind: "sleep" })
    expect(found.filter(({ date }) => date === night.day)).toContainEqual(
      expect.objectContaining({ efficiencyPercent: expected.efficiency, scorePercent: score }),
    )
    const { rows } = await world.store.pool.query(
      `select sum(count)::int as count from restwell.series where user_id = $1 and type = 'heart_rate' and record_id = $2`,
      [userId, night.id],
    )
    expect(rows).toEqual([{ count: expected.heart_rate?.items.filter((item) => item !== null).length }])
  }
})

test("the heart rates of the whole day are those of the file, and go with it", async () => {
  const userId = await world.addUser()
  const heartRates = async () => {
    const query = { userId, type: "heart_rate", providers: ["oura"], from: "2026-01-01", to: "2026-12-31" } as const
    const days = await Array.fromAsync(readSeriesDays(world.store.pool, query))
    return days.flatMap(({ samples: { atMs, values, durationsMs } }) =>
      // Those of nights are for five minutes.
      Array.from(atMs, (ms, index) => (durationsMs?.[index] ? "" : `${ms} ${values[index]}`)).filter(Boolean),
    )
  }
  const { id } = await importArchive(world, userId, { bytes: archive() })
  const expected = oura.heartRates(person).map(({ timestamp_unix: ms, bpm }) => `${ms} ${bpm}`)
  expect(expected.length).toBeGreaterThan(500)
  expect(await heartRates()).toEqual(expected)
  await undoImport(world.context, userId, id)
  expect(await heartRates()).toEqual([])
})

test("heart rates alone are told as stored, and a later export of them as what it adds", async () => {
  const userId = await world.addUser()
  const row = (timestamp: string, bpm: number) => `${timestamp};${bpm};awake\n`
  const header = "timestamp;bpm;source\n"
  const [first, second, third] = [
    row("2026-11-17T10:00:00.000Z", 61),
    row("2026-11-17T10:05:00.000Z", 62),
    row("2026-11-18T10:00:00.000Z", 63),
  ]
  const imported = async (...rows: readonly string[]) => {
    const bytes = Buffer.from([header, ...rows].join(""))
    const { status, report } = await importArchive(world, userId, { bytes, fileName: "heartrate.csv" })
    return { status, stored: report?.stored, unchanged: report?.unchanged, byType: report?.by_type }
  }
  expect(await imported(first, second)).toEqual({ status: "done", stored: 2, unchanged: 0, byType: { heart_rate: 2 } })
  expect(await imported(first, second)).toMatchObject({ stored: 0, unchanged: 2 })
  expect(await imported(first, second, third)).toMatchObject({ stored: 1, unchanged: 2, byType: { heart_rate: 3 } })
})

test("importing it twice changes nothing, and undoing both leaves no trace", async () => {
  const userId = await world.addUser()
  const before = await everythingOf(world, userId)
  const first = await importArchive(world, userId, { bytes: archive() })
  const rows = await storedRows(world, userId)
  const second = await importArchive(world, userId, { bytes: archive() })
  expect(second.report).toMatchObject({ stored: 0, unchanged: first.report?.stored })
  await undoImport(world.context, userId, first.id)
  expect(await storedRows(world, userId)).toEqual(rows)
  await undoImport(world.context, userId, second.id)
  expect(await everythingOf(world, userId)).toBe(before)
})

test("WHOOP's archive beside it stays as it is", async () => {
  const userId = await world.addUser()
  const wearer = world.simulator.people.add({ email: "lena@vendor.example" })
  await importArchive(world, userId, { bytes: whoopArchive(world.simulator.records(wearer)) })
  const before = await storedRows(world, userId)
  const { id } = await importArchive(world, userId, { bytes: archive() })
  expect((await storedRows(world, userId)).length).toBeGreaterThan(before.length)
  await undoImport(world.context, userId, id)
  expect(await storedRows(world, userId)).toEqual(before)
})

const HEADER = "id;day;timestamp;total_calories;active_calories;steps;equivalent_walking_distance;score;contributors"
const activity = (day: string, calories: number, steps: number) =>
  `${day};${day};${day}T04:00:00+01:00;${calories};60;${steps};1500;;`
const activities = (...rows: string[]) =>
  zipOf([{ name: "App Data/dailyactivity.csv", bytes: Buffer.from([HEADER, ...rows, ""].join("\n")) }])

test.each([
  ["whole in a later export", [activity("2026-03-10", 2_600, 11_000), activity("2026-03-11", 900, 500)]],
  ["longer in a later export", [activity("2026-03-10", 2_600, 11_000)]],
])("the last day of an export, which is %s, counts as that has it, whichever came first", async (_, later) => {
  const archives = [activities(activity("2026-03-10", 900, 2_000)), activities(...later)]
  for (const order of [archives, archives.toReversed()]) {
    const userId = await world.addUser()
    for (const bytes of order) await importArchive(world, userId, { bytes })
    const [day] = await storedRecordsOf(world, userId, { provider: "oura", kind: "cycle" })
    expect(day).toMatchObject({ date: "2026-03-10", steps: 11_000 })
  }
})

test("a whole day is that of the newest import, also with less of it", async () => {
  const next = activity("2026-03-11", 900, 500)
  const userId = await world.addUser()
  for (const steps of [11_000, 9_000])
    await importArchive(world, userId, { bytes: activities(activity("2026-03-10", steps / 4, steps), next) })
  const [day] = await storedRecordsOf(world, userId, { provider: "oura", kind: "cycle" })
  expect(day).toMatchObject({ date: "2026-03-10", steps: 9_000 })
})
