import { disconnect, undoImport } from "@restwell/core"
import { type Person, zipOf } from "@restwell/simulator"
import { HEADERS, type Spelling, whoopArchive, whoopTables } from "@restwell/testing/archive"
import { createWorld, storedRows, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { everythingOf, importArchive } from "./import-archive.ts"

let world: World
let person: Person
beforeAll(async () => {
  world = await createWorld({ days: 120, seed: "archives", sharedVendorAccounts: "allow" })
  person = world.simulator.people.add({ email: "lena@vendor.example" })
})
afterAll(() => world.close())

const countsOf = () => {
  const { cycles, sleeps, workouts, recoveries } = world.simulator.records(person)
  const scored = recoveries.filter(({ score }) => score)
  return { cycle: cycles.length, recovery: scored.length, sleep: sleeps.length, workout: workouts.length }
}

const SPELLINGS = Object.keys(HEADERS).filter((name): name is Spelling => name in HEADERS)

test.each(SPELLINGS.flatMap((spelling) => (["utf8", "utf16le"] as const).map((encoding) => ({ spelling, encoding }))))(
  "imports the whole archive with headers in $spelling, written as $encoding",
  async (variant) => {
    const userId = await world.addUser()
    const bytes = whoopArchive(world.simulator.records(person), {
      ...variant,
      zone: variant.encoding === "utf8" ? "utc" : "gmt",
      tail: variant.encoding === "utf8" ? "none" : "lower_case",
      lineEnd: variant.encoding === "utf8" ? "\n" : "\r\n",
    })
    const { status, kind, report, error } = await importArchive(world, userId, { bytes })
    expect({ status, kind, error }).toEqual({ status: "done", kind: "whoop_archive", error: null })
    expect(report?.by_type).toMatchObject(countsOf())
    expect(Object.keys(report?.dates_by_type ?? {})).toEqual(Object.keys(report?.by_type ?? {}))
    expect(report?.ignored.filter(({ reason }) => reason !== "private_topic")).toEqual([])
    expect(report?.unchanged).toBe(0)
  },
)

test("an archive gives the same figures as the API", async () => {
  const [byApi, byArchive] = [await world.addUser(), await world.addUser()]
  await world.connect(byApi, person)
  await importArchive(world, byArchive, { bytes: whoopArchive(world.simulator.records(person)) })
  const figures = async (userId: string, kind: string) => {
    const { rows } = await world.store.pool.query(
      `select date::text, date_trunc('second', started_at) as start, score_state, utc_offset_minutes,
         round((detail ->> 'scorePercent')::numeric) as score,
         round((detail ->> 'durationMs')::numeric / 2000) as length,
         round((detail ->> 'strain')::numeric, 3) as strain,
         round((detail ->> 'energyKcal')::numeric, 2) as calories,
         round((detail ->> 'hrvMs')::numeric, 2) as hrv,
         round(skin_temp_deviation::numeric, 3) as deviation, detail ->> 'sportType' as sport
       from restwell.record where user_id = $1 and kind = $2 and score_state = 'scored' order by 2`,
      [userId, kind],
    )
    return rows
  }
  for (const kind of ["cycle", "sleep", "recovery", "workout"]) {
    const expected = await figures(byApi, kind)
    expect(expected.length).toBeGreaterThan(20)
    const found = await figures(byArchive, kind)
    expect(found.map(({ length: _, ...row }) => row)).toEqual(expected.map(({ length: _, ...row }) => row))
  }
})

test("a zip file whose names begin with ./ is read as the one without", async () => {
  const [userId, dotted] = [await world.addUser(), await world.addUser()]
  const { sleeps } = whoopTables(world.simulator.records(person))
  const tableAs = (name: string) => zipOf([{ name, bytes: Buffer.from(sleeps) }])
  await importArchive(world, userId, { bytes: tableAs("sleeps.csv") })
  const { status } = await importArchive(world, dotted, { bytes: tableAs("./sleeps.csv") })
  expect(status).toBe("done")
  expect(await storedRows(world, dotted)).toEqual(await storedRows(world, userId))
})

test("a sleep has the need of its row", async () => {
  const userId = await world.addUser()
  await importArchive(world, userId, { bytes: whoopArchive(world.simulator.records(person)) })
  const { rows } = await world.store.pool.query(
    "select started_at as start, detail -> 'needMs' as need from restwell.record where user_id = $1 and kind = 'sleep'",
    [userId],
  )
  const needs = new Map(
    rows.map(({ start, need }) => [start.getTime(), need === null ? null : Math.round(need / 1000)]),
  )
  const { sleeps } = world.simulator.records(person)
  for (const { start, score } of sleeps) {
    const parts = score && Object.values(score.sleep_needed)
    const need = parts ? Math.round(parts.reduce((sum, milli) => sum + milli, 0) / 1000) : null
    expect(needs.get(Math.floor(Date.parse(start) / 1000) * 1000)).toBe(need)
  }
})

test("importing an archive twice changes nothing", async () => {
  const userId = await world.addUser()
  const bytes = whoopArchive(world.simulator.records(person))
  const first = await importArchive(world, userId, { bytes })
  const rows = await storedRows(world, userId)
  const second = await importArchive(world, userId, { bytes })
  expect(second.report).toMatchObject({ stored: 0, unchanged: first.report?.stored })
  expect(await storedRows(world, userId)).toEqual(rows)
})

test.each([-1000, 0, 1900])(
  "the API's record and the archive's are one when their starts differ by %i ms",
  async (shiftMs) => {
    const userId = await world.addUser()
    await world.connect(userId, person)
    const before = await storedRows(world, userId)
    const { report } = await importArchive(world, userId, {
      bytes: whoopArchive(world.simulator.records(person), { shiftMs }),
    })
    expect(await storedRows(world, userId)).toEqual(before)
    expect(report?.stored).toBe(report?.by_type["journal"])
  },
)

test("an import that is undone leaves no trace, with and without a connection", async () => {
  const [alone, connected] = [await world.addUser(), await world.addUser()]
  await world.connect(connected, person)
  for (const userId of [alone, connected]) {
    const before = await everythingOf(world, userId)
    const older = world.simulator.people.add({ email: `${userId}@vendor.example` })
    const { id } = await importArchive(world, userId, { bytes: whoopArchive(world.simulator.records(older)) })
    expect(await everythingOf(world, userId)).not.toBe(before)
    await undoImport(world.context, userId, id)
    expect(await everythingOf(world, userId)).toBe(before)
  }
})

test("undoing one of two imports keeps what the other one brought", async () => {
  const userId = await world.addUser()
  const all = world.simulator.records(person)
  const { sleeps, cycles, workouts, recoveries } = all
  const late = { ...all, cycles: cycles.slice(0, 40), sleeps: sleeps.slice(0, 40), workouts: workouts.slice(0, 9) }
  const first = await importArchive(world, userId, { bytes: whoopArchive({ ...late, recoveries }) })
  const rows = await storedRows(world, userId)
  const second = await importArchive(world, userId, { bytes: whoopArchive(all) })
  await undoImport(world.context, userId, second.id)
  expect(await storedRows(world, userId)).toEqual(rows)
  const third = await importArchive(world, userId, { bytes: whoopArchive(all) })
  const whole = await storedRows(world, userId)
  await undoImport(world.context, userId, first.id)
  expect(await storedRows(world, userId)).toEqual(whole)
  await undoImport(world.context, userId, third.id)
  expect(await storedRows(world, userId)).toEqual([])
})

test("connecting after an import gives the API's records, and disconnecting with deletion gives the archive's back", async () => {
  const [userId, direct] = [await world.addUser(), await world.addUser()]
  await importArchive(world, userId, { bytes: whoopArchive(world.simulator.records(person)) })
  const archived = await storedRows(world, userId)
  await world.connect(userId, person)
  await world.connect(direct, person)
  expect(await storedRows(world, userId)).toEqual(await storedRows(world, direct))
  await world.store.pool.query("update restwell.connection set reconciled_at = null where user_id = $1", [userId])
  await world.sync(userId)
  await disconnect(world.context, { userId, provider: "whoop", wipeData: true })
  expect(await storedRows(world, userId)).toEqual(archived)
})

/** Somebody who moves a night with its cycle, and a workout. */
function addEditor(email: string) {
  const editor = world.simulator.people.add({ email })
  const { sleeps, cycles, recoveries, workouts } = world.simulator.records(editor)
  const minutesAfter = (iso: string, minutes: number) => new Date(Date.parse(iso) + minutes * 60_000).toISOString()
  const night = sleeps.find(({ nap, id }) => !nap && recoveries.slice(3).some(({ sleep_id }) => sleep_id === id))
  const cycle = cycles.find(({ id }) => id === night?.cycle_id)
  const workout = workouts[2]
  if (!night || !cycle || !workout) throw new Error("a person without a night and a workout")
  const edit = () => {
    const moved = { start: minutesAfter(night.start, 25), end: minutesAfter(night.end, -15) }
    world.simulator.edit.sleep.patch(editor, night.id, moved)
    world.simulator.edit.cycle.patch(editor, cycle.id, { start: moved.start })
    const { start, end } = workout
    const longer = { start: minutesAfter(start, -10), end: minutesAfter(end, 10) }
    world.simulator.edit.workout.patch(editor, workout.id, longer)
  }
  return { editor, edit }
}

const ORDERS = [
  ["the archive first", ["import", "edit", "connect"]],
  ["the connection first", ["edit", "connect", "import"]],
  ["both before the edits", ["import", "connect", "edit", "sync"]],
] as const

test.each(ORDERS)(
  "what was edited at WHOOP after its archive was made counts once, with %s, and the archive's comes back",
  async (_, steps) => {
    const { editor, edit } = addEditor(`editor-${steps.join("-")}@vendor.example`)
    const bytes = whoopArchive(world.simulator.records(editor))
    const [userId, direct, archived] = [await world.addUser(), await world.addUser(), await world.addUser()]
    const run = {
      import: () => importArchive(world, userId, { bytes }),
      connect: () => world.connect(userId, editor),
      edit: async () => edit(),
      sync: async () => {
        await world.store.pool.query("update restwell.connection set reconciled_at = null where user_id = $1", [userId])
        await world.sync(userId)
      },
    }
    for (const step of steps) await run[step]()
    await world.connect(direct, editor)
    await importArchive(world, archived, { bytes })
    expect(await storedRows(world, userId)).toEqual(await storedRows(world, direct))
    await disconnect(world.context, { userId, provider: "whoop", wipeData: true })
    expect(await storedRows(world, userId)).toEqual(await storedRows(world, archived))
  },
)

test("no sync and no reconciliation deletes what only the archive has, and the API's deletions give it back", async () => {
  const userId = await world.addUser()
  const lost = world.simulator.people.add({ email: "lost@vendor.example" })
  // Of a time before the connection's history.
  const bytes = whoopArchive(world.simulator.records(lost), { shiftMs: -200 * 86_400_000 })
  const { id } = await importArchive(world, userId, { bytes })
  const archived = await storedRows(world, userId)
  await world.connect(userId, person)
  for (let round = 0; round < 3; round += 1) {
    await world.store.pool.query("update restwell.connection set reconciled_at = null where user_id = $1", [userId])
    await world.sync(userId)
  }
  const ids = new Set((await storedRows(world, userId)).map((row) => `${row.kind}/${row.provider_id}`))
  const isKept = ({ kind, provider_id }: { kind: string; provider_id: string }) => ids.has(`${kind}/${provider_id}`)
  expect(archived.filter((row) => !isKept(row))).toEqual([])
  await undoImport(world.context, userId, id)
  await importArchive(world, userId, { bytes: whoopArchive(world.simulator.records(person)) })
  const [sleep] = world.simulator.records(person).sleeps.filter(({ nap }) => nap)
  if (!sleep) throw new Error("a person without naps")
  const hasCopy = async () =>
    (await storedRows(world, userId)).some(({ provider_id }) => provider_id === copyOf(sleep.start))
  expect(await hasCopy()).toBe(false)
  world.simulator.edit.sleep.delete(person, sleep.id)
  await world.store.pool.query(
    `insert into restwell.vendor_event (user_id, provider, kind, named_by, provider_id, received_at, due_at)
     values ($1, 'whoop', 'sleep', 'record', $2, $3, $3)`,
    [userId, sleep.id, world.context.clock.now()],
  )
  await world.sync(userId)
  expect(await hasCopy()).toBe(true)
})

/** The id of an archive's record, from its start. */
const copyOf = (start: string) => `archive-${start.slice(0, 19).replaceAll(/[-:]/g, "")}Z`

test("what was edited at WHOOP between two archives counts once, as the newest import has it, and undoing that brings the other back", async () => {
  const { editor, edit } = addEditor("between@vendor.example")
  const before = whoopArchive(world.simulator.records(editor))
  edit()
  const after = whoopArchive(world.simulator.records(editor))
  const dataOf = async (userId: string) => {
    const { rows } = await world.store.pool.query(
      "select date::text, started_at, question, answer from restwell.vendor_journal where user_id = $1 order by 2, 3",
      [userId],
    )
    return { records: await storedRows(world, userId), answers: rows }
  }
  for (const [first, second] of [
    [before, after],
    [after, before],
  ] as const) {
    const [userId, only, former] = [await world.addUser(), await world.addUser(), await world.addUser()]
    await importArchive(world, only, { bytes: second })
    await importArchive(world, former, { bytes: first })
    await importArchive(world, userId, { bytes: first })
    const { id } = await importArchive(world, userId, { bytes: second })
    expect(await dataOf(userId)).toEqual(await dataOf(only))
    expect(await dataOf(userId)).not.toEqual(await dataOf(former))
    await undoImport(world.context, userId, id)
    expect(await dataOf(userId)).toEqual(await dataOf(former))
  }
})

test("without a table of cycles, an edited night leaves the cycle and the recovery of the archive before", async () => {
  const { editor, edit } = addEditor("table@vendor.example")
  const userId = await world.addUser()
  await importArchive(world, userId, { bytes: whoopArchive(world.simulator.records(editor)) })
  const kinds = async () =>
    (await storedRows(world, userId)).filter(({ kind }) => kind === "cycle" || kind === "recovery")
  const before = await kinds()
  edit()
  const { sleeps } = whoopTables(world.simulator.records(editor))
  await importArchive(world, userId, { bytes: zipOf([{ name: "sleeps.csv", bytes: Buffer.from(sleeps) }]) })
  expect(await kinds()).toEqual(before)
})

test("a night that the table of sleeps lacks or breaks comes from the cycle that it belongs to", async () => {
  const { cycles, sleeps } = whoopTables(world.simulator.records(person))
  const [header = "", first = "", ...rest] = sleeps.trimEnd().split("\n")
  const tablesWith = (text: string) =>
    zipOf([
      { name: "physiological_cycles.csv", bytes: Buffer.from(cycles) },
      { name: "sleeps.csv", bytes: Buffer.from(text) },
    ])
  const nightsOf = async (text: string) => {
    const userId = await world.addUser()
    const { report } = await importArchive(world, userId, { bytes: tablesWith(text) })
    return { sleeps: report?.by_type["sleep"], ignored: report?.ignored.length }
  }
  const nights = world.simulator.records(person).sleeps.filter(({ nap }) => !nap).length
  expect(await nightsOf(sleeps)).toEqual({ sleeps: rest.length + 1, ignored: 0 })
  expect(await nightsOf(`${header}\n`)).toEqual({ sleeps: nights, ignored: 0 })
  expect((await nightsOf(`${header}\n${first}\n`)).sleeps).toBe(nights)
  const cut = [header, first.split(",").slice(0, 3).join(","), ...rest].join("\n")
  expect(await nightsOf(cut)).toEqual({ sleeps: rest.length + 1, ignored: 1 })
})
