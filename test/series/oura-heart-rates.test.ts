// Oura's heart rates are read after each sync, their past after the history of all records, and each read replaces what it reads again.
import { disconnect, readAccount, readSeriesDays, requestSync } from "@restwell/core"
import type { OuraSimulator, Person, Simulator } from "@restwell/simulator"
import { startOuraBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, type World } from "@restwell/testing/world"
import { afterEach, beforeEach, expect, test } from "vitest"

const HOUR_MS = 3_600_000
const HEART_RATE = "/v2/usercollection/heartrate"

let whoop: Simulator
let oura: OuraSimulator
let world: World
let person: Person
let userId: string
beforeEach(async () => {
  whoop = await startVendor({ now: new Date("2026-11-20T12:00:00Z"), days: 100 })
  oura = await startOuraBeside(whoop)
  world = await createWorld({ vendor: "oura", simulator: whoop, beside: { oura } })
  person = whoop.people.add({ email: "ada@example.com" })
  userId = await world.addUser()
})
afterEach(async () => {
  await world.close()
  await oura.close()
  await whoop.close()
})

/** What the API answers: the collection's samples are moments, those of nights are for five minutes. */
async function stored(): Promise<{ readonly moments: string[]; readonly items: string[] }> {
  const query = { userId, type: "heart_rate", providers: ["oura"], from: "2026-01-01", to: "2027-12-31" } as const
  const days = await Array.fromAsync(readSeriesDays(world.store.pool, query))
  const lines = days.flatMap(({ samples: { atMs, values, durationsMs } }) =>
    Array.from(atMs, (ms, index) => ({ line: `${ms} ${values[index]}`, isItem: (durationsMs?.[index] ?? 0) > 0 })),
  )
  const linesOf = (wanted: boolean) => lines.flatMap(({ line, isItem }) => (isItem === wanted ? [line] : []))
  return { moments: linesOf(false), items: linesOf(true) }
}

const expected = () => oura.heartRates(person).map(({ timestamp_unix: ms, bpm }) => `${ms} ${bpm}`)
const calls = () => oura.requestLog.filter({ path: HEART_RATE })
const connectionOf = async () => (await readAccount(world.context, userId)).connections[0]

async function pass(hours: number): Promise<void> {
  whoop.clock.advance(hours * HOUR_MS)
  await world.runDue()
}

test("all heart rates are stored, in windows of at most 30 days, and night items fill the times without any", async () => {
  await world.connect(userId, person)
  const { moments, items } = await stored()
  expect(expected().length).toBeGreaterThan(1_000)
  expect(moments).toEqual(expected())
  expect(items.length).toBeGreaterThan(500)
  const taken = moments.map((line) => Number(line.split(" ")[0]))
  const covered = items.filter((line) => {
    const atMs = Number(line.split(" ")[0])
    return taken.some((ms) => ms >= atMs && ms < atMs + 300_000)
  })
  expect(covered).toEqual([])
  const lengths = calls().map(({ query }) => {
    const parameters = new URLSearchParams(query)
    return Date.parse(parameters.get("end_datetime") ?? "") - Date.parse(parameters.get("start_datetime") ?? "")
  })
  expect(Math.max(...lengths)).toBeLessThanOrEqual(30 * 24 * HOUR_MS)
  // Ten days, then 30 at a time: the history of records comes first.
  expect(lengths.length).toBeGreaterThanOrEqual(4)
  const paths = oura.requestLog.entries.map(({ path }) => path)
  expect(
    paths.slice(paths.indexOf(HEART_RATE) + 1).filter((path) => path === "/v2/usercollection/sleep").length,
  ).toBeGreaterThan(0)
})

test("pages whose rows are doubled and in another order give the same", async () => {
  oura.faults.add({
    kind: "transform",
    transform: (reply) => {
      const rows: readonly unknown[] = Reflect.get(Object(reply), "data")
      return { ...Object(reply), data: [...rows.toReversed(), ...rows] }
    },
    match: { path: HEART_RATE },
  })
  await world.connect(userId, person)
  expect((await stored()).moments).toEqual(expected())
})

test("a collection that fails costs nothing else, and is read half an hour later", async () => {
  const repair = oura.faults.add({ kind: "status", status: 500, match: { path: HEART_RATE } })
  await world.connect(userId, person)
  const gap = { collection: "heartrate", reason: expect.stringContaining("does not deliver heart rates of the day") }
  expect(await connectionOf()).toMatchObject({ status: "ok", gaps: [gap] })
  expect((await stored()).items.length).toBeGreaterThan(1_000)
  repair()
  await pass(0.5)
  expect(await connectionOf()).toMatchObject({ gaps: [] })
  expect((await stored()).moments).toEqual(expected())
})

