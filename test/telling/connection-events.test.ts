/* Events about a connection that stops working: once, not for a short failure, and its end for those who heard of it. */
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { z } from "zod"
import { makeWebhook } from "./own-webhooks.ts"
import { Receiver } from "./receiver.ts"

const HOUR_MS = 3_600_000

let service: TestService
beforeAll(async () => {
  const environment = { ALLOWED_PRIVATE_HOSTS: "127.0.0.1" }
  service = await startTestService({ days: 20, now: new Date(), isStill: true, environment })
})
afterAll(() => service.close())

test("a grant that ended is said at once, a vendor that is away after six hours, and both when it is over", async () => {
  await using receiver = await Receiver.start()
  const person = service.simulator.people.add({ email: "ada@vendor.example" })
  const { member } = await Member.connected(service, person)
  await makeWebhook(member, receiver.url, { events: ["connection.failing", "connection.restored"] })
  const away = service.simulator.faults.add({ kind: "status", status: 503, match: { personId: person.userId } })
  service.simulator.clock.advance(2 * HOUR_MS)
  await expect.poll(() => statusOf(member)).toBe("vendor_unavailable")
  away()
  service.simulator.clock.advance(2 * HOUR_MS)
  await expect.poll(() => statusOf(member)).toBe("ok")
  const awayAgain = service.simulator.faults.add({ kind: "status", status: 503, match: { personId: person.userId } })
  service.simulator.clock.advance(2 * HOUR_MS)
  await expect.poll(() => statusOf(member)).toBe("vendor_unavailable")
  expect(receiver.types()).toEqual([])
  service.simulator.clock.advance(7 * HOUR_MS)
  await expect.poll(() => receiver.types()).toEqual(["connection.failing"])
  expect(receiver.received[0]?.event.data).toMatchObject({ source: "whoop", status: "vendor_unavailable" })
  awayAgain()
  await untilTold(receiver, ["connection.failing", "connection.restored"])
  service.simulator.tokens.revokeAll(person)
  service.simulator.clock.advance(2 * HOUR_MS)
  await expect.poll(() => receiver.types().at(-1)).toBe("connection.failing")
  expect(receiver.received.at(-1)?.event.data).toMatchObject({ status: "reauthorization_required" })
  await member.connect(person)
  await expect.poll(() => receiver.types().slice(2)).toEqual(["connection.failing", "connection.restored"])
})

test("a grant that ends while its vendor is away is said as well, because only the person can renew it", async () => {
  await using receiver = await Receiver.start()
  const person = service.simulator.people.add({ email: "ben@vendor.example" })
  const { member } = await Member.connected(service, person)
  await makeWebhook(member, receiver.url, { events: ["connection.failing"] })
  const away = service.simulator.faults.add({ kind: "status", status: 503, match: { personId: person.userId } })
  service.simulator.clock.advance(2 * HOUR_MS)
  await expect.poll(() => statusOf(member)).toBe("vendor_unavailable")
  service.simulator.clock.advance(7 * HOUR_MS)
  await expect.poll(() => receiver.types()).toEqual(["connection.failing"])
  service.simulator.tokens.revokeAll(person)
  away()
  await untilTold(receiver, ["connection.failing", "connection.failing"])
  expect(receiver.received.at(-1)?.event.data).toMatchObject({ status: "reauthorization_required" })
})

/** Retries wait, the longer the more of them failed. */
async function untilTold(receiver: Receiver, types: readonly string[]): Promise<void> {
  const later = () => {
    service.simulator.clock.advance(HOUR_MS)
    return receiver.types()
  }
  await expect.poll(later, { interval: 1_000 }).toEqual(types)
}

const statusOf = async (member: Member): Promise<string> => {
  const account = await (await member.send("GET", "/api/account")).json()
  return z.object({ connections: z.tuple([z.object({ status: z.string() })]) }).parse(account).connections[0].status
}
