// What is compared or counted over a change of device.
import { CompareResponseSchema, DayResponseSchema, TrendResponseSchema, WeekPageSchema } from "@restwell/client"
import type { AnyQuery } from "@restwell/core"
import { createWorld, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, describe, expect, test } from "vitest"

let world: World
let userId: string
beforeEach(async () => {
  world = await createWorld({ days: 120 })
  userId = await world.addUser()
  await world.connect(userId, world.simulator.people.add({ email: "ada@example.com" }))
})
afterEach(() => world.close())

const run = (statement: string) => world.store.pool.query(statement)

/** Another device records from a date on. */
async function changeDevice(date: string): Promise<void> {
  await run(`insert into restwell.connection (user_id, provider, status, status_changed_at, connected_at, next_sync_at, history_complete)
    select user_id, 'apple_health', 'archive', now(), now(), 'infinity', true from restwell.connection`)
  await run(`update restwell.record set provider = 'apple_health', from_archive = true where date >= '${date}'`)
  await run("update restwell.person set data_version = data_version + 1")
}

async function read(query: AnyQuery): Promise<unknown> {
  const reading = await world.reader.read({ credential: { userId }, query, ifNoneMatch: [], isCounted: true })
  if (reading.outcome !== "answer") throw new Error(`got ${reading.outcome}`)
  return JSON.parse(reading.response.bytes.toString())
}

test("a week is that of one device beside the week before and beside usual", async () => {
  await changeDevice("2026-11-11")
  const { figures } = WeekPageSchema.parse(await read({ type: "page", page: "week" }))
  expect(figures.map(({ metric }) => metric.id)).toContain("hrv")
  for (const { metric, before, usual } of figures) {
    expect([metric.id, before.source.provider, usual.source.provider]).toEqual([
      metric.id,
      "apple_health",
      "apple_health",
    ])
    expect(usual.period).toEqual(before.period)
    expect(usual).toMatchObject({ with: { n: 3 }, verdict: "not_enough_data" })
    expect(usual.notes.join()).toMatch(/days that only whoop recorded are left out\. .* source=whoop /)
  }
})

test("two periods are those of the device of the newer one, whichever is named first", async () => {
  await changeDevice("2026-11-11")
  const newer = { start_date: "2026-11-14", end_date: "2026-11-20" }
  const older = { start_date: "2026-10-12", end_date: "2026-11-13" }
  const compare = async (one: typeof newer, other: typeof newer) =>
    CompareResponseSchema.parse(
      await read({
        type: "compare",
        metric: "asleep",
        ...one,
        with_start_date: other.start_date,
        with_end_date: other.end_date,
      }),
    )
  const [forth, back] = [await compare(newer, older), await compare(older, newer)]
  expect([forth.source.provider, back.source.provider]).toEqual(["apple_health", "apple_health"])
  expect([forth.with.n, back.period.n]).toEqual([3, 3])
})

describe("a date without an activity is zero only where a source would have had it", () => {
  const COUNTED = ["workout_count", "workout", "distance", "zone_2_hours", "nap", "workout:running"]
  const datesOf = async (metric: string) => {
    const trend = TrendResponseSchema.parse(await read({ type: "trend", metric, days: 120, points: true }))
    return trend.points?.map(([date]) => date) ?? []
  }

  beforeEach(() => changeDevice("2026-10-01"))

  test.each(COUNTED)("%s after a change to a device that has none", async (metric) => {
    await run(`delete from restwell.record where provider = 'apple_health'
      and (kind = 'workout' or detail ->> 'isNap' = 'true')`)
    const dates = await datesOf(metric)
    expect(dates.length).toBeGreaterThan(20)
    expect(dates.at(-1)).toBe("2026-09-30")
    const compared = await read({ type: "compare", metric, days: 30, end_date: "2026-10-30" })
    expect(compared).toMatchObject({ period: { n: 0 }, verdict: "not_enough_data" })
  })

  test.each(COUNTED)("%s of a device that has one at any time", async (metric) => {
    const dates = await datesOf(metric)
    expect(dates.at(-1)).toBe("2026-11-19")
    // A vendor that lists workouts and naps would have had them, and zones are known by those of a workout.
    await run(
      "delete from restwell.record where provider = 'whoop' and (kind = 'workout' or detail ->> 'isNap' = 'true')",
    )
    await run("update restwell.person set data_version = data_version + 1")
    const first = (await datesOf(metric))[0] ?? ""
    if (metric === "zone_2_hours") expect(first).toBe("2026-10-01")
    else expect(first < "2026-09-01").toBe(true)
  })
})

