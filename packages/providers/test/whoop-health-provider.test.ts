// The HealthProvider a developer uses directly, against the simulated WHOOP.
import {
  CycleDataSchema,
  type HealthProvider,
  ProfileDataSchema,
  RecoveryDataSchema,
  SleepDataSchema,
  WorkoutDataSchema,
} from "@restwell/client"
import { type Simulator, startSimulator } from "@restwell/simulator"
import { afterEach, beforeEach, expect, test } from "vitest"
import { createHealthProvider, type HealthProviderOptions, type RejectedRecord, VENDORS } from "../src/index.ts"
import { adapterUnderTest } from "./adapter-under-test.ts"
import { connect, simulatorCredentials } from "./connect.ts"
import { type StoredTokens, storedTokens } from "./stored-tokens.ts"

const LENA = "lena@example.com"
const NOW = new Date("2026-11-19T12:00:00Z")
const FROM = new Date("2026-11-01T00:00:00Z")
const TO = new Date("2026-11-16T00:00:00Z")

let simulator: Simulator
let tokens: StoredTokens
let provider: HealthProvider

beforeEach(async () => {
  simulator = await startSimulator({ seed: 11, now: NOW, days: 70, autoApprove: true, rateLimits: "off" })
  const { adapter } = adapterUnderTest(simulator.url, simulatorCredentials(simulator))
  tokens = storedTokens(await connect(adapter, LENA))
  provider = providerFor()
  simulator.requestLog.clear()
})
afterEach(() => simulator.close())

function providerFor(options: Partial<HealthProviderOptions> = {}): HealthProvider {
  const now = () => simulator.clock.now()
  return createHealthProvider(VENDORS.whoop, {
    ...simulatorCredentials(simulator),
    tokens,
    now,
    delay: async () => {},
    ...options,
  })
}

/** The local date at an instant, by the calendar of the zone and not by our own arithmetic. */
const dateIn = (instant: string, zone: string) =>
  Temporal.Instant.from(instant)
    .toZonedDateTimeISO(zone === "Z" ? "UTC" : zone)
    .toPlainDate()
    .toString()

const touches = ({ start, end }: { start: string; end?: string | null }) =>
  Date.parse(start) < TO.getTime() && (!end || Date.parse(end) >= FROM.getTime())

test("gives every list in the client's shapes, newest first, each record once", async () => {
  const lists = {
    sleep: { got: await provider.getSleep(FROM, TO), schema: SleepDataSchema },
    recovery: { got: await provider.getRecovery(FROM, TO), schema: RecoveryDataSchema },
    workout: { got: await provider.getWorkouts(FROM, TO), schema: WorkoutDataSchema },
    cycle: { got: await provider.getCycles(FROM, TO), schema: CycleDataSchema },
  }
  for (const { got, schema } of Object.values(lists)) {
    expect(got.length).toBeGreaterThan(5)
    expect(new Set(got.map(({ id }) => id)).size).toBe(got.length)
    for (const data of got) expect(schema.strict().parse(data)).toEqual(data)
    const order = got.map((data) => ("start" in data ? data.start : data.date))
    expect(order).toEqual(order.toSorted().toReversed())
  }
  expect(ProfileDataSchema.strict().parse(await provider.getProfile())).toMatchObject({ email: LENA })
})

test("lists what touches the dates, to the last page", async () => {
  const { sleeps, workouts, cycles } = simulator.records(LENA)
  const idsOf = (records: readonly { providerId: string }[]) => records.map(({ providerId }) => providerId).toSorted()
  const expected = (records: readonly { id: string | number; start: string; end?: string | null }[]) =>
    records
      .filter(touches)
      .map(({ id }) => `${id}`)
      .toSorted()
  expect(idsOf(await provider.getSleep(FROM, TO))).toEqual(expected(sleeps))
  expect(idsOf(await provider.getWorkouts(FROM, TO))).toEqual(expected(workouts))
  expect(idsOf(await provider.getCycles(FROM, TO))).toEqual(expected(cycles))
})

test("dates recoveries and cycles by waking from their sleep", async () => {
  const { sleeps } = simulator.records(LENA)
  const wakeDateOfCycle = new Map(
    sleeps.filter(({ nap }) => !nap).map((sleep) => [`${sleep.cycle_id}`, dateIn(sleep.end, sleep.timezone_offset)]),
  )
  for (const { providerId, date } of [
    ...(await provider.getRecovery(FROM, TO)),
    ...(await provider.getCycles(FROM, TO)),
  ]) {
    expect([providerId, date]).toEqual([providerId, wakeDateOfCycle.get(providerId) ?? date])
  }
})

