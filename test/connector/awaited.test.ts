// Whether a part of this morning is still to come: `get_today`, the lists, a read that waits and `awaited` of a day say the same. It comes of
// a source that works and gives it: not of one that gives steps or weights alone, nor of one whose consent has ended.
import { DayResponseSchema } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { addArchiveBeside, deleteConnected } from "../imports/archive-beside.ts"
import { newToken, pushed } from "../pushes/pusher.ts"

const TODAY = "2026-11-18"
const ARCHIVE_ENDS = addDays(TODAY, -2)
const PARTS = ["sleep", "recovery"] as const

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 30, now: new Date(`${TODAY}T17:00:00Z`) })
})
afterAll(() => service.close())

interface Person {
  readonly member: Member
  readonly key: string
}

const connected = (name: string): Promise<Person> =>
  Member.connected(service, service.simulator.people.add({ email: `${name}@example.com` }))

/** A person with the archive of another device, of which nothing is connected. */
async function archiveAlone(name: string): Promise<Person> {
  const person = await connected(name)
  await addArchiveBeside(service, person.member, ARCHIVE_ENDS)
  expect((await person.member.send("DELETE", "/api/connections/whoop?data=delete")).ok).toBe(true)
  return person
}

/** Pushes a weight of this morning from a phone. */
async function pushWeight({ member }: Person): Promise<void> {
  const { token } = await newToken(member)
  const weight = { type: "weight", start: `${TODAY}T07:00:00Z`, value: 71.5, unit: "kg", source: "Scale" }
  expect(await pushed(service, { records: [weight] }, { token })).toMatchObject({ stored: 1 })
}

async function endConsent({ member: { email } }: Person): Promise<void> {
  const of = `user_id = (select id from restwell."user" where email = $1)`
  const { pool } = service.store
  await pool.query(
    `update restwell.connection set status = 'reauthorization_required' where provider = 'whoop' and ${of}`,
    [email],
  )
  await pool.query(`update restwell.person set data_version = data_version + 1 where ${of}`, [email])
}

/** What each place says of the morning. */
async function saidOf({ member, key }: Person) {
  const { access_token: token } = await connectAssistant(service, member)
  const read = (path: string, prefer = "") =>
    fetch(service.url + path, { headers: { authorization: `Bearer ${key}`, prefer } })
  const { awaited, ended } = DayResponseSchema.parse(await (await read("/api/v1/day")).json())
  const today = await callTool(service, token, "get_today")
  const lists: string[] = []
  for (const name of ["get_sleep", "get_recovery", "get_summary"]) {
    const { structuredContent, content } = await callTool(service, token, name, { days: 1 })
    if (structuredContent?.["pending"] !== undefined) lists.push(name)
    expect(content[0]?.text?.includes("Pending"), name).toBe(lists.includes(name))
  }
  const waits: string[] = []
  for (const type of [...PARTS, "summary"]) {
    const answer = await read(`/api/v1/health?type=${type}&days=1`, "wait=1")
    expect(answer.status).toBe(200)
    if (answer.headers.get("preference-applied") !== null) waits.push(type)
  }
  return {
    day: { awaited, ended },
    isPending: today.structuredContent?.["pending"] !== null,
    ended: today.structuredContent?.["ended"],
    text: today.content[0]?.text,
    lists,
    waits,
  }
}

const NOTHING = { isPending: false, lists: [], waits: [] }

describe("beside an archive that ended, nights do not come of a source that never gives them", () => {
  test("of one with days and workouts alone", async () => {
    const person = await connected("steps")
    await addArchiveBeside(service, person.member, ARCHIVE_ENDS)
    await deleteConnected(service, person.member, "kind in ('sleep', 'recovery')")
    const said = await saidOf(person)
    expect(said).toMatchObject({ ...NOTHING, ended: { date: ARCHIVE_ENDS } })
    expect(said.day).toEqual({ awaited: [], ended: { kinds: PARTS, date: ARCHIVE_ENDS, reconnect: [] } })
    expect(said.text).toContain(`The nights end on ${ARCHIVE_ENDS}: they come from archives alone`)
  })

  test("of a scale, which has weights alone", async () => {
    const person = await archiveAlone("scale")
    await pushWeight(person)
    const said = await saidOf(person)
    expect(said).toMatchObject({ ...NOTHING, ended: { date: ARCHIVE_ENDS } })
    expect(said.day).toEqual({ awaited: [], ended: { kinds: PARTS, date: ARCHIVE_ENDS, reconnect: [] } })
  })
})

describe("beside an archive with recoveries, those of a source with nights alone do not come", () => {
  let person: Person
  beforeAll(async () => {
    person = await connected("mat")
    await addArchiveBeside(service, person.member, ARCHIVE_ENDS)
    await deleteConnected(service, person.member, "kind = 'recovery'")
  })

  test("once the night is there, nothing is awaited", async () => {
    const said = await saidOf(person)
    expect(said).toMatchObject(NOTHING)
    expect(said.day).toEqual({ awaited: [], ended: { kinds: ["recovery"], date: ARCHIVE_ENDS, reconnect: [] } })
    expect(said.text).toContain(`The recoveries end on ${ARCHIVE_ENDS}`)
  })

  test("before it, the night alone is awaited", async () => {
    await deleteConnected(service, person.member, `date = '${TODAY}'`)
    const said = await saidOf(person)
    expect(said).toMatchObject({ isPending: true, lists: ["get_sleep", "get_summary"], waits: ["sleep", "summary"] })
    expect(said.day.awaited).toEqual(["sleep"])
  })
})

describe("where the consent of the device has ended, its morning does not come", () => {
  test("of it alone", async () => {
    const person = await connected("refused")
    await deleteConnected(service, person.member, `date = '${TODAY}'`)
    expect((await saidOf(person)).day).toEqual({ awaited: PARTS, ended: null })
    await endConsent(person)
    const said = await saidOf(person)
    expect(said).toMatchObject({ ...NOTHING, ended: { date: addDays(TODAY, -1) } })
    expect(said.day.awaited).toEqual([])
    expect(said.day.ended).toMatchObject({ date: addDays(TODAY, -1), reconnect: ["whoop"] })
    expect(said.text).toContain("the person has to connect whoop again")
  })

  test("of it beside a phone that pushes weights", async () => {
    const person = await connected("refused-beside")
    await pushWeight(person)
    await deleteConnected(service, person.member, `date = '${TODAY}'`)
    await endConsent(person)
    const said = await saidOf(person)
    expect(said).toMatchObject(NOTHING)
    expect(said.day).toEqual({
      awaited: [],
      ended: { kinds: PARTS, date: addDays(TODAY, -1), reconnect: ["whoop"] },
    })
    expect(said.text).toContain("the person has to connect whoop again")
  })
})

test("a new connection awaits what its vendor gives, and one that gave nothing in weeks awaits nothing", async () => {
  const person = await connected("new")
  await addArchiveBeside(service, person.member, ARCHIVE_ENDS)
  await deleteConnected(service, person.member, "true")
  expect((await saidOf(person)).day).toEqual({ awaited: PARTS, ended: null })
  const of = `user_id = (select id from restwell."user" where email = $1)`
  const { pool } = service.store
  await pool.query(
    `update restwell.connection set connected_at = connected_at - interval '30 days', first_connected_at = first_connected_at - interval '30 days'
     where ${of}`,
    [person.member.email],
  )
  await pool.query(`update restwell.person set data_version = data_version + 1 where ${of}`, [person.member.email])
  expect(await saidOf(person)).toMatchObject({ ...NOTHING, ended: { date: ARCHIVE_ENDS } })
})
