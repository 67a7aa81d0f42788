// Nights of Withings: figures, values within them, HRV and SpO2, what is pending, naps, parts and copies, and time zones.
import { afterAll, beforeAll, expect, test } from "vitest"
import { FIGURES, group, nightRow, openWithings, second, type WithingsWorld } from "./withings-world.ts"

const HOUR_MS = 3_600_000

let opened: WithingsWorld
beforeAll(async () => {
  opened = await openWithings()
})
afterAll(() => opened.close())

test("a night has its figures, stages and values, and a recovery with the mean RMSSD of its details and the newest SpO2", async () => {
  const { person, userId } = await opened.empty("night")
  const row = nightRow({ data: { ...FIGURES, rmssd_start_avg: 40, rmssd_end_avg: 60 } })
  opened.vendor.edit.sleep.put(person, row)
  opened.vendor.edit.measures.put(person, group(54, 95, 0, { date: second("2026-11-19T01:00:00Z") }))
  opened.vendor.edit.measures.put(person, group(54, 970, -1))
  opened.vendor.edit.measures.put(person, group(54, 88, 0, { date: second("2026-11-19T08:00:00Z"), attrib: 1 }))
  await opened.connect({ person, userId })
  const sleep = await opened.recordOf(userId, "sleep", row.id)
  expect(sleep).toMatchObject({
    date: "2026-11-19",
    state: "scored",
    offset: 60,
    detail: {
      scorePercent: 78,
      efficiencyPercent: 91,
      averageHeartRateBpm: 56,
      lowestHeartRateBpm: 49,
      respiratoryRatePerMinute: 14,
      timesAwake: 3,
      latencyMs: 600_000,
      stages: { lightMs: 14_400_000, deepMs: 6_000_000, remMs: 4_800_000, awakeMs: 2_400_000 },
      device: "Withings sleep sensor",
    },
  })
  const recovery = await opened.recordOf(userId, "recovery", row.id)
  expect(recovery).toMatchObject({ date: "2026-11-19", state: "scored", detail: { spo2Percent: 97 } })
  expect(recovery.detail.restingHeartRateBpm).toBeUndefined()
  const rmssd = await opened.world.store.pool.query(
    "select raw -> 'sleep_details' -> 'series' as series from restwell.record where user_id = $1 and kind = 'recovery'",
    [userId],
  )
  const values = rmssd.rows[0].series.flatMap((segment: { rmssd: object }) => Object.values(segment.rmssd))
  const mean = values.reduce((sum: number, value: number) => sum + value, 0) / values.length
  expect(recovery.detail.hrvMs).toBeCloseTo(mean, 0)
  const { heart_rate: heartRates, hrv, sleep_stages: stages } = await opened.samplesOf(userId)
  expect([heartRates, hrv, stages].every((count = 0) => count > 5)).toBe(true)
})

test("a night without details has the mean of its two halves, with one half none, and zero and -1 are no measurements", async () => {
  const { person, userId } = await opened.empty("halves")
  const [both, one] = [
    nightRow({
      data: { ...FIGURES, hr_average: 0, hr_min: 0, rr_average: -1, rmssd_start_avg: 40, rmssd_end_avg: 60 },
    }),
    nightRow({
      date: "2026-11-18",
      startdate: second("2026-11-17T22:30:00Z"),
      enddate: second("2026-11-18T06:30:00Z"),
      data: { ...FIGURES, rmssd_end_avg: 60 },
    }),
  ]
  for (const row of [both, one]) opened.vendor.edit.sleep.put(person, row)
  const repair = opened.vendor.faults.add({
    kind: "transform",
    match: { path: /\/v2\/sleep\/get$/ },
    transform: () => ({ status: 0, body: { series: [], model: 32 } }),
  })
  await opened.connect({ person, userId })
  repair()
  expect(await opened.recordOf(userId, "recovery", both.id)).toMatchObject({ detail: { hrvMs: 50 } })
  expect(await opened.recordOf(userId, "recovery", one.id)).toBeUndefined()
  const { detail } = await opened.recordOf(userId, "sleep", both.id)
  expect([detail.averageHeartRateBpm, detail.lowestHeartRateBpm, detail.respiratoryRatePerMinute]).toEqual([
    undefined,
    undefined,
    undefined,
  ])
})

