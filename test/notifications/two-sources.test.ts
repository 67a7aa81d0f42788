/* Mornings of people with two sources: the one that usually answers is waited for, and so is a recovery that comes after its night. */
import type { RuleRequest } from "@restwell/client"
import { HOUR_MS } from "@restwell/client/time-units"
import { expect, test } from "vitest"
import { BEGIN, OnePerson } from "./one-person.ts"
import type { MadeNight } from "./people.ts"
import { connect, storeNight } from "./store-night.ts"

const LOW: RuleRequest[] = [
  { id: "low", kind: "limit", metric: "hrv", direction: "below", limit: 34, channels: [], enabled: true },
]
const DAY = 24
const MINUTE = 1 / 60

interface OfDay {
  readonly hrv?: number
  /** Hours after the midnight of the date. */
  readonly woke?: number
}

/** The night to a date. @param day days after the first */
function nightTo(day: number, { hrv = 60, woke = 6 }: OfDay = {}): MadeNight {
  const endMs = BEGIN + (day * DAY + woke) * HOUR_MS
  return {
    ...{ id: `${day}`, date: new Date(endMs).toISOString().slice(0, 10), startMs: endMs - 8 * HOUR_MS, endMs },
    ...{ utcOffsetMinutes: 0, arrivesMs: endMs, scoredMs: endMs, hrv, restingHeartRate: 50 },
  }
}

/** The first date of which something is told here. */
const TODAY = 4

/** Somebody with nights of these sources, the one that answers first, on each date before today. */
async function withNightsOf(...providers: readonly string[]): Promise<OnePerson> {
  const person = await OnePerson.start()
  const { world, userId } = person
  for (const provider of providers) {
    await connect(world, userId, person.now, provider)
    // The source that is there longest answers.
    world.simulator.clock.advance(1)
  }
  person.moveTo(TODAY * DAY - 2)
  for (let day = 1; day < TODAY; day += 1)
    for (const provider of providers) await storeNight(world, userId, nightTo(day), { isScored: true, provider })
  await person.choose({ briefing: { enabled: true, earliest: "05:00", channels: [] }, rules: LOW })
  await person.tellAt(TODAY * DAY - 1)
  expect(await told(person)).toEqual([])
  return person
}

const scored = (provider: string) => ({ isScored: true, provider })

async function told({ world, userId }: OnePerson): Promise<string[]> {
  const { rows } = await world.store.pool.query<{ about: string }>(
    "select subject || ' at ' || to_char(sent_at at time zone 'UTC', 'HH24:MI') as about from restwell.notice where user_id = $1 order by 1",
    [userId],
  )
  return rows.map(({ about }) => about)
}

/** An hour of today. */
const at = (hours: number): number => TODAY * DAY + hours

test("the source that answered the last mornings is waited for when another one is quicker", async () => {
  await using person = await withNightsOf("whoop", "oura")
  const { world, userId } = person
  person.moveTo(at(6.5))
  await storeNight(world, userId, nightTo(TODAY, { hrv: 70 }), scored("oura"))
  await person.tellAt(at(6.5))
  expect(await told(person)).toEqual([])
  person.moveTo(at(7.5))
  await storeNight(world, userId, nightTo(TODAY, { hrv: 28 }), scored("whoop"))
  await person.tellAt(at(7.5))
  expect(await told(person)).toEqual(["briefing at 07:30", "low at 07:30"])
})

test("nothing is said of the quicker source's figure, which the other one contradicts", async () => {
  await using person = await withNightsOf("whoop", "oura")
  const { world, userId } = person
  person.moveTo(at(6.5))
  await storeNight(world, userId, nightTo(TODAY, { hrv: 30 }), scored("oura"))
  await person.tellAt(at(6.5))
  person.moveTo(at(7.5))
  await storeNight(world, userId, nightTo(TODAY, { hrv: 70 }), scored("whoop"))
  await person.tellAt(at(7.5))
  expect(await told(person)).toEqual(["briefing at 07:30"])
})

test("a source that has the night but not yet its recovery is waited for beside another one's recovery", async () => {
  await using person = await withNightsOf("whoop", "oura")
  const { world, userId } = person
  person.moveTo(at(6.5))
  await storeNight(world, userId, nightTo(TODAY, { hrv: 70 }), scored("oura"))
  await storeNight(world, userId, nightTo(TODAY), { ...scored("whoop"), kinds: ["sleep"] })
  await person.tellAt(at(6.5))
  expect(await told(person)).toEqual([])
  person.moveTo(at(6.6))
  await storeNight(world, userId, nightTo(TODAY, { hrv: 28 }), scored("whoop"))
  await person.tellAt(at(6.6))
  expect(await told(person)).toEqual(["briefing at 06:36", "low at 06:36"])
})

test("a source that stays away is waited for until three hours after waking", async () => {
  await using person = await withNightsOf("whoop", "oura")
  const { world, userId } = person
  person.moveTo(at(6.5))
  await storeNight(world, userId, nightTo(TODAY, { hrv: 30 }), scored("oura"))
  await person.tellAt(at(6.5))
  await person.tellAt(at(8.9))
  expect(await told(person)).toEqual([])
  await person.tellAt(at(9))
  expect(await told(person)).toEqual(["briefing at 09:00", "low at 09:00"])
})

test.each([
  ["a source that comes later and never answers", ["oura", "whoop"], "ok"],
  ["a source whose access has ended", ["whoop", "oura"], "reauthorization_required"],
  ["a source that was disconnected", ["whoop", "oura"], "disconnected"],
] as const)("%s is not waited for", async (_, providers, status) => {
  await using person = await withNightsOf(...providers)
  const { world, userId } = person
  await world.store.pool.query("update restwell.connection set status = $2 where user_id = $1 and provider = 'whoop'", [
    userId,
    status,
  ])
  person.moveTo(at(6.5))
  await storeNight(world, userId, nightTo(TODAY, { hrv: 30 }), scored("oura"))
  await person.tellAt(at(6.5))
  expect(await told(person)).toEqual(["briefing at 06:30", "low at 06:30"])
})

test("a recovery that comes seconds after a night that was late is judged with it", async () => {
  await using person = await withNightsOf("whoop")
  const { world, userId } = person
  person.moveTo(at(9.5))
  await storeNight(world, userId, nightTo(TODAY), { ...scored("whoop"), kinds: ["sleep"] })
  await person.tellAt(at(9.5))
  expect(await told(person)).toEqual([])
  person.moveTo(at(9.5 + MINUTE))
  await storeNight(world, userId, nightTo(TODAY, { hrv: 28 }), scored("whoop"))
  await person.tellAt(at(9.5 + MINUTE))
  expect(await told(person)).toEqual(["briefing at 09:31", "low at 09:31"])
})

test("a late night whose recovery stays away is told of some minutes after it came", async () => {
  await using person = await withNightsOf("whoop")
  const { world, userId } = person
  person.moveTo(at(9.5))
  await storeNight(world, userId, nightTo(TODAY), { ...scored("whoop"), kinds: ["sleep"] })
  await person.tellAt(at(9.5))
  await person.tellAt(at(9.5 + 9 * MINUTE))
  expect(await told(person)).toEqual([])
  await person.tellAt(at(9.5 + 10 * MINUTE))
  expect(await told(person)).toEqual(["briefing at 09:40"])
})
