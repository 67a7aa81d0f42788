// Withings by its API: a first sync, days, measures, late changes, deletions, grants and scopes.
import { beginConnection, completeConnection } from "@restwell/core"
import { VENDORS } from "@restwell/providers"
import { approveAtVendor, startWithingsBeside } from "@restwell/testing/vendor"
import { createWorld, expectTruth, storedRows } from "@restwell/testing/world"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { FIGURES, group, nightRow, openWithings, second, type WithingsWorld } from "./withings-world.ts"

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

let opened: WithingsWorld
beforeAll(async () => {
  opened = await openWithings()
})
afterAll(() => opened.close())

test("days: the phone's steps count only where Withings has none, and today goes on", async () => {
  const { person, userId } = await opened.empty("days")
  const day = (date: string, brand: number, steps: number) =>
    opened.vendor.edit.activity.put(person, {
      ...{
        date,
        brand,
        steps,
        timezone: "Europe/Berlin",
        modified: second(`${date}T20:00:00Z`),
        is_tracker: false,
      },
      ...{
        deviceid: null,
        hash_deviceid: null,
        model: null,
        distance: 900,
        elevation: 0,
        calories: 300,
        totalcalories: 2100,
      },
    })
  day("2026-11-18", 18, 9_000)
  day("2026-11-18", 1, 4_000)
  day("2026-11-17", 18, 7_000)
  await opened.connect({ person, userId })
  expect(await opened.recordOf(userId, "cycle", "2026-11-18")).toMatchObject({
    started_at: new Date("2026-11-17T23:00:00Z"),
    ended_at: new Date("2026-11-18T23:00:00Z"),
    detail: { steps: 4_000, energyKcal: 2_100, activeEnergyKcal: 300, distanceMeters: 900 },
  })
  expect(await opened.recordOf(userId, "cycle", "2026-11-17")).toMatchObject({ detail: { steps: 7_000 } })
})

test("measures become series with their unit, and one that may be another person's is counted and left out", async () => {
  const { person, userId } = await opened.empty("measures")
  opened.vendor.edit.measures.put(person, group(1, 71_340, -3))
  opened.vendor.edit.measures.put(person, group(6, 2_130, -2))
  opened.vendor.edit.measures.put(person, group(10, 118, 0))
  opened.vendor.edit.measures.put(person, group(9, 76, 0))
  opened.vendor.edit.measures.put(person, group(123, 443, -1))
  opened.vendor.edit.measures.put(person, group(1, 65, 0, { category: 2, attrib: 2 }))
  const ambiguous = group(1, 48_200, -3, { attrib: 1, date: second("2026-11-19T07:00:00Z") })
  opened.vendor.edit.measures.put(person, ambiguous)
  await opened.connect({ person, userId })
  const ones = { weight: 1, body_fat: 1, blood_pressure_systolic: 1, blood_pressure_diastolic: 1, vo2max: 1 }
  expect(await opened.samplesOf(userId)).toEqual(ones)
  const leftOut = async () =>
    (
      await opened.world.store.pool.query("select type, count from restwell.series_left_out where user_id = $1", [
        userId,
      ])
    ).rows
  expect(await leftOut()).toEqual([{ type: "weight", count: 1 }])
  // The person says in the app that it was them.
  opened.vendor.edit.measures.patch(person, ambiguous.grpid, { attrib: 7 })
  await opened.pass(HOUR_MS)
  expect(await opened.samplesOf(userId)).toEqual({ ...ones, weight: 2 })
  expect(await leftOut()).toEqual([])
  // A measurement that is deleted there goes at the next look.
  opened.vendor.edit.measures.delete(person, ambiguous.grpid)
  await opened.pass(HOUR_MS)
  expect(await opened.samplesOf(userId)).toEqual(ones)
})

test("measures come however old they are, and so does what is typed, corrected or assigned of them years later", async () => {
  const { person, userId } = await opened.empty("old-measures")
  const of = (date: string, grams: number, more: Parameters<typeof group>[3] = {}) => {
    const at = second(`${date}T07:00:00Z`)
    return group(1, grams, -3, { date: at, created: at, modified: at, ...more })
  }
  const [oldest, ambiguous] = [of("2009-09-01", 80_000), of("2016-05-06", 79_000, { attrib: 1 })]
  for (const row of [oldest, ambiguous, of("2021-02-03", 78_000)]) opened.vendor.edit.measures.put(person, row)
  const stored = async () => {
    const query = `
      select (select json_agg(d.day order by d.day) from restwell.series_day d where d.user_id = $1) as days,
        (select json_agg(o.day) from restwell.series_left_out o where o.user_id = $1) as left_out`
    return (await opened.world.store.pool.query(query, [userId])).rows[0]
  }
  await opened.connect({ person, userId })
  expect(await stored()).toEqual({ days: ["2009-09-01", "2021-02-03"], left_out: ["2016-05-06"] })
  const calls = () =>
    opened.vendor.requestLog.entries.filter((one) => one.personId === person.userId).map((one) => one.path)
  const looks = async () => {
    opened.vendor.requestLog.clear()
    await opened.pass(HOUR_MS / 2)
    return calls().filter((path) => path.endsWith("getmeas")).length
  }
  expect(await looks()).toBe(2)
  const now = Math.floor(opened.world.simulator.clock.nowMs() / 1000)
  opened.vendor.edit.measures.put(person, of("2012-03-04", 77_000, { attrib: 2, created: now, modified: now }))
  opened.vendor.edit.measures.patch(person, ambiguous.grpid, { attrib: 7 })
  expect(await looks()).toBe(3)
  const days = ["2009-09-01", "2012-03-04", "2016-05-06", "2021-02-03"]
  expect(await stored()).toEqual({ days, left_out: null })
  opened.vendor.edit.measures.patch(person, oldest.grpid, { attrib: 1 })
  await opened.pass(HOUR_MS)
  expect(await stored()).toEqual({ days: days.slice(1), left_out: ["2009-09-01"] })
})