test("a night of another app has its length and no stages, empty data cost nothing, and one wrong figure costs itself", async () => {
  const { person, userId } = await opened.empty("outside")
  const at = (day: number) => ({
    date: `2026-11-${day}`,
    startdate: second(`2026-11-${day - 1}T22:30:00Z`),
    enddate: second(`2026-11-${day}T06:30:00Z`),
  })
  const outside = nightRow({ ...at(17), model: 1, data: { asleepduration: 24_000, deepsleepduration: null } })
  const nothing = nightRow({ ...at(18), data: [] })
  const wrong = nightRow({ ...at(19), data: { ...FIGURES, sleep_score: 780, sleep_efficiency: 91 } })
  for (const row of [outside, nothing, wrong]) opened.vendor.edit.sleep.put(person, row)
  await opened.connect({ person, userId })
  expect(await opened.sleepsOf(userId)).toMatchObject([
    { id: String(outside.id), state: "scored", detail: { asleepMs: 24_000_000 } },
    { id: String(nothing.id), state: "unscorable" },
    { id: String(wrong.id), state: "scored", detail: { leftOut: [{ field: "sleep.data.sleep_score" }, {}] } },
  ])
})

test("a night that goes on or has just ended is pending, and scored once it is complete", async () => {
  const { person, userId } = await opened.empty("pending")
  const now = Math.floor(opened.world.simulator.clock.nowMs() / 1000)
  const today = { date: new Date(now * 1000).toISOString().slice(0, 10), timezone: "UTC" }
  const row = nightRow({ ...today, startdate: now - 20_000, enddate: now - 600, completed: false, data: FIGURES })
  opened.vendor.edit.sleep.put(person, row)
  await opened.connect({ person, userId })
  const stateOf = async () => (await opened.recordOf(userId, "sleep", row.id)).state
  expect(await stateOf()).toBe("pending")
  await opened.pass(2 * HOUR_MS)
  expect(await stateOf()).toBe("pending")
  opened.vendor.edit.sleep.patch(person, row.id, { completed: true })
  await opened.pass(HOUR_MS)
  expect(await stateOf()).toBe("scored")
})

test("naps, two devices of one night and a night in parts: the longest of a date is never hidden", async () => {
  const { person, userId } = await opened.empty("naps")
  const rows = {
    night: nightRow({ data: FIGURES }),
    // The watch saw the same night a second later.
    watch: nightRow({ startdate: second("2026-11-18T22:30:01Z"), model: 16, hash_deviceid: "watch", data: FIGURES }),
    // Less than two hours after the night: the person slept on.
    part: nightRow({ startdate: second("2026-11-19T07:30:00Z"), enddate: second("2026-11-19T08:10:00Z") }),
    nap: nightRow({ startdate: second("2026-11-19T13:00:00Z"), enddate: second("2026-11-19T13:50:00Z") }),
    // Three hours are a night, whatever their hour.
    shift: nightRow({ startdate: second("2026-11-19T16:00:00Z"), enddate: second("2026-11-19T19:30:00Z") }),
    // Nothing else ends on this date.
    alone: nightRow({
      date: "2026-11-17",
      startdate: second("2026-11-17T12:00:00Z"),
      enddate: second("2026-11-17T13:00:00Z"),
    }),
  }
  for (const row of Object.values(rows)) opened.vendor.edit.sleep.put(person, row)
  await opened.connect({ person, userId })
  const naps = new Map((await opened.sleepsOf(userId)).map(({ id, detail }) => [id, detail.isNap]))
  expect(Object.fromEntries(Object.entries(rows).map(([name, { id }]) => [name, naps.get(String(id))]))).toEqual({
    night: false,
    watch: false,
    part: false,
    nap: true,
    shift: false,
    alone: false,
  })
})

