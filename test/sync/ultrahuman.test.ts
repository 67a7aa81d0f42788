// Ultrahuman by a personal token: a date a call, nights that come late or are carried over, doubled points, zones that are those of now.
import { connectWithKey } from "@restwell/core"
import type { Person, UltrahumanSimulator, WirePoint } from "@restwell/simulator"
import { hostileFormsOf } from "@restwell/testing/hostile"
import { startUltrahumanBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, expectTruth, storedRows, type World } from "@restwell/testing/world"
import fc from "fast-check"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { withoutHistory } from "./one-person.ts"

const NOW = new Date("2026-11-20T12:00:00Z")
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

let vendor: UltrahumanSimulator
let world: World
beforeAll(async () => {
  const simulator = await startVendor({ seed: "ultrahuman", now: NOW, days: 40 })
  vendor = await startUltrahumanBeside(simulator)
  world = await createWorld({ simulator, vendor: "ultrahuman", beside: { ultrahuman: vendor }, timeoutMs: 20_000 })
})
afterEach(() => vendor.faults.clear())
afterAll(async () => {
  await world.close()
  await vendor.close()
  await world.simulator.close()
})

/** A person without any day, in UTC, whose days a test writes. */
async function empty(name: string): Promise<{ readonly person: Person; readonly userId: string }> {
  const subject = await withoutHistory(world, name)
  vendor.moveTo(subject.person, "Etc/UTC")
  return subject
}

const put = (person: Person, id: string, metrics: readonly WirePoint[]) => vendor.edit.days.put(person, { id, metrics })

const unix = (instant: string): number => Date.parse(instant) / 1000

const nightOn = (date: string, more: object = {}): WirePoint => ({
  type: "sleep",
  object: {
    bedtime_start: unix(`${date}T00:10:00Z`),
    bedtime_end: unix(`${date}T07:50:00Z`),
    sleep_score: { score: 79 },
    total_sleep: { minutes: 415 },
    time_in_bed: { minutes: 460 },
    deep_sleep: { minutes: 90 },
    light_sleep: { minutes: 225 },
    rem_sleep: { minutes: 100 },
    temperature_deviation: { celsius: -0.2 },
    sleep_stages: [{ type: "awake", stage_time: 2700 }],
    ...more,
  },
})
const value = (type: string, figure: unknown, more: object = {}): WirePoint => ({
  type,
  object: { value: figure, ...more },
})
const steps = (total: number, values: readonly object[] = []): WirePoint => ({
  type: "steps",
  object: { total, values },
})

const keysOf = async (userId: string) =>
  (await storedRows(world, userId)).map(({ kind, provider_id: id }) => `${kind}/${id}`)

const recordOf = async (userId: string, kind: string, id: string) => {
  const { rows } = await world.store.pool.query(
    `select date::text, started_at, ended_at, utc_offset_minutes as offset, detail, course from restwell.record
     where user_id = $1 and kind = $2 and provider_id = $3`,
    [userId, kind, id],
  )
  return rows[0]
}

const callsOf = ({ userId }: Person) => vendor.requestLog.entries.filter(({ personId }) => personId === userId)

test("a date is the figures of its night and day, and the score is the recovery index", async () => {
  const { person, userId } = await empty("date")
  put(person, "2026-11-19", [
    nightOn("2026-11-19"),
    value("recovery_index", 71),
    value("avg_sleep_hrv", 48),
    value("sleep_rhr", 54),
    { type: "night_rhr", object: { avg: 57, values: [] } },
    steps(7034.4),
  ])
  await world.connect(userId, person)
  expect(await keysOf(userId)).toEqual(["cycle/2026-11-19", "recovery/2026-11-19", "sleep/2026-11-19"])
  expect(await recordOf(userId, "recovery", "2026-11-19")).toMatchObject({
    date: "2026-11-19",
    detail: { scorePercent: 71, hrvMs: 48, restingHeartRateBpm: 54, skinTempDeviationCelsius: -0.2 },
  })
  expect(await recordOf(userId, "sleep", "2026-11-19")).toMatchObject({
    date: "2026-11-19",
    detail: { scorePercent: 79, durationMs: 460 * 60_000, stages: { deepMs: 5_400_000, awakeMs: 2_700_000 } },
  })
  expect(await recordOf(userId, "cycle", "2026-11-19")).toMatchObject({ detail: { steps: 7034 } })
})