test("a row without a date is set aside, and does not let the history go back to the year 2000", async () => {
  const { person, userId } = await opened.empty("undated")
  opened.vendor.edit.sleep.put(person, nightRow())
  opened.vendor.edit.activity.put(person, {
    ...{
      date: "2026-11-18",
      brand: 1,
      steps: 4_000,
      timezone: "Europe/Berlin",
      modified: second("2026-11-18T20:00:00Z"),
    },
    ...{ is_tracker: true, deviceid: null, hash_deviceid: null, model: null, distance: 900, elevation: 0 },
    ...{ calories: 300, totalcalories: 2100 },
  })
  const repair = opened.vendor.faults.add({
    match: { personId: person.userId, path: /getactivity$/ },
    kind: "rewrite",
    rewrite: (reply) => reply.replace('"date":"2026-11-18"', '"date":"Wednesday"'),
  })
  opened.vendor.requestLog.clear()
  await opened.connect({ person, userId })
  repair()
  const asked = opened.vendor.requestLog.entries.filter(({ path }) => path.endsWith("getactivity"))
  expect(asked.length).toBeLessThan(10)
  const { rows } = await opened.world.store.pool.query(
    "select history_complete, gaps from restwell.connection where user_id = $1",
    [userId],
  )
  expect(rows).toEqual([{ history_complete: true, gaps: [] }])
})

test("days that came without dates for a day are all there within the hour, and late changes are looked for once", async () => {
  const person = opened.world.simulator.people.add({ email: "dateless@example.com" })
  const userId = await opened.world.addUser()
  const repair = opened.vendor.faults.add({
    match: { personId: person.userId, path: /getactivity$/ },
    kind: "rewrite",
    rewrite: (reply) => reply.replaceAll(/"date":"[^"]*"/g, '"date":7'),
  })
  await opened.connect({ person, userId })
  await opened.pass(25 * HOUR_MS)
  repair()
  opened.vendor.requestLog.clear()
  await opened.pass(HOUR_MS)
  await expectTruth(opened.world, { userId, person })
  const looks = opened.vendor.requestLog.entries.filter(
    ({ path, personId }) => path.endsWith("getworkouts") && personId === person.userId,
  )
  expect(looks.length).toBeLessThan(12)
})

test("a first sync stores exactly what the vendor has, a row of fifty days ago that changes is read within the hour, and one that is deleted is gone a day later", async () => {
  const person = opened.world.simulator.people.add({ email: "late@example.com" })
  const userId = await opened.world.addUser()
  await opened.connect({ userId, person })
  await expectTruth(opened.world, { userId, person })
  await opened.pass(25 * HOUR_MS)
  const old = opened.vendor.records(person).sleep.findLast(({ data }) => Reflect.get(data, "sleep_score"))
  if (!old) throw new Error("the person has no night")
  expect(opened.world.simulator.clock.nowMs() - old.enddate * 1000).toBeGreaterThan(50 * DAY_MS)
  opened.vendor.edit.sleep.patch(person, old.id, { data: { sleep_score: 23 } })
  await opened.pass(HOUR_MS)
  expect(await opened.recordOf(userId, "sleep", old.id)).toMatchObject({ detail: { scorePercent: 23 } })
  const [deleted] = opened.vendor.records(person).workouts
  if (!deleted) throw new Error("the person has no workout")
  opened.vendor.edit.workouts.delete(person, deleted.id)
  await opened.pass(26 * HOUR_MS)
  expect(await opened.recordOf(userId, "workout", deleted.id)).toBeUndefined()
  await expectTruth(opened.world, { userId, person })
})

