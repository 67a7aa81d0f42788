// What of intervals.icu stands apart or moves: lengths of nights alone, days and weights that are older than all else, activities whose start
// is corrected, and a time zone that changes.
import { bodyOf } from "@restwell/core"
import { garminArchive, type IntervalsSimulator, type Person, type WireWellness } from "@restwell/simulator"
import { startIntervalsBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { importArchive } from "../imports/import-archive.ts"
import { withoutHistory } from "./one-person.ts"
import { EMPTY_WELLNESS } from "./wellness-rows.ts"

const NOW = new Date("2026-11-20T12:00:00Z")
const HOUR_MS = 3_600_000

let vendor: IntervalsSimulator
let world: World
beforeAll(async () => {
  const simulator = await startVendor({ seed: "intervals that change", now: NOW })
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

async function connect({ person, userId }: Awaited<ReturnType<typeof empty>>): Promise<void> {
  await world.connect(userId, person)
  await world.runDue()
}

async function pass(durationMs: number): Promise<void> {
  world.simulator.clock.advance(durationMs)
  await world.runDue()
}

type Query = Parameters<World["reader"]["read"]>[0]["query"]

async function answerTo(userId: string, query: Query): Promise<ReturnType<typeof JSON.parse>> {
  const reading = await world.reader.read({ credential: { userId }, query, ifNoneMatch: [], isCounted: true })
  if (reading.outcome !== "answer") throw new Error(`expected an answer, got ${reading.outcome}`)
  return bodyOf(reading.response.bytes)
}

const rowsOf = async (userId: string, kind: string): Promise<ReturnType<typeof JSON.parse>[]> =>
  (
    await world.store.pool.query(
      `select provider_id as id, started_at as start, ended_at as end, utc_offset_minutes as offset from restwell.record
       where user_id = $1 and kind = $2 and provider = 'intervals' order by provider_id`,
      [userId, kind],
    )
  ).rows

test("the length of a night alone is the time asleep of its date and no recovery, and hides no other source's HRV", async () => {
  const { person, userId } = await empty("length")
  put(person, { sleepSecs: 26_100 })
  put(person, { id: "2026-11-18", sleepSecs: 25_200 })
  put(person, { id: "2026-11-17", sleepSecs: 27_000, hrv: 61 })
  await connect({ person, userId })
  const lists = { start_date: "2026-11-17", end_date: "2026-11-19" }
  const listed = async (source?: "all" | "intervals") => {
    const { records } = await answerTo(userId, { type: "recovery", ...lists, source })
    return records.map(({ date, source: of, hrv }: Record<string, unknown>) => [date, of, hrv])
  }
  const summarized = async () => (await answerTo(userId, { type: "summary", ...lists })).recovery
  const dayOf = async (date: string) => (await answerTo(userId, { type: "day", date })).recovery.records
  for (const source of [undefined, "all", "intervals"] as const)
    expect(await listed(source)).toEqual([["2026-11-17", "intervals", 61]])
  expect(await summarized()).toMatchObject({ day_count: 1, average_hrv: 61 })
  expect(await dayOf("2026-11-19")).toEqual([])
  // A connection comes before an archive. So its recovery would have hidden the other one.
  const metrics = [{ type: "HRV", value: 48, status: "IN_RANGE", percentage: 50 }]
  const health = [{ calendarDate: "2026-11-18", createTimestampUTC: "2026-11-18T06:30:00.0", metrics }]
  const rows = { nights: [], health, days: [], readiness: [], body: [], activities: [], fit: [] }
  expect(await importArchive(world, userId, { bytes: garminArchive(rows), fileName: "garmin.zip" })).toMatchObject({
    status: "done",
  })
  const both = [
    ["2026-11-18", "garmin", 48],
    ["2026-11-17", "intervals", 61],
  ]
  for (const source of [undefined, "all"] as const) expect(await listed(source)).toEqual(both)
  expect(await dayOf("2026-11-18")).toMatchObject([{ source: "garmin", hrv: 48 }])
  const { points, source } = await answerTo(userId, { type: "trend", metric: "asleep", ...lists, points: true })
  expect(source.provider ?? source).toBe("intervals")
  expect(points).toEqual([
    ["2026-11-17", 7.5],
    ["2026-11-18", 7],
    ["2026-11-19", 7.25],
  ])
})

test("weights and mornings are read however long before everything else they are", async () => {
  const { person, userId } = await empty("old")
  put(person, { hrv: 62, steps: 8_000 })
  put(person, { id: "2025-02-03", hrv: 58, restingHR: 52 })
  put(person, { id: "2011-05-06", weight: 80.5 })
  await connect({ person, userId })
  const { rows } = await world.store.pool.query(
    "select type, day::text from restwell.series_day where user_id = $1 order by day",
    [userId],
  )
  expect(rows).toEqual([{ type: "weight", day: "2011-05-06" }])
  expect((await rowsOf(userId, "recovery")).map(({ id }) => id)).toEqual(["2025-02-03", "2026-11-19"])
})

test("an activity whose start is corrected to an earlier or a later one moves there", async () => {
  const { person, userId } = await empty("corrected")
  const ride = { id: "i1", type: "Ride", timezone: "Etc/UTC", elapsed_time: 3_600, source: "UPLOAD" }
  const startsAt = (time: string) =>
    vendor.edit.activities.put(person, {
      ...ride,
      start_date: `2026-11-19T${time}:00Z`,
      start_date_local: `2026-11-19T${time}:00`,
    })
  startsAt("10:00")
  await connect({ person, userId })
  for (const time of ["08:30", "11:15"]) {
    startsAt(time)
    await pass(HOUR_MS)
    expect(await rowsOf(userId, "workout")).toMatchObject([{ id: "i1", start: new Date(`2026-11-19T${time}:00Z`) }])
  }
})

test("a day stays where it was when the time zone changes, and is moved from a zone that could not be used", async () => {
  const { person, userId } = await empty("zone")
  put(person, { steps: 8_000 })
  let zone = "Mars/Olympus"
  const repair = vendor.faults.add({
    match: { personId: person.userId, path: /\/athlete\/0$/ },
    kind: "transform",
    transform: (athlete) => ({ ...Object(athlete), timezone: zone }),
  })
  await connect({ person, userId })
  const dayIn = (of: string, offset: number) => {
    const midnight = (date: string) => new Date(Temporal.PlainDate.from(date).toZonedDateTime(of).epochMilliseconds)
    return [{ id: "2026-11-19", start: midnight("2026-11-19"), end: midnight("2026-11-20"), offset }]
  }
  expect(await rowsOf(userId, "cycle")).toEqual(dayIn("UTC", 0))
  for (const moved of ["Europe/Paris", "Asia/Tokyo", "America/New_York", "Mars/Olympus"]) {
    zone = moved
    // More steps arrive wherever the person is.
    put(person, { steps: 8_000 + moved.length })
    await pass(HOUR_MS)
    expect([moved, await rowsOf(userId, "cycle")]).toEqual([moved, dayIn("Europe/Paris", 60)])
    const steps = "select detail -> 'steps' as steps from restwell.record where user_id = $1 and kind = 'cycle'"
    expect((await world.store.pool.query(steps, [userId])).rows).toEqual([{ steps: 8_000 + moved.length }])
  }
  repair()
})
