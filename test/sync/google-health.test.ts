// Google Health by an app: nights that go on or get their stages later, several points of a date, copies, and late changes.
import { deleteAccount } from "@restwell/core"
import type { GoogleHealthSimulator, Person, WireDaily, WireGoogleSleep } from "@restwell/simulator"
import { startGoogleHealthBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, expectTruth, storedRows, type World } from "@restwell/testing/world"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { DAY_MS, daily, FITBIT, HOUR_MS, night, open, setAsideOf, WATCH, wireDate, workout } from "./google-points.ts"

const NOW = new Date("2026-11-20T12:00:00Z")

let vendor: GoogleHealthSimulator
let world: World
beforeAll(async () => {
  const simulator = await startVendor({ seed: "google", now: NOW, days: 200 })
  vendor = await startGoogleHealthBeside(simulator)
  const beside = { google_health: vendor }
  world = await createWorld({ simulator, vendor: "google_health", beside, timeoutMs: 20_000 })
})
afterAll(async () => {
  await world.close()
  await vendor.close()
  await world.simulator.close()
})

const users: string[] = []
// Nobody is looked after who is in no test.
afterEach(async () => {
  for (const userId of users.splice(0)) await deleteAccount(world.context, userId)
})

async function addUser(): Promise<string> {
  const userId = await world.addUser()
  users.push(userId)
  return userId
}

/** A person without any point, whose points a test writes. The clock of the file goes on, so dates count from its day. */
async function empty(name: string): Promise<{ readonly person: Person; readonly userId: string }> {
  const person = world.simulator.people.add({ email: `${name}@example.com`, history: "none" })
  return { person, userId: await addUser() }
}

const dateOf = (daysAgo: number): string =>
  new Date(world.simulator.clock.nowMs() - daysAgo * DAY_MS).toISOString().slice(0, 10)

const RATE = "daily-resting-heart-rate"
const putRate = (
  person: Person,
  id: string,
  date: string,
  beats: number,
  method?: string,
  dataSource: WireDaily["dataSource"] = FITBIT,
) =>
  vendor.edit[RATE].put(
    person,
    daily(
      RATE,
      id,
      {
        dailyRestingHeartRate: {
          date: wireDate(date),
          beatsPerMinute: String(beats),
          ...(method !== undefined && { dailyRestingHeartRateMetadata: { calculationMethod: method } }),
        },
      },
      dataSource,
    ),
  )

const putOxygen = (person: Person, id: string, date: string, averagePercentage: number) =>
  vendor.edit["daily-oxygen-saturation"].put(
    person,
    daily("daily-oxygen-saturation", id, { dailyOxygenSaturation: { date: wireDate(date), averagePercentage } }),
  )

const keysOf = async (userId: string) =>
  (await storedRows(world, userId)).map(({ kind, provider_id: id }) => `${kind}/${id}`)

const recordOf = async (userId: string, kind: string, id: string) => {
  const { rows } = await world.store.pool.query(
    `select date::text, started_at, ended_at, utc_offset_minutes as offset, score_state as state, detail, raw
     from restwell.record where user_id = $1 and kind = $2 and provider_id = $3`,
    [userId, kind, id],
  )
  return rows[0]
}

const leftOutOf = async (userId: string) =>
  (
    await world.store.pool.query(
      "select type, day::text, count from restwell.series_left_out where user_id = $1 order by type, day",
      [userId],
    )
  ).rows

async function pass(hours: number): Promise<void> {
  world.simulator.clock.advance(hours * HOUR_MS)
  await world.runDue()
}

test("a first sync stores exactly what the vendor has, and the next days change only what changed", async () => {
  const person = world.simulator.people.add({ email: "first@example.com", days: 100 })
  const userId = await addUser()
  await world.connect(userId, person)
  await world.runDue()
  await expectTruth(world, { userId, person })
  for (let steps = 0; steps < 4; steps += 1) await pass(12)
  await expectTruth(world, { userId, person })
})

