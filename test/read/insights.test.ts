import { createHealthReader, type HealthReader, type InsightLimits, type InsightQuery } from "@restwell/core"
import type { Person } from "@restwell/simulator"
import { createWorld, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Asking, readInsight, readMetrics, readTrend, relate } from "./read-insights.ts"

const TODAY = "2026-11-20"
let world: World
let person: Person
let userId: string
let asking: Asking
/** Caches nothing: it reads every answer from the store. */
let uncached: HealthReader
beforeEach(async () => {
  world = await createWorld({ days: 120 })
  person = world.simulator.people.add({ email: "ada@example.com" })
  userId = await world.addUser()
  await world.connect(userId, person)
  asking = { world, userId }
  uncached = createHealthReader(world.context, { pool: world.store.pool, cacheBytes: 0 })
})
afterEach(() => world.close())

const run = (statement: string) => world.store.pool.query(statement)

/** Copies the nights of WHOOP to the other source. @param detail what they are there */
const copyNights = (detail: string, where = "") =>
  run(`insert into restwell.record (user_id, provider, kind, provider_id, date, started_at, ended_at, utc_offset_minutes, score_state,
      vendor_updated_at, sleep_provider_id, cycle_provider_id, skin_temp_deviation, from_archive, candidate, detail, raw)
    select user_id, 'apple_health', kind, provider_id, date, started_at, ended_at, utc_offset_minutes, score_state, vendor_updated_at,
      sleep_provider_id, cycle_provider_id, skin_temp_deviation, true, candidate, ${detail}, raw
    from restwell.record where provider = 'whoop' and kind = 'sleep' and detail #>> '{isNap}' = 'false' ${where}`)
const grow = () => run("update restwell.person set data_version = data_version + 1")

const QUESTIONS: readonly InsightQuery[] = [
  { type: "metrics" },
  { type: "trend", metric: "hrv", days: 90, by: "month", points: true },
  { type: "compare", metric: "bedtime", days: 28 },
  { type: "relate", outcome: "hrv", factor: "strain", lag: 1 },
  { type: "relate", outcome: "recovery_score" },
]

test("a cached answer is that of the store, until the data change", async () => {
  for (const query of QUESTIONS) {
    const first = await readInsight(asking, query)
    expect(await readInsight(asking, query)).toEqual(first)
    expect(await readInsight(asking, query, { reader: uncached })).toEqual(first)
  }
  const before = await readTrend(asking, { metric: "asleep" })
  const [sleep] = world.simulator.records(person).sleeps
  if (!sleep) throw new Error("the simulated person has no sleep")
  world.simulator.clock.advance(60_000)
  world.simulator.edit.sleep.patch(person, sleep.id, { score_state: "UNSCORABLE", score: undefined })
  await world.sync(userId)
  const after = await readTrend(asking, { metric: "asleep" })
  expect(after).not.toEqual(before)
  for (const query of QUESTIONS)
    expect((await readInsight(asking, query)).body).toEqual(
      (await readInsight(asking, query, { reader: uncached })).body,
    )
})

test("tomorrow has answers of its own", async () => {
  const today = await readInsight(asking, { type: "trend", metric: "hrv", days: 30 })
  world.simulator.clock.advance(86_400_000)
  const tomorrow = await readInsight(asking, { type: "trend", metric: "hrv", days: 30 })
  expect(tomorrow.etag).not.toBe(today.etag)
  expect(tomorrow.body).toMatchObject({ period: { end_date: "2026-11-21" } })
})

