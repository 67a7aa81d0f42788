import type { MetricsResponse, SeriesType } from "@restwell/client"
import { mergeSamples } from "@restwell/core"
import { createWorld, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"
import { type Asking, readMetrics, readTrend } from "./read-insights.ts"

let world: World
let userId: string
let asking: Asking
beforeEach(async () => {
  world = await createWorld({ days: 120 })
  const person = world.simulator.people.add({ email: "ada@example.com" })
  userId = await world.addUser()
  await world.connect(userId, person)
  asking = { world, userId }
})
afterEach(() => world.close())

const weigh = async (provider: string, type: SeriesType, values: readonly (readonly [at: string, value: number])[]) => {
  const samples = values.map(([at, value]) => ({ atMs: Date.parse(at), value, utcOffsetMinutes: 60 }))
  await world.context.database
    .transaction()
    .execute((transaction) => mergeSamples(transaction, { userId, provider }, [{ type, samples }]))
  await world.store.pool.query("update restwell.person set data_version = data_version + 1")
}
const idsOf = ({ metrics }: MetricsResponse) => metrics.map(({ id }) => id)

test("only people who have values see them, and assistants only what is shared", async () => {
  expect(idsOf(await readMetrics(asking))).not.toContain("weight")
  expect(idsOf(await readMetrics(asking))).not.toContain("night_heart_rate")
  await weigh("whoop", "weight", [["2026-11-18T07:00:00Z", 71.25]])
  const { metrics } = await readMetrics(asking)
  expect(metrics.find(({ id }) => id === "weight")).toMatchObject({ unit: "kg", first_date: "2026-11-18", n: 1 })
  const limits = { isForAssistant: true, groups: ["sleep", "recovery"] as const, from: null }
  expect(idsOf(await readMetrics(asking, limits))).not.toContain("weight")
})

test("a weight is the mean of the local date, and nobody waits for today's", async () => {
  await weigh("whoop", "weight", [
    ["2026-11-17T22:30:00Z", 71],
    ["2026-11-17T23:30:00Z", 72],
    ["2026-11-18T08:00:00Z", 73],
  ])
  const { points, notes, sum } = await readTrend(asking, { metric: "weight" })
  expect(points).toEqual([
    ["2026-11-17", 71],
    ["2026-11-18", 72.5],
  ])
  expect([notes, sum]).toEqual([[], null])
})

test("steps of a source that has no daily ones are summed, without today's, which still grow", async () => {
  expect((await readTrend(asking, { metric: "steps" })).n).toBe(0)
  await weigh("whoop", "steps", [
    ["2026-11-19T10:00:00Z", 900],
    ["2026-11-19T18:00:00Z", 1100],
    ["2026-11-20T08:00:00Z", 50],
  ])
  expect((await readTrend(asking, { metric: "steps" })).points).toEqual([["2026-11-19", 2000]])
})

test("the heart rate of a night is that of the values that begin within it", async () => {
  const { rows } = await world.store.pool.query(
    "select started_at, ended_at, utc_offset_minutes from restwell.record where kind = 'sleep' and date = '2026-11-18'",
  )
  const night = rows.toSorted((one, other) => one.started_at - other.started_at)[0]
  const at = (from: Date, minutes: number) => new Date(from.getTime() + minutes * 60_000).toISOString()
  // 48 stands for five minutes twice and for one, 60 for five, and 100 by the second for half a minute.
  const bySecond = Array.from({ length: 30 }, (_, second) => [at(night.started_at, 101 + second / 60), 100] as const)
  await weigh("whoop", "heart_rate", [
    ...bySecond,
    [at(night.started_at, 101.5), 48],
    [at(night.started_at, -1), 40],
    [at(night.started_at, 0), 60],
    [at(night.started_at, 90), 48],
    [at(night.started_at, 100), 48],
    [at(night.ended_at, 0), 41],
  ])
  const pointOf = async (metric: string) => (await readTrend(asking, { metric })).points
  expect(await pointOf("night_heart_rate")).toEqual([["2026-11-18", 53.2]])
  expect(await pointOf("lowest_heart_rate")).toEqual([["2026-11-18", 48]])
  // The minute that a clock showed.
  const minute = Math.floor(night.started_at.getTime() / 60_000) + 90 + night.utc_offset_minutes
  const local = new Date(minute * 60_000).toISOString().slice(11, 16)
  expect(await pointOf("lowest_heart_rate_time")).toEqual([["2026-11-18", local]])
})
