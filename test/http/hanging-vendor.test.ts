// A vendor that accepts connections and never answers.
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { approveAtVendor } from "@restwell/testing/vendor"
import { afterAll, afterEach, beforeAll, expect, test } from "vitest"
import { z } from "zod"

/** A person waits ten seconds at most. The rest is for a busy machine. */
const LONGEST_MS = 14_000

let service: TestService
beforeAll(async () => {
  service = await startTestService({ vendor: "oura", days: 10 })
})
afterEach(() => service.simulatorOf("oura").faults.clear())
afterAll(() => service.close())

const ConnectionsSchema = z.object({
  connections: z.array(z.object({ status: z.string(), status_reason: z.string().nullable() })),
})

async function connectionsOf(member: Member) {
  return ConnectionsSchema.parse(await (await member.send("GET", "/api/account")).json()).connections
}

/** Returns where the callback leads, and how long the person has waited for it. */
async function connect(email: string) {
  service.simulator.people.add({ email })
  const member = new Member(service)
  await member.signUp()
  const begun = await member.send("GET", "/api/connections/oura/authorize")
  const callback = await approveAtVendor(new URL(begun.headers.get("location") ?? ""), { email })
  const startedMs = performance.now()
  const answer = await fetch(new URL(callback.pathname + callback.search, service.url), {
    redirect: "manual",
    headers: { cookie: member.cookie, accept: "text/html" },
  })
  const location = new URL(answer.headers.get("location") ?? "", service.url)
  return { member, status: answer.status, search: location.search, durationMs: performance.now() - startedMs }
}

test("a vendor that hangs while a person connects is waited for ten seconds, and page and API say what is wrong", async () => {
  service.simulatorOf("oura").faults.add({ match: { path: "/v2/usercollection" }, kind: "hang" })
  const { member, search, durationMs } = await connect("ada@example.com")
  expect(durationMs).toBeLessThan(LONGEST_MS)
  expect(search).toBe("?connected=oura&problem=not_answering")
  expect(await connectionsOf(member)).toEqual([
    { status: "vendor_unavailable", status_reason: "Oura does not answer. Restwell tries again by itself" },
  ])
  const key = await member.newKey()
  const { source } = await (await readHealth(service.url, key, "?type=sleep")).json()
  expect(source).toMatchObject({ provider: "oura", status: "vendor_unavailable" })
  const startedMs = performance.now()
  service.simulatorOf("oura").faults.add({ match: { path: "/oauth" }, kind: "hang" })
  expect((await member.send("DELETE", "/api/connections/oura")).status).toBe(204)
  expect(performance.now() - startedMs).toBeLessThan(LONGEST_MS)
})

test("a vendor that hangs when the code is exchanged leaves no connection, and the page says to connect again", async () => {
  service.simulatorOf("oura").faults.add({ match: { path: "/oauth/v2/ext/oauth-token" }, kind: "hang" })
  const { member, search, durationMs } = await connect("ben@example.com")
  expect(durationMs).toBeLessThan(LONGEST_MS)
  expect(search).toBe("?provider=oura&problem=vendor_unavailable")
  expect(await connectionsOf(member)).toEqual([])
})
