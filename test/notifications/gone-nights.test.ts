/* Nights that are gone before the hour of their briefing, and nights that come in their place. */
import type { RuleRequest } from "@restwell/client"
import { HOUR_MS } from "@restwell/client/time-units"
import { expect, test } from "vitest"
import { BEGIN, OnePerson } from "./one-person.ts"
import type { MadeNight } from "./people.ts"
import { connect, deleteNight, storeNight } from "./store-night.ts"

const LOW: RuleRequest[] = [
  { id: "low", kind: "limit", metric: "hrv", direction: "below", limit: 34, channels: [], enabled: true },
]
const DAY = 24
/** With enough mornings before it that figures are compared with usual ones. */
const TODAY = 12

function nightTo(day: number, { hrv = 60 + (day % 3), woke = 5 } = {}): MadeNight {
  const endMs = BEGIN + (day * DAY + woke) * HOUR_MS
  // Yesterday's pulse is far above usual.
  const restingHeartRate = day === TODAY - 1 ? 80 : 50
  return {
    ...{ id: `${day}-${woke}`, date: new Date(endMs).toISOString().slice(0, 10) },
    ...{ startMs: endMs - 6 * HOUR_MS, endMs, utcOffsetMinutes: 0, arrivesMs: endMs, scoredMs: endMs },
    ...{ hrv, restingHeartRate },
  }
}

async function someone(): Promise<OnePerson> {
  const person = await OnePerson.start()
  const { world, userId } = person
  await connect(world, userId)
  person.moveTo(TODAY * DAY - 2)
  for (let day = 1; day < TODAY; day += 1) await storeNight(world, userId, nightTo(day), { isScored: true })
  await person.choose({
    ...{ briefing: { enabled: true, earliest: "07:00", channels: [] }, quiet: { start: "22:00", end: "06:50" } },
    rules: LOW,
  })
  await person.tellAt(TODAY * DAY - 1)
  return person
}

const at = (hours: number): number => TODAY * DAY + hours

test("of a night that is gone by the earliest hour nothing is sent", async () => {
  await using person = await someone()
  const { world, userId } = person
  person.moveTo(at(5.5))
  await storeNight(world, userId, nightTo(TODAY), { isScored: true })
  await person.tellAt(at(5.5))
  person.moveTo(at(6.5))
  await deleteNight(world, userId, nightTo(TODAY))
  for (const hours of [6.5, 7, 12]) await person.tellAt(at(hours))
  expect(await person.told()).toEqual([])
})

test("the night that comes in its place is judged and told of, once", async () => {
  await using person = await someone()
  const { world, userId } = person
  person.moveTo(at(5.5))
  await storeNight(world, userId, nightTo(TODAY), { isScored: true })
  await person.tellAt(at(5.5))
  person.moveTo(at(6.5))
  await deleteNight(world, userId, nightTo(TODAY))
  for (const hours of [6.5, 7]) await person.tellAt(at(hours))
  person.moveTo(at(8))
  await storeNight(world, userId, nightTo(TODAY, { hrv: 28, woke: 6 }), { isScored: true })
  await person.tellAt(at(8))
  const both = [expect.stringMatching(/ 28.0 ms is below 34.0 ms$/), expect.stringMatching(/^Your night to/)]
  expect((await person.told()).toSorted()).toEqual(both)
  await person.tellAt(at(9))
  expect(await person.told()).toHaveLength(2)
})

test("a night that could not be scored is told of without what was far from usual the day before", async () => {
  await using person = await someone()
  const { world, userId } = person
  person.moveTo(at(5.5))
  await storeNight(world, userId, nightTo(TODAY), { isScored: false, isUnscorable: true, kinds: ["sleep"] })
  await person.tellAt(at(5.5))
  await person.tellAt(at(9))
  const { rows } = await world.store.pool.query<{ text: string }>(
    "select message ->> 'lines' as text from restwell.notice",
  )
  expect(rows).toEqual([{ text: expect.stringContaining("You were in bed for 6 h") }])
  expect(rows[0]?.text).not.toContain("Far from usual")
})
