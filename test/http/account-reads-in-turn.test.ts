// Reads of one person's account and logs wait for each other, and no other person waits for them.
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const AT_A_TIME = 2

let service: TestService
let member: Member
let other: Member
beforeAll(async () => {
  service = await startTestService({ days: 10 })
  const { people } = service.simulator
  ;({ member } = await Member.connected(service, people.add({ email: "lena@vendor.example" })))
  ;({ member: other } = await Member.connected(service, people.add({ email: "omar@vendor.example" })))
})
afterAll(() => service.close())

/** Statements that wait for the lock of a table. */
async function waitingFor(table: string): Promise<number> {
  const { rows } = await service.store.pool.query<{ count: number }>(
    "select count(*)::int as count from pg_locks where not granted and relation = $1::regclass",
    [`restwell.${table}`],
  )
  return rows[0]?.count ?? Number.NaN
}

test.for([
  ["/api/account", "api_key"],
  ["/api/account/access-log", "access_log"],
  ["/api/account/security-log", "security_event"],
] as const)("of many reads of %s two run at a time, and all are answered", async ([path, table]) => {
  const client = await service.store.pool.connect()
  const statuses: Promise<number>[] = []
  const ask = async (who: Member): Promise<number> => (await who.send("GET", path)).status
  try {
    await client.query("begin")
    await client.query(`lock table restwell.${table} in access exclusive mode`)
    for (let count = 0; count < 6; count += 1) statuses.push(ask(member))
    await expect.poll(() => waitingFor(table)).toBe(AT_A_TIME)
    statuses.push(ask(other))
    // The other person's read has come later, and waits for the lock alone.
    await expect.poll(() => waitingFor(table)).toBe(AT_A_TIME + 1)
  } finally {
    await client.query("rollback")
    client.release()
  }
  expect(await Promise.all(statuses)).toEqual(statuses.map(() => 200))
})
