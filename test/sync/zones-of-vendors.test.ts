// A person who lives in Berlin and travels to New York and Tokyo for eight months, over both changes of the clock, at all vendors at once:
// every night, workout and day has the date and the local time of where the person was, as far as the vendor tells it.
import { readTrends } from "@restwell/core"
import { VENDORS, type VendorName } from "@restwell/providers"
import { enduranceAthlete, type Person } from "@restwell/simulator"
import { type SimulatorsBeside, startVendor, startVendorBeside } from "@restwell/testing/vendor"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

const DAY_MS = 86_400_000
const HOME = "Europe/Berlin"
const NAMES = Object.keys(VENDORS).filter((name): name is VendorName => name in VENDORS)
const START = new Date("2026-03-20T12:00:00Z")
const [STEPS, STEP_DAYS] = [12, 20] as const

const offsetIn = (zone: string, at: string | number): number =>
  Temporal.Instant.fromEpochMilliseconds(new Date(at).getTime()).toZonedDateTimeISO(zone).offsetNanoseconds / 60e9
const offsetOf = (text: string): number => {
  const [, sign = "+", hours = "0", minutes = "0"] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? []
  return (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1)
}

/** When something was, and how far clocks there were from UTC at the moment that names its date. */
interface Local {
  readonly id: string
  readonly start: string | number
  readonly end: string | number
  readonly offset: number
}

type Truth = (beside: SimulatorsBeside, person: Person) => { readonly sleep: Local[]; readonly workout: Local[] }

const ofGoogle = (name: string, { startTime, endTime = "" }: { startTime: string; endTime?: string }, offset = "") => ({
  id: name.split("/").at(-1) ?? "",
  ...{ start: startTime, end: endTime, offset: Number.parseInt(offset, 10) / 60 },
})

/** What vendors that tell an offset say, read here as their documentation has it. */
const TOLD: Readonly<Partial<Record<VendorName, Truth>>> = {
  oura: ({ oura }, person) => {
    const { sleep, workout } = oura.records(person)
    return {
      sleep: sleep.map(({ id, bedtime_start: start, bedtime_end: end }) => ({ id, start, end, offset: offsetOf(end) })),
      workout: workout.map(({ id, start_datetime: start, end_datetime: end }) => ({
        ...{ id, start, end, offset: offsetOf(start) },
      })),
    }
  },
  polar: ({ polar }, person) => {
    const { nights, exercises } = polar.records(person)
    return {
      sleep: nights.map(({ date: id, sleep_start_time: start, sleep_end_time: end }) => ({
        ...{ id, start, end, offset: offsetOf(end) },
      })),
      workout: exercises.map(({ id, start_time: local, start_time_utc_offset: offset, duration }) => {
        const start = Date.parse(`${local}Z`) - offset * 60_000
        return { id, start, end: start + Temporal.Duration.from(duration).total("milliseconds"), offset }
      }),
    }
  },
  withings: ({ withings }, person) => {
    const { sleep, workouts } = withings.records(person)
    const read = ({ id, startdate, enddate, timezone }: (typeof sleep | typeof workouts)[number], at: number) => ({
      ...{ id: String(id), start: startdate * 1000, end: enddate * 1000, offset: offsetIn(timezone, at * 1000) },
    })
    return {
      sleep: sleep.map((row) => read(row, row.enddate)),
      workout: workouts.map((row) => read(row, row.startdate)),
    }
  },
  google_health: ({ google_health: google }, person) => {
    const { sleep, exercise } = google.records(person)
    return {
      sleep: sleep.map(({ name, sleep: { interval } }) => ofGoogle(name, interval, interval.endUtcOffset)),
      workout: exercise.map(({ name, exercise: { interval } }) => ofGoogle(name, interval, interval.startUtcOffset)),
    }
  },
  // It has lengths of nights and no times.
  intervals: ({ intervals }, person) => ({
    sleep: [],
    workout: intervals
      .records(person)
      .activities.flatMap(({ id, start_date: start, start_date_local: local, ...rest }) => {
        if (start === undefined || rest.elapsed_time === undefined) return []
        const startMs = Date.parse(start)
        return [
          { id, start, end: startMs + rest.elapsed_time * 1000, offset: (Date.parse(`${local}Z`) - startMs) / 60_000 },
        ]
      }),
  }),
}

