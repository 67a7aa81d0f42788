/* The summary of a history: one message, and only for what is new. */
import { WEBHOOK_EVENTS } from "@restwell/client"
import { createWebhook, listDeliveries, undoImport } from "@restwell/core"
import { garminArchive, garminRows } from "@restwell/simulator"
import { whoopArchive } from "@restwell/testing/archive"
import { expect, test } from "vitest"
import { importArchive, ringDocuments } from "../imports/import-archive.ts"
import { OnePerson } from "./one-person.ts"

test("archives that arrive at night are one message in the morning, and one that brings nothing is none", async () => {
  await using person = await OnePerson.start()
  const { world, userId } = person
  const quiet = { start: "22:00", end: "07:00" }
  await person.choose({ quiet, briefing: { enabled: true, earliest: "07:00", channels: [] } })
  const wearer = world.simulator.people.add({ email: "lena@vendor.example" })
  const whoop = whoopArchive(world.simulator.records(wearer))
  const garmin = garminArchive(garminRows(await ringDocuments(world, 20)))
  person.moveTo(23)
  for (const bytes of [whoop, garmin]) expect((await importArchive(world, userId, { bytes })).status).toBe("done")
  await person.travelTo(0)
  await person.tellAt(23)
  expect(await person.told()).toEqual([])
  await person.tellAt(31)
  expect(await person.told()).toEqual(["Your history from Garmin and WHOOP is here"])
  person.moveTo(56)
  expect((await importArchive(world, userId, { bytes: whoop })).report).toMatchObject({ stored: 0 })
  await person.tellAt(57)
  expect(await person.told()).toHaveLength(1)
})

test("the summary of a history is no news of today: it says of what it is, and replaces no briefing", async () => {
  await using person = await OnePerson.start()
  const { world, userId } = person
  const own = { userId, network: "192.0.2.0/24" }
  const wanted = { url: "http://127.0.0.1:1/", events: [...WEBHOOK_EVENTS], include_figures: false }
  const { id } = await createWebhook(world.context, own, wanted)
  await person.choose({ briefing: { enabled: true, earliest: "07:00", channels: ["webhook"] } })
  person.moveTo(1)
  const summaries = async () =>
    (await listDeliveries(world.context, { userId, id })).flatMap(({ type, data }) =>
      type === "briefing.ready" ? [data["mode"]] : [],
    )
  const bytes = garminArchive(garminRows(await ringDocuments(world, 20)))
  await importArchive(world, userId, { bytes })
  await person.tellAt(31)
  expect(await summaries()).toEqual(["import"])
  const wearer = world.simulator.people.add({ email: "lena@vendor.example" })
  await world.connect(userId, wearer)
  await world.runDue()
  await person.tellAt(32)
  expect(await summaries()).toEqual(["backfill", "import"])
})

test("an archive that is undone before the morning is no message", async () => {
  await using person = await OnePerson.start()
  const { world, userId } = person
  await person.choose({ briefing: { enabled: true, earliest: "07:00", channels: [] } })
  person.moveTo(1)
  const bytes = garminArchive(garminRows(await ringDocuments(world, 20)))
  const { id } = await importArchive(world, userId, { bytes })
  await undoImport(world.context, userId, id)
  await person.tellAt(31)
  expect(await person.told()).toEqual([])
})
