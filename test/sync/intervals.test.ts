// intervals.icu by a person's key: days without times, what is carried over or projected, hidden and doubled activities, late changes.
import { connectWithKey } from "@restwell/core"
import { garminArchive, type IntervalsSimulator, type Person, type WireWellness } from "@restwell/simulator"
import { hostileFormsOf } from "@restwell/testing/hostile"
import { startIntervalsBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, expectTruth, storedRows, type World } from "@restwell/testing/world"
import fc from "fast-check"
import { afterAll, beforeAll, expect, test } from "vitest"
import { importArchive } from "../imports/import-archive.ts"
import { read, withoutHistory } from "./one-person.ts"
import { EMPTY_WELLNESS } from "./wellness-rows.ts"

const NOW = new Date("2026-11-20T12:00:00Z")
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

let vendor: IntervalsSimulator
let world: World
beforeAll(async () => {
  const simulator = await startVendor({ seed: "intervals", now: NOW, days: 200 })
  vendor = await startIntervalsBeside(simulator)
  world = await createWorld({ simulator, vendor: "intervals", beside: { intervals: vendor }, timeoutMs: 20_000 })
})
afterAll(async () => {
  await world.close()
  await vendor.close()
  await world.simulator.close()
})

const empty = (name: string) => withoutHistory(world, name)

const put = (person: Person, row: Partial<WireWellness>) =>
  vendor.edit.wellness.put(person, { ...EMPTY_WELLNESS, ...row })

const keysOf = async (userId: string) =>
  (await storedRows(world, userId)).map(({ kind, provider_id: id }) => `${kind}/${id}`)

const recordOf = async (userId: string, kind: string, id: string) => {
  const { rows } = await world.store.pool.query(
    `select date::text, started_at, ended_at, utc_offset_minutes as offset, detail from restwell.record
     where user_id = $1 and kind = $2 and provider_id = $3`,
    [userId, kind, id],
  )
  return rows[0]
}

const weightsOf = async (userId: string): Promise<number> =>
  (
    await world.store.pool.query(
      "select coalesce(sum(count), 0)::int as n from restwell.series_day where user_id = $1 and type = 'weight'",
      [userId],
    )
  ).rows[0].n

const leftOutOf = async (userId: string) =>
  (
    await world.store.pool.query(
      "select type, day::text, count from restwell.series_left_out where user_id = $1 order by day",
      [userId],
    )
  ).rows

test("a first sync stores exactly what the vendor has, without any sleep, and the next days change only what changed", async () => {
  const person = world.simulator.people.add({ email: "first@example.com" })
  const userId = await world.addUser()
  await world.connect(userId, person)
  await world.runDue()
  await expectTruth(world, { userId, person })
  expect((await keysOf(userId)).filter((key) => key.startsWith("sleep/"))).toEqual([])
  for (let hours = 0; hours < 48; hours += 12) {
    world.simulator.clock.advance(12 * HOUR_MS)
    await world.runDue()
  }
  await expectTruth(world, { userId, person })
})

test("a row is the figures of its date, in the person's zone, and nothing is invented", async () => {
  const { person, userId } = await empty("row")
  put(person, { hrv: 62.4, hrvSDNN: 80, restingHR: 51, spO2: 96.5, sleepSecs: 26_100, steps: 8412, weight: 71.3 })
  await world.connect(userId, person)
  expect(await keysOf(userId)).toEqual(["cycle/2026-11-19", "recovery/2026-11-19"])
  expect(await recordOf(userId, "recovery", "2026-11-19")).toMatchObject({
    date: "2026-11-19",
    detail: { hrvMs: 62.4, hrvMethod: "rmssd", restingHeartRateBpm: 51, spo2Percent: 96.5, asleepMs: 26_100_000 },
  })
  const midnight = (date: string) =>
    new Date(Temporal.PlainDate.from(date).toZonedDateTime(person.traits.homeZone).epochMilliseconds)
  expect(await recordOf(userId, "cycle", "2026-11-19")).toMatchObject({
    date: "2026-11-19",
    started_at: midnight("2026-11-19"),
    ended_at: midnight("2026-11-20"),
    detail: { steps: 8412 },
  })
  expect(await weightsOf(userId)).toBe(1)
})