/** Of New York in summer, Berlin in winter and in summer, and Tokyo, minutes. */
const OFFSETS = [-240, 60, 120, 540]

/** Where the phone was when Ultrahuman was read. */
const zones: string[] = []
let world: World
let beside: SimulatorsBeside
let person: Person
let userId: string
const opened = new AsyncDisposableStack()
beforeAll(async () => {
  const whoop = await startVendor({ seed: "zones of vendors", now: START })
  const started = await startVendorBeside(whoop, "whoop")
  let { simulators, simulatorOf } = started
  for (const name of NAMES) {
    const next = await startVendorBeside(whoop, name, simulators)
    ;({ simulators, simulatorOf } = next)
    opened.defer(next.close)
  }
  beside = {
    ...{ oura: simulatorOf("oura"), polar: simulatorOf("polar"), withings: simulatorOf("withings") },
    ...{ google_health: simulatorOf("google_health"), intervals: simulatorOf("intervals") },
    ultrahuman: simulatorOf("ultrahuman"),
  }
  world = await createWorld({ simulator: whoop, beside, timeoutMs: 20_000 })
  for (const each of [whoop, world]) opened.defer(() => each.close())
  const destinations = ["America/New_York", "Asia/Tokyo"] as const
  const life = { tripsPerYear: 8, destinations, gapsPerYear: 0, chargingNights: 0 }
  const traits = { ...enduranceAthlete, homeZone: HOME, life: { ...enduranceAthlete.life, ...life } }
  person = whoop.people.add({ email: "traveller@example.com", traits, days: 20 })
  userId = await world.addUser()
  for (const name of NAMES) await world.authorize(userId, person, undefined, name)
  for (let step = 0; step <= STEPS; step += 1) {
    if (step > 0) whoop.clock.advance(STEP_DAYS * DAY_MS)
    // Not where the person is: what Ultrahuman names is the zone of a phone that is read much later.
    zones.push([HOME, "America/New_York", "Asia/Tokyo"][step % 3] ?? HOME)
    beside.ultrahuman.moveTo(person, zones.at(-1) ?? HOME)
    await world.runDue()
  }
}, 300_000)
afterAll(() => opened.disposeAsync())

interface Row {
  readonly id: string
  readonly date: string
  readonly offset: number
  readonly start: Date
  readonly end: Date | null
}

const rowsOf = async (provider: string, kind: string): Promise<Row[]> =>
  (
    await world.store.pool.query(
      `select provider_id as id, date::text, started_at as start, ended_at as end, utc_offset_minutes as offset
       from restwell.record where user_id = $1 and provider = $2 and kind = $3 order by date`,
      [userId, provider, kind],
    )
  ).rows

test("the journey leads through three zones and over both changes of the clock", async () => {
  const nights = await rowsOf("oura", "sleep")
  expect([...new Set(nights.map(({ offset }) => offset))].toSorted((one, other) => one - other)).toEqual(OFFSETS)
  for (const change of ["2026-03-29", "2026-10-25"]) expect(nights.map(({ date }) => date)).toContain(change)
})

describe.each(Object.entries(TOLD))("%s tells offsets", (provider, truth) => {
  test.each(["sleep", "workout"] as const)(
    "each %s has its instants and the date where the person was",
    async (kind) => {
      const rows = await rowsOf(provider, kind)
      const told = new Map(truth(beside, person)[kind].map((each) => [each.id, each]))
      if (told.size === 0) return expect(rows).toEqual([])
      expect(rows.length).toBeGreaterThan(200)
      expect([...new Set(rows.map(({ offset }) => offset))].toSorted((one, other) => one - other)).toEqual(OFFSETS)
      for (const { id, date, offset, start, end } of rows) {
        const expected = told.get(id)
        if (!expected) throw new Error(`${provider} has no ${kind} ${id}`)
        const [startMs, endMs] = [new Date(expected.start).getTime(), new Date(expected.end).getTime()]
        const named = (kind === "sleep" ? endMs : startMs) + expected.offset * 60_000
        expect({ id, date, offset, start: start.getTime(), end: end?.getTime() }).toEqual({
          ...{ id, offset: expected.offset, start: startMs, end: endMs },
          date: new Date(named).toISOString().slice(0, 10),
        })
      }
    },
  )
})

