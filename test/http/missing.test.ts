// What a source could not give is named on its date: records that were set aside, and collections that fail.
import { MissingSchema } from "@restwell/client"
import type { Person } from "@restwell/simulator"
import { whoopArchive } from "@restwell/testing/archive"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { importedArchive } from "../imports/upload-archive.ts"

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.close())

const BodySchema = z.looseObject({ missing: MissingSchema })

/** The answer to a read, and its entity tag. */
async function read(key: string, search: string) {
  const response = await readHealth(service.url, key, search)
  return { etag: response.headers.get("etag"), ...BodySchema.parse(await response.json()) }
}

/** Changes some of a person's sleeps on their way. */
const drift = (person: Person, changes: Readonly<Record<string, object>>) => {
  const changed = (record: { id: string }) => ({ ...record, ...changes[record.id] })
  return service.simulator.faults.add({
    match: { path: /sleep/, personId: person.userId },
    kind: "transform",
    transform: (reply) =>
      "records" in Object(reply)
        ? { ...Object(reply), records: Object(reply).records.map(changed) }
        : changed(Object(reply)),
  })
}

const SET_ASIDE = "WHOOP sent this sleep in a form that Restwell does not read yet. It is asked for again"
const setAside = (date: string) => ({ date, kind: "sleep", reason: SET_ASIDE, source: "whoop" })

test("nights in a form that is not known are missing on their dates, in lists, summaries and charts", async () => {
  const person = service.simulator.people.add({ email: "ada@vendor.example" })
  const twin = service.simulator.people.add({ email: "ada.twin@vendor.example" })
  const nights = service.simulator.records(person).sleeps.filter(({ nap }) => !nap)
  const [first, second, third] = nights.slice(3)
  if (!first || !second || !third) throw new Error("the person has no nights")
  const dateOf = ({ end, timezone_offset: offset }: { end: string; timezone_offset: string }) =>
    Temporal.Instant.from(end)
      .toZonedDateTimeISO(offset === "Z" ? "UTC" : offset)
      .toPlainDate()
      .toString()
  drift(person, {
    [first.id]: { score_state: "ESTIMATED" },
    [second.id]: { timezone_offset: null },
    [third.id]: { start: "soon" },
  })
  const { key, member } = await Member.connected(service, person)
  const expected = [first, second, third].map((night) => setAside(dateOf(night)))
  const list = await read(key, "?type=sleep&days=30")
  expect(list.missing).toEqual(expected.toSorted((one, other) => (one.date < other.date ? 1 : -1)))
  expect((await read(key, "?type=summary&days=30")).missing).toEqual(list.missing)
  expect((await read(key, "?type=sleep&days=30&source=whoop")).missing).toEqual(list.missing)
  expect((await read(key, "?type=workout&days=30")).missing).toEqual([])
  const { date } = setAside(dateOf(second))
  expect((await read(key, `?type=sleep&start_date=${date}&end_date=${date}`)).missing).toEqual([setAside(date)])
  const trends = await (await member.send("GET", "/api/account/trends?days=30")).json()
  expect(trends).toMatchObject({ missing: list.missing })

  const other = await Member.connected(service, twin)
  expect((await read(other.key, "?type=sleep&days=30")).missing).toEqual([])
})

test("a collection that fails is missing on every date, and no longer once it answers, with another entity tag", async () => {
  const person = service.simulator.people.add({ email: "ben@vendor.example" })
  const repair = service.simulator.faults.add({
    match: { path: /\/activity\/workout/, personId: person.userId },
    kind: "status",
    status: 403,
  })
  const { key, member } = await Member.connected(service, person)
  const failing = await read(key, "?type=workout&days=3")
  expect(failing.missing).toHaveLength(3)
  for (const one of failing.missing)
    expect(one).toMatchObject({ kind: "workout", reason: "WHOOP does not allow workouts", source: "whoop" })
  expect((await read(key, "?type=summary&days=3")).missing).toEqual(failing.missing)
  expect((await read(key, "?type=sleep&days=3")).missing).toEqual([])
  repair()
  expect((await member.send("POST", "/api/connections/whoop/sync")).status).toBe(202)
  await expect.poll(async () => (await read(key, "?type=workout&days=3")).missing).toEqual([])
  expect((await read(key, "?type=workout&days=3")).etag).not.toBe(failing.etag)
})

test("nothing is missing of a source that was disconnected and has an archive: nobody asks it any more", async () => {
  const person = service.simulator.people.add({ email: "cleo@vendor.example" })
  service.simulator.faults.add({
    match: { path: /\/activity\/workout/, personId: person.userId },
    kind: "status",
    status: 403,
  })
  const { key, member } = await Member.connected(service, person)
  expect((await read(key, "?type=workout&days=3")).missing).toHaveLength(3)
  await importedArchive(service.url, member, whoopArchive(service.simulator.records(person)))
  expect((await read(key, "?type=workout&days=3")).missing).toHaveLength(3)
  expect((await member.send("DELETE", "/api/connections/whoop")).status).toBe(204)
  expect((await read(key, "?type=workout&days=3")).missing).toEqual([])
  expect(await (await member.send("GET", "/api/account/trends?days=3")).json()).toMatchObject({ missing: [] })
})
