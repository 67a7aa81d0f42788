import { addDays } from "@restwell/client/calendar-dates"
import { whoopArchive } from "@restwell/testing/archive"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { addArchiveBeside, deleteConnected } from "../imports/archive-beside.ts"
import { importedArchive } from "../imports/upload-archive.ts"

let service: TestService
let key: string
let token: string
let today: string
let yesterday: string
beforeAll(async () => {
  service = await startTestService({ days: 30, now: new Date("2026-11-18T17:00:00Z") })
  const { member, key: ownKey } = await Member.connected(
    service,
    service.simulator.people.add({ email: "ada@example.com" }),
  )
  key = ownKey
  token = (await connectAssistant(service, member)).access_token
  const { records } = await (await readHealth(service.url, key, "?type=recovery&days=30")).json()
  const [first, second] = records
  ;[today, yesterday] = [first.date, second.date]
})
afterAll(() => service.close())

/** Changes stored records, as if the vendor had not scored them yet. */
async function change(statement: string): Promise<void> {
  const { rowCount } = await service.store.pool.query(statement, [today])
  expect(rowCount).toBeGreaterThan(0)
  await service.store.pool.query("update restwell.person set data_version = data_version + 1")
}

describe("a night of which a part is there", () => {
  beforeAll(() =>
    change(`update restwell.record set score_state = 'pending', detail = detail::jsonb || '{"scoreState": "pending"}'
       where kind = 'sleep' and date = $1`),
  )

  test("is asleep so far in get_today, in the words of the page", async () => {
    const { content } = await callTool(service, token, "get_today")
    expect(content[0]?.text).toMatch(/^Last night .+ local time, [\d.]+ h asleep so far, [\d.]+ h in bed, .*pending/m)
  })
})

describe("a morning whose score is pending", () => {
  beforeAll(() =>
    change(
      `update restwell.record set score_state = 'pending', detail = detail::jsonb - array['scorePercent', 'stages', 'efficiencyPercent', 'respiratoryRatePerMinute', 'hrvMs',
         'restingHeartRateBpm', 'spo2Percent', 'averageHeartRateBpm', 'maxHeartRateBpm', 'energyKcal', 'distanceMeters'] || '{"scoreState": "pending"}'
       where kind in ('sleep', 'recovery') and date = $1`,
    ),
  )

  test.each(["get_sleep", "get_recovery", "get_summary"])("is pending in %s of one day and of a week", async (name) => {
    for (const days of name === "get_summary" ? [1] : [1, 7]) {
      const { content, structuredContent } = await callTool(service, token, name, { days })
      expect(structuredContent?.["pending"]).toMatchObject({ date: today, newest_scored_date: yesterday })
      expect(content[0]?.text).toContain(`Pending: ${today}`)
      expect(content[0]?.text).toContain(`Newest scored date: ${yesterday}`)
      expect(content[0]?.text).not.toMatch(/no data|no records/i)
    }
  })

  test("says since when the night waits for its score", async () => {
    const { records } = await (await readHealth(service.url, key, "?type=sleep&days=1")).json()
    const night = records.find((record: { is_nap: boolean }) => !record.is_nap)
    const { structuredContent } = await callTool(service, token, "get_sleep", { days: 1 })
    expect(structuredContent?.["pending"]).toMatchObject({ since: night.end_local })
  })

  test("is not mentioned in an answer about the past", async () => {
    const { structuredContent } = await callTool(service, token, "get_sleep", { end_date: yesterday })
    expect(structuredContent).not.toHaveProperty("pending")
  })
})

describe("a morning without any record", () => {
  beforeAll(() => change("delete from restwell.record where kind in ('sleep', 'recovery') and date = $1"))

  test.each(["get_sleep", "get_recovery", "get_summary"])("is pending in %s, never “no data”", async (name) => {
    const { content, structuredContent } = await callTool(service, token, name, { days: 1 })
    expect(structuredContent?.["pending"]).toEqual({ date: today, since: null, newest_scored_date: yesterday })
    expect(content[0]?.text).toContain(`Pending: ${today}, nothing of it yet. Newest scored date: ${yesterday}`)
    expect(content[0]?.text).not.toMatch(/no data|no records/i)
  })
})

describe("of what a person's devices never give", () => {
  let own: string
  beforeAll(async () => {
    const { member } = await Member.connected(service, service.simulator.people.add({ email: "mat@example.com" }))
    own = (await connectAssistant(service, member)).access_token
    const { pool } = service.store
    const of = `user_id = (select id from restwell."user" where email = $1)`
    await pool.query(`delete from restwell.record where kind = 'recovery' and ${of}`, [member.email])
    await pool.query(`update restwell.person set data_version = data_version + 1 where ${of}`, [member.email])
  })

  test("nothing is pending on a morning whose night is scored", async () => {
    const { structuredContent, content } = await callTool(service, own, "get_today")
    expect(structuredContent).toMatchObject({ pending: null, night: { date: today } })
    expect(content[0]?.text).not.toContain("Pending")
  })

  test.each([1, 30])("a list of %i dates has no record, and none to come", async (days) => {
    const { structuredContent, content } = await callTool(service, own, "get_recovery", { days })
    expect(structuredContent).not.toHaveProperty("pending")
    expect(content[0]?.text).not.toContain("Pending")
  })
})