test("a round number of nights is that of all devices", async () => {
  await changeDevice("2026-09-01")
  const nightsOf = async (source: "whoop" | "apple_health") => {
    const trend = TrendResponseSchema.parse(
      await read({ type: "trend", metric: "asleep", days: 130, points: true, source }),
    )
    return trend.points?.map(([date]) => date) ?? []
  }
  const nights = [...(await nightsOf("whoop")), ...(await nightsOf("apple_health"))]
  const date = nights[99]
  if (date === undefined) throw new Error("fewer than 100 nights")
  expect(DayResponseSchema.parse(await read({ type: "day", date })).best).toMatchObject({ kind: "count", value: 100 })
})

test("a best is named with its device where another one has values too", async () => {
  const bestOf = async () => DayResponseSchema.parse(await read({ type: "day", date: "2026-11-19" })).best
  await run(`update restwell.record set detail = jsonb_set(detail::jsonb, '{restingHeartRateBpm}', '30')
    where kind = 'recovery' and date = '2026-11-19'`)
  await run("update restwell.person set data_version = data_version + 1")
  expect(await bestOf()).toMatchObject({ metric: "resting_heart_rate", source: null })
  await changeDevice("2026-08-01")
  expect(await bestOf()).toMatchObject({ metric: "resting_heart_rate", source: "apple_health" })
})

test.each([
  ["recovery_score", /Recovery of whoop and of apple_health .* scale of its own/],
  ["strain", /Strain of whoop and of apple_health .* scale of its own/],
  ["hrv", /whoop computes HRV as rmssd and apple_health as sdnn: .* different figures/],
])("two devices have no difference of %s, which is not on one scale", async (metric, note) => {
  await run(`insert into restwell.connection (user_id, provider, status, status_changed_at, connected_at, next_sync_at, history_complete)
    select user_id, 'apple_health', 'archive', now(), now(), 'infinity', true from restwell.connection`)
  await run(`insert into restwell.record (user_id, provider, kind, provider_id, date, started_at, ended_at, utc_offset_minutes, score_state,
      vendor_updated_at, sleep_provider_id, cycle_provider_id, skin_temp_deviation, from_archive, candidate, detail, raw)
    select user_id, 'apple_health', kind, provider_id, date, started_at, ended_at, utc_offset_minutes, score_state, vendor_updated_at,
      sleep_provider_id, cycle_provider_id, skin_temp_deviation, true, candidate, detail, raw
    from restwell.record where provider = 'whoop' and kind in ('recovery', 'cycle')`)
  await run("update restwell.person set data_version = data_version + 1")
  const compared = async (id: string) =>
    CompareResponseSchema.parse(
      await read({ type: "compare", metric: id, days: 30, source: "whoop", with_source: "apple_health" }),
    )
  const answer = await compared(metric)
  const nothing = { difference: null, interval: null, effect_size: null, verdict: "not_enough_data" }
  expect(answer).toMatchObject({ ...nothing, comparable: false })
  expect(answer.period.mean).not.toBeNull()
  expect(answer.notes.join(" ")).toMatch(note)
  expect(await compared("resting_heart_rate")).toMatchObject({ difference: 0, comparable: true })
})