test("a journey over three zones and both clock changes: each night has the date and offset of where it ended", async () => {
  const { person, userId } = await opened.empty("journey")
  const nights = [
    ["Europe/Berlin", "2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z", "2026-03-29", 120],
    ["Asia/Tokyo", "2026-05-01T14:00:00Z", "2026-05-01T22:30:00Z", "2026-05-02", 540],
    ["America/Los_Angeles", "2026-05-03T06:00:00Z", "2026-05-03T14:00:00Z", "2026-05-03", -420],
    ["Europe/Berlin", "2026-10-24T21:00:00Z", "2026-10-25T06:00:00Z", "2026-10-25", 60],
  ] as const
  for (const [timezone, start, end, date] of nights)
    opened.vendor.edit.sleep.put(
      person,
      nightRow({
        timezone,
        date,
        startdate: second(start),
        enddate: second(end),
        modified: second(end),
        data: FIGURES,
      }),
    )
  const workout = second("2026-05-01T03:00:00Z")
  opened.vendor.edit.workouts.put(person, {
    ...{
      id: 900,
      category: 999,
      timezone: "Asia/Tokyo",
      model: 16,
      attrib: 0,
      startdate: workout,
      enddate: workout + 1800,
    },
    ...{ date: "2026-05-01", modified: workout + 1900, deviceid: null, data: [] },
  })
  await opened.connect({ person, userId })
  expect((await opened.sleepsOf(userId)).map(({ date, offset }) => [date, offset])).toEqual(
    nights.map(([, , , date, offset]) => [date, offset]),
  )
  expect((await opened.sleepsOf(userId))[0].detail).toMatchObject({
    startUtcOffsetMinutes: 60,
    endUtcOffsetMinutes: 120,
  })
  expect(await opened.recordOf(userId, "workout", 900)).toMatchObject({
    date: "2026-05-01",
    offset: 540,
    detail: { sportType: "other", durationMs: 1_800_000 },
  })
})

test("SpO2 that is deleted or turns out to be another person's goes from the recovery of its date", async () => {
  const { person, userId } = await opened.empty("oxygen")
  const row = nightRow({ data: { ...FIGURES, rmssd_start_avg: 40, rmssd_end_avg: 60 } })
  opened.vendor.edit.sleep.put(person, row)
  const measured = (hour: string, percent: number) => {
    const modified = second(`2026-11-19T${hour}:00:00Z`)
    return group(54, percent, 0, { date: modified, created: modified, modified })
  }
  const [early, late] = [measured("08", 95), measured("09", 97)]
  for (const one of [early, late]) opened.vendor.edit.measures.put(person, one)
  await opened.connect({ person, userId })
  const oxygen = async () => (await opened.recordOf(userId, "recovery", row.id)).detail.spo2Percent
  expect(await oxygen()).toBe(97)
  opened.vendor.edit.measures.patch(person, late.grpid, { attrib: 1 })
  await opened.pass(HOUR_MS)
  expect(await oxygen()).toBe(95)
  opened.vendor.edit.measures.delete(person, early.grpid)
  await opened.pass(HOUR_MS)
  expect(await oxygen()).toBeUndefined()
})

test("a night whose details fail has its own figures, costs no other night its details, and gets them later", async () => {
  const { person, userId } = await opened.empty("one-fails")
  const rows = [13, 14, 15, 16].map((day) =>
    nightRow({
      date: `2026-11-${day}`,
      startdate: second(`2026-11-${day - 1}T22:30:00Z`),
      enddate: second(`2026-11-${day}T06:30:00Z`),
      data: { ...FIGURES, rmssd_start_avg: 45 },
    }),
  )
  for (const row of rows) opened.vendor.edit.sleep.put(person, row)
  const [, failing] = rows
  const repair = opened.vendor.faults.add({
    kind: "rewrite",
    match: { path: /\/v2\/sleep\/get$/ },
    rewrite: (reply) =>
      reply.includes(`"startdate":${failing?.startdate}`) ? '{"status":2556,"error":"Internal error"}' : reply,
  })
  await opened.connect({ person, userId })
  const hrv = async () => {
    const recoveries = rows.map(({ id }) => opened.recordOf(userId, "recovery", id))
    return (await Promise.all(recoveries)).map((recovery) => recovery?.detail.hrvMs > 0)
  }
  expect(await hrv()).toEqual([true, false, true, true])
  expect(await opened.sleepsOf(userId)).toMatchObject(rows.map(({ id }) => ({ id: String(id), state: "scored" })))
  repair()
  await opened.pass(25 * 3_600_000)
  expect(await hrv()).toEqual([true, true, true, true])
})
