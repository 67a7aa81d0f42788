// Polar: nights by the clock, days without a zone, what is served for four weeks, tokens that are never refreshed, and consents.
import { disconnect } from "@restwell/core"
import type { Person, PolarSimulator, PolarSimulatorOptions, WireNight } from "@restwell/simulator"
import { startPolarBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, expectTruth, storedRows, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { DAY, EXERCISE, NIGHT, RECHARGE } from "./polar-rows.ts"

const NOW = new Date("2026-11-20T12:00:00Z")
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

let vendor: PolarSimulator
let world: World
beforeAll(async () => {
  const simulator = await startVendor({ seed: "polar", now: NOW, days: 20 })
  vendor = await startPolarBeside(simulator)
  world = await createWorld({ simulator, vendor: "polar", beside: { polar: vendor }, timeoutMs: 20_000 })
})
afterAll(async () => {
  await world.close()
  await vendor.close()
  await world.simulator.close()
})

/** A person without any row, whose rows a test writes. */
async function empty(name: string): Promise<{ readonly person: Person; readonly userId: string }> {
  const person = world.simulator.people.add({ email: `${name}@example.com`, history: "none" })
  return { person, userId: await world.addUser() }
}

const keysOf = async (userId: string) =>
  (await storedRows(world, userId)).map(({ kind, provider_id: id }) => `${kind}/${id}`)

const recordOf = async (userId: string, kind: string, id: string) => {
  const { rows } = await world.store.pool.query(
    `select date::text, started_at, ended_at, utc_offset_minutes as offset, score_state, detail, course from restwell.record
     where user_id = $1 and kind = $2 and provider_id = $3`,
    [userId, kind, id],
  )
  return rows[0]
}

const valuesOf = async (userId: string, type: string): Promise<number> =>
  (
    await world.store.pool.query(
      "select coalesce(sum(count), 0)::int as n from restwell.series_day where user_id = $1 and type = $2",
      [userId, type],
    )
  ).rows[0].n

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

describe("a night", () => {
  const connected = async (name: string, night: Partial<WireNight>) => {
    const { person, userId } = await empty(name)
    vendor.edit.nights.put(person, { ...NIGHT, ...night })
    await world.connect(userId, person)
    return { person, userId, record: await recordOf(userId, "sleep", night.date ?? NIGHT.date) }
  }

  test("is of its waking, with the sums, the score and the stages of the official codes", async () => {
    const { userId, record } = await connected("night", {})
    expect(record).toMatchObject({
      date: "2026-11-20",
      started_at: new Date("2026-11-19T21:41:00Z"),
      ended_at: new Date("2026-11-20T05:02:00Z"),
      offset: 120,
      score_state: "scored",
      detail: {
        scorePercent: 74,
        stages: { lightMs: 14_400_000, deepMs: 5_400_000, remMs: 5_100_000, awakeMs: 1_560_000 },
      },
    })
    expect(record.course).not.toBeNull()
    expect([await valuesOf(userId, "sleep_stages"), await valuesOf(userId, "heart_rate")]).toEqual([6, 3])
  })

  test.each<[string, Partial<WireNight>]>([
    ["has its codes by another order", { hypnogram: { "23:41": 0, "23:51": 1, "00:51": 3, "02:21": 4, "03:46": 1 } }],
    [
      "is unknown for more than a tenth",
      { hypnogram: { "23:41": 0, "23:51": 2, "00:51": 4, "02:21": 1, "03:46": 3, "04:46": 6, "05:46": 3, "06:46": 0 } },
    ],
    ["is in no order", { hypnogram: { "23:41": 0, "03:46": 3, "02:21": 1, "00:51": 4, "06:46": 0 } }],
    [
      "has an hour of the clock twice",
      {
        date: "2026-10-25",
        sleep_start_time: "2026-10-24T23:41:00+02:00",
        sleep_end_time: "2026-10-25T06:02:00+01:00",
      },
    ],
  ])("whose hypnogram %s has its sums alone", async (name, night) => {
    const { userId, record } = await connected(`refused-${name.replaceAll(" ", "-")}`, night)
    expect(record.detail.stages).toEqual({
      lightMs: 14_400_000,
      deepMs: 5_400_000,
      remMs: 5_100_000,
      awakeMs: 1_560_000,
    })
    expect(record.course).toBeNull()
    expect(await valuesOf(userId, "sleep_stages")).toBe(0)
  })

  test("may differ from its sums by a tenth, and has neither a score nor values of zero", async () => {
    const hypnogram = { "23:41": 0, "23:51": 2, "00:51": 4, "02:21": 1, "03:46": 3, "05:46": 5, "06:06": 3, "06:46": 0 }
    const heart_rate_samples = { "23:46": 0 }
    const { userId, record } = await connected("almost", { hypnogram, heart_rate_samples, sleep_score: 0 })
    expect(record.course).not.toBeNull()
    expect(record.detail).not.toHaveProperty("scorePercent")
    expect(await valuesOf(userId, "heart_rate")).toBe(0)
  })

  test("is written again under its date, and a late correction replaces it", async () => {
    const { person, userId } = await connected("rewritten", {})
    vendor.edit.nights.patch(person, NIGHT.date, { sleep_end_time: "2026-11-20T06:58:00+02:00", sleep_score: 71 })
    await world.sync(userId)
    expect(await recordOf(userId, "sleep", NIGHT.date)).toMatchObject({
      ended_at: new Date("2026-11-20T04:58:00Z"),
      detail: { scorePercent: 71 },
    })
  })
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
