/* Webhooks: what a person's receiver gets of their data, signed by Standard Webhooks, and what it does not get. */
import { WEBHOOK_EVENTS } from "@restwell/client"
import type { Person } from "@restwell/simulator"
import { whoopArchive } from "@restwell/testing/archive"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test, vi } from "vitest"
import { z } from "zod"
import { importedArchive } from "../imports/upload-archive.ts"
import { newToken, pushed } from "../pushes/pusher.ts"
import { makeWebhook, WEBHOOKS, webhooksOf } from "./own-webhooks.ts"
import { isSigned, Receiver, verify } from "./receiver.ts"

const HOUR_MS = 3_600_000

let service: TestService
beforeAll(async () => {
  service = await startTestService({
    days: 40,
    now: new Date(),
    isStill: true,
    environment: { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" },
  })
})
afterAll(() => service.close())

const newPerson = () => service.simulator.people.addOne()

/** A member with a history, whose webhook is made afterwards: it gets news alone. */
async function listening(receiver: Receiver, more: object = {}) {
  const person = newPerson()
  const { member, key } = await Member.connected(service, person)
  return { person, member, key, ...(await makeWebhook(member, receiver.url, more)) }
}

const recordsOf = async (key: string, type: string): Promise<Record<string, unknown>[]> => {
  const body = await (await readHealth(service.url, key, `?type=${type}&days=10`)).json()
  return z.object({ records: z.array(z.record(z.string(), z.unknown())) }).parse(body).records
}

test("a first sync is one message, whatever its history has", async () => {
  await using receiver = await Receiver.start()
  const member = new Member(service)
  await member.signUp()
  const { secret } = await makeWebhook(member, receiver.url)
  await member.connect(newPerson())
  await member.untilHistoryIsComplete()
  await expect.poll(() => receiver.types()).toEqual(["batch.completed"])
  const [batch] = receiver.received
  if (!batch) throw new Error("nothing arrived")
  expect(verify(secret, batch)).toEqual(JSON.parse(batch.body))
  expect(batch.headers["content-type"]).toBe("application/json")
  expect(batch.event.data).toMatchObject({ mode: "backfill", source: "whoop", kind: null, id: null, date: null })
  const { records } = batch.event.data
  expect(records).toBe(await countRecords(member))
})

const countRecords = async (member: Member): Promise<number> => {
  const { rows } = await service.store.pool.query(
    `select count(*)::integer as count from restwell.record join restwell."user" u on u.id = user_id where u.email = $1`,
    [member.email],
  )
  return z.object({ count: z.int() }).parse(rows[0]).count
}

test("each night, recovery and workout of the next days is one event, with the record as REST answers it", async () => {
  await using receiver = await Receiver.start()
  const { person, key, secret } = await listening(receiver, { include_figures: true })
  const former = scoredRecoveries(person)
  // WHOOP deletes a few nights again, hours after it scored them.
  let seen = new Set<string>()
  for (let hours = 0; hours < 72; hours += 6) {
    service.simulator.clock.advance(6 * HOUR_MS)
    await expect.poll(() => isSynced(key)).toBe(true)
    seen = seen.union(scoredRecoveries(person))
  }
  const scored = () => receiver.received.filter(({ event }) => event.type === "recovery.scored")
  const added = seen.difference(former)
  await expect.poll(() => new Set(scored().map(({ event }) => event.data.id))).toEqual(added)
  // Events and answers follow a sync one after the other.
  await vi.waitFor(() => expectAsAnswered(receiver, { key, secret }), 30_000)
})

/** Each record is told once, and REST answers the newest state of each now, or no longer has one that was told as deleted. */
async function expectAsAnswered(receiver: Receiver, { key, secret }: { key: string; secret: string }): Promise<void> {
  const told = receiver.received.filter(({ event }) => /scored|recorded/.test(event.type))
  const known = await Promise.all(
    (["sleep", "recovery", "workout"] as const).map(async (kind) => ({ kind, records: await recordsOf(key, kind) })),
  )
  const idOf = (kind: string, record: Record<string, unknown>) => record[kind === "recovery" ? "cycle_id" : "id"]
  const deleted = new Set(
    receiver.received.flatMap(({ event }) => (event.type === "record.deleted" ? [keyOf(event)] : [])),
  )
  expect(new Set(told.map(({ event }) => `${event.type} ${event.data.id}`)).size).toBe(told.length)
  for (const one of told) {
    const { type, data } = one.event
    const { records } = known.find(({ kind }) => kind === data.kind) ?? { records: [] }
    expect(type).toBe(data.kind === "workout" ? "workout.recorded" : `${data.kind}.scored`)
    expect(isSigned(secret, one)).toBe(true)
    expect(data).toMatchObject({ mode: "live", source: "whoop", date: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) })
    const isThere = records.some((record) => idOf(String(data.kind), record) === data.id)
    expect(isThere, `${data.id} of ${data.kind}`).toBe(!deleted.has(keyOf(one.event)))
  }
  for (const [id, events] of Map.groupBy(receiver.received, ({ event }) => keyOf(event))) {
    if (deleted.has(id)) continue
    const { kind, record } = { kind: id.split(" ")[0] ?? "", record: events.at(-1)?.event.data["record"] }
    const { records } = known.find((one) => one.kind === kind) ?? {}
    if (records) expect(records).toContainEqual(record)
  }
}

