// A night that WHOOP tells in two parts, of which the first ends before midnight: its cycle and its recovery have the date of the night.
import { requestSync } from "@restwell/core"
import { afterEach, beforeEach, expect, test } from "vitest"
import { z } from "zod"
import { firstOf, openSubject, read, type Subject } from "./one-person.ts"

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

let subject: Subject
beforeEach(async () => {
  subject = await openSubject()
})
afterEach(() => subject.world.close())

const SECOND = "6f9619ff-8b86-4d01-b42d-00cf4fc964ff"
const ListSchema = z.object({ records: z.array(z.looseObject({ id: z.string().optional(), date: z.string() })) })

/** A night of some days ago, and the midnight before its end. */
function someNight() {
  const { sleeps } = subject.world.simulator.records(subject.person)
  const night = firstOf(sleeps.filter(({ nap }) => !nap).slice(4))
  const [, sign, hours = "0", minutes = "0"] = /([+-])(\d\d):(\d\d)/.exec(night.timezone_offset) ?? []
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * MINUTE_MS * (sign === "-" ? -1 : 1)
  const midnightMs = Math.floor((Date.parse(night.end) + offsetMs) / DAY_MS) * DAY_MS - offsetMs
  return { night, midnightMs, date: new Date(midnightMs + offsetMs).toISOString().slice(0, 10) }
}

/** Lists of sleeps in which the night is in parts. @param count 1 for the first part alone */
function tellInParts(count: 1 | 2): () => void {
  const { night, midnightMs } = someNight()
  const at = (minutes: number) => new Date(midnightMs + minutes * MINUTE_MS).toISOString()
  const parts = [
    { ...night, start: at(-200), end: at(-35) },
    { ...night, id: SECOND, start: at(45), end: night.end },
  ].slice(0, count)
  return subject.world.simulator.faults.add({
    match: { path: /activity\/sleep$/ },
    kind: "transform",
    transform: (reply) => ({
      ...Object(reply),
      records: Object(reply).records.flatMap((record: { id: string }) => (record.id === night.id ? parts : [record])),
    }),
  })
}

async function syncAgain(): Promise<void> {
  const { world, userId } = subject
  world.simulator.clock.advance(2 * MINUTE_MS)
  await requestSync(world.context, { userId, provider: "whoop" })
  await world.runDue()
}

/** Dates of the night's cycle and recovery. */
async function dates(): Promise<{ cycle: string[]; recovery: string[] }> {
  const { night } = someNight()
  const [cycles, recoveries] = [await read(subject, "cycle"), await read(subject, "recovery")].map(
    (text) => ListSchema.parse(JSON.parse(text)).records,
  )
  const id = `whoop-${night.cycle_id}`
  return {
    cycle: (cycles ?? []).filter((cycle) => cycle.id === id).map(({ date }) => date),
    recovery: (recoveries ?? []).filter((recovery) => recovery["cycle_id"] === id).map(({ date }) => date),
  }
}

test("both parts at once, one after the other, and without the second one again", async () => {
  const { world, userId, person } = subject
  const { date } = someNight()
  const before = new Date(Date.parse(date) - DAY_MS).toISOString().slice(0, 10)
  const restoreFirst = tellInParts(1)
  await world.connect(userId, person)
  expect(await dates()).toEqual({ cycle: [before], recovery: [before] })
  restoreFirst()
  const restoreBoth = tellInParts(2)
  await syncAgain()
  expect(await dates()).toEqual({ cycle: [date], recovery: [date] })
  restoreBoth()
  const restoreOne = tellInParts(1)
  await syncAgain()
  expect(await dates()).toEqual({ cycle: [before], recovery: [before] })
  restoreOne()
  const other = await world.addUser()
  tellInParts(2)
  await world.connect(other, person, "allow")
  subject = { ...subject, userId: other }
  expect(await dates()).toEqual({ cycle: [date], recovery: [date] })
})
