/* Nights that a phone pushes in parts: nothing is told of a part, and the whole is told of once. */
import type { RuleRequest } from "@restwell/client"
import { createIngestToken, openIngestToken } from "@restwell/core"
import { expect, test } from "vitest"
import { storePush } from "../pushes/pusher.ts"
import { BEGIN, OnePerson } from "./one-person.ts"

const SHORT: RuleRequest[] = [
  { id: "short", kind: "limit", metric: "asleep", direction: "below", limit: 6, channels: [], enabled: true },
]
const DAY = 24
const TODAY = 6

class Phone implements AsyncDisposable {
  readonly person: OnePerson
  readonly push: (day: number, from: number, to: number) => Promise<void>

  private constructor(person: OnePerson, push: Phone["push"]) {
    this.person = person
    this.push = push
  }

  /** Somebody who slept from 23:00 to 07:00 on each date before today, or on none. */
  static async start({ days = TODAY - 1 } = {}): Promise<Phone> {
    const person = await OnePerson.start()
    const { world, userId } = person
    const { token } = await createIngestToken(world.context, { userId, name: "Phone" })
    const pusher = await openIngestToken(world.context, token)
    const timeOf = (hours: number) => new Date(BEGIN + hours * 3_600_000).toISOString()
    const phone = new Phone(person, async (day, from, to) => {
      const [start, end] = [timeOf(day * DAY + from), timeOf(day * DAY + to)]
      const at = timeOf(day * DAY + from + 0.5)
      const records = [
        { type: "sleep_segment", start, end, value: "light", source: "Watch" },
        { type: "hrv_sdnn", start: at, end: at, value: 48, unit: "ms", source: "Watch" },
      ]
      await storePush(world, pusher, { records })
    })
    person.moveTo(DAY * (TODAY - days) + 7.1)
    await phone.push(TODAY - days, -1, 7)
    for (let day = TODAY - days + 1; day < TODAY; day += 1) {
      person.moveTo(DAY * day + 7.1)
      await phone.push(day, -1, 7)
    }
    await person.choose({ briefing: { enabled: true, earliest: "00:00", channels: [] }, rules: SHORT })
    return phone
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.person[Symbol.asyncDispose]()
  }

  tellAt(hours: number): Promise<void> {
    return this.person.tellAt(TODAY * DAY + hours)
  }

  async pushAt(hours: number, from: number, to: number): Promise<void> {
    this.person.moveTo(TODAY * DAY + hours)
    await this.push(TODAY, from, to)
    await this.tellAt(hours)
  }

  async told(): Promise<string[]> {
    const { rows } = await this.person.world.store.pool.query<{ about: string }>(
      "select subject || ' at ' || to_char(sent_at at time zone 'UTC', 'HH24:MI') as about from restwell.notice where date = $1 order by 1",
      [new Date(BEGIN + TODAY * DAY * 3_600_000).toISOString().slice(0, 10)],
    )
    return rows.map(({ about }) => about)
  }
}

test("a night whose first part was pushed in the night is judged and told of as a whole", async () => {
  await using phone = await Phone.start()
  await phone.pushAt(2.5, -1, 2 + 25 / 60)
  for (const hours of [3.5, 4.5, 6, 7]) await phone.tellAt(hours)
  expect(await phone.told()).toEqual([])
  await phone.pushAt(7.1, 2.5, 7)
  expect(await phone.told()).toEqual([])
  await phone.tellAt(8)
  expect(await phone.told()).toEqual(["briefing at 08:00"])
})

test("the rest of a night that the phone brings late is waited for, until three hours after the usual waking", async () => {
  await using phone = await Phone.start()
  await phone.pushAt(2.5, -1, 2 + 25 / 60)
  await phone.tellAt(9.5)
  await phone.pushAt(9.6, 2.5, 7)
  expect(await phone.told()).toEqual(["briefing at 09:36"])
})

test("a night that was short is told of too", async () => {
  await using phone = await Phone.start()
  await phone.pushAt(2.5, -1, 2 + 25 / 60)
  await phone.tellAt(9.9)
  expect(await phone.told()).toEqual([])
  await phone.tellAt(10)
  expect(await phone.told()).toEqual(["briefing at 10:00", "short at 10:00"])
})

test("a night that was over for long when it came is told of at once", async () => {
  await using phone = await Phone.start()
  await phone.pushAt(11, -1, 7)
  expect(await phone.told()).toEqual(["briefing at 11:00"])
})

test("without nights before it, nothing is told of a part in the night either", async () => {
  await using phone = await Phone.start({ days: 1 })
  await phone.pushAt(2.5, -1, 2 + 25 / 60)
  for (const hours of [3.5, 6]) await phone.tellAt(hours)
  expect(await phone.told()).toEqual([])
  await phone.pushAt(7.1, 2.5, 7)
  await phone.tellAt(8)
  expect(await phone.told()).toEqual(["briefing at 08:00"])
})
