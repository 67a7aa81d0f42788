import { ServiceResponseSchema } from "@restwell/client"
import { callTool, connectAssistant } from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { readMetrics, startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"

const AccountSchema = z.object({
  connections: z.tuple([z.object({ status: z.string(), status_reason: z.string().nullable() })]),
})

let service: TestService
/** The first account is the owner's. */
let owner: Member
beforeAll(async () => {
  service = await startTestService({ days: 30 })
  owner = new Member(service)
  await owner.setUp()
})
afterAll(() => service.close())

async function connected() {
  const person = service.simulator.people.addOne()
  const { member, key } = await Member.connected(service, person)
  const source = async () => (await (await readHealth(service.url, key, "?type=sleep&days=7")).json()).source
  return { member, person, source }
}

const connectionOf = async (member: Member) =>
  AccountSchema.parse(await (await member.send("GET", "/api/account")).json()).connections[0]

async function untilStatus(member: Member, status: string): Promise<void> {
  await expect.poll(async () => (await connectionOf(member)).status, { timeout: 30_000 }).toBe(status)
}

async function userIdOf(member: Member): Promise<string> {
  const { rows } = await service.store.pool.query(`select id from restwell."user" where email = $1`, [member.email])
  return rows[0].id
}

/** The database refuses every record of a person, as if it violated a constraint. */
async function refuseRecords(member: Member): Promise<() => Promise<unknown>> {
  const condition = `user_id <> '${await userIdOf(member)}'`
  await service.store.pool.query(`alter table restwell.record add constraint refused check (${condition}) not valid`)
  return () => service.store.pool.query("alter table restwell.record drop constraint refused")
}

async function failures(reason: string): Promise<number> {
  const text = await readMetrics(service)
  const [, count] = new RegExp(`^restwell_sync_failures_total\\{reason="${reason}"\\} (\\d+)$`, "m").exec(text) ?? []
  return Number(count)
}

test("a failing sync shows in the account, the API, assistants' answers, metrics and log, and recovers by itself", async () => {
  const { member, source } = await connected()
  const { access_token } = await connectAssistant(service, member)
  const before = await failures("unexpected")
  const repair = await refuseRecords(member)
  expect((await member.send("POST", "/api/connections/whoop/sync")).status).toBe(202)
  await untilStatus(member, "failing")
  expect(await connectionOf(member)).toEqual({
    ...(await connectionOf(member)),
    status_reason: expect.stringMatching(
      /^an unexpected error stopped the sync\. It is tried again at [-\d]+ [:\d]+ UTC$/,
    ),
  })
  expect(await source()).toMatchObject({ status: "failing" })
  const answer = await callTool(service, access_token, "get_summary")
  expect(answer.structuredContent?.["source"]).toMatchObject({ status: "failing" })
  expect(answer.content[0]?.text).toContain("(failing, recent data may be missing)")
  await expect.poll(() => failures("unexpected")).toBe(before + 1)
  const line = service.log.find((entry) => entry.includes('"sync failed"')) ?? ""
  expect(JSON.parse(line)).toMatchObject({ userId: await userIdOf(member), job: expect.any(String) })
  expect(line).toContain("violates check constraint")
  expect(line).not.toMatch(/Failing row|score_state|resting_heart_rate/)
  await repair()
  service.simulator.clock.advance(61_000)
  await untilStatus(member, "ok")
  expect(await connectionOf(member)).toMatchObject({ status_reason: null })
  expect(await source()).toMatchObject({ status: "ok" })
})

test("others are synced while one person's sync fails", async () => {
  const [failing, other] = [await connected(), await connected()]
  const repair = await refuseRecords(failing.member)
  await failing.member.send("POST", "/api/connections/whoop/sync")
  await untilStatus(failing.member, "failing")
  const before = (await other.source()).last_synced_at
  service.simulator.clock.advance(1_000)
  await other.member.send("POST", "/api/connections/whoop/sync")
  await expect.poll(async () => (await other.source()).last_synced_at > before, { timeout: 30_000 }).toBe(true)
  expect(await other.source()).toMatchObject({ status: "ok" })
  await repair()
})

test("tokens that no secret decrypts ask to connect again, which works, and are counted", async () => {
  const { member, person } = await connected()
  const before = await failures("authorization")
  await service.store.pool.query(
    "update restwell.vendor_grant set key_id = 'lost', refresh_key_id = 'lost' where user_id = $1",
    [await userIdOf(member)],
  )
  await member.send("POST", "/api/connections/whoop/sync")
  await untilStatus(member, "reauthorization_required")
  expect(await connectionOf(member)).toMatchObject({
    status_reason: "the stored tokens cannot be decrypted with this server's secret. Connect again",
  })
  await expect.poll(() => failures("authorization")).toBe(before + 1)
  const operation = ServiceResponseSchema.parse(await (await owner.send("GET", "/api/service")).json())
  expect(operation.failures).toMatchObject({ unreadable_connections: 1 })
  await member.connect(person)
  await untilStatus(member, "ok")
})

test("every reason is in the metrics before the first failure", async () => {
  for (const reason of ["vendor", "authorization", "unexpected", "database"])
    expect(await failures(reason)).toBeGreaterThanOrEqual(0)
})