describe("a change of source", () => {
  beforeEach(async () => {
    await run(`insert into restwell.connection (user_id, provider, status, status_changed_at, connected_at, next_sync_at, history_complete)
      select user_id, 'apple_health', 'archive', now(), now(), 'infinity', true from restwell.connection`)
    await run("update restwell.record set provider = 'apple_health', from_archive = true where date < '2026-10-01'")
    await grow()
  })

  test("leaves the values of the current source, and the answer says how many dates only others have", async () => {
    const trend = await readTrend(asking, { metric: "hrv" })
    expect(trend).toMatchObject({ source: { provider: "whoop" }, method: "rmssd" })
    expect(trend.points?.[0]?.[0]).toMatch(/^2026-10-0/)
    expect(trend.notes).toContainEqual(
      expect.stringMatching(
        /: all values are from whoop\. \d\d days that only apple_health recorded are left out\. .* source=apple_health /,
      ),
    )
  })

  test("for one night cuts nothing, although the other device answers that night", async () => {
    const before = await readTrend(asking, { metric: "asleep", days: 40 })
    const shorter =
      "jsonb_set(detail::jsonb, '{stages,lightMs}', to_jsonb((detail #>> '{stages,lightMs}')::numeric - 3600000))"
    await copyNights(shorter, "and date = '2026-11-18'")
    await run(`insert into restwell.source_choice (user_id, type, date, provider)
      select user_id, 'sleep', '2026-11-18', 'apple_health' from restwell.person`)
    await grow()
    const { source: _, sources: __, ...after } = await readTrend(asking, { metric: "asleep", days: 40 })
    expect(after).toEqual(expect.objectContaining({ n: before.n, mean: before.mean, points: before.points }))
  })

  test("leaves a figure that the current source does not give to the one that gives it", async () => {
    const alone = await readTrend(asking, { metric: "sleep_need", days: 20 })
    const relation = await relate(asking, { outcome: "hrv", factor: "sleep_need", days: 20 })
    await copyNights("detail::jsonb - 'needMs'")
    await run(`insert into restwell.source_order (user_id, type, providers)
      select user_id, 'sleep', '{apple_health,whoop}' from restwell.person`)
    await grow()
    expect(await readTrend(asking, { metric: "asleep", days: 20 })).toMatchObject({
      source: { provider: "apple_health" },
    })
    const beside = await readTrend(asking, { metric: "sleep_need", days: 20 })
    expect(beside).toMatchObject({ source: { provider: "whoop" }, points: alone.points })
    expect(await relate(asking, { outcome: "hrv", factor: "sleep_need", days: 20 })).toMatchObject({
      n: "n" in relation && relation.n > 10 && relation.n,
    })
  })

  test("does not concern a period after it", async () => {
    const trend = await readTrend(asking, { metric: "hrv", days: 30 })
    expect(trend.notes.join()).not.toContain("apple_health")
  })

  test("the older source answers alone when it is asked", async () => {
    const trend = await readTrend(asking, { metric: "hrv", source: "apple_health" })
    expect(trend).toMatchObject({ source: { provider: "apple_health" }, method: "sdnn" })
    expect(trend.points?.at(-1)?.[0]).toMatch(/^2026-09-/)
    expect(trend.notes.join()).not.toContain("left out, because")
  })

  test("does not cut counts of activities, and the catalogue has both sources", async () => {
    const { points } = await readTrend(asking, { metric: "workout_count" })
    expect(points?.[0]?.[0] ?? "").toMatch(/^2026-0[78]/)
    const hrv = (await readMetrics(asking)).metrics.find(({ id }) => id === "hrv")
    expect(hrv?.sources).toEqual(["apple_health", "whoop"])
  })
})

test("counts are zero on dates with records and without an activity", async () => {
  const { points } = await readTrend(asking, { metric: "workout_count" })
  expect(points?.filter(([, value]) => value === 0).length).toBeGreaterThan(10)
  const { rows } = await world.store.pool.query(
    `select count(*)::int as n from restwell.record where kind = 'workout' and detail ->> 'countsAsWorkout' = 'true'
     and date > $1::date - 120`,
    [TODAY],
  )
  expect(points?.reduce((sum, [, value]) => sum + Number(value), 0)).toBe(rows[0]?.n)
})

test("a pending night is said to be pending, and is neither missing nor zero", async () => {
  await run(`update restwell.record set score_state = 'pending', detail = detail::jsonb - 'stages' || '{"scoreState": "pending"}'
    where kind = 'sleep' and date = '${TODAY}'`)
  await grow()
  const { points, missing, notes, latest } = await readTrend(asking, { metric: "asleep", days: 30 })
  expect(points?.at(-1)?.[0]).toBe("2026-11-19")
  expect(latest?.date).toBe("2026-11-19")
  expect(missing).toBe((await readTrend(asking, { metric: "asleep", days: 30, end_date: "2026-11-19" })).missing)
  expect(notes).toContain(`Time asleep for ${TODAY} is not scored yet, so it is left out.`)
})