test.each<[string, Partial<WireWellness>]>([
  ["its training model alone", {}],
  ["zeros for what was not measured", { hrv: 0, hrvSDNN: 0, restingHR: 0, sleepSecs: 0, spO2: 0, weight: 0 }],
  ["values that are carried over", { restingHR: 50, tempRestingHR: true, weight: 70, tempWeight: true }],
  ["a date that is to come", { id: "2026-11-29", hrv: 60, restingHR: 50, steps: 100, weight: 70 }],
])("a row of %s is no data", async (name, row) => {
  const { person, userId } = await empty(name.replaceAll(" ", "-"))
  put(person, row)
  await world.connect(userId, person)
  await world.runDue()
  expect(await keysOf(userId)).toEqual([])
  expect(await weightsOf(userId)).toBe(0)
})

test("SDNN counts where there is no RMSSD, under its own name", async () => {
  const { person, userId } = await empty("sdnn")
  put(person, { hrvSDNN: 48 })
  await world.connect(userId, person)
  expect((await recordOf(userId, "recovery", "2026-11-19")).detail).toMatchObject({ hrvMs: 48, hrvMethod: "sdnn" })
})

test("a value that is taken back goes, and so does a day without any", async () => {
  const { person, userId } = await empty("taken")
  put(person, { hrv: 62, restingHR: 51, steps: 8000, weight: 71.3 })
  put(person, { id: "2026-11-20", hrv: 60, weight: 71 })
  await world.connect(userId, person)
  put(person, { restingHR: 51, updated: "2026-11-20T08:00:00.000+00:00" })
  put(person, { id: "2026-11-20" })
  world.simulator.clock.advance(HOUR_MS)
  await world.runDue()
  expect(await keysOf(userId)).toEqual(["recovery/2026-11-19"])
  expect((await recordOf(userId, "recovery", "2026-11-19")).detail).not.toHaveProperty("hrvMs")
  expect(await weightsOf(userId)).toBe(0)
})

test("an activity that is deleted goes, and one that Strava hides is counted and never stored", async () => {
  const { person, userId } = await empty("strava")
  const ride = {
    id: "i1",
    type: "Ride",
    start_date: "2026-11-18T06:05:00Z",
    start_date_local: "2026-11-18T07:05:00",
    timezone: "Europe/Paris",
    elapsed_time: 3720,
    icu_training_load: 58,
    source: "GARMIN_CONNECT",
    device_name: "Garmin Edge 1040",
  }
  const stub = (id: string, date: string) => ({
    id,
    start_date_local: `${date}T10:00:00`,
    source: "STRAVA",
    _note: "hidden",
  })
  vendor.edit.activities.put(person, ride)
  vendor.edit.activities.put(person, { ...ride, id: "i2", elapsed_time: 600 })
  for (const [index, date] of ["2026-11-17", "2026-11-17", "2026-08-01"].entries())
    vendor.edit.activities.put(person, stub(String(100 + index), date))
  await world.connect(userId, person)
  await world.runDue()
  const hidden = [
    { type: "workout", day: "2026-08-01", count: 1 },
    { type: "workout", day: "2026-11-17", count: 2 },
  ]
  expect(await leftOutOf(userId)).toEqual(hidden)
  expect(await keysOf(userId)).toEqual(["workout/i1", "workout/i2"])
  expect(await recordOf(userId, "workout", "i1")).toMatchObject({
    date: "2026-11-18",
    offset: 60,
    detail: { strain: 58, durationMs: 3_720_000, device: "Garmin Edge 1040", sportType: "cycling" },
  })
  vendor.edit.activities.delete(person, "i2")
  vendor.edit.activities.delete(person, "100")
  await world.sync(userId)
  await world.runDue()
  expect(await keysOf(userId)).toEqual(["workout/i1"])
  expect(await leftOutOf(userId)).toEqual(hidden.map((one) => (one.count === 2 ? { ...one, count: 1 } : one)))
})

