import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { connectNewMember, LOGS, readAccessLog, readUserId } from "./read-logs.ts"

const WAITING_FOR_A_LOCK = `select from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 40 })
})
afterAll(() => service.close())

test.each([
  ["a key without a recent use", "api_key", "last_used_at", "last_used_at = null"],
  ["stale data", "connection", "sync_requested_at", "sync_requested_at = null"],
])("a read with %s and an account deletion do not wait for each other", async (_, table, column, change) => {
  const { member, key } = await connectNewMember(service)
  await readHealth(service.url, key)
  const userId = await readUserId(member)
  const { pool } = service.store
  await pool.query(`update restwell.${table} set ${change} where user_id = $1`, [userId])
  service.skewClock(16 * 60_000)
  const deletion = await pool.connect()
  await deletion.query("begin")
  await deletion.query(`select from restwell."user" where id = $1 for update`, [userId])
  expect((await readHealth(service.url, key)).status).toBe(200)
  const hasValue = `select from restwell.${table} where user_id = $1 and ${column} is not null`
  await expect.poll(async () => (await pool.query(hasValue, [userId])).rowCount).toBe(1)
  await deletion.query(`delete from restwell."user" where id = $1`, [userId])
  await deletion.query("rollback")
  deletion.release()
  service.skewClock(0)
  expect((await readAccessLog(member)).entries).toHaveLength(2)
})

test("a sync that changes the status and an account deletion do not wait for each other", async () => {
  const { member } = await connectNewMember(service)
  const userId = await readUserId(member)
  const { pool } = service.store
  await pool.query(`update restwell.connection set status = 'vendor_unavailable' where user_id = $1`, [userId])
  const deletion = await pool.connect()
  await deletion.query("begin")
  // Of two transactions in a deadlock, PostgreSQL ends the one that looks first.
  await deletion.query("set local deadlock_timeout = '1ms'")
  await deletion.query(`select from restwell."user" where id = $1 for update`, [userId])
  expect((await member.send("POST", "/api/connections/whoop/sync")).status).toBe(202)
  await expect.poll(async () => (await pool.query(WAITING_FOR_A_LOCK)).rowCount).toBe(1)
  await deletion.query(`delete from restwell."user" where id = $1`, [userId])
  await deletion.query("rollback")
  deletion.release()
})

test.each([
  ["POST", "/api/account/api-key", undefined],
  ["POST", "/api/account/ingest-tokens", { name: "phone" }],
  ["PUT", "/api/account/preferences", { units: "metric", clock: "24h", first_weekday: "monday" }],
  ["PUT", "/api/account/journal/2026-11-10", { answers: [{ factor: "alcohol", answer: true }] }],
  ["PUT", "/api/account/sources", { order: { sleep: ["whoop"] } }],
])("%s %s of an account that is deleted meanwhile gets 401", async (method, path, body) => {
  // Without a connection no sync waits for the deletion too.
  const member = new Member(service)
  await member.signUp()
  const userId = await readUserId(member)
  const { pool } = service.store
  const deletion = await pool.connect()
  await deletion.query("begin")
  await deletion.query(`select from restwell."user" where id = $1 for update`, [userId])
  await deletion.query(`delete from restwell."user" where id = $1`, [userId])
  const late = member.send(method, path, body)
  await expect.poll(async () => (await pool.query(WAITING_FOR_A_LOCK)).rowCount).toBe(1)
  await deletion.query("commit")
  deletion.release()
  const answer = await late
  expect([answer.status, await answer.json()]).toEqual([401, expect.objectContaining({ error: "unauthorized" })])
})

test("a read counted during an account deletion is deleted with the account", async () => {
  const { member, key } = await connectNewMember(service)
  for (let read = 0; read < 2; read += 1) expect((await readHealth(service.url, key)).status).toBe(200)
  const userId = await readUserId(member)
  const deletion = await service.store.pool.connect()
  await deletion.query("begin")
  await deletion.query(`select from restwell."user" where id = $1 for update`, [userId])
  expect((await readHealth(service.url, key)).status).toBe(200)
  await deletion.query(`delete from restwell."user" where id = $1`, [userId])
  const late = readHealth(service.url, key)
  const waiting = `${WAITING_FOR_A_LOCK} and query like '%Counts a batch of reads%'`
  await expect.poll(async () => (await service.store.pool.query(waiting)).rowCount).toBe(1)
  await deletion.query("commit")
  deletion.release()
  expect((await late).status).toBe(401)
  for (const table of [...LOGS, "usage"])
    expect(
      (await service.store.pool.query(`select from restwell.${table} where user_id = $1`, [userId])).rowCount,
    ).toBe(0)
})
