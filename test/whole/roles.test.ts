import { expect, test } from "vitest"
import { Member, readHealth } from "../support/member.ts"
import { startTestService } from "../support/service.ts"

test("processes that answer and processes that work are one service, and either may come and go", async () => {
  const service = await startTestService({ role: "api", days: 30 })
  const person = service.simulator.people.add({ email: "ada@vendor.example" })
  const member = new Member(service)
  await member.signUp()
  await member.connect(person)
  const key = await member.newKey()
  const waiting = await (await readHealth(service.url, key, "?type=sleep")).json()
  expect(waiting).toMatchObject({
    count: 0,
    empty_reason: "history_syncing",
    source: { status: "syncing", last_synced_at: null },
  })
  const worker = await service.startReplica("worker")
  await member.untilHistoryIsComplete()
  await worker.close()
  const answer = await (await readHealth(service.url, key, "?type=sleep")).json()
  expect(answer.count).toBeGreaterThan(0)
  expect(answer.source.status).toBe("ok")
  await service.close()
})