test("the open cycle is left out and said to be", async () => {
  const { points, notes } = await readTrend(asking, { metric: "strain", days: 30 })
  expect(points?.map(([date]) => date)).not.toContain(TODAY)
  expect(notes.join()).toMatch(new RegExp(`Strain for ${TODAY} is not (scored|final) yet, so it is left out`))
})

/** On nights after alcohol the HRV is 30 ms lower. */
async function noteAlcohol(): Promise<void> {
  await run(`insert into restwell.journal_entry (user_id, provider, provider_id, date, at, utc_offset_minutes, question, factor, answer)
      select user_id, provider, 'alcohol ' || date, date, started_at, 60, 'Alcohol?', 'alcohol', extract(day from date)::int % 3 = 0
      from restwell.record where kind = 'recovery' and date <> '2026-11-10'`)
  await run(`update restwell.record set detail = jsonb_set(detail::jsonb, '{hrvMs}',
      to_jsonb((detail #>> '{hrvMs}')::numeric - 30))
      where kind = 'recovery' and extract(day from date)::int % 3 = 0 and detail -> 'hrvMs' is not null`)
  await grow()
}

describe("factors of the journal", () => {
  beforeEach(noteAlcohol)

  test("yes and no are told apart, and dates without an answer are neither", async () => {
    const relation = await relate(asking, { outcome: "hrv", factor: "journal:alcohol", days: 100 })
    expect(relation).toMatchObject({ factor: "journal:alcohol", unanswered: 1, verdict: "lower" })
    if (!("yes" in relation)) throw new Error("no answers")
    expect(relation.yes.n + relation.no.n).toBe(relation.n)
    expect(relation.difference ?? 0).toBeLessThan(-20)
  })

  test("are in the catalogue, and among all that are tried", async () => {
    const { metrics, count } = await readMetrics(asking)
    expect([metrics.length, metrics.at(-1)]).toEqual([count, expect.objectContaining({ id: "journal:alcohol" })])
    const all = await relate(asking, { outcome: "hrv", days: 100 })
    if (!("relations" in all)) throw new Error("one relation")
    expect(all.relations.map(({ factor }) => factor)).not.toContain("hrv")
    expect(all.relations.find(({ factor }) => factor === "journal:alcohol")).toMatchObject({
      kind: "yes_no",
      verdict: "lower",
    })
  })

  test("an unknown one of a trend is answered with the names of those with answers", async () => {
    const { n, verdict, notes } = await readTrend(asking, { metric: "journal:sauna" })
    expect([n, verdict, notes.join()]).toEqual([0, "not_enough_data", expect.stringContaining("alcohol")])
  })

  test("a reader with limits gets nothing beyond them", async () => {
    const limits: InsightLimits = { isForAssistant: true, groups: ["recovery", "sleep"], from: "2026-10-01" }
    const all = await relate(asking, { outcome: "hrv", days: 40 }, limits)
    if (!("relations" in all)) throw new Error("one relation")
    const factors = all.relations.map(({ factor }) => factor)
    expect(factors).toContain("asleep")
    for (const hidden of ["strain", "workout", "journal:alcohol"]) expect(factors).not.toContain(hidden)
    const { metrics } = await readMetrics(asking, limits)
    expect(metrics.map(({ id }) => id)).not.toContain("strain")
    for (const { first_date } of metrics) expect(first_date ?? limits.from).toMatch(/^2026-1[01]-/)
    // The person's own answer comes from another entry of the response cache.
    expect((await readMetrics(asking)).metrics.map(({ id }) => id)).toContain("strain")
  })
})