const keyOf = ({ data }: Receiver["received"][number]["event"]): string => `${data.kind} ${data.id}`

const isSynced = async (key: string): Promise<boolean> => {
  const { source } = await (await readHealth(service.url, key, "?type=sleep&days=1")).json()
  return Date.parse(source.last_synced_at) > service.simulator.clock.nowMs() - HOUR_MS
}

test("a record that the vendor changes or deletes is one event, and the others are none", async () => {
  await using receiver = await Receiver.start()
  const { person, member } = await listening(receiver)
  const [workout, other] = service.simulator.records(person).workouts.toReversed()
  if (!workout?.score || !other) throw new Error("the person has no workouts")
  const { strain } = workout.score
  service.simulator.edit.workout.patch(person, workout.id, { score: { ...workout.score, strain: otherStrain(strain) } })
  service.simulator.edit.workout.delete(person, other.id)
  expect((await member.send("POST", "/api/connections/whoop/sync")).status).toBe(202)
  await expect.poll(() => receiver.types().toSorted()).toEqual(["record.changed", "record.deleted"])
  const ofType = (type: string) => receiver.received.find(({ event }) => event.type === type)?.event.data
  expect(ofType("record.changed")).toEqual({
    ...{ mode: "live", source: "whoop", kind: "workout", change: "updated" },
    ...{ id: `whoop-${workout.id}`, date: expect.any(String) },
  })
  expect(ofType("record.deleted")).toMatchObject({ kind: "workout", id: `whoop-${other.id}` })
})

/** Another strain from 0 to 21 than the person's, whose life is drawn. */
const otherStrain = (strain: number): number => (strain > 10 ? strain - 3 : strain + 3)

test("an archive is one message, and so is its removal", async () => {
  await using receiver = await Receiver.start()
  const member = new Member(service)
  await member.signUp()
  await makeWebhook(member, receiver.url)
  const archive = whoopArchive(service.simulator.records(newPerson()))
  const imported = await importedArchive(service.url, member, archive)
  expect(imported?.status).toBe("done")
  await expect.poll(() => receiver.types()).toEqual(["batch.completed"])
  expect((await member.send("DELETE", `/api/imports/${imported?.id}`)).status).toBe(204)
  await expect.poll(() => receiver.types()).toEqual(["batch.completed", "batch.completed"])
  const [stored, removed] = receiver.received.map(({ event }) => event.data)
  expect(stored).toMatchObject({ mode: "import", source: "whoop", records: expect.any(Number) })
  expect(removed).toMatchObject({ mode: "import", source: "whoop", records: 0 })
})

