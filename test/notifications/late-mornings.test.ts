/* Mornings whose score never comes, and mornings after which nothing ran. */
import type { Rule } from "@restwell/client"
import { expect, test } from "vitest"
import { OnePerson } from "./one-person.ts"
import type { MadeNight } from "./people.ts"
import { connect, storeNight } from "./store-night.ts"

const HOUR_MS = 3_600_000
const short: Rule = {
  ...{ id: "short", kind: "limit", metric: "asleep", direction: "below", limit: 540 },
  ...{ channels: [], enabled: true },
}

/** A night that has just ended. */
const nightOf = (person: OnePerson, hours = 8): MadeNight => {
  const endMs = person.now.getTime()
  const date = person.now.toISOString().slice(0, 10)
  return {
    ...{ id: date, date, startMs: endMs - hours * HOUR_MS, endMs, utcOffsetMinutes: 0 },
    ...{ arrivesMs: endMs, scoredMs: endMs, hrv: 60, restingHeartRate: 50 },
  }
}

async function startWith(rules: readonly Rule[]): Promise<OnePerson> {
  const person = await OnePerson.start()
  await person.choose({ rules: [...rules], briefing: { enabled: true, earliest: "05:00", channels: [] } })
  await connect(person.world, person.userId)
  return person
}

test("a recovery that stays pending is waited for until three hours after waking", async () => {
  await using person = await startWith([short])
  person.moveTo(7)
  await storeNight(person.world, person.userId, nightOf(person), { isScored: true, isRecoveryScored: false })
  await person.tellAt(7)
  await person.tellAt(9.9)
  expect(await person.told()).toEqual([])
  await person.tellAt(10.1)
  expect(await person.told()).toEqual([expect.stringMatching(/^Time asleep/), expect.stringMatching(/^Your night to/)])
})

test("a briefing that was due a day ago, while nothing ran, is not sent any more", async () => {
  await using person = await startWith([])
  person.moveTo(4)
  await storeNight(person.world, person.userId, nightOf(person, 3), { isScored: true })
  await person.tellAt(4)
  await person.tellAt(32)
  expect(await person.told()).toEqual([])
})
