// Polar: recoveries, days without a zone, what is served for four weeks, tokens that are never refreshed, and consents.
import { disconnect } from "@restwell/core"
import type { PolarSimulator, PolarSimulatorOptions } from "@restwell/simulator"
import { startPolarBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, expectTruth, storedRows, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { DAY, EXERCISE, NIGHT, RECHARGE } from "./polar-rows.ts"
import { NOW, openPolar, type PolarWorld } from "./polar-world.ts"

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

let opened: PolarWorld
let vendor: PolarSimulator
let world: World
beforeAll(async () => {
  opened = await openPolar()
  ;({ vendor, world } = opened)
})
afterAll(() => opened.close())

const empty = (name: string) => opened.empty(name)
const recordOf = (userId: string, kind: string, id: string) => opened.recordOf(userId, kind, id)

const keysOf = async (userId: string) =>
  (await storedRows(world, userId)).map(({ kind, provider_id: id }) => `${kind}/${id}`)

const statusOf = async (userId: string) =>
  (await world.store.pool.query("select status from restwell.connection where user_id = $1", [userId])).rows[0].status

test("a first sync stores exactly what is served, and the next days change only what changed", async () => {
  const person = world.simulator.people.add({ email: "first@example.com" })
  const userId = await world.addUser()
  await world.connect(userId, person)
  await world.runDue()
  await expectTruth(world, { userId, person })
  for (let hours = 0; hours < 48; hours += 12) {
    world.simulator.clock.advance(12 * HOUR_MS)
    await world.runDue()
  }
  await expectTruth(world, { userId, person })
  world.simulator.clock.set(NOW)
})

test("a recovery is RMSSD beside the vendor's temperature, of whichever list has the date, and zeros are nothing", async () => {
  const { person, userId } = await empty("recharge")
  const temperature = {
    sleep_date: "2026-11-20",
    sleep_time_skin_temperature_celsius: 34.6,
    deviation_from_baseline_celsius: -1,
  }
  vendor.edit.recharges.put(person, RECHARGE)
  vendor.edit.recharges.put(person, { ...RECHARGE, date: "2026-11-18", heart_rate_variability_avg: 0 })
  vendor.edit.temperatures.put(person, temperature)
  vendor.edit.temperatures.put(person, { ...temperature, sleep_date: "2026-11-19", deviation_from_baseline_celsius: 0 })
  await world.connect(userId, person)
  expect(await recordOf(userId, "recovery", "2026-11-20")).toMatchObject({
    date: "2026-11-20",
    score_state: "scored",
    detail: { hrvMs: 61, skinTempDeviationCelsius: -1 },
  })
  expect((await recordOf(userId, "recovery", "2026-11-20")).detail).not.toHaveProperty("restingHeartRateBpm")
  expect((await recordOf(userId, "recovery", "2026-11-19")).detail).toMatchObject({ skinTempDeviationCelsius: 0 })
  expect(await recordOf(userId, "recovery", "2026-11-18")).toMatchObject({ score_state: "unscorable" })
  expect((await recordOf(userId, "recovery", "2026-11-18")).detail).not.toHaveProperty("hrvMs")
})

test("an exercise whose start is corrected to an earlier or a later one moves there", async () => {
  const { person, userId } = await empty("corrected")
  vendor.edit.exercises.put(person, EXERCISE)
  await world.connect(userId, person)
  for (const time of ["05:15:00", "09:45:00"]) {
    vendor.edit.exercises.put(person, { ...EXERCISE, start_time: `2026-11-19T${time}` })
    await world.sync(userId)
    const { rows } = await world.store.pool.query(
      `select (started_at at time zone 'UTC' + make_interval(mins => utc_offset_minutes))::text as local
       from restwell.record where user_id = $1 and kind = 'workout'`,
      [userId],
    )
    expect(rows).toEqual([{ local: `2026-11-19 ${time}` }])
  }
})

test.each([
  ["with a clock that went back", "2026-10-25", ["+02:00", "+01:00"], "+01:00", 25],
  ["in one zone", "2026-11-12", ["+05:45", "+05:45"], "+05:45", 24],
  ["of a flight to the west", "2026-11-14", ["+09:00", "+09:00"], "-08:00", 41],
] as const)(
  "a day %s goes from one midnight to the next, at the offsets of its nights",
  async (name, date, own, next, hours) => {
    const { person, userId } = await empty(`day-${name.replaceAll(" ", "-")}`)
    const following = Temporal.PlainDate.from(date).add({ days: 1 }).toString()
    const nightOf = (of: string, [start, end]: readonly [string, string]) => ({
      ...NIGHT,
      date: of,
      sleep_start_time: `${of}T00:10:00${start}`,
      sleep_end_time: `${of}T07:10:00${end}`,
    })
    vendor.edit.nights.put(person, nightOf(date, own))
    vendor.edit.nights.put(person, nightOf(following, [next, next]))
    vendor.edit.days.put(person, { ...DAY, start_time: `${date}T00:00:00` })
    await world.connect(userId, person)
    const start = new Date(`${date}T00:00:00${own[0]}`)
    expect(await recordOf(userId, "cycle", date)).toMatchObject({
      date,
      started_at: start,
      ended_at: new Date(start.getTime() + hours * HOUR_MS),
      detail: { energyKcal: 2_410, activeEnergyKcal: 720, steps: 9_876, distanceMeters: 7_012.5 },
    })
  },
)

test("a day that was read while no night was known moves to where its nights were, and stays there when they are gone", async () => {
  const { person, userId } = await empty("no-night-known")
  vendor.edit.days.put(person, DAY)
  const dayOf = async () => {
    const { started_at: start, ended_at: end, offset, date } = await recordOf(userId, "cycle", "2026-11-19")
    return { start, end, offset, date }
  }
  await world.connect(userId, person)
  expect(await dayOf()).toMatchObject({ offset: 0, start: new Date("2026-11-19T00:00:00Z") })
  vendor.edit.nights.put(person, NIGHT)
  await world.sync(userId)
  const known = {
    ...{ start: new Date("2026-11-18T22:00:00Z"), end: new Date("2026-11-19T22:00:00Z") },
    ...{ offset: 120, date: "2026-11-19" },
  }
  expect(await dayOf()).toEqual(known)
  vendor.edit.nights.delete(person, NIGHT.date)
  await world.sync(userId)
  expect(await dayOf()).toEqual(known)
  // What moved it is known no more, and it is not taken for a day without an offset.
  vendor.edit.nights.put(person, {
    ...NIGHT,
    sleep_start_time: "2026-11-19T23:41:00-05:00",
    sleep_end_time: "2026-11-20T07:02:00-05:00",
  })
  await world.sync(userId)
  expect(await dayOf()).toEqual(known)
})

test("a workout has its own offset, its cardio load as strain, and goes when it is deleted there", async () => {
  const { person, userId } = await empty("workout")
  vendor.edit.exercises.put(person, EXERCISE)
  vendor.edit.exercises.put(person, {
    ...EXERCISE,
    id: "unloaded",
    training_load_pro: { ...EXERCISE.training_load_pro, "cardio-load": -1 },
  })
  await world.connect(userId, person)
  expect(await recordOf(userId, "workout", EXERCISE.id)).toMatchObject({
    date: "2026-11-19",
    started_at: new Date("2026-11-19T11:35:00Z"),
    ended_at: new Date("2026-11-19T12:37:03.500Z"),
    offset: 330,
    detail: {
      strain: 88.4,
      sportType: "running",
      energyKcal: 540,
      averageHeartRateBpm: 138,
      zones: { zone2Ms: 1_200_000 },
    },
  })
  expect((await recordOf(userId, "workout", "unloaded")).detail).not.toHaveProperty("strain")
  vendor.edit.exercises.delete(person, "unloaded")
  await world.sync(userId)
  expect(await keysOf(userId)).toEqual([`workout/${EXERCISE.id}`])
})

test("a workout of a watch that was synchronised weeks later comes, also after the first sync", async () => {
  const { person, userId } = await empty("late-watch")
  const upload_time = NOW.toISOString()
  vendor.edit.exercises.put(person, { ...EXERCISE, id: "oct3", start_time: "2026-10-03T17:05:00", upload_time })
  await world.connect(userId, person)
  await world.runDue()
  vendor.edit.exercises.put(person, { ...EXERCISE, id: "nov1", start_time: "2026-11-01T17:05:00", upload_time })
  await world.sync(userId)
  await world.runDue()
  expect((await keysOf(userId)).toSorted()).toEqual(["workout/nov1", "workout/oct3"])
})

test("a sport is known by a part of Polar's name", async () => {
  const { person, userId } = await empty("sports")
  const sports = {
    ...{
      CORE_TRAINING: "strength",
      LES_MILLS_CORE: "strength",
      BODYCOMBAT: "strength",
      BODYWEIGHT_TRAINING: "strength",
    },
    ...{ CIRCUIT_TRAINING: "hiit", HIIT_INDOOR: "hiit", MOBILITY_STRETCHING: "yoga", OTHER_BODY: "other" },
  }
  for (const sport of Object.keys(sports))
    vendor.edit.exercises.put(person, { ...EXERCISE, id: sport, detailed_sport_info: sport })
  await world.connect(userId, person)
  for (const [id, sportType] of Object.entries(sports))
    expect((await recordOf(userId, "workout", id)).detail).toMatchObject({ sportType })
})

test("what is served no more stays, and a token lives for years without a refresh", async () => {
  const { person, userId } = await empty("years")
  vendor.edit.nights.put(person, NIGHT)
  vendor.edit.exercises.put(person, EXERCISE)
  await world.connect(userId, person)
  await world.runDue()
  const before = await keysOf(userId)
  expect(before).toEqual(["sleep/2026-11-20", `workout/${EXERCISE.id}`])
  for (const days of [20, 11, 400]) {
    world.simulator.clock.advance(days * DAY_MS)
    await world.runJob(userId)
    await world.runJob(userId)
    expect([await keysOf(userId), await statusOf(userId)], `${days} days later`).toEqual([before, "ok"])
  }
  world.simulator.clock.set(NOW)
})

test("a collection that failed for six weeks is read again, and what is served no more stays", async () => {
  const { person, userId } = await empty("weeks")
  vendor.edit.recharges.put(person, RECHARGE)
  const match = { path: /skintemperature$/, personId: person.userId }
  const repair = vendor.faults.add({ kind: "status", status: 500, match })
  await world.connect(userId, person)
  for (const days of [1, 20, 21]) {
    world.simulator.clock.advance(days * DAY_MS)
    await world.runJob(userId)
  }
  repair()
  for (const hours of [1, 24, 24]) {
    world.simulator.clock.advance(hours * HOUR_MS)
    await world.runJob(userId)
  }
  expect(await keysOf(userId)).toEqual(["recovery/2026-11-20"])
  world.simulator.clock.set(NOW)
})

test("a token that Polar no longer accepts keeps the data and asks for a new connection", async () => {
  const { person, userId } = await empty("ended")
  vendor.edit.nights.put(person, NIGHT)
  await world.connect(userId, person)
  vendor.tokens.revokeAll(person)
  await world.sync(userId)
  expect(await statusOf(userId)).toBe("reauthorization_required")
  await world.connect(userId, person)
  expect([await keysOf(userId), await statusOf(userId)]).toEqual([["sleep/2026-11-20"], "ok"])
})

test("disconnecting ends the registration at Polar", async () => {
  const { person, userId } = await empty("disconnected")
  await world.connect(userId, person)
  vendor.requestLog.clear()
  await disconnect(world.context, { userId, provider: "polar", wipeData: false })
  expect(vendor.requestLog.entries).toMatchObject([
    { method: "DELETE", path: `/v3/users/${person.userId}`, status: 204 },
  ])
})

test.each([2, 12])(
  "%i workouts stay after a disconnection, although a new connection has none of before",
  async (count) => {
    const { person, userId } = await empty(`again-${count}`)
    const stored = Array.from({ length: count }, (_, index) => `before${index}`)
    for (const id of stored) vendor.edit.exercises.put(person, { ...EXERCISE, id })
    await world.connect(userId, person)
    await world.runDue()
    await disconnect(world.context, { userId, provider: "polar", wipeData: false })
    world.simulator.clock.advance(HOUR_MS)
    await world.connect(userId, person)
    const now = world.simulator.clock.now().toISOString()
    for (const id of ["kept", "deleted"])
      vendor.edit.exercises.put(person, {
        ...{ ...EXERCISE, id, upload_time: now },
        ...{ start_time: now.slice(0, 19), start_time_utc_offset: 0 },
      })
    world.simulator.clock.advance(2 * HOUR_MS)
    await world.runDue()
    const workouts = (ids: readonly string[]) => ids.map((id) => `workout/${id}`)
    expect(await keysOf(userId)).toEqual(workouts([...stored, "deleted", "kept"].toSorted()))
    vendor.edit.exercises.delete(person, "deleted")
    await world.sync(userId)
    world.simulator.clock.set(NOW)
    expect([await keysOf(userId), await statusOf(userId)]).toEqual([workouts([...stored, "kept"].toSorted()), "ok"])
  },
)

/** Runs with a Polar of its own beside the others' people. */
async function withPolar(options: PolarSimulatorOptions, run: (own: World, polar: PolarSimulator) => Promise<void>) {
  const simulator = await startVendor({ seed: "polar", now: NOW, days: 20 })
  const polar = await startPolarBeside(simulator, options)
  const own = await createWorld({ simulator, vendor: "polar", beside: { polar }, timeoutMs: 20_000 })
  try {
    await run(own, polar)
  } finally {
    await own.close()
    await polar.close()
    await simulator.close()
  }
}

test("without the consents nobody is connected, and the person is told where to give them", async () => {
  await withPolar({ lacksConsents: true }, async (own) => {
    const person = own.simulator.people.add({ email: "consents@example.com" })
    const userId = await own.addUser()
    await expect(own.authorize(userId, person)).rejects.toMatchObject({
      name: "InvalidRequest",
      message: expect.stringContaining("account.polar.com"),
    })
    expect((await own.store.pool.query("select from restwell.connection")).rows).toEqual([])
  })
})

test("a new registration has no earlier workouts, and names with hyphens are the same fields", async () => {
  await withPolar({ registeredSince: undefined, names: "hyphens" }, async (own) => {
    const othersOf = async (of: World, email: string) => {
      const userId = await of.addUser()
      await of.connect(userId, of.simulator.people.get(email), "allow")
      const rows = await storedRows(of, userId)
      return {
        workouts: rows.filter(({ kind }) => kind === "workout"),
        others: rows.filter(({ kind }) => kind !== "workout"),
      }
    }
    const person = own.simulator.people.add({ email: "spelling@example.com" })
    world.simulator.people.add({ email: person.email })
    const [hyphens, underscores] = [await othersOf(own, person.email), await othersOf(world, person.email)]
    expect(hyphens.workouts).toEqual([])
    expect(underscores.workouts.length).toBeGreaterThan(0)
    expect(hyphens.others.length).toBeGreaterThan(15)
    const withoutUser = (rows: unknown) => JSON.stringify(rows).replaceAll(/v3\/users\/\d+/g, "")
    expect(withoutUser(hyphens.others)).toBe(withoutUser(underscores.others))
  })
})

test("a first sync takes some dozens of calls, however long the history, and an idle day a listing an hour", async () => {
  await withPolar({}, async (own, polar) => {
    const person = own.simulator.people.add({ email: "calls@example.com", days: 90 })
    const userId = await own.addUser()
    await own.connect(userId, person)
    await own.runDue()
    const first = polar.requestLog.count({ path: /^\/v3\// })
    polar.requestLog.clear()
    for (let hours = 0; hours < 24; hours += 1) {
      own.simulator.clock.advance(HOUR_MS)
      await own.runDue()
    }
    const idle = polar.requestLog.count()
    expect([first < 80, idle < 200]).toEqual([true, true])
  })
})