test("a night that goes on is no record until it ends, and one with the newest stands before it", async () => {
  const { person, userId } = await empty("open")
  const [today, yesterday] = [dateOf(0), dateOf(1)]
  const whole = night("2", today)
  const { endTime: _time, endUtcOffset: _offset, ...interval } = whole.sleep.interval
  const { summary: _summary, metadata: _metadata, type: _type, ...rest } = whole.sleep
  vendor.edit.sleep.put(person, { ...whole, sleep: { ...rest, interval, stages: [] } })
  vendor.edit.sleep.put(person, night("1", yesterday))
  vendor.edit.exercise.put(person, open(workout("3", `${today}T11:00:00Z`, 30)))
  await world.connect(userId, person)
  expect(await keysOf(userId)).toEqual(["sleep/1"])
  expect(await setAsideOf(world, userId)).toEqual([])
  expect(await recordOf(userId, "sleep", "1")).toMatchObject({
    date: yesterday,
    offset: 120,
    state: "scored",
    detail: {
      isNap: false,
      durationMs: 8 * HOUR_MS,
      efficiencyPercent: 87.5,
      timesAwake: 1,
      stages: { lightMs: 4 * HOUR_MS, deepMs: 2 * HOUR_MS, remMs: HOUR_MS, awakeMs: HOUR_MS },
    },
  })
  expect((await recordOf(userId, "sleep", "1")).detail).not.toHaveProperty("scorePercent")
  vendor.edit.sleep.put(person, whole)
  await pass(1)
  expect(await keysOf(userId)).toEqual(["sleep/1", "sleep/2"])
})

test("a night waits three days for its stages, unless Google has given them up", async () => {
  const { person, userId } = await empty("stages")
  const date = dateOf(0)
  const bare = (id: string, metadata: WireGoogleSleep["sleep"]["metadata"]) => {
    const { sleep, ...point } = night(id, date, { stages: [], metadata: { ...metadata } })
    const { summary: _, ...rest } = sleep
    return { ...point, sleep: rest }
  }
  vendor.edit.sleep.put(person, bare("waits", { mainSleep: true, processed: false }))
  vendor.edit.sleep.put(person, bare("gets", { processed: false }))
  for (const stagesStatus of ["REJECTED_COVERAGE", "TIMEOUT"])
    vendor.edit.sleep.put(person, bare(stagesStatus.toLowerCase(), { processed: true, stagesStatus }))
  await world.connect(userId, person)
  const states = async () =>
    Object.fromEntries(
      (
        await world.store.pool.query(
          "select provider_id as id, score_state as state from restwell.record where user_id = $1",
          [userId],
        )
      ).rows.map(({ id, state }) => [id, state]),
    )
  expect(await states()).toEqual({
    waits: "pending",
    gets: "pending",
    rejected_coverage: "unscorable",
    timeout: "unscorable",
  })
  vendor.edit.sleep.put(person, night("gets", date))
  await pass(30)
  expect(await states()).toMatchObject({ waits: "pending", gets: "scored" })
  for (let steps = 0; steps < 4; steps += 1) await pass(12)
  expect(await states()).toMatchObject({ waits: "unscorable", gets: "scored" })
})

test("a sleep without stages by nature has its time asleep, and one that Google calls a nap is one", async () => {
  const { person, userId } = await empty("classic")
  const { sleep, ...point } = night("nap", dateOf(1))
  vendor.edit.sleep.put(person, {
    ...point,
    sleep: { ...sleep, type: "CLASSIC", stages: [], metadata: { nap: true, processed: true } },
  })
  await world.connect(userId, person)
  const { state, detail } = await recordOf(userId, "sleep", "nap")
  expect([state, detail.isNap, detail.asleepMs, detail.stages]).toEqual(["scored", true, 7 * HOUR_MS, undefined])
})

test("of several resting heart rates of a date Fitbit's own with the sleep counts, and a copy alone is one", async () => {
  const { person, userId } = await empty("rates")
  const [own, copied] = [dateOf(1), dateOf(2)]
  putRate(person, "a", own, 51, undefined, {
    platform: "HEALTH_CONNECT",
    application: { packageName: "com.google.android.apps.fitness" },
  })
  putRate(person, "b", own, 57, "WITH_SLEEP")
  putRate(person, "c", own, 60, "ONLY_WITH_AWAKE_DATA")
  putRate(person, "d", copied, 49, undefined, WATCH)
  putRate(person, "e", "9998-12-31", 40, "WITH_SLEEP")
  await world.connect(userId, person)
  expect((await keysOf(userId)).toSorted()).toEqual([`recovery/${copied}`, `recovery/${own}`])
  expect((await recordOf(userId, "recovery", own)).detail).toMatchObject({ restingHeartRateBpm: 57 })
  expect((await recordOf(userId, "recovery", own)).detail).not.toHaveProperty("device")
  expect((await recordOf(userId, "recovery", copied)).detail).toMatchObject({
    restingHeartRateBpm: 49,
    device: "Apple Watch",
    copyOf: "other",
  })
})