test("an activity that came from the watch is the one of Garmin's archive with its id, whatever their clocks say", async () => {
  const { person, userId } = await empty("archive")
  const startMs = Date.parse("2026-11-18T06:05:00Z")
  const activityId = 20_000_000_001
  const run = {
    type: "Run",
    start_date: "2026-11-18T10:05:00Z",
    start_date_local: "2026-11-18T11:05:00",
    timezone: "Europe/Paris",
    elapsed_time: 3720,
  }
  vendor.edit.activities.put(person, { ...run, id: "i1", source: "GARMIN_CONNECT", external_id: String(activityId) })
  // The same digits at another vendor are another activity's.
  vendor.edit.activities.put(person, {
    ...run,
    id: "i2",
    start_date: "2026-11-18T16:05:00Z",
    start_date_local: "2026-11-18T17:05:00",
    source: "WAHOO",
    external_id: String(activityId),
  })
  await world.connect(userId, person)
  const watch = {
    activityId,
    activityType: "running",
    startTimeGmt: startMs,
    beginTimestamp: startMs,
    duration: 3_720_000,
    calories: 2_000,
  }
  const rows = { nights: [], health: [], days: [], readiness: [], body: [], activities: [watch], fit: [] }
  expect(await importArchive(world, userId, { bytes: garminArchive(rows), fileName: "garmin.zip" })).toMatchObject({
    status: "done",
  })
  const { records } = JSON.parse(await read({ world, userId, person }, "workout"))
  expect(records.map(({ id }: { id: string }) => id)).toEqual(["intervals-i2", "intervals-i1"])
  expect(records[1].others).toEqual([{ field: "calories", source: "garmin" }])
})

test("a wrong field costs that field, and a wrong row that row", async () => {
  const { person, userId } = await empty("wrong")
  put(person, { hrv: 62, restingHR: 51 })
  put(person, { id: "2026-11-18", hrv: 63, restingHR: 52 })
  const repair = vendor.faults.add({
    match: { personId: person.userId, path: /\/wellness$/ },
    kind: "transform",
    transform: (rows) =>
      Array.isArray(rows) && rows.length > 1
        ? [
            7,
            null,
            { id: "soon", hrv: 5 },
            ...rows.map((row) => (row.id === "2026-11-18" ? { ...row, restingHR: "low" } : row)),
          ]
        : rows,
  })
  await world.connect(userId, person)
  repair()
  expect(await keysOf(userId)).toEqual(["recovery/2026-11-18", "recovery/2026-11-19"])
  const { detail } = await recordOf(userId, "recovery", "2026-11-18")
  expect([detail.hrvMs, detail.restingHeartRateBpm]).toEqual([63, undefined])
  expect((await recordOf(userId, "recovery", "2026-11-19")).detail).toMatchObject({
    hrvMs: 62,
    restingHeartRateBpm: 51,
  })
})

test("hostile rows cost themselves alone, whatever their text and figures", async () => {
  const { person, userId } = await empty("hostile")
  const dates = Array.from({ length: 40 }, (_, index) =>
    new Date(NOW.getTime() - index * DAY_MS).toISOString().slice(0, 10),
  )
  const rows = dates.map((id, index) => ({
    ...EMPTY_WELLNESS,
    id,
    hrv: 40 + index,
    restingHR: 50,
    steps: 1000 + index,
    weight: 70,
  }))
  for (const row of rows) put(person, row)
  const hostile = new Map(
    rows
      .filter((_, index) => index % 2 === 0)
      .flatMap((row, index) =>
        fc.sample(hostileFormsOf(row), { seed: index, numRuns: 1 }).map(({ text }) => [row.id, text]),
      ),
  )
  const repair = vendor.faults.add({
    match: { personId: person.userId, path: /\/wellness/ },
    kind: "rewrite",
    rewrite: (reply) => {
      const given: unknown = JSON.parse(reply)
      const textOf = (row: object) => hostile.get(String(Reflect.get(row, "id"))) ?? JSON.stringify(row)
      return Array.isArray(given) ? `[${given.map(textOf).join(",")}]` : textOf(Object(given))
    },
  })
  await world.connect(userId, person)
  await world.runDue()
  repair()
  const { rows: connections } = await world.store.pool.query(
    "select status, history_complete as complete, gaps from restwell.connection where user_id = $1",
    [userId],
  )
  expect(connections).toEqual([{ status: "ok", complete: true, gaps: [] }])
  for (const { id, hrv, steps } of rows.filter((row) => !hostile.has(row.id))) {
    expect((await recordOf(userId, "recovery", id)).detail, id).toMatchObject({ hrvMs: hrv, restingHeartRateBpm: 50 })
    expect((await recordOf(userId, "cycle", id)).detail, id).toMatchObject({ steps })
  }
})

