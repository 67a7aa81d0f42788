import { SecurityLogResponseSchema } from "@restwell/client"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 1 })
})
afterAll(() => service.close())

/** What a client behind two proxies sends, with an address of its own invention in front. */
const FORWARDED = { "x-forwarded-for": "192.0.2.1, 198.51.100.2, 203.0.113.3" }

test.each([
  ["false", "127.0.0.1"],
  ["1", "203.0.113.3"],
  ["2", "198.51.100.2"],
  ["32", "192.0.2.1"],
  ["true", "192.0.2.1"],
  ["loopback", "203.0.113.3"],
])("with TRUST_PROXY=%s the visitor's network is %s", async (setting, network) => {
  const replica = await service.startReplica("api", { TRUST_PROXY: setting })
  const member = new Member(replica, FORWARDED)
  await member.signUp()
  const log = SecurityLogResponseSchema.parse(await (await member.send("GET", "/api/account/security-log")).json())
  expect(log.entries[0]?.network).toBe(network)
  await replica.close()
})
