// WHOOP's archive of a night in two parts, of which the first ends before midnight: its cycle, recovery and answers have the night's date.
import { undoImport } from "@restwell/core"
import { zipOf } from "@restwell/simulator"
import { whoopArchive, whoopTables } from "@restwell/testing/archive"
import { createWorld, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { everythingOf, importArchive } from "./import-archive.ts"

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let world: World
beforeAll(async () => {
  world = await createWorld({ days: 20, seed: "parts" })
})
afterAll(() => world.close())

/** Archives of some days: with the first part alone, with both, and of the second part alone. */
function archives() {
  const records = world.simulator.records(
    world.simulator.people.add({ email: `night-${world.simulator.people.list().length}@vendor.example` }),
  )
  const night = records.sleeps.filter(({ nap }) => !nap)[4]
  if (!night) throw new Error("a person without nights")
  const [, sign, hours, minutes] = /([+-])(\d\d):(\d\d)/.exec(night.timezone_offset) ?? []
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS * (sign === "-" ? -1 : 1)
  const midnightMs = Math.floor((Date.parse(night.end) + offsetMs) / DAY_MS) * DAY_MS - offsetMs
  const at = (minute: number) => new Date(midnightMs + minute * MINUTE_MS).toISOString()
  const first = { ...night, start: at(-200), end: at(-35) }
  const second = { ...night, id: `${night.id}-2`, start: at(45) }
  const of = (...parts: (typeof night)[]) => ({
    ...records,
    cycles: records.cycles.map((cycle) => (cycle.id === night.cycle_id ? { ...cycle, start: first.start } : cycle)),
    sleeps: records.sleeps.flatMap((sleep) => (sleep === night ? parts : [sleep])),
  })
  const [header = "", ...rows] = whoopTables(of(second)).sleeps.split("\n")
  const local = new Date(Date.parse(second.start) + offsetMs).toISOString().slice(0, 19).replace("T", " ")
  const row = rows.filter((text) => text.includes(local))
  expect(row).toHaveLength(1)
  const dateAt = (ms: number) => new Date(ms + offsetMs).toISOString().slice(0, 10)
  return {
    startedAt: new Date(first.start),
    date: dateAt(midnightMs),
    dateBefore: dateAt(midnightMs - DAY_MS),
    ofFirst: whoopArchive(of(first)),
    // The newest is first, as in WHOOP's own tables.
    ofBoth: whoopArchive(of(second, first)),
    ofSecond: zipOf([{ name: "sleeps.csv", bytes: Buffer.from([header, ...row, ""].join("\n")) }]),
  }
}

/** The dates of what begins with the night. */
async function datesAt(userId: string, startedAt: Date): Promise<Record<string, string[]>> {
  const { rows } = await world.store.pool.query<{ kind: string; date: string }>(
    `select kind, date::text from restwell.record where user_id = $1 and kind in ('cycle', 'recovery')
       and date_trunc('second', started_at) = date_trunc('second', $2::timestamptz)
     union select 'answer', date::text from restwell.journal_answer
       where user_id = $1 and cycle_started_at = date_trunc('second', $2::timestamptz)`,
    [userId, startedAt],
  )
  return Object.fromEntries(rows.map(({ kind }) => [kind, rows.flatMap((row) => (row.kind === kind ? row.date : []))]))
}

const all = (date: string) => ({ cycle: [date], recovery: [date], answer: [date] })

test("in one archive, which changes nothing when it is imported again", async () => {
  const userId = await world.addUser()
  const { ofBoth, startedAt, date } = archives()
  const { report } = await importArchive(world, userId, { bytes: ofBoth })
  expect(await datesAt(userId, startedAt)).toEqual(all(date))
  const again = await importArchive(world, userId, { bytes: ofBoth })
  expect(again.report).toMatchObject({ stored: 0, unchanged: report?.stored })
})

test("in two archives, in any order, and without the second one as if it had never come", async () => {
  const [userId, other] = [await world.addUser(), await world.addUser()]
  const { ofFirst, ofSecond, startedAt, date, dateBefore } = archives()
  await importArchive(world, userId, { bytes: ofFirst })
  expect(await datesAt(userId, startedAt)).toEqual(all(dateBefore))
  const before = await everythingOf(world, userId)
  const { id } = await importArchive(world, userId, { bytes: ofSecond })
  expect(await datesAt(userId, startedAt)).toEqual(all(date))
  await undoImport(world.context, userId, id)
  expect(await everythingOf(world, userId)).toBe(before)
  await importArchive(world, other, { bytes: ofSecond })
  await importArchive(world, other, { bytes: ofFirst })
  expect(await datesAt(other, startedAt)).toEqual(all(date))
})
