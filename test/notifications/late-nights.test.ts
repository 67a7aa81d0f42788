/* Nights that arrive late, or after the person connected anew: each is told of once, on its own morning. */
import type { RuleRequest } from "@restwell/client"
import { HOUR_MS } from "@restwell/client/time-units"
import { expect, test } from "vitest"
import { BEGIN, OnePerson } from "./one-person.ts"
import { connect, storeNight } from "./store-night.ts"

const RULES: RuleRequest[] = [
  { id: "low", kind: "limit", metric: "hrv", direction: "below", limit: 50, channels: [], enabled: true },
]

/** Somebody who is told of each night, and of a low HRV. */
async function someone(): Promise<OnePerson> {
  const person = await OnePerson.start()
  await connect(person.world, person.userId)
  await person.choose({ briefing: { enabled: true, earliest: "05:00", channels: [] }, rules: RULES })
  return person
}

/** Stores a scored night of seven hours that ended at an hour after the first midnight. */
function store({ world, userId }: OnePerson, endHours: number): Promise<void> {
  const endMs = BEGIN + endHours * HOUR_MS
  const times = { startMs: endMs - 7 * HOUR_MS, endMs, utcOffsetMinutes: 0, arrivesMs: endMs, scoredMs: endMs }
  const night = { id: `${endHours}`, date: new Date(endMs).toISOString().slice(0, 10), hrv: 40, restingHeartRate: 50 }
  return storeNight(world, userId, { ...night, ...times }, { isScored: true })
}

async function told({ world, userId }: OnePerson): Promise<string[]> {
  const { rows } = await world.store.pool.query<{ about: string }>(
    "select subject || ' ' || date::text as about from restwell.notice where user_id = $1 order by 1",
    [userId],
  )
  return rows.map(({ about }) => about)
}

test("of two nights that arrive at once, each is judged and told of on its own morning, once", async () => {
  await using person = await someone()
  person.moveTo(54.75)
  // To Saturday and to Sunday, and one that ended more than a day ago.
  for (const endHours of [7, 31, 54.5]) await store(person, endHours)
  await person.tellAt(54.8)
  const both = ["briefing 2026-11-21", "briefing 2026-11-22", "low 2026-11-21", "low 2026-11-22"]
  expect(await told(person)).toEqual(both)
  await person.tellAt(56)
  expect(await told(person)).toEqual(both)
})

test("a night that ended before the person connected anew is told of, and one before the first connection is not", async () => {
  await using person = await someone()
  const { world, userId } = person
  person.moveTo(8)
  // An archive was there before.
  await world.store.pool.query(
    `update restwell.connection set first_connected_at = connected_at, connected_at = $2, first_live_at = $2 where user_id = $1`,
    [userId, person.now],
  )
  await store(person, 7)
  await person.tellAt(9)
  expect(await told(person)).toEqual([])
  person.moveTo(32)
  await world.store.pool.query("update restwell.connection set connected_at = $2 where user_id = $1", [
    userId,
    person.now,
  ])
  await store(person, 31)
  await person.tellAt(33)
  expect(await told(person)).toEqual(["briefing 2026-11-21", "low 2026-11-21"])
})

test("a night that is older than a day when its briefing may be sent sends none, and its rules are judged", async () => {
  await using person = await someone()
  await person.choose({ briefing: { enabled: true, earliest: "09:30", channels: [] } })
  // Woke at 07:00 on Saturday, scored at 06:00 on Sunday.
  person.moveTo(54)
  await store(person, 31)
  await person.tellAt(54)
  expect(await told(person)).toEqual(["low 2026-11-21"])
  await person.tellAt(57.5)
  expect(await told(person)).toEqual(["low 2026-11-21"])
})

test("a briefing that quiet hours would send a day after waking is not sent, and its rules are", async () => {
  await using person = await someone()
  await person.choose({ quiet: { start: "22:00", end: "07:00" } })
  person.moveTo(46.5)
  await store(person, 30.5)
  await person.tellAt(46.5)
  await person.tellAt(55)
  expect(await told(person)).toEqual(["low 2026-11-21"])
})