test("an archive of values within the day alone is one message too, and the same again is none", async () => {
  await using receiver = await Receiver.start()
  const member = new Member(service)
  await member.signUp()
  await makeWebhook(member, receiver.url)
  const heartRates = (bpm: number) => Buffer.from(`timestamp;bpm;source\n2026-11-17T10:00:00.000Z;${bpm};awake\n`)
  for (const bpm of [61, 61, 62]) await importedArchive(service.url, member, heartRates(bpm))
  await expect.poll(() => receiver.types()).toEqual(["batch.completed", "batch.completed"])
  expect(receiver.received[0]?.event.data).toMatchObject({ mode: "import", source: "oura" })
})

test("data that is deleted with its connection is one message, and a connection that ends alone is none", async () => {
  await using receiver = await Receiver.start()
  const { member } = await listening(receiver)
  expect((await member.send("DELETE", "/api/connections/whoop?data=keep")).status).toBe(204)
  expect((await member.send("DELETE", "/api/connections/whoop?data=delete")).status).toBe(204)
  await expect.poll(() => receiver.types()).toEqual(["batch.completed"])
  expect(receiver.received[0]?.event.data).toMatchObject({ mode: "backfill", source: "whoop", kind: null, records: 0 })
})

test("a workout that a phone pushes is one event, and a pushed history one message", async () => {
  await using receiver = await Receiver.start()
  const member = new Member(service)
  await member.signUp()
  await makeWebhook(member, receiver.url)
  const { token } = await newToken(member)
  const at = (hours: number) => new Date(service.simulator.clock.nowMs() - hours * HOUR_MS).toISOString()
  const workout = (hours: number) => ({ type: "workout", start: at(hours), end: at(hours - 1), value: "running" })
  await pushed(service, { records: [workout(5)] }, { token })
  await expect.poll(() => receiver.types()).toEqual(["workout.recorded"])
  expect(receiver.received[0]?.event.data).toMatchObject({ mode: "live", source: "phone", kind: "workout" })
  await pushed(service, { records: [500, 600, 700].map(workout) }, { token })
  await expect.poll(() => receiver.types()).toEqual(["workout.recorded", "batch.completed"])
})

test("a webhook gets the events that it names, and a person without one leaves no row", async () => {
  await using receiver = await Receiver.start()
  const events = ["recovery.scored"]
  const { person, member } = await listening(receiver, { events })
  const { member: other } = await Member.connected(service, newPerson())
  const former = scoredRecoveries(person)
  // Bedtimes move: a day may bring no morning, or two.
  while (scoredRecoveries(person).isSubsetOf(former)) service.simulator.clock.advance(6 * HOUR_MS)
  const added = scoredRecoveries(person).difference(former)
  await expect.poll(() => new Set(receiver.received.map(({ event }) => event.data.id))).toEqual(added)
  expect(receiver.types()).toEqual([...added].flatMap(() => events))
  const { rows } = await service.store.pool.query(
    `select distinct u.email, type from restwell.delivery join restwell."user" u on u.id = user_id where u.email = any($1)`,
    [[member.email, other.email]],
  )
  expect(rows).toEqual([{ email: member.email, type: "recovery.scored" }])
})

/** The ids in answers of the recoveries that the vendor has scored by now. */
const scoredRecoveries = (person: Person): Set<string> => {
  const { recoveries } = service.simulator.records(person)
  return new Set(recoveries.flatMap((one) => (one.score_state === "SCORED" ? [`whoop-${one.cycle_id}`] : [])))
}

test("a second secret signs beside the first one for a day, and alone afterwards", async () => {
  await using receiver = await Receiver.start()
  const member = new Member(service)
  await member.signUp()
  const { id, secret: former } = await makeWebhook(member, receiver.url)
  const rotated = await member.send("POST", `${WEBHOOKS}/${id}/secret`)
  const { secret } = z.object({ secret: z.string().startsWith("whsec_") }).parse(await rotated.json())
  expect(secret).not.toBe(former)
  const signers = async () => {
    expect((await member.send("POST", `${WEBHOOKS}/${id}/test`)).status).toBe(200)
    const newest = receiver.received.at(-1)
    return newest && [former, secret].map((each) => isSigned(each, newest))
  }
  expect(await signers()).toEqual([true, true])
  service.simulator.clock.advance(25 * HOUR_MS)
  expect(await signers()).toEqual([false, true])
})

