// A field of a vendor that cannot be true costs this field alone, live and in an archive.
import { DAY_MS } from "@restwell/client/time-units"
import { readOperation, readSyncCounts } from "@restwell/core"
import { whoopArchive } from "@restwell/testing/archive"
import { startOuraBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, storedRows, type World } from "@restwell/testing/world"
import { afterEach, expect, test } from "vitest"
import { importArchive } from "../imports/import-archive.ts"

let world: World
afterEach(() => world.close())

const nightsOf = async (userId: string) => {
  const { rows } = await world.store.pool.query<{ detail: object; raw: object }>(
    "select detail, raw from restwell.record where user_id = $1 and kind = 'sleep' order by started_at",
    [userId],
  )
  return rows
}

test("a night of WHOOP with an efficiency of 101 and a text for breaths is stored, and the operator sees both fields", async () => {
  world = await createWorld({ days: 60 })
  const person = world.simulator.people.add({ email: "ada@example.com" })
  const { workouts, sleeps, cycles, recoveries } = world.simulator.records(person)
  const odd = sleeps.at(-3)?.id
  const spoil = (record: { id: string; score?: object }) =>
    record.id === odd
      ? { ...record, score: { ...record.score, sleep_efficiency_percentage: 101, respiratory_rate: "fast" } }
      : record
  world.simulator.faults.add({
    match: { path: /sleep/ },
    kind: "transform",
    transform: (reply) =>
      "records" in Object(reply)
        ? { ...Object(reply), records: Object(reply).records.map(spoil) }
        : spoil(Object(reply)),
  })
  const userId = await world.addUser()
  await world.connect(userId, person)
  const counts = await readSyncCounts(world.context)
  expect(counts.rejected).toEqual([])
  const fields = ["score.respiratory_rate", "score.sleep_efficiency_percentage"]
  expect(counts.leftOutFields).toEqual(fields.map((field) => ({ provider: "whoop", kind: "sleep", field, count: 1 })))
  expect((await readOperation(world.context)).leftOutFields).toEqual(counts.leftOutFields)
  expect(await storedRows(world, userId)).toHaveLength(
    workouts.length + sleeps.length + cycles.length + recoveries.length,
  )
  const [night] = (await nightsOf(userId)).filter(({ raw }) => Reflect.get(raw, "id") === odd)
  expect(night?.detail).toMatchObject({ stages: { deepMs: expect.any(Number) }, needMs: expect.any(Number) })
  expect(night?.detail).not.toHaveProperty("efficiencyPercent")
  // The payload stays as it was sent.
  expect(night?.raw).toMatchObject({ score: { sleep_efficiency_percentage: 101 } })
})

test("a night of Oura with a lowest heart rate of 255 is stored with its other figures", async () => {
  const whoop = await startVendor({ days: 30 })
  const oura = await startOuraBeside(whoop)
  world = await createWorld({ vendor: "oura", simulator: whoop, beside: { oura } })
  const person = whoop.people.add({ email: "ada@example.com" })
  const spoil = (document: object) =>
    "lowest_heart_rate" in document ? { ...document, lowest_heart_rate: 255 } : document
  oura.faults.add({
    kind: "transform",
    match: { path: /\/sleep/ },
    transform: (reply) =>
      "data" in Object(reply) ? { ...Object(reply), data: Object(reply).data.map(spoil) } : spoil(Object(reply)),
  })
  const userId = await world.addUser()
  await world.connect(userId, person)
  const counts = await readSyncCounts(world.context)
  expect(counts.rejected).toEqual([])
  const nights = oura.records(person).sleep.filter(({ type }) => type !== "rest" && type !== "deleted").length
  expect(counts.leftOutFields).toContainEqual({
    provider: "oura",
    kind: "sleep",
    field: "sleep.lowest_heart_rate",
    count: nights,
  })
  const stored = await nightsOf(userId)
  expect(stored).toHaveLength(nights)
  for (const { detail } of stored) {
    expect(detail).not.toHaveProperty("lowestHeartRateBpm")
  }
  await oura.close()
  await whoop.close()
})

test("a reply of Oura whose fields cannot be read takes away nothing that was stored of the same version", async () => {
  const whoop = await startVendor({ days: 40 })
  const oura = await startOuraBeside(whoop)
  world = await createWorld({ vendor: "oura", simulator: whoop, beside: { oura } })
  const person = whoop.people.add({ email: "ada@example.com" })
  const userId = await world.addUser()
  await world.connect(userId, person)
  await world.runDue()
  const before = await storedRows(world, userId)
  const spoil = (document: object) => ({ ...document, bedtime_start: 7, timestamp: 7, score: "high" })
  oura.faults.add({
    kind: "transform",
    match: { path: /\/(?:sleep|daily_\w+)$/ },
    transform: (reply) => ({ ...Object(reply), data: Object(reply).data.map(spoil) }),
  })
  whoop.clock.advance(DAY_MS)
  await world.runDue()
  const after = new Map((await storedRows(world, userId)).map((row) => [`${row.kind}/${row.provider_id}`, row]))
  for (const row of before.filter(({ kind }) => kind === "recovery"))
    expect(after.get(`recovery/${row.provider_id}`)).toEqual(row)
  await oura.close()
  await whoop.close()
})

test("a sleep of WHOOP's archive with an efficiency of 101 is stored, and the report names and counts the field", async () => {
  world = await createWorld({ days: 60 })
  const person = world.simulator.people.add({ email: "ada@example.com" })
  const records = world.simulator.records(person)
  const sleeps = records.sleeps.map((sleep, index) =>
    index % 10 === 3 && sleep.score ? { ...sleep, score: { ...sleep.score, sleep_efficiency_percentage: 101 } } : sleep,
  )
  const count = sleeps.filter(({ score }) => score?.sleep_efficiency_percentage === 101).length
  const [userId, plainUser] = [await world.addUser(), await world.addUser()]
  const { report } = await importArchive(world, userId, { bytes: whoopArchive({ ...records, sleeps }) })
  const plain = await importArchive(world, plainUser, { bytes: whoopArchive(records) })
  expect(report?.by_type).toEqual(plain.report?.by_type)
  expect(report?.stored).toBe(plain.report?.stored)
  expect(report?.ignored.filter(({ reason }) => reason !== "private_topic")).toEqual([
    { reason: "sleep: efficiencyPercent left out: outside 0 to 100 percent", count },
  ])
  const without = (await nightsOf(userId)).filter(({ detail }) => !("efficiencyPercent" in detail))
  const before = (await nightsOf(plainUser)).filter(({ detail }) => !("efficiencyPercent" in detail))
  expect(without.length - before.length).toBe(count)
})