test("takes a cycle's date from a main sleep that ended before the dates asked for, and from no nap", async () => {
  const noon = new Date("2026-11-10T12:00:00Z")
  const cycle = simulator.records(LENA).cycles.find(({ start }) => Date.parse(start) < noon.getTime())
  const night = simulator.records(LENA).sleeps.find(({ cycle_id, nap }) => cycle_id === cycle?.id && !nap)
  if (!cycle || !night) throw new Error("Lena did not sleep")
  // An offset that moves the night's date away from what the cycle alone would say.
  simulator.edit.sleep.patch(LENA, night.id, { timezone_offset: "-11:00" })
  const dateOfCycle = async () =>
    (await provider.getCycles(noon, TO)).find(({ id }) => id === `whoop-${cycle.id}`)?.date
  expect(await dateOfCycle()).toBe(dateIn(night.end, "-11:00"))
  simulator.edit.sleep.patch(LENA, night.id, { nap: true })
  expect(await dateOfCycle()).toBe(dateIn(night.end, cycle.timezone_offset))
  expect(dateIn(night.end, "-11:00")).not.toBe(dateIn(night.end, cycle.timezone_offset))
})

test("looks up the sleep of a recovery that the list of sleeps does not hold", async () => {
  const [night] = simulator.records(LENA).sleeps.filter(({ nap }) => !nap)
  if (!night) throw new Error("Lena did not sleep")
  simulator.edit.sleep.patch(LENA, night.id, { timezone_offset: "-11:00" })
  const without = (page: unknown) =>
    withRecords(page, (records) => records.filter((record) => Object(record).id !== night.id))
  simulator.faults.add({ kind: "transform", match: { path: /sleep$/ }, transform: without })
  const found = await provider.getRecovery(new Date("2026-11-18T12:00:00Z"), NOW)
  const date = found.find(({ providerId }) => providerId === `${night.cycle_id}`)?.date
  expect(date).toBe(dateIn(night.end, "-11:00"))
})

test("dates a recovery whose sleep is gone by its cycle, and one without either by its making", async () => {
  const [recovery] = simulator.records(LENA).recoveries
  if (!recovery) throw new Error("Lena has no recovery")
  const lost = "00000000-0000-4000-8000-000000000000"
  simulator.edit.recovery.patch(LENA, recovery.cycle_id, { sleep_id: lost })
  const cycle = simulator.records(LENA).cycles.find(({ id }) => id === recovery.cycle_id)
  const noon = new Date(Date.parse(cycle?.start ?? "") + 12 * 3_600_000).toISOString()
  const [byCycle] = await provider.getRecovery(new Date("2026-11-18T12:00:00Z"), NOW)
  expect(byCycle).toMatchObject({
    providerId: `${recovery.cycle_id}`,
    date: dateIn(noon, cycle?.timezone_offset ?? "Z"),
  })

  simulator.edit.cycle.delete(LENA, recovery.cycle_id)
  const [byMaking] = await provider.getRecovery(new Date("2026-11-18T12:00:00Z"), NOW)
  expect(byMaking?.date).toBe(recovery.created_at.slice(0, 10))
})

test("reports the skin temperature as deviation from the mean of the 30 nights before", async () => {
  const measured = simulator
    .records(LENA)
    .recoveries.flatMap(({ cycle_id, score }) =>
      typeof score?.skin_temp_celsius === "number" ? [{ id: `${cycle_id}`, celsius: score.skin_temp_celsius }] : [],
    )
  const recoveries = (await provider.getRecovery(FROM, TO)).filter(({ metrics }) => metrics?.skinTemp !== undefined)
  expect(recoveries.length).toBeGreaterThan(5)
  for (const { providerId, metrics } of recoveries) {
    const index = measured.findIndex(({ id }) => id === providerId)
    const before = measured.slice(index + 1, index + 31).map(({ celsius }) => celsius)
    const mean = before.reduce((sum, celsius) => sum + celsius, 0) / before.length
    expect(before).toHaveLength(30)
    expect(metrics?.skinTemp).toBeCloseTo((measured[index]?.celsius ?? Number.NaN) - mean, 9)
  }
})

test("reports the same deviation whichever dates are asked for, also from the middle of a night", async () => {
  const all = await provider.getRecovery(FROM, TO)
  const { sleeps, recoveries } = simulator.records(LENA)
  const night = sleeps.find(({ end, nap }) => !nap && end < "2026-11-10")
  const recovery = recoveries.find(({ sleep_id }) => sleep_id === night?.id)
  if (!night || !recovery) throw new Error("Lena did not sleep")
  const middle = new Date((Date.parse(night.start) + Date.parse(night.end)) / 2)
  const some = await provider.getRecovery(middle, TO)
  expect(some.at(-1)?.providerId).toBe(`${recovery.cycle_id}`)
  expect(some).toEqual(all.slice(0, some.length))
})

