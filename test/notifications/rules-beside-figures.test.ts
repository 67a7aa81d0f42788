/* Rules about connections and requests: what happens is told each time, and once, wherever the person is by then. */
import type { Rule } from "@restwell/client"
import { expect, test } from "vitest"
import { OnePerson } from "./one-person.ts"

const link: Rule = { id: "link", kind: "connection", channels: [], enabled: true }
const most: Rule = { id: "most", kind: "quota", percent: 50, channels: [], enabled: true }

const SILENT = "WHOOP has not answered for six hours: new data are late"
const ENDED = "WHOOP has to be reconnected: no new data arrive"

test("a vendor that is silent and then ends its access twice on one date is told of three times", async () => {
  await using person = await OnePerson.start()
  await person.choose({ rules: [link] })
  const changes = [
    [1, "vendor_unavailable"],
    [12, "reauthorization_required"],
    [13, "ok"],
    [15, "reauthorization_required"],
  ] as const
  for (const [hours, status] of changes) {
    person.moveTo(hours)
    await person.noteStatus(status)
    await person.tellAt(hours)
    if (status === "vendor_unavailable") await person.tellAt(hours + 6)
  }
  await person.tellAt(16)
  expect(await person.told()).toEqual([SILENT, ENDED, ENDED])
})

test("a grant that ends is one email, also for who has a rule about connections that sends emails", async () => {
  await using person = await OnePerson.start()
  const { world, userId } = person
  const wearer = world.simulator.people.add({ email: "lena@vendor.example" })
  await world.connect(userId, wearer)
  await world.runDue()
  const mails = async () =>
    (await world.store.pool.query("select kind from restwell.mail where user_id = $1 order by created_at", [userId]))
      .rows
  const endGrant = async (hours: number) => {
    person.moveTo(hours)
    world.simulator.tokens.revokeAll(wearer)
    await world.runDue()
    await person.tellAt(hours)
  }
  await person.choose({ rules: [{ ...link, channels: ["email"] }] })
  await endGrant(30)
  expect(await person.told()).toEqual([ENDED])
  expect(await mails()).toEqual([{ kind: "notice" }])
  await world.connect(userId, wearer)
  await world.runDue()
  await person.choose({ rules: [{ ...link, channels: ["email"], enabled: false }] })
  await endGrant(60)
  expect(await mails()).toEqual([{ kind: "notice" }, { kind: "reconnect" }])
})

test("a sync that fails in another way while a vendor is silent does not begin its six hours anew", async () => {
  await using person = await OnePerson.start()
  await person.choose({ rules: [link] })
  for (const [hours, status] of [
    [1, "vendor_unavailable"],
    [5, "failing"],
    [5.5, "vendor_unavailable"],
  ] as const) {
    person.moveTo(hours)
    await person.noteStatus(status)
    await person.tellAt(hours)
  }
  await person.tellAt(7)
  expect(await person.told()).toEqual([SILENT])
})

test("a grant that ended before midnight is told of once, also where it was the next date", async () => {
  await using person = await OnePerson.start()
  await person.choose({ rules: [link] })
  await person.travelTo(1)
  person.moveTo(22.5)
  await person.noteStatus("reauthorization_required")
  await person.tellAt(22.5)
  for (const [utcOffsetHours, hours] of [
    [2, 30],
    [-8, 54],
  ] as const) {
    await person.travelTo(utcOffsetHours)
    await person.tellAt(hours)
  }
  expect(await person.told()).toEqual([ENDED])
})

test("a share of the requests is told of once a month, after a journey and with another earliest hour too", async () => {
  await using person = await OnePerson.start()
  const { store } = person.world
  const use = (month: string) =>
    store.pool.query(
      "insert into restwell.usage (user_id, month, used, by_day) values ($1, $2, 600000, array_fill(0, array[19]) || 600000 || array_fill(0, array[11]))",
      [person.userId, month],
    )
  await person.choose({ rules: [most] })
  await use("2026-11-01")
  // The requests of November 20 count from the next midnight on.
  await person.tellAt(31)
  expect(await person.told()).toEqual(["50 % of this month's 1,000,000 requests are used"])
  await person.travelTo(9)
  await person.tellAt(60)
  await person.choose({ briefing: { enabled: false, earliest: "11:00", channels: [] } })
  await person.tellAt(84)
  expect(await person.told()).toHaveLength(1)
  await person.choose({ rules: [{ ...most, kind: "quota", percent: 60 }] })
  await person.tellAt(85)
  expect(await person.told()).toHaveLength(1)
  await use("2026-12-01")
  await person.tellAt(31 * 24 + 5)
  expect((await person.told()).at(-1)).toBe("60 % of this month's 1,000,000 requests are used")
})
