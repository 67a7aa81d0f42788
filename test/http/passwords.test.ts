import { expectDescribed, Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

let service: TestService
beforeAll(async () => {
  // Behind a proxy, so that every visitor can have a network of its own.
  const environment = { TRUST_PROXY: "true" }
  service = await startTestService({ days: 3, environment, now: new Date(), isStill: true })
})
afterAll(() => service.close())

const OWNER = { "x-forwarded-for": "192.0.2.1" }
const STRANGER = { "x-forwarded-for": "198.51.100.7" }

async function signedUp(): Promise<Member> {
  const member = new Member(service, OWNER)
  await member.signUp()
  return member
}

async function signIn(email: string, password: string, headers: Readonly<Record<string, string>>, url = service.url) {
  const response = await fetch(`${url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ email, password }),
  })
  await expectDescribed(service.url, "POST", "/api/auth/sign-in/email", response)
  return response
}

describe("a password that anybody tries first is refused", () => {
  const refused = (email: string): [string, RegExp][] => [
    ["iloveyou", /most common/],
    ["Password1", /most common|name of this service/],
    [email, /email address/],
    [email.split("@")[0] ?? "", /email address/],
    ["Restwell2026!", /name of this service/],
    ["          ", /blanks/],
    ["zzzzzzzzzzzz", /repeat/],
    ["short", /at least 8/],
  ]

  test("at sign-up", async () => {
    const email = `${crypto.randomUUID()}@example.com`
    for (const [password, reason] of refused(email)) {
      const answer = await new Member(service).send("POST", "/api/auth/sign-up/email", { name: "Ada", email, password })
      expect([password, answer.status]).toEqual([password, 400])
      expect(await answer.json()).toMatchObject({ field: "password", message: expect.stringMatching(reason) })
    }
  })

  test("at a change", async () => {
    const member = await signedUp()
    for (const [newPassword, reason] of refused(member.email)) {
      const change = { currentPassword: member.password, newPassword }
      const answer = await member.send("POST", "/api/auth/change-password", change)
      expect([newPassword, answer.status]).toEqual([newPassword, 400])
      expect(await answer.json()).toMatchObject({ field: "newPassword", message: expect.stringMatching(reason) })
    }
    expect((await signIn(member.email, member.password, OWNER)).status).toBe(200)
  })

  test("as a first password", async () => {
    const member = await signedUp()
    await service.store.pool.query(
      `update restwell.account set "providerId" = 'google' where "userId" = (select id from restwell."user" where email = $1)`,
      [member.email],
    )
    for (const [newPassword, reason] of refused(member.email)) {
      const answer = await member.send("POST", "/api/auth/set-password", { newPassword })
      expect([newPassword, answer.status]).toEqual([newPassword, 400])
      expect(await answer.json()).toMatchObject({ field: "newPassword", message: expect.stringMatching(reason) })
    }
    expect((await member.send("POST", "/api/auth/set-password", { newPassword: member.password })).status).toBe(200)
  })
})

describe("a stranger who guesses 200 times", () => {
  const attack = async (email: string) => {
    const other = await service.startReplica()
    const tries = Array.from({ length: 200 }, (_, index) =>
      signIn(email, `wrong password ${index}`, STRANGER, index % 2 ? service.url : other.url),
    )
    const statuses = (await Promise.all(tries)).map(({ status }) => status)
    await other.close()
    return statuses
  }

  test.each(["an account", "nobody"])("has few passwords of %s compared, over all replicas", async (whose) => {
    const email = whose === "nobody" ? `${crypto.randomUUID()}@example.com` : (await signedUp()).email
    service.simulator.clock.advance(301_000)
    const statuses = await attack(email)
    expect(statuses.filter((status) => status === 401)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(195)
  })

  test("delays the owner neither on a known browser nor on a new one", async () => {
    const member = await signedUp()
    service.simulator.clock.advance(301_000)
    await attack(member.email)
    const known = { email: member.email, password: member.password }
    expect((await member.send("POST", "/api/auth/sign-in/email", known, STRANGER)).status).toBe(429)
    expect((await member.send("POST", "/api/auth/sign-in/email", known)).status).toBe(200)
    expect((await signIn(member.email, member.password, OWNER)).status).toBe(200)
  })

  test("says how long to wait", async () => {
    const member = await signedUp()
    service.simulator.clock.advance(301_000)
    for (let attempt = 0; attempt < 5; attempt += 1) await signIn(member.email, "wrong password", STRANGER)
    const refused = await signIn(member.email, member.password, STRANGER)
    expect(refused.status).toBe(429)
    expect(refused.headers.get("retry-after")).toBe("1")
    expect(await refused.json()).toMatchObject({ error: "too_many_attempts" })
    service.simulator.clock.advance(1_000)
    expect((await signIn(member.email, member.password, STRANGER)).status).toBe(200)
  })
})