test("an empty day, an object without values and a night without a score are no records, and the night comes later", async () => {
  const { person, userId } = await empty("late")
  const [score, late] = [nightOn("2026-11-19", { sleep_score: null }), nightOn("2026-11-19")]
  put(person, "2026-11-19", [score, steps(0), { type: "hr", object: { values: [] } }, value("recovery_index", null)])
  await world.connect(userId, person)
  expect(await keysOf(userId)).toEqual([])
  put(person, "2026-11-19", [late, value("recovery_index", 64)])
  world.simulator.clock.advance(HOUR_MS)
  await world.sync(userId)
  expect(await keysOf(userId)).toEqual(["recovery/2026-11-19", "sleep/2026-11-19"])
})

test("figures that are carried over from the day before are not the date's", async () => {
  const { person, userId } = await empty("carried")
  put(person, "2026-11-18", [nightOn("2026-11-18"), value("recovery_index", 70), value("avg_sleep_hrv", 50)])
  put(person, "2026-11-19", [
    nightOn("2026-11-18"),
    value("recovery_index", 70),
    value("avg_sleep_hrv", 50),
    value("sleep_rhr", 52, { day_start_timestamp: unix("2026-11-18T00:00:00Z") }),
    steps(900),
  ])
  await world.connect(userId, person)
  expect(await keysOf(userId)).toEqual(["cycle/2026-11-19", "recovery/2026-11-18", "sleep/2026-11-18"])
})

test("a point that comes twice is one, a second sleep beside the night is kept, and one that overlaps is not", async () => {
  const { person, userId } = await empty("doubled")
  const nap = nightOn("2026-11-19", {
    bedtime_start: unix("2026-11-19T13:00:00Z"),
    bedtime_end: unix("2026-11-19T14:00:00Z"),
  })
  const inside = nightOn("2026-11-19", { bedtime_end: unix("2026-11-19T06:00:00Z") })
  put(person, "2026-11-19", [inside, nightOn("2026-11-19"), nightOn("2026-11-19"), nap, steps(10), steps(4000)])
  await world.connect(userId, person)
  expect(await keysOf(userId)).toEqual([
    "cycle/2026-11-19",
    "recovery/2026-11-19",
    "sleep/2026-11-19",
    `sleep/2026-11-19-${unix("2026-11-19T13:00:00Z")}`,
  ])
  expect(await recordOf(userId, "sleep", "2026-11-19")).toMatchObject({ ended_at: new Date("2026-11-19T07:50:00Z") })
  expect(await recordOf(userId, "cycle", "2026-11-19")).toMatchObject({ detail: { steps: 4000 } })
})

test("stages that do not add up to the time asleep are left out, and so is a hypnogram whose spans overlap", async () => {
  const { person, userId } = await empty("stages")
  const [start, middle] = [unix("2026-11-19T00:10:00Z"), unix("2026-11-19T01:10:00Z")]
  const span = (from: number, to: number, type: string) => ({ start: from, end: to, type })
  const twice = [span(start, middle, "deep_sleep"), span(start, middle, "deep_sleep")]
  put(person, "2026-11-18", [nightOn("2026-11-18", { deep_sleep: { minutes: 20 } })])
  put(person, "2026-11-19", [nightOn("2026-11-19", { sleep_graph: { data: twice } })])
  put(person, "2026-11-20", [
    nightOn("2026-11-20", {
      sleep_graph: {
        data: [span(start + 86_400, middle + 86_400, "awake"), span(start + 86_460, middle + 86_400, "rem_sleep")],
      },
    }),
  ])
  await world.connect(userId, person)
  const [sums, doubled, overlapping] = await Promise.all(
    ["2026-11-18", "2026-11-19", "2026-11-20"].map((id) => recordOf(userId, "sleep", id)),
  )
  expect(sums.detail).toMatchObject({ asleepMs: 415 * 60_000 })
  expect(sums.detail.stages).toBeUndefined()
  expect(doubled.course).not.toBeNull()
  expect([overlapping.course, overlapping.detail.stages.awakeMs]).toEqual([null, 2_700_000])
})