describe("where no source gets newer data", () => {
  const ENDED_AFTER = 3
  let newest: string
  let member: Member
  let ownKey: string
  beforeAll(async () => {
    const person = service.simulator.people.add({ email: "ida@example.com" })
    member = new Member(service)
    await member.signUp()
    ownKey = await member.newKey()
    const archive = whoopArchive(service.simulator.records(person.email))
    expect(await importedArchive(service.url, member, archive)).toMatchObject({ status: "done" })
    newest = addDays(today, -ENDED_AFTER)
    const { pool } = service.store
    const of = `user_id = (select id from restwell."user" where email = $1)`
    await pool.query(`delete from restwell.record where date > $2 and ${of}`, [member.email, newest])
    await pool.query(`update restwell.person set data_version = data_version + 1 where ${of}`, [member.email])
  })

  test("an archive alone says on which date the data end, and that nothing comes by itself", async () => {
    const own = (await connectAssistant(service, member)).access_token
    const { structuredContent, content } = await callTool(service, own, "get_today")
    expect(structuredContent).toMatchObject({ pending: null, ended: { date: newest }, figures_date: newest })
    expect(content[0]?.text).toContain(`The data end on ${newest}: they come from archives alone`)
    expect(content[0]?.text).not.toContain("Pending")
    for (const name of ["get_sleep", "get_recovery", "get_summary"]) {
      const answer = await callTool(service, own, name, { days: 1 })
      expect(answer.structuredContent, name).not.toHaveProperty("pending")
      expect(answer.content[0]?.text, name).not.toContain("Pending")
    }
  })

  test("no read waits for a score", async () => {
    const answer = await fetch(`${service.url}/api/v1/health?type=recovery&days=1`, {
      headers: { authorization: `Bearer ${ownKey}`, prefer: "wait=2" },
    })
    expect([answer.status, answer.headers.get("preference-applied")]).toEqual([200, null])
  })

  test("a connection that was refused says that the person has to connect again", async () => {
    const { member: refused } = await Member.connected(
      service,
      service.simulator.people.add({ email: "joe@example.com" }),
    )
    const own = (await connectAssistant(service, refused)).access_token
    expect((await callTool(service, own, "get_today")).structuredContent).not.toHaveProperty("ended")
    const { pool } = service.store
    const of = `user_id = (select id from restwell."user" where email = $1)`
    await pool.query(`delete from restwell.record where date > $2 and ${of}`, [refused.email, newest])
    await pool.query(`update restwell.connection set status = 'reauthorization_required' where ${of}`, [refused.email])
    await pool.query(`update restwell.person set data_version = data_version + 1 where ${of}`, [refused.email])
    const { structuredContent, content } = await callTool(service, own, "get_today")
    expect(structuredContent).toMatchObject({ pending: null, ended: { date: newest } })
    expect(content[0]?.text).toContain("the person has to connect whoop again")
  })
})

describe("beside an archive, the night of a connection is pending", () => {
  async function expectPending(member: Member, own: string): Promise<void> {
    const { access_token: shared } = await connectAssistant(service, member)
    const { structuredContent } = await callTool(service, shared, "get_today")
    expect(structuredContent).toMatchObject({ pending: { date: today } })
    expect(structuredContent).not.toHaveProperty("ended")
    for (const name of ["get_sleep", "get_recovery", "get_summary"])
      expect((await callTool(service, shared, name, { days: 1 })).structuredContent, name).toHaveProperty("pending")
    for (const type of ["sleep", "recovery"]) {
      const answer = await fetch(`${service.url}/api/v1/health?type=${type}&days=1`, {
        headers: { authorization: `Bearer ${own}`, prefer: "wait=1" },
      })
      expect([answer.status, answer.headers.get("preference-applied")], type).toEqual([200, "wait=1"])
    }
  }

  test.each(["before", "after"])("of a new device, %s its first night", async (when) => {
    const person = service.simulator.people.add({ email: `${when}@example.com` })
    const { member, key: own } = await Member.connected(service, person)
    await addArchiveBeside(service, member, addDays(today, -2))
    await deleteConnected(service, member, when === "before" ? "true" : `date <> '${yesterday}'`)
    await expectPending(member, own)
  })

  test("of a device that answers behind the archive, in the person's order", async () => {
    const person = service.simulator.people.add({ email: "order@example.com" })
    const { member, key: own } = await Member.connected(service, person)
    await addArchiveBeside(service, member, yesterday)
    await deleteConnected(service, member, `date = '${today}'`)
    const order = ["polar", "whoop"]
    expect((await member.send("PUT", "/api/account/sources", { order: { sleep: order, recovery: order } })).ok).toBe(
      true,
    )
    await expectPending(member, own)
  })
})