test("a key that is refused later asks for a new one, which goes on with the same data", async () => {
  const { person, userId } = await empty("renewed")
  put(person, { hrv: 62 })
  await world.connect(userId, person)
  vendor.renewKey(person)
  world.simulator.clock.advance(2 * HOUR_MS)
  await world.runDue()
  const statusOf = async () =>
    (await world.store.pool.query("select status, status_reason from restwell.connection where user_id = $1", [userId]))
      .rows[0]
  expect(await statusOf()).toEqual({
    status: "reauthorization_required",
    status_reason: expect.stringContaining("intervals.icu no longer accepts your key"),
  })
  put(person, { id: "2026-11-18", hrv: 61 })
  await world.connect(userId, person)
  await world.runDue()
  expect(await statusOf()).toEqual({ status: "ok", status_reason: null })
  expect(await keysOf(userId)).toEqual(["recovery/2026-11-18", "recovery/2026-11-19"])
})

test("each key has a budget of its own", async () => {
  const [one, other] = [await empty("one"), await empty("other")]
  await world.connect(one.userId, one.person)
  await world.connect(other.userId, other.person)
  const { rows } = await world.store.pool.query(
    "select count(distinct provider)::int as n from restwell.vendor_call where provider like 'intervals/%'",
  )
  expect(rows[0].n).toBeGreaterThanOrEqual(2)
  const counted = await world.store.pool.query(
    "select distinct provider from restwell.vendor_call_count where provider like 'intervals%'",
  )
  expect(counted.rows).toEqual([{ provider: "intervals" }])
})

test("another person's key is refused, whether here or there, and changes nothing", async () => {
  const [one, other] = [await empty("mine"), await empty("theirs")]
  put(one.person, { hrv: 62 })
  await world.connect(one.userId, one.person)
  const connection = { userId: one.userId, provider: "intervals" }
  await expect(connectWithKey(world.context, connection, vendor.keyOf(other.person))).rejects.toMatchObject({
    name: "Conflict",
    message: expect.stringContaining("delete the stored data first"),
  })
  await expect(
    connectWithKey(world.context, { ...connection, userId: other.userId }, vendor.keyOf(one.person)),
  ).rejects.toMatchObject({ name: "Conflict", message: expect.stringContaining("another account on this server") })
  world.simulator.clock.advance(DAY_MS)
  await world.runDue()
  expect(await keysOf(one.userId)).toEqual(["recovery/2026-11-19"])
})

test("the past that a new account gets after it was connected comes, whole", async () => {
  const { person, userId } = await empty("filling")
  await world.connect(userId, person)
  await world.runDue()
  expect(await keysOf(userId)).toEqual([])
  for (const id of ["2026-11-10", "2025-03-02", "2023-05-01"]) put(person, { id, hrv: 61 })
  world.simulator.clock.advance(DAY_MS + HOUR_MS)
  await world.runDue()
  expect(await keysOf(userId)).toEqual(["recovery/2023-05-01", "recovery/2025-03-02", "recovery/2026-11-10"])
  await expectTruth(world, { userId, person })
})