test("after a journey the days before keep the local times of their first reading", async () => {
  const { person, userId } = await empty("journey")
  vendor.moveTo(person, "Asia/Kolkata")
  put(person, "2026-11-19", [nightOn("2026-11-19"), steps(5000)])
  await world.connect(userId, person)
  const read = async () => [
    await recordOf(userId, "sleep", "2026-11-19"),
    await recordOf(userId, "cycle", "2026-11-19"),
  ]
  const before = await read()
  expect(before).toMatchObject([{ offset: 330 }, { offset: 330, started_at: new Date("2026-11-18T18:30:00Z") }])
  vendor.moveTo(person, "America/New_York")
  put(person, "2026-11-19", [nightOn("2026-11-19", { sleep_score: { score: 80 } }), steps(5001)])
  world.simulator.clock.advance(HOUR_MS)
  await world.sync(userId)
  const after = await read()
  expect(after.map(({ detail: _, ...row }) => row)).toEqual(before.map(({ detail: _, ...row }) => row))
  expect(after).toMatchObject([{ detail: { scorePercent: 80 } }, { detail: { steps: 5001 } }])
})

test("a history goes over an empty gap of 59 days, ends at one that is far longer, and asks for no day of the future", async () => {
  const { person, userId } = await empty("gap")
  const date = (back: number) => new Date(world.simulator.clock.nowMs() - back * DAY_MS).toISOString().slice(0, 10)
  for (const back of [1, 61, 300]) put(person, date(back), [nightOn(date(back))])
  await world.connect(userId, person)
  await world.runDue()
  expect((await keysOf(userId)).filter((key) => key.startsWith("sleep/"))).toEqual(
    [date(61), date(1)].map((id) => `sleep/${id}`),
  )
  const dates = callsOf(person).map(({ query }) => new URLSearchParams(query).get("date") ?? "")
  expect(dates.every((asked) => asked <= date(0))).toBe(true)
  expect(dates.every((asked) => asked >= date(61 + 60 + 31))).toBe(true)
})

test("a token is checked with one call, one that is refused later asks for another, and a new one of the person replaces it", async () => {
  const person = world.simulator.people.add({ email: "renewed@example.com" })
  const userId = await world.addUser()
  const connection = { userId, provider: "ultrahuman" }
  const connect = (key: string) => connectWithKey(world.context, connection, key)
  await connect(vendor.keyOf(person))
  expect(callsOf(person)).toHaveLength(1)
  await world.sync(userId)
  vendor.renewKey(person)
  await world.sync(userId)
  const { rows } = await world.store.pool.query("select status from restwell.connection where user_id = $1", [userId])
  expect(rows).toEqual([{ status: "reauthorization_required" }])
  await expect(connect(`Bearer ${vendor.keyOf(person)}`)).rejects.toMatchObject({ code: "invalid_request" })
  await connect(vendor.keyOf(person))
  const other = world.simulator.people.add({ email: "another@example.com" })
  await expect(connect(vendor.keyOf(other))).rejects.toMatchObject({ code: "conflict" })
})