describe("what relations and trends say beside their figures", () => {
  beforeEach(noteAlcohol)

  test("with lag 1 the answer says that a journal is dated by waking, and has the result of lag 0", async () => {
    const late = await relate(asking, { outcome: "hrv", factor: "journal:alcohol", days: 100, lag: 1 })
    const same = await relate(asking, { outcome: "hrv", factor: "journal:alcohol", days: 100, lag: 0 })
    if (!("yes" in late && "yes" in same)) throw new Error("no answers")
    const { difference, interval, verdict, yes, no } = same
    expect(late.lag_0).toEqual({ yes_n: yes.n, no_n: no.n, difference, interval, verdict })
    expect(late.notes.join(" ")).toMatch(/dated by the morning after it.+With lag 0 the verdict is: lower\./)
    expect(same).not.toHaveProperty("lag_0")
    expect(same.notes).toContainEqual(expect.stringContaining("Weekdays are evened out first"))
    expect(same.notes).toContainEqual(
      expect.stringContaining("Slow changes and weekdays are taken out of the difference"),
    )
    const all = await relate(asking, { outcome: "hrv", days: 100, lag: 1 })
    expect(all.notes.join(" ")).toContain("Ask with lag 0 for it.")
  })

  test("an unknown factor is refused with the nearest one, also if the known one has no answer in the period", async () => {
    const unknown = relate(asking, { outcome: "hrv", factor: "journal:alcool", days: 100 })
    await expect(unknown).rejects.toThrow("did you mean journal:alcohol?")
    const before = await relate(asking, {
      outcome: "hrv",
      factor: "journal:alcohol",
      start_date: "2026-01-01",
      end_date: "2026-01-31",
    })
    expect(before).toMatchObject({ n: 0, verdict: "not_enough_data" })
  })

  test("a part of the outcome is marked, alone and at the end of the list", async () => {
    expect(await relate(asking, { outcome: "recovery_score", factor: "hrv" })).toMatchObject({ part_of_outcome: true })
    const all = await relate(asking, { outcome: "recovery_score", days: 100 })
    if (!("relations" in all)) throw new Error("one relation")
    const parts = all.relations.map(({ part_of_outcome: isPart }) => isPart)
    expect(parts.filter(Boolean)).toHaveLength(3)
    expect(parts.slice(-3)).toEqual([true, true, true])
    const names = all.relations.map(({ factor }) => factor)
    for (const done of ["journal:alcohol", "strain", "bedtime"])
      expect(names.indexOf(done)).toBeLessThan(Math.min(names.indexOf("asleep"), names.indexOf("spo2")))
    const tested = all.relations.filter(
      ({ part_of_outcome: isPart, verdict }) => !isPart && verdict !== "not_enough_data",
    )
    expect(all.tried).toBe(tested.length)
  })

  test("weekdays of nights and of the journal are those of waking", async () => {
    const waking = async (metric: string, by: "week" | "weekday" = "weekday") =>
      (await readTrend(asking, { metric, by })).weekday_of
    expect(await waking("hrv")).toBe("waking")
    expect(await waking("bedtime")).toBe("waking")
    expect(await waking("journal:alcohol")).toBe("waking")
    expect(await waking("strain")).toBeNull()
    expect(await waking("nap")).toBeNull()
    expect(await waking("hrv", "week")).toBeNull()
  })
})

test("figures that only some metrics have are in `extras`", async () => {
  const debt = await readTrend(asking, { metric: "strain", days: 30 })
  expect(debt.extras).toMatchObject({ load: { n_28_days: expect.any(Number) } })
  const midsleep = await readTrend(asking, { metric: "midsleep", days: 60 })
  expect(midsleep.extras?.social_jetlag_minutes).toBeTypeOf("number")
  expect(midsleep.extras?.regularity_index).toBeGreaterThan(0)
  expect((await readTrend(asking, { metric: "hrv" })).extras).toBeNull()
})

test.each(["workout_count", "workout", "distance", "nap", "workout:running"])(
  "today is no finished day: %s has no value of it, no limit counts it, and a note says so",
  async (metric) => {
    const trend = await readTrend(asking, { metric, days: 30, below: "1" })
    const today = trend.period.end_date
    expect(trend.n).toBeGreaterThan(5)
    expect([...(trend.points?.map(([date]) => date) ?? []), ...(trend.below?.dates ?? [])]).not.toContain(today)
    expect(trend.notes.join(" ")).toContain(`today, ${today}, is not over, so it is left out.`)
  },
)

test("a connected person without any record gets empty answers", async () => {
  await run("delete from restwell.record")
  await grow()
  expect(await readTrend(asking, { metric: "hrv" })).toMatchObject({
    n: 0,
    mean: null,
    points: [],
    verdict: "not_enough_data",
  })
  const { body } = await readInsight(asking, { type: "compare", metric: "hrv", days: 7 })
  expect(body).toMatchObject({ difference: null, verdict: "not_enough_data" })
  expect(await relate(asking, { outcome: "hrv" })).toMatchObject({ tried: 0, relations: [] })
  expect((await readMetrics(asking)).metrics.every(({ n, first_date }) => n === 0 && first_date === null)).toBe(true)
})
