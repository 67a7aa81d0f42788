// Ultrahuman: a date a call, and one that fails costs itself alone.
import { retryRejected } from "@restwell/core"
import type { Person, UltrahumanSimulator, WirePoint } from "@restwell/simulator"
import { startUltrahumanBeside, startVendor } from "@restwell/testing/vendor"
import { createWorld, storedRows, type World } from "@restwell/testing/world"
import { afterAll, beforeAll, expect, test } from "vitest"
import { withoutHistory } from "./one-person.ts"

const NOW = new Date("2026-11-20T12:00:00Z")
const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000

let vendor: UltrahumanSimulator
let world: World
beforeAll(async () => {
  const simulator = await startVendor({ seed: "ultrahuman dates", now: NOW, days: 40 })
  vendor = await startUltrahumanBeside(simulator)
  world = await createWorld({ simulator, vendor: "ultrahuman", beside: { ultrahuman: vendor }, timeoutMs: 20_000 })
})
afterAll(async () => {
  await world.close()
  await vendor.close()
  await world.simulator.close()
})

const dateOf = (back: number): string =>
  new Date(world.simulator.clock.nowMs() - back * DAY_MS).toISOString().slice(0, 10)

/** A night and its score. */
function putNight(person: Person, date: string): void {
  const at = (time: string): number => Date.parse(`${date}T${time}Z`) / 1000
  const sleep = {
    bedtime_start: at("00:10:00"),
    bedtime_end: at("07:50:00"),
    sleep_score: { score: 79 },
    total_sleep: { minutes: 415 },
  }
  const metrics: readonly WirePoint[] = [
    { type: "sleep", object: sleep },
    { type: "recovery_index", object: { value: 71 } },
  ]
  vendor.edit.days.put(person, { id: date, metrics })
}

async function nightsOf(userId: string): Promise<string[]> {
  const rows = await storedRows(world, userId)
  return rows.flatMap(({ kind, provider_id: id }) => (kind === "sleep" ? [id] : []))
}

/** The connection, and the dates whose night could not be read. */
async function stateOf(userId: string) {
  const { rows } = await world.store.pool.query(
    `select c.status, c.history_complete as complete, c.gaps, array(
       select r.date::text from restwell.rejected_record r where r.user_id = c.user_id and r.kind = 'sleep' order by 1) as unread
     from restwell.connection c where c.user_id = $1`,
    [userId],
  )
  return rows[0]
}

test.each([500, 404, 400])(
  "a date that fails with %i costs itself alone, now and in the past, until it answers",
  async (status) => {
    const { person, userId } = await withoutHistory(world, `failing-${status}`)
    vendor.moveTo(person, "Etc/UTC")
    const dates = [1, 2, 5, 20, 41, 42, 60].map(dateOf)
    const [recent, past] = [dateOf(5), dateOf(41)]
    const read = dates.filter((date) => date !== past)
    for (const date of dates) putNight(person, date)
    vendor.failDate(past, status)
    await world.connect(userId, person)
    await world.runDue()
    expect(await nightsOf(userId)).toEqual(read.toSorted())
    expect(await stateOf(userId)).toEqual({ status: "ok", complete: true, gaps: [], unread: [past] })
    // A date of the last fortnight fails, and the daily look for changes has it.
    vendor.failDate(recent, status)
    world.simulator.clock.advance(DAY_MS)
    const newest = dateOf(0)
    putNight(person, newest)
    await world.sync(userId)
    expect(await nightsOf(userId)).toEqual([...read, newest].toSorted())
    expect(await stateOf(userId)).toMatchObject({ status: "ok", complete: true, gaps: [] })
    vendor.failDate(past, undefined)
    vendor.failDate(recent, undefined)
    world.simulator.clock.advance(DAY_MS + HOUR_MS)
    await retryRejected(world.context)
    await world.sync(userId)
    expect(await nightsOf(userId)).toEqual([...dates, newest].toSorted())
    expect(await stateOf(userId)).toEqual({ status: "ok", complete: true, gaps: [], unread: [] })
  },
)