describe("grants", () => {
  test("a code lives for thirty seconds, and each refresh gives another pair", async () => {
    const { person, userId } = await opened.empty("code")
    const redirectUri = "http://localhost:3000/api/connections/withings/callback"
    const attempt = { userId, provider: "withings", sessionId: "session", redirectUri }
    const { searchParams } = await approveAtVendor(await beginConnection(opened.world.context, attempt), person)
    const [state, code] = [searchParams.get("state") ?? "", searchParams.get("code") ?? ""]
    opened.world.simulator.clock.advance(31_000)
    await expect(completeConnection(opened.world.context, { ...attempt, state, code })).rejects.toThrow(/connect again/)
    await opened.connect({ person, userId })
    opened.vendor.edit.sleep.put(
      person,
      nightRow({ data: FIGURES, modified: Math.floor(opened.world.simulator.clock.nowMs() / 1000) }),
    )
    await opened.pass(4 * HOUR_MS)
    await opened.pass(4 * HOUR_MS)
    expect(await storedRows(opened.world, userId)).toHaveLength(1)
    opened.vendor.tokens.revokeAll(person)
    await opened.pass(HOUR_MS)
    const { rows } = await opened.world.store.pool.query("select status from restwell.connection where user_id = $1", [
      userId,
    ])
    expect(rows).toEqual([{ status: "reauthorization_required" }])
  })

  test("measures that the person does not allow are a gap with its click, and the rest works", async () => {
    const other = await startWithingsBeside(opened.world.simulator, { uncheckedScopes: ["user.metrics"] })
    const narrow = await createWorld({
      simulator: opened.world.simulator,
      vendor: "withings",
      beside: { withings: other },
    })
    try {
      const person = opened.world.simulator.people.add({ email: "narrow@example.com", days: 10 })
      const userId = await narrow.addUser()
      await narrow.connect(userId, person)
      await narrow.runDue()
      const { rows } = await narrow.store.pool.query(
        "select status, gaps from restwell.connection where user_id = $1",
        [userId],
      )
      expect(rows[0]).toMatchObject({
        status: "ok",
        gaps: [
          { collection: "measures", nextStep: expect.stringContaining("user.metrics") },
          { collection: "spo2", nextStep: expect.stringContaining("Connect Withings again") },
        ],
      })
      const kinds = new Set((await storedRows(narrow, userId)).map(({ kind }) => kind))
      expect([...kinds].toSorted()).toEqual(["cycle", "recovery", "sleep", "workout"])
    } finally {
      await narrow.close()
      await other.close()
    }
  })
})

describe("with the limits of an app", () => {
  let limited: WithingsWorld
  beforeAll(async () => {
    limited = await openWithings(VENDORS.withings.syncPolicy.calls)
  })
  afterAll(() => limited.close())

  test.each([
    ["changed at once", HOUR_MS],
    ["not looked for since", 320 * DAY_MS],
  ])("300 nights that were %s all arrive, within the calls of a minute each", async (name, awayMs) => {
    const { person, userId } = await limited.empty(`many-${name.replaceAll(" ", "-")}`)
    const end = limited.world.simulator.clock.nowMs()
    const nights = Array.from({ length: 300 }, (_, index) => {
      const enddate = Math.floor((end - (index + 5) * DAY_MS) / 1000)
      const startdate = enddate - 28_800
      const date = new Date(enddate * 1000).toISOString().slice(0, 10)
      return nightRow({ date, startdate, enddate, timezone: "UTC", modified: enddate + 900, data: FIGURES })
    })
    const isKnown = awayMs < DAY_MS
    if (isKnown) for (const row of nights) limited.vendor.edit.sleep.put(person, row)
    await limited.connect({ person, userId })
    const now = second(new Date(limited.world.simulator.clock.nowMs()).toISOString())
    const later = (row: (typeof nights)[number]) => {
      const bySeconds = Math.round(awayMs / 1000)
      const { startdate, enddate } = row
      const moved = { startdate: startdate + bySeconds, enddate: enddate + bySeconds }
      const date = new Date(moved.enddate * 1000).toISOString().slice(0, 10)
      return { ...row, ...moved, date, modified: moved.enddate + 900 }
    }
    for (const row of nights)
      limited.vendor.edit.sleep.put(
        person,
        isKnown ? { ...row, modified: now, data: { ...FIGURES, sleep_score: 23 } } : later(row),
      )
    limited.vendor.requestLog.clear()
    await limited.pass(awayMs)
    // Two people share the calls, so it may take more than the five minutes that one person needs.
    for (let minutes = 0; minutes < 30; minutes += 1) await limited.pass(60_000)
    const sleeps = await limited.sleepsOf(userId)
    expect(sleeps).toHaveLength(300)
    expect(sleeps.every(({ detail }) => detail.partIds?.length === 1)).toBe(true)
    if (isKnown) expect(sleeps.every(({ detail }) => detail.scorePercent === 23)).toBe(true)
    const { rows } = await limited.world.store.pool.query(
      "select status, gaps, retry_after from restwell.connection where user_id = $1",
      [userId],
    )
    expect(rows).toEqual([{ status: "ok", gaps: [], retry_after: null }])
    const details = () => limited.vendor.requestLog.count({ path: /\/v2\/sleep\/get$/ })
    // What is stored is not read again, although it counts as changed for two days more.
    expect(details()).toBeLessThan(400)
    limited.vendor.requestLog.clear()
    await limited.pass(HOUR_MS)
    expect(details()).toBeLessThan(10)
  })
})