test("orders recoveries by their nights, also one that was created again", async () => {
  const before = await provider.getRecovery(FROM, TO)
  const middle = before.at(5)?.providerId ?? ""
  simulator.edit.recovery.patch(LENA, middle, { created_at: "2026-11-15T23:00:00.000Z" })
  expect(await provider.getRecovery(FROM, TO)).toEqual(before)
})

test("gives the same whatever the order of records within the pages", async () => {
  const before = [await provider.getSleep(FROM, TO), await provider.getWorkouts(FROM, TO)]
  simulator.faults.add({ kind: "transform", transform: (page) => withRecords(page, (records) => records.toReversed()) })
  expect([await provider.getSleep(FROM, TO), await provider.getWorkouts(FROM, TO)]).toEqual(before)
})

test("keeps the newest state of a record that comes twice", async () => {
  const before = await provider.getSleep(FROM, TO)
  const outdated = (record: object) => ({
    ...record,
    updated_at: "2026-01-01T00:00:00.000Z",
    score_state: "PENDING_SCORE",
  })
  const twice = (records: readonly object[]) => [...records.map(outdated), ...records, ...records.map(outdated)]
  simulator.faults.add({ kind: "transform", transform: (page) => withRecords(page, twice) })
  expect(await provider.getSleep(FROM, TO)).toEqual(before)
})

function withRecords(page: unknown, change: (records: readonly object[]) => readonly object[]): object {
  const { records, ...rest } = Object(page)
  return { ...rest, records: change(records) }
}

test("says nothing of a deviation in the first five nights", async () => {
  const all = await provider.getRecovery(new Date("2020-01-01"), NOW)
  const scored = all.toReversed().filter(({ score }) => score !== undefined)
  expect(scored.slice(0, 5).map(({ metrics }) => metrics?.skinTemp)).toEqual(Array(5).fill(undefined))
  expect(scored[5]?.metrics?.skinTemp).toEqual(expect.any(Number))
})

test("fetches no more nights for the baseline than it needs", async () => {
  await provider.getRecovery(new Date("2026-11-18T00:00:00Z"), NOW)
  const calls = simulator.requestLog.filter({ path: "/developer/v2/recovery" }).length
  expect(calls).toBe(3)
})

test("refreshes an expired token once for all calls made at the same time", async () => {
  simulator.tokens.expireAccess(LENA)
  tokens.expired = true
  await Promise.all([provider.getSleep(FROM, TO), provider.getRecovery(FROM, TO), provider.getProfile()])
  expect(simulator.requestLog.counters().refreshes).toBe(1)
  expect(simulator.requestLog.count({ status: 401 })).toBe(0)
  expect(tokens.updates).toEqual([{ expiresAt: new Date(NOW.getTime() + 3_600_000) }])
})

test("refreshes a token the vendor rejects before it was thought to expire, once for all calls", async () => {
  simulator.tokens.expireAccess(LENA)
  await Promise.all([provider.getSleep(FROM, TO), provider.getCycles(FROM, TO), provider.getProfile()])
  expect(simulator.requestLog.counters().refreshes).toBe(1)
})

test("says that the grant is gone when it is", async () => {
  simulator.tokens.revokeAll(LENA)
  await expect(provider.getSleep(FROM, TO)).rejects.toMatchObject({ name: "AuthorizationRevoked" })
  tokens.refreshToken = null
  await expect(provider.getSleep(FROM, TO)).rejects.toMatchObject({ name: "AuthorizationRevoked" })
})

test("takes over the pair another process stored, when its own refresh came second", async () => {
  const { adapter } = adapterUnderTest(simulator.url, simulatorCredentials(simulator))
  const theirs = await adapter.refreshTokens(tokens.refreshToken ?? "")
  // The sibling's pair is stored just after this process read the old one.
  const racing: StoredTokens = {
    ...tokens,
    getRefreshToken: async () => {
      const old = tokens.refreshToken
      await tokens.updateTokens(theirs.accessToken, theirs.refreshToken)
      return old
    },
    isExpired: async () => tokens.updates.length === 0,
  }
  expect(await providerFor({ tokens: racing }).getProfile()).toMatchObject({ email: LENA })
})

test("reports a record it could not read and returns the others", async () => {
  const rejected: RejectedRecord[] = []
  const before = await provider.getWorkouts(FROM, TO)
  const strange = before[0]?.providerId ?? ""
  simulator.edit.workout.patch(LENA, strange, { timezone_offset: "Europe/Zurich" })
  const after = await providerFor({ onRejected: (record) => rejected.push(record) }).getWorkouts(FROM, TO)
  expect(after).toEqual(before.slice(1))
  expect(rejected).toMatchObject([
    { kind: "workout", providerId: strange, reason: "timezone_offset: not an offset from UTC" },
  ])
})

test("is the provider of its name", () => expect(provider.name).toBe("whoop"))