test("a list that lacked values is completed: the newest on the next day, the past after the first reconciliation", async () => {
  const repair = oura.faults.add({
    kind: "transform",
    transform: (reply) => ({ ...Object(reply), data: Reflect.get(Object(reply), "data").slice(1) }),
    match: { path: HEART_RATE },
  })
  await world.connect(userId, person)
  expect((await stored()).moments.length).toBeLessThan(expected().length)
  repair()
  await pass(25)
  // Ninety days are read a second time.
  const isRecent = (line: string) => Number(line.split(" ")[0]) > whoop.clock.nowMs() - 88 * 24 * HOUR_MS
  expect((await stored()).moments.filter(isRecent)).toEqual(expected().filter(isRecent))
})

test("a later sync reads the newest ones only, and a pause of months is caught up", async () => {
  await world.connect(userId, person)
  const before = calls().length
  await pass(5)
  expect(await stored()).toMatchObject({ moments: expected() })
  expect(calls().length - before).toBeLessThanOrEqual(3)
  await pass(24 * 70)
  expect((await stored()).moments).toEqual(expected())
})

test("without the scope the rest works, the account names it, and allowing it later brings the whole past", async () => {
  const refused = oura.faults.add({ kind: "status", status: 403, match: { path: HEART_RATE } })
  await world.connect(userId, person)
  expect((await stored()).moments).toEqual([])
  expect((await stored()).items.length).toBeGreaterThan(1_000)
  const gap = {
    collection: "heartrate",
    reason: expect.stringContaining("does not allow heart rates"),
    nextStep: expect.stringContaining("Connect Oura again"),
  }
  expect(await connectionOf()).toMatchObject({ status: "ok", gaps: [gap] })
  await requestSync(world.context, { userId, provider: "oura" })
  await world.runDue()
  expect(await connectionOf()).toMatchObject({ gaps: [gap] })
  refused()
  await pass(1)
  expect(await connectionOf()).toMatchObject({ gaps: [] })
  expect((await stored()).moments).toEqual(expected())
})

test("values that cannot be used are left out, and the account says why until the vendor has corrected them", async () => {
  const wrong = [
    { timestamp: "2026-11-19T10:00:00Z", bpm: 1e308 },
    { timestamp: "2026-11-19T10:01:00Z", bpm: 7 },
    { timestamp: "0000-01-01T00:00:00Z", bpm: 60 },
    { timestamp: "9999-12-31T23:59:59Z", bpm: 60 },
    { timestamp: "2026-12-24T00:00:00Z", bpm: 60 },
    { timestamp: "2026-11-19T10:02:00Z", bpm: "NaN" },
  ]
  const repair = oura.faults.add({
    kind: "transform",
    transform: (reply) => ({ ...Object(reply), data: [...Reflect.get(Object(reply), "data"), ...wrong] }),
    match: { path: HEART_RATE },
    times: 1,
  })
  await world.connect(userId, person)
  repair()
  expect((await stored()).moments).toEqual(expected())
  const days = { fromDate: "2026-11-10", toDate: "2026-11-10" }
  expect((await connectionOf())?.leftOut.map(({ count, ...one }) => ({ ...one, count: Number(count) }))).toEqual([
    {
      type: "heart_rate",
      reason: "bpm: Invalid input: expected number, received string",
      count: 1,
      ...days,
    },
    { type: "heart_rate", reason: "more than a day in the future", count: 1, ...days },
    {
      type: "heart_rate",
      reason: "outside 20 to 300 bpm",
      count: 2,
      fromDate: "2026-11-19",
      toDate: "2026-11-19",
    },
    { type: "heart_rate", reason: "timestamp: not an instant of this century", count: 2, ...days },
  ])
  await pass(24 * 2)
  expect((await connectionOf())?.leftOut).toEqual([])
})

test("disconnecting with the data deletes all of them, and connecting again reads them again", async () => {
  await world.connect(userId, person)
  await disconnect(world.context, { userId, provider: "oura", wipeData: true })
  expect(await stored()).toEqual({ moments: [], items: [] })
  await world.connect(userId, person)
  expect((await stored()).moments).toEqual(expected())
})