test("WHOOP has one offset of each record, by which the date is that of waking", async () => {
  const { sleeps } = world.simulator.records(person)
  const told = new Map(sleeps.map((sleep) => [sleep.id, sleep]))
  const rows = await rowsOf("whoop", "sleep")
  expect([...new Set(rows.map(({ offset }) => offset))].toSorted((one, other) => one - other)).toEqual(OFFSETS)
  for (const { id, date, offset, start, end } of rows) {
    const { timezone_offset: written = "", end: endedAt = "", start: startedAt = "" } = told.get(id) ?? {}
    const named = Date.parse(endedAt) + offsetOf(written) * 60_000
    expect({ id, date, offset, start, end }).toEqual({
      ...{ id, offset: offsetOf(written), start: new Date(startedAt), end: new Date(endedAt) },
      date: new Date(named).toISOString().slice(0, 10),
    })
  }
})

/** The zone of a day that a vendor names by its date alone: the account's, or where the nights around it were. */
const DAYS: Readonly<Partial<Record<VendorName, "home" | "night">>> = {
  google_health: "home",
  intervals: "home",
  polar: "night",
  withings: "night",
}

test.each(Object.entries(DAYS))("the days of %s go from midnight to midnight, %s", async (provider, zone) => {
  const days = await rowsOf(provider, "cycle")
  expect(days.length).toBeGreaterThan(250)
  const hours = new Map(
    days.map(({ date, start, end }) => [date, end && (end.getTime() - start.getTime()) / 3_600_000]),
  )
  for (const { id, date, offset, start } of days) {
    expect([id, start.getTime() + offset * 60_000], provider).toEqual([date, Date.parse(`${date}T00:00:00Z`)])
    if (zone === "home") expect([date, offset]).toEqual([date, offsetIn(HOME, start.getTime())])
  }
  // Where the person was at home on the day of the change.
  expect([hours.get("2026-03-29"), hours.get("2026-10-25")]).toEqual([23, 25])
})

test("a day of Polar is where its own night began, also when it is read again after the night is gone there", async () => {
  const { nights } = beside.polar.records(person)
  const began = new Map(nights.map(({ date, sleep_start_time: start }) => [date, offsetOf(start)]))
  const days = (await rowsOf("polar", "cycle")).filter(({ date }) => began.has(date))
  expect(days.length).toBeGreaterThan(250)
  expect(days.filter(({ date, offset }) => offset !== began.get(date))).toEqual([])
})

test.each(["intervals", "ultrahuman", "google_health", "polar"])(
  "what %s says of a night has the date that the vendor names, wherever that was",
  async (provider) => {
    const recoveries = await rowsOf(provider, "recovery")
    expect(recoveries.length).toBeGreaterThan(250)
    expect(recoveries.filter(({ id, date }) => id !== date)).toEqual([])
  },
)

test("Ultrahuman names the zone of now: each night and day keeps the date that it names", async () => {
  for (const kind of ["sleep", "cycle"]) {
    const rows = await rowsOf("ultrahuman", kind)
    expect(rows.length).toBeGreaterThan(250)
    expect(rows.filter(({ id, date }) => id.slice(0, 10) !== date)).toEqual([])
    // Most were read where the person was.
    const offsets = new Set(rows.map(({ offset }) => offset))
    for (const zone of new Set(zones))
      expect([zone, offsets.has(offsetIn(zone, "2026-07-01T12:00Z"))]).toEqual([zone, true])
  }
})

test.each(["polar", "ultrahuman"])("%s does not say when it scored a night, wherever that ended", async (source) => {
  const { days } = await readTrends(world.context, userId, { days: 250, source })
  const nights = days.flatMap(({ sleep }) => sleep ?? [])
  expect(nights.length).toBeGreaterThan(200)
  expect(nights.filter(({ score_delay_minutes: minutes }) => minutes !== null)).toEqual([])
})