test("figures of a copy never fill what Fitbit's own points of a date lack, and zero is no measurement", async () => {
  const { person, userId } = await empty("mixed")
  const date = dateOf(1)
  putRate(person, "a", date, 57, "WITH_SLEEP")
  vendor.edit["daily-heart-rate-variability"].put(
    person,
    daily(
      "daily-heart-rate-variability",
      "b",
      { dailyHeartRateVariability: { date: wireDate(date), averageHeartRateVariabilityMilliseconds: 44 } },
      WATCH,
    ),
  )
  putRate(person, "c", dateOf(3), 0, "WITH_SLEEP")
  await world.connect(userId, person)
  expect(await keysOf(userId)).toEqual([`recovery/${date}`])
  const { state, detail } = await recordOf(userId, "recovery", date)
  expect([state, detail.restingHeartRateBpm, detail.hrvMs]).toEqual(["scored", 57, undefined])
})

test("blood oxygen belongs to the night that began on its date", async () => {
  const { person, userId } = await empty("oxygen")
  const [waking, began] = [dateOf(2), dateOf(3)]
  vendor.edit.sleep.put(person, night("1", waking))
  putOxygen(person, "a", began, 95.5)
  // No night began on this date.
  putOxygen(person, "b", dateOf(9), 94)
  await world.connect(userId, person)
  expect((await keysOf(userId)).toSorted()).toEqual([`recovery/${waking}`, "sleep/1"])
  expect(await recordOf(userId, "recovery", waking)).toMatchObject({ date: waking, detail: { spo2Percent: 95.5 } })
})

test("a copied night or workout beside Fitbit's own is counted and not stored, and one alone is stored by its device", async () => {
  const { person, userId } = await empty("copies")
  const [both, alone] = [dateOf(2), dateOf(4)]
  vendor.edit.sleep.put(person, night("own", both))
  vendor.edit.sleep.put(person, night("copy", both, {}, WATCH))
  vendor.edit.sleep.put(person, night("alone", alone, {}, WATCH))
  vendor.edit.exercise.put(person, workout("11", `${both}T17:00:00Z`, 40))
  vendor.edit.exercise.put(person, workout("12", `${both}T17:05:00Z`, 40, WATCH))
  vendor.edit.exercise.put(person, workout("13", `${both}T20:00:00Z`, 40, WATCH))
  await world.connect(userId, person)
  await world.runDue()
  expect((await keysOf(userId)).toSorted()).toEqual(["sleep/alone", "sleep/own", "workout/11", "workout/13"])
  expect((await recordOf(userId, "sleep", "alone")).detail).toMatchObject({ device: "Apple Watch", copyOf: "other" })
  expect((await recordOf(userId, "sleep", "own")).detail).not.toHaveProperty("copyOf")
  expect(await leftOutOf(userId)).toEqual([
    { type: "sleep", day: dateOf(3), count: 1 },
    { type: "workout", day: both, count: 1 },
  ])
  vendor.edit.sleep.delete(person, "own")
  await pass(25)
  expect((await keysOf(userId)).filter((key) => key.startsWith("sleep/")).toSorted()).toEqual([
    "sleep/alone",
    "sleep/copy",
  ])
})

test("a nap of Fitbit's own leaves the copied night of its date, and hides its own copy alone", async () => {
  const { person, userId } = await empty("napping")
  const date = dateOf(2)
  const span = (from: string, to: string) => ({
    interval: {
      startTime: `${date}T${from}:00Z`,
      endTime: `${date}T${to}:00Z`,
      startUtcOffset: "0s",
      endUtcOffset: "0s",
    },
    stages: [],
    metadata: { processed: true },
  })
  const nap = night("nap", date, { ...span("14:00", "14:25"), metadata: { nap: true, processed: true } })
  vendor.edit.sleep.put(person, night("copy", date, {}, WATCH))
  await world.connect(userId, person)
  await world.runDue()
  expect(await keysOf(userId)).toEqual(["sleep/copy"])
  vendor.edit.sleep.put(person, nap)
  vendor.edit.sleep.put(person, night("copied-nap", date, span("14:01", "14:26"), WATCH))
  await pass(25)
  expect((await keysOf(userId)).toSorted()).toEqual(["sleep/copy", "sleep/nap"])
  expect(await leftOutOf(userId)).toEqual([{ type: "sleep", day: date, count: 1 }])
  // One within the night is a part of it, and another one has no copy.
  vendor.edit.sleep.put(
    person,
    night("within", date, { ...nap.sleep, ...span("03:00", "03:25"), metadata: { nap: true } }),
  )
  vendor.edit.sleep.put(
    person,
    night("napped", date, { ...nap.sleep, ...span("17:00", "17:30"), metadata: { nap: true } }, WATCH),
  )
  await pass(25)
  const naps = ["sleep/nap", "sleep/napped", "sleep/within"]
  expect((await keysOf(userId)).toSorted()).toEqual(["sleep/copy", ...naps])
  vendor.edit.sleep.put(person, night("own", date))
  await pass(25)
  expect((await keysOf(userId)).toSorted()).toEqual([...naps.slice(0, 2), "sleep/own", "sleep/within"])
})