test("each former secret signs for its whole day, also where another rotation follows within it", async () => {
  await using receiver = await Receiver.start()
  const member = new Member(service)
  await member.signUp()
  const { id, secret } = await makeWebhook(member, receiver.url)
  const secrets = [secret]
  const rotate = () => member.send("POST", `${WEBHOOKS}/${id}/secret`)
  const rotated = async () => {
    const { secret: next } = z.object({ secret: z.string() }).parse(await (await rotate()).json())
    secrets.push(next)
  }
  const signers = async () => {
    expect((await member.send("POST", `${WEBHOOKS}/${id}/test`)).status).toBe(200)
    const newest = receiver.received.at(-1)
    return newest && secrets.map((each) => isSigned(each, newest))
  }
  await rotated()
  service.simulator.clock.advance(10 * HOUR_MS)
  await rotated()
  expect(await signers()).toEqual([true, true, true])
  service.simulator.clock.advance(15 * HOUR_MS)
  expect(await signers()).toEqual([false, true, true])
  service.simulator.clock.advance(10 * HOUR_MS)
  expect(await signers()).toEqual([false, false, true])
  const statuses: number[] = []
  for (let count = 0; count < 12; count += 1) statuses.push((await rotate()).status)
  expect(statuses.indexOf(409)).toBe(9)
  const refused = await rotate()
  expect((await refused.json()).message).toBe(
    "10 secrets of this webhook sign already: wait until the oldest former one ends, a day after it was replaced",
  )
})

test("secrets are in no list, log or table, and another person finds no webhook", async () => {
  await using receiver = await Receiver.start()
  const member = new Member(service)
  await member.signUp()
  const { id, secret } = await makeWebhook(member, receiver.url, { events: ["sleep.scored"] })
  const [listed] = await webhooksOf(member)
  expect(listed).toEqual({
    ...{ id, url: receiver.url, events: ["sleep.scored"], include_figures: false, given_up: 0, disabled: null },
    created_at: expect.any(String),
  })
  expect(service.log.join("\n")).not.toContain(secret)
  const { rows } = await service.store.pool.query("select row_to_json(r)::text as row from restwell.receiver r")
  expect(JSON.stringify(rows)).not.toContain(secret.slice(6))
  const stranger = new Member(service)
  await stranger.signUp()
  for (const [method, path] of [
    ["DELETE", ""],
    ["POST", "/test"],
    ["POST", "/secret"],
    ["GET", "/deliveries"],
    ["POST", `/deliveries/${id}/redeliver`],
  ] as const)
    expect([path, (await stranger.send(method, `${WEBHOOKS}/${id}${path}`)).status]).toEqual([path, 404])
  expect((await member.send("DELETE", `${WEBHOOKS}/${id}`)).status).toBe(204)
  expect(await webhooksOf(member)).toEqual([])
})

test.each([
  [{ url: "https://192.168.1.20/hook" }, "url: 192.168.1.20 is in your home network. Allow it on the page Service."],
  [{ url: "http://[::1]:8123/hook" }, "url: ::1 is this computer. Allow it on the page Service."],
  [{ url: "ftp://example.com/" }, "url: the address has to begin with https://"],
  [{ url: "https://ada:secret@example.com/" }, "url: the address has a user name or password: leave it out"],
  [{ url: "" }, "url must be the address of the receiver"],
  [{ url: "http://127.0.0.1:1/", events: [] }, "events must name at least one event"],
  [{ url: "http://127.0.0.1:1/", events: ["sleep"] }, `events.0 must be of ${WEBHOOK_EVENTS.join(", ")}`],
])("refuses %j", async (wanted, message) => {
  const member = new Member(service)
  await member.signUp()
  const response = await member.send("POST", WEBHOOKS, wanted)
  expect([response.status, (await response.json()).message]).toEqual([400, message])
})

test("a person has at most twenty", async () => {
  const member = new Member(service)
  await member.signUp()
  const made = await Promise.all(
    Array.from({ length: 22 }, () => member.send("POST", WEBHOOKS, { url: "http://127.0.0.1:1/" })),
  )
  expect(made.map(({ status }) => status).toSorted()).toEqual([...Array<number>(20).fill(201), 409, 409])
})