test.each([
  ["opaque", "opaque"],
  ["opaque", "claims"],
  ["claims", "opaque"],
] as const)(
  "where a token is %s and the next one %s, nobody is named, so the next one goes on with the data",
  async (first, second) => {
    const { person, userId } = await empty(`${first}-${second}`)
    put(person, "2026-11-19", [nightOn("2026-11-19")])
    vendor.renewKey(person, first)
    await world.connect(userId, person)
    vendor.renewKey(person, second)
    await world.sync(userId)
    const statusOf = async () =>
      (await world.store.pool.query("select status from restwell.connection where user_id = $1", [userId])).rows[0]
        .status
    expect(await statusOf()).toBe("reauthorization_required")
    put(person, "2026-11-20", [nightOn("2026-11-20")])
    await world.connect(userId, person)
    expect(await statusOf()).toBe("ok")
    const nights = ["2026-11-19", "2026-11-20"].map((date) => `sleep/${date}`)
    expect(await keysOf(userId)).toEqual(expect.arrayContaining(nights))
  },
)

test("a token that names nobody may not be in two accounts, and one that names another person is refused after a change of form", async () => {
  const { person, userId } = await empty("two-accounts")
  vendor.renewKey(person, "opaque")
  await world.connect(userId, person)
  await expect(world.connect(await world.addUser(), person)).rejects.toMatchObject({ code: "conflict" })
  vendor.renewKey(person)
  await world.connect(userId, person)
  const other = await empty("third-person")
  await expect(world.connect(userId, other.person)).rejects.toMatchObject({ code: "conflict" })
})

test("an answer with status 200 may be a refusal of the token", async () => {
  const { person, userId } = await empty("inside")
  await world.connect(userId, person)
  vendor.faults.add({
    kind: "transform",
    transform: () => ({ data: null, error: "User has not shared access!", status: 401 }),
  })
  await world.sync(userId)
  const { rows } = await world.store.pool.query("select status from restwell.connection where user_id = $1", [userId])
  expect(rows).toEqual([{ status: "reauthorization_required" }])
})

test("hostile entries of a date cost themselves alone, whatever their text and figures", async () => {
  const { person, userId } = await empty("hostile")
  const dates = Array.from({ length: 40 }, (_, index) =>
    new Date(world.simulator.clock.nowMs() - (index + 1) * DAY_MS).toISOString().slice(0, 10),
  )
  const entriesOf = (date: string) => [
    nightOn(date),
    value("recovery_index", 71),
    steps(4000, [{ timestamp: unix(`${date}T09:00:00Z`), value: 20 }]),
    { type: "hr", object: { values: [{ timestamp: unix(`${date}T02:00:00Z`), value: 51 }] } },
  ]
  for (const date of dates) put(person, date, entriesOf(date))
  const hostile = new Map(
    dates
      .filter((_, index) => index % 2 === 0)
      .map((date, index) => {
        const forms = entriesOf(date).map((entry) => fc.sample(hostileFormsOf(entry), { seed: index, numRuns: 1 }))
        return [date, `[${forms.flat().map(({ text }) => text)}]`]
      }),
  )
  const repair = vendor.faults.add({
    match: { personId: person.userId },
    kind: "rewrite",
    rewrite(reply) {
      const [date = ""] = /\d{4}-\d\d-\d\d/.exec(reply) ?? []
      const text = hostile.get(date)
      const zone = ["Etc/UTC", "Nowhere/Else", "", null][date.charCodeAt(9) % 4]
      const rest = `"latest_time_zone":${JSON.stringify(zone)}},"error":null,"status":200`
      return text ? `{"data":{"metrics":{"${date}":${text}},${rest}}` : reply
    },
  })
  await world.connect(userId, person)
  await world.runDue()
  repair()
  const { rows } = await world.store.pool.query(
    "select status, history_complete as complete, gaps from restwell.connection where user_id = $1",
    [userId],
  )
  expect(rows).toEqual([{ status: "ok", complete: true, gaps: [] }])
  for (const date of dates.filter((each) => !hostile.has(each))) {
    expect((await recordOf(userId, "recovery", date)).detail, date).toMatchObject({ scorePercent: 71 })
    expect((await recordOf(userId, "cycle", date)).detail, date).toMatchObject({ steps: 4000 })
    expect((await recordOf(userId, "sleep", date)).detail, date).toMatchObject({ scorePercent: 79 })
  }
})

