// Weights and body fat of Google Health: what is taken back, what cannot be used, and one collection that fails beside the other.
import { deleteAccount, disconnect, requestSync } from "@restwell/core"
import {
  type FaultKind,
  type GoogleHealthSimulator,
  type Person,
  takeoutArchive,
  type WireGoogleBodyFat,
  type WireGoogleWeight,
} from "@restwell/simulator"
import { startGoogleHealthBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { importArchive } from "../imports/import-archive.ts"
import { DAY_MS, FITBIT, HOUR_MS, night, WATCH } from "./google-points.ts"

const NOW = new Date("2026-11-20T12:00:00Z")

let vendor: GoogleHealthSimulator
let world: World
beforeAll(async () => {
  const simulator = await startVendor({ seed: "google samples", now: NOW, days: 200 })
  vendor = await startGoogleHealthBeside(simulator)
  world = await createWorld({ simulator, vendor: "google_health", beside: { google_health: vendor }, timeoutMs: 2_000 })
})
afterAll(async () => {
  await world.close()
  await vendor.close()
  await world.simulator.close()
})

const users: string[] = []
afterEach(async () => {
  vendor.faults.clear()
  // Nobody is looked after who is in no test.
  for (const userId of users.splice(0)) await deleteAccount(world.context, userId)
})

async function addPerson(
  name: string,
  history: { readonly history: "none" } | { readonly days: number },
): Promise<{ readonly person: Person; readonly userId: string }> {
  const person = world.simulator.people.add({ email: `${name}@example.com`, ...history })
  const userId = await world.addUser()
  users.push(userId)
  return { person, userId }
}

const daysAgo = (days: number): string => new Date(world.simulator.clock.nowMs() - days * DAY_MS).toISOString()

const weight = (id: string, days: number, dataSource: WireGoogleWeight["dataSource"] = FITBIT): WireGoogleWeight => ({
  name: `users/me/dataTypes/weight/dataPoints/${id}`,
  dataSource,
  weight: { sampleTime: { physicalTime: daysAgo(days), utcOffset: "0s" }, weightGrams: 70_000 },
})
const bodyFat = (id: string, days: number): WireGoogleBodyFat => ({
  name: `users/me/dataTypes/body-fat/dataPoints/${id}`,
  dataSource: FITBIT,
  bodyFat: { sampleTime: { physicalTime: daysAgo(days), utcOffset: "0s" }, percentage: 18 },
})

/** Samples by type and device. */
async function samplesOf(userId: string): Promise<Readonly<Record<string, number>>> {
  const { rows } = await world.store.pool.query<{ key: string; count: number }>(
    `select trim(type || ' ' || device) as key, sum(count)::int as count from restwell.series_day
     where user_id = $1 and record_id = '' group by 1`,
    [userId],
  )
  return Object.fromEntries(rows.map(({ key, count }) => [key, count]))
}

async function leftOutOf(userId: string): Promise<number> {
  const query = "select coalesce(sum(count), 0)::int as count from restwell.series_left_out where user_id = $1"
  return (await world.store.pool.query(query, [userId])).rows[0].count
}

async function gapsOf(userId: string): Promise<readonly string[]> {
  const query = "select gaps from restwell.connection where user_id = $1"
  const { gaps } = (await world.store.pool.query(query, [userId])).rows[0]
  return gaps.map(({ collection }: { collection: string }) => collection)
}

async function pass(durationMs: number): Promise<void> {
  world.simulator.clock.advance(durationMs)
  await world.runDue()
}

test("a mirrored weight that is taken back is gone, and Google's own and older ones stay", async () => {
  const { person, userId } = await addPerson("taken-back", { history: "none" })
  vendor.edit.weight.put(person, weight("own", 1))
  vendor.edit.weight.put(person, weight("mirrored", 2, WATCH))
  vendor.edit.weight.put(person, weight("old", 60, WATCH))
  await world.connect(userId, person)
  await world.runDue()
  expect(await samplesOf(userId)).toEqual({ weight: 1, "weight Apple Watch": 2 })
  vendor.edit.weight.delete(person, "mirrored")
  // The first look of a day reaches far back, where a list may lack something.
  await pass(25 * HOUR_MS)
  await pass(HOUR_MS)
  expect(await samplesOf(userId)).toEqual({ weight: 1, "weight Apple Watch": 1 })
})

test("weights come however long before everything else they are", async () => {
  const { person, userId } = await addPerson("old", { history: "none" })
  vendor.edit.weight.put(person, weight("old", 15 * 365))
  vendor.edit.bodyFat.put(person, bodyFat("old", 8 * 365))
  await world.connect(userId, person)
  await world.runDue()
  expect(await samplesOf(userId)).toEqual({ weight: 1, body_fat: 1 })
})

test("weights that cannot be used are counted, also beside those of a device", async () => {
  const { person, userId } = await addPerson("unusable", { history: "none" })
  const bad = weight("bad", 1)
  vendor.edit.weight.put(person, { ...bad, weight: { ...bad.weight, weightGrams: Number.NaN } })
  vendor.edit.weight.put(person, { ...weight("mirrored", 1, WATCH), weight: { ...bad.weight, weightGrams: 71_000 } })
  vendor.faults.add({
    kind: "transform",
    match: { path: /\/weight\//, personId: person.userId },
    transform: (reply) => JSON.parse(JSON.stringify(reply).replaceAll('"weightGrams":null', '"weightGrams":{}')),
  })
  await world.connect(userId, person)
  await world.runDue()
  expect(await samplesOf(userId)).toEqual({ "weight Apple Watch": 1 })
  expect(await leftOutOf(userId)).toBe(1)
  await pass(HOUR_MS)
  expect(await leftOutOf(userId)).toBe(1)
})

test.each<readonly ["weight" | "body-fat", FaultKind, number]>([
  ["body-fat", "status", 404],
  ["body-fat", "status", 503],
  ["body-fat", "hang", 200],
  ["weight", "status", 403],
])("%s that fails with %s %i is a gap of its own, and comes whole once it answers", async (failing, kind, status) => {
  const { person, userId } = await addPerson(`${failing}.${kind}.${status}`, { days: 190 })
  const repair = vendor.faults.add({
    kind,
    status,
    match: { path: new RegExp(`/${failing}/`), personId: person.userId },
  })
  await world.connect(userId, person)
  await world.runDue()
  const { weight: weights, bodyFat: fats } = vendor.records(person)
  expect(weights.length).toBeGreaterThan(24)
  const whole = { weight: weights.length, body_fat: fats.length }
  const answering = failing === "weight" ? { body_fat: whole.body_fat } : { weight: whole.weight }
  expect(await gapsOf(userId)).toEqual([failing])
  expect(await samplesOf(userId)).toEqual(answering)
  vendor.edit.weight.put(person, weight("new", 0))
  vendor.edit.bodyFat.put(person, bodyFat("new", 0))
  await pass(6 * HOUR_MS)
  expect(await samplesOf(userId)).toEqual(
    failing === "weight" ? { body_fat: whole.body_fat + 1 } : { weight: whole.weight + 1 },
  )
  await requestSync(world.context, { userId, provider: "google_health" })
  repair()
  await world.runDue()
  await pass(HOUR_MS)
  expect(await gapsOf(userId)).toEqual([])
  expect(await samplesOf(userId)).toEqual({ weight: whole.weight + 1, body_fat: whole.body_fat + 1 })
})

test("what was stored of a collection stays while it fails", async () => {
  const { person, userId } = await addPerson("stored", { history: "none" })
  vendor.edit.weight.put(person, weight("a", 1))
  vendor.edit.bodyFat.put(person, bodyFat("b", 1))
  await world.connect(userId, person)
  await world.runDue()
  expect(await samplesOf(userId)).toEqual({ weight: 1, body_fat: 1 })
  vendor.faults.add({
    kind: "status",
    status: 500,
    match: { path: /\/(?:body-fat|weight)\//, personId: person.userId },
  })
  vendor.edit.weight.delete(person, "a")
  vendor.edit.bodyFat.delete(person, "b")
  await pass(25 * HOUR_MS)
  expect(await samplesOf(userId)).toEqual({ weight: 1, body_fat: 1 })
  expect(await gapsOf(userId)).toEqual(["body-fat", "weight"])
  vendor.faults.clear()
  await pass(HOUR_MS)
  await pass(HOUR_MS)
  expect(await gapsOf(userId)).toEqual([])
  expect(await samplesOf(userId)).toEqual({})
})

test("while the past cannot be read, the newest weights still are, and the past comes once it answers", async () => {
  const { person, userId } = await addPerson("past", { days: 190 })
  const before = daysAgo(20)
  const timesIn = (reply: unknown) => JSON.stringify(reply).match(/(?<="physicalTime":")[^"]+/g) ?? []
  vendor.faults.add({
    kind: "transform",
    match: { path: /\/(?:body-fat|weight)\//, personId: person.userId },
    transform: (reply) => (timesIn(reply).some((time) => time < before) ? { items: [] } : reply),
  })
  await world.connect(userId, person)
  await world.runDue()
  const { weight: weights } = vendor.records(person)
  const first = await samplesOf(userId)
  expect(first["weight"]).toBeLessThan(weights.length)
  vendor.edit.weight.put(person, weight("newest", 0))
  await pass(2 * HOUR_MS)
  expect((await samplesOf(userId))["weight"]).toBeGreaterThan(first["weight"] ?? 0)
  vendor.faults.clear()
  await pass(2 * HOUR_MS)
  await pass(2 * HOUR_MS)
  expect(await gapsOf(userId)).toEqual([])
  expect((await samplesOf(userId))["weight"]).toBe(weights.length + 1)
})

test("weights whose past came in another shape are a gap, and come when the shape is right again", async () => {
  const { person, userId } = await addPerson("other-shape", { days: 190 })
  vendor.faults.add({
    kind: "transform",
    match: { path: /\/weight\//, personId: person.userId },
    transform: (reply) => ({
      ...Object(reply),
      dataPoints: Object(reply).dataPoints.map((point: object) => ({ ...point, weight: 7 })),
    }),
  })
  await world.connect(userId, person)
  await world.runDue()
  expect([await gapsOf(userId), (await samplesOf(userId))["weight"]]).toEqual([["weight"], undefined])
  vendor.faults.clear()
  await pass(2 * HOUR_MS)
  await pass(2 * HOUR_MS)
  const { weight: weights } = vendor.records(person)
  expect([await gapsOf(userId), (await samplesOf(userId))["weight"]]).toEqual([[], weights.length])
})

test("the stages of a night that was edited after its Takeout are those of the connection, whichever came first", async () => {
  const date = daysAgo(10).slice(0, 10)
  const at = (hoursBefore: number) =>
    `${new Date(Date.parse(`${date}T06:00:00Z`) - hoursBefore * HOUR_MS).toISOString().slice(0, 19)}Z`
  const offsets = { start_utc_offset: "+02:00", end_utc_offset: "+02:00" }
  const stage = (type: string, from: number, to: number) => ({
    ...{ sleep_id: "90", sleep_stage_id: "1", sleep_stage_type: type, ...offsets },
    ...{ sleep_stage_start: at(from), sleep_stage_end: at(to) },
  })
  const bytes = takeoutArchive({
    "UserSleeps_2026-11-01.csv": [
      { sleep_id: "90", sleep_type: "STAGES", minutes_asleep: 660, ...offsets, sleep_start: at(10), sleep_end: at(-1) },
    ],
    "UserSleepStages_2026-11-01.csv": [stage("LIGHT", 10, 3), stage("DEEP", 3, -1)],
  })
  const stored = async (userId: string) => {
    const { rows } = await world.store.pool.query(
      `select 'record' as what, kind, provider_id as id from restwell.record where user_id = $1
       union select 'samples', type, record_id from restwell.series where user_id = $1 order by 1, 2, 3`,
      [userId],
    )
    return rows
  }
  for (const [index, order] of [
    ["import", "connect"],
    ["connect", "import"],
  ].entries()) {
    const { person, userId } = await addPerson(`edited${index}`, { history: "none" })
    vendor.edit.sleep.put(person, night("now", date))
    for (const step of order)
      if (step === "connect") await world.connect(userId, person)
      else expect(await importArchive(world, userId, { bytes })).toMatchObject({ status: "done", error: null })
    expect(await stored(userId)).toEqual([
      { what: "record", kind: "sleep", id: expect.stringMatching(/now$/) },
      { what: "samples", kind: "sleep_stages", id: expect.stringMatching(/now$/) },
    ])
    await disconnect(world.context, { userId, provider: "google_health", wipeData: true })
    expect(await stored(userId)).toEqual([
      { what: "record", kind: "sleep", id: date },
      { what: "samples", kind: "sleep_stages", id: date },
    ])
  }
})