test("a workout has its times, sport and figures, and nothing that the person wrote", async () => {
  const { person, userId } = await empty("workout")
  vendor.edit.exercise.put(person, workout("21", `${dateOf(2)}T03:30:00Z`, 40))
  await world.connect(userId, person)
  const { date, offset, detail, raw } = await recordOf(userId, "workout", "21")
  expect([date, offset]).toEqual([dateOf(3), -420])
  expect(detail).toMatchObject({
    sportType: "running",
    averageHeartRateBpm: 141,
    energyKcal: 310.5,
    distanceMeters: 5_000,
  })
  expect(detail).not.toHaveProperty("strain")
  expect(JSON.stringify(raw)).not.toContain("private words")
})

test("a workout without times of its change ends earlier after an edit, whatever version it was stored as", async () => {
  const { person, userId } = await empty("shortened")
  const start = `${dateOf(2)}T03:30:00Z`
  const asOfItsEnd = "update restwell.record set vendor_updated_at = ended_at where user_id = $1"
  for (const minutes of [40, 30, 20]) {
    const { exercise, ...point } = workout("31", start, minutes)
    const { createTime: _created, updateTime: _updated, ...bare } = exercise
    vendor.edit.exercise.put(person, { ...point, exercise: bare })
    if (minutes === 40) await world.connect(userId, person)
    await pass(1)
    const { started_at: from, ended_at: to } = await recordOf(userId, "workout", "31")
    expect((to - from) / 60_000).toBe(minutes)
    if (minutes === 40) await world.store.pool.query(asOfItsEnd, [userId])
  }
})

test("a night that is edited or deleted 60 days later is found within a day", async () => {
  const { person, userId } = await empty("late")
  for (const [index, days] of [60, 61, 5].entries()) vendor.edit.sleep.put(person, night(String(index), dateOf(days)))
  await world.connect(userId, person)
  await world.runDue()
  await pass(25)
  expect(await keysOf(userId)).toHaveLength(3)
  const at = new Date(world.simulator.clock.nowMs()).toISOString()
  vendor.edit.sleep.patch(person, "0", { sleep: { summary: { minutesAsleep: "300" }, updateTime: at } })
  vendor.edit.sleep.delete(person, "1")
  await pass(25)
  expect((await keysOf(userId)).toSorted()).toEqual(["sleep/0", "sleep/2"])
  expect((await recordOf(userId, "sleep", "0")).detail.efficiencyPercent).toBe(62.5)
})

test("a day is Google's sum from one midnight to the next in the person's zone, and energy alone is no day", async () => {
  const { person, userId } = await empty("days")
  const [first, second] = [dateOf(9), dateOf(8)]
  for (const date of [first, second])
    vendor.edit.days.put(person, {
      date,
      steps: 2_560,
      distanceMillimeters: 1_900_500,
      totalKcal: 2_345.6,
      activeKcal: 812.2,
    })
  await world.connect(userId, person)
  await world.runDue()
  expect((await keysOf(userId)).toSorted()).toEqual([`cycle/${first}`, `cycle/${second}`])
  const midnight = (date: string) =>
    new Date(Temporal.PlainDate.from(date).toZonedDateTime(person.traits.homeZone).epochMilliseconds)
  expect(await recordOf(userId, "cycle", first)).toMatchObject({
    date: first,
    started_at: midnight(first),
    ended_at: midnight(second),
    detail: { steps: 2_560, distanceMeters: 1_900.5, energyKcal: 2_345.6, activeEnergyKcal: 812.2 },
  })
})

test("a day stays where it was when the person's time zone changes, and its sum goes on", async () => {
  const { person, userId } = await empty("zone")
  const date = dateOf(2)
  const day = { date, distanceMillimeters: 1_900_500, totalKcal: 2_345.6, activeKcal: 812.2 }
  vendor.edit.days.put(person, { ...day, steps: 2_560 })
  await world.connect(userId, person)
  const { started_at, ended_at, offset } = await recordOf(userId, "cycle", date)
  for (const [index, timeZone] of ["Pacific/Auckland", "Pacific/Honolulu"].entries()) {
    vendor.faults.add({
      match: { personId: person.userId, path: /\/settings$/ },
      kind: "transform",
      transform: (settings) => ({ ...Object(settings), timeZone }),
    })
    const steps = 3_000 + index
    vendor.edit.days.put(person, { ...day, steps })
    await pass(1)
    vendor.faults.clear()
    expect(await recordOf(userId, "cycle", date)).toMatchObject({ started_at, ended_at, offset, detail: { steps } })
  }
})