test("everything of a date is one call, whichever records are made of it", async () => {
  const { person, userId } = await empty("calls")
  await world.connect(userId, person)
  await world.runDue()
  vendor.requestLog.clear()
  await world.sync(userId)
  const dates = callsOf(person).map(({ query }) => query)
  expect(dates.length).toBeLessThanOrEqual(7)
})

test("a first sync stores exactly what the vendor has, and the next days change only what changed", async () => {
  const person = world.simulator.people.add({ email: "first@example.com" })
  const userId = await world.addUser()
  await world.connect(userId, person)
  await world.runDue()
  expect(await expectTruth(world, { userId, person })).toBeGreaterThan(60)
  for (let hours = 0; hours < 48; hours += 12) {
    world.simulator.clock.advance(12 * HOUR_MS)
    await world.runDue()
  }
  await expectTruth(world, { userId, person })
})

test.each([
  ["America/Los_Angeles", "Asia/Tokyo", "07:30"],
  ["America/New_York", "Asia/Tokyo", "07:30"],
  ["Asia/Tokyo", "America/Los_Angeles", "07:30"],
  ["Australia/Sydney", "America/Los_Angeles", "06:30"],
  ["Pacific/Auckland", "America/Los_Angeles", "06:30"],
  ["Pacific/Auckland", "Pacific/Honolulu", "06:30"],
  ["America/Los_Angeles", "Pacific/Auckland", "09:30"],
])("a flight from %s to %s costs none of the days before it", async (home, away, waking) => {
  const { person, userId } = await empty(`flight-${home}-${away}`.replaceAll("/", "-"))
  vendor.moveTo(person, home)
  const at = (date: string, time: string) =>
    Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(home).epochMilliseconds / 1000
  const dayOf = (date: string, night: string): readonly WirePoint[] => {
    const begin = { day_start_timestamp: at(date, "00:00") }
    const bedtimes = { bedtime_start: at(night, "00:10"), bedtime_end: at(night, waking) }
    const pulse = { ...begin, values: [{ timestamp: at(date, "05:00"), value: 51 }] }
    return [
      nightOn(date, bedtimes),
      value("sleep_rhr", 54, begin),
      { type: "steps", object: { ...begin, total: 5000, values: [] } },
      { type: "hr", object: pulse },
    ]
  }
  const dates = ["2026-11-17", "2026-11-18"]
  for (const date of dates) put(person, date, dayOf(date, date))
  // Before the phone has synced, a date has what the day before has.
  put(person, "2026-11-19", [...dayOf("2026-11-18", "2026-11-18"), steps(300)])
  await world.connect(userId, person)
  await world.runDue()
  const read = async () => ({
    records: await Promise.all(
      dates.flatMap((date) => ["sleep", "recovery", "cycle"].map((kind) => recordOf(userId, kind, date))),
    ),
    keys: await keysOf(userId),
    pulses: (
      await world.store.pool.query(
        "select sum(count)::int as pulses from restwell.series_day where user_id = $1 and type = 'heart_rate'",
        [userId],
      )
    ).rows,
  })
  const before = await read()
  expect(before.keys).toEqual([
    ...["2026-11-17", "2026-11-18", "2026-11-19"].map((date) => `cycle/${date}`),
    ...["recovery", "sleep"].flatMap((kind) => dates.map((date) => `${kind}/${date}`)),
  ])
  expect(before.records[1]).toMatchObject({ detail: { restingHeartRateBpm: 54 } })
  vendor.moveTo(person, away)
  const now = world.simulator.clock.now()
  // All days of two weeks are read again.
  world.simulator.clock.advance(25 * HOUR_MS)
  await world.sync(userId)
  world.simulator.clock.set(now)
  expect(await read()).toEqual(before)
})
