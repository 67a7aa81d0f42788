import { expectDescribed, Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 20 })
})
afterAll(() => service.close())

const signIn = (email: string, password: string, url = service.url): Promise<Response> =>
  fetch(`${url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  })

async function signedUp(): Promise<Member> {
  const member = new Member(service)
  await member.signUp()
  return member
}

async function connected(): Promise<{ member: Member; key: string }> {
  const person = service.simulator.people.add({ email: `${crypto.randomUUID()}@vendor.example` })
  return Member.connected(service, person)
}

describe("signing up and in", () => {
  test("gives a session in a cookie that no script reads, and nothing secret in the body", async () => {
    const member = await signedUp()
    const answer = await signIn(member.email, member.password)
    expect(answer.status).toBe(200)
    await expectDescribed(service.url, "POST", "/api/auth/sign-in/email", answer)
    expect(await answer.json()).toEqual({ user: { id: expect.any(String), name: "Ada", email: member.email } })
    const [cookie = ""] = answer.headers.getSetCookie()
    expect(cookie).toMatch(/^restwell\.session_token=[^;]+;.*HttpOnly/i)
    expect(cookie).toMatch(/SameSite=Lax/i)
    expect(cookie).not.toMatch(/Secure/i)
  })

  test("on https the cookie is for https alone", async () => {
    const secure = await startTestService({ environment: { BASE_URL: "https://restwell.example" } })
    const member = new Member(secure)
    await member.signUp()
    const [cookie = ""] = (await signIn(member.email, member.password, secure.url)).headers.getSetCookie()
    expect(cookie).toMatch(/^__Secure-restwell\.session_token=.*Secure/i)
    const page = await fetch(`${secure.url}/healthz`)
    expect(page.headers.get("strict-transport-security")).toMatch(/max-age=\d+/)
    await secure.close()
  })

  test("gives a new session each time, and the one before the sign-in is not taken over", async () => {
    const member = await signedUp()
    const tokens = await Promise.all(
      [1, 2, 3].map(async () => (await signIn(member.email, member.password)).headers.getSetCookie()[0]?.split(";")[0]),
    )
    expect(new Set(tokens).size).toBe(3)
    const forged = await fetch(`${service.url}/api/account`, {
      headers: { cookie: "restwell.session_token=mine.mine" },
    })
    expect(forged.status).toBe(401)
  })

  test("signing out ends the session on the server", async () => {
    const member = await signedUp()
    const { cookie } = member
    expect((await member.send("POST", "/api/auth/sign-out")).status).toBe(200)
    expect((await fetch(`${service.url}/api/account`, { headers: { cookie } })).status).toBe(401)
  })

  test("a wrong password and an unknown account are the same answer", async () => {
    const member = await signedUp()
    const wrong = await signIn(member.email, "not the password")
    const unknown = await signIn(`nobody-${member.email}`, "not the password")
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    expect(await wrong.json()).toEqual(await unknown.json())
  })

  test("an address that is taken is told so", async () => {
    const member = await signedUp()
    const body = { name: "Eve", email: member.email.toUpperCase(), password: "another long password" }
    const answer = await new Member(service).send("POST", "/api/auth/sign-up/email", body)
    expect(answer.status).toBe(409)
    await expectDescribed(service.url, "POST", "/api/auth/sign-up/email", answer)
  })

  test.each([
    [{ email: "ada@example.com", password: "long enough" }, "name"],
    [{ name: " ", email: "ada@example.com", password: "long enough" }, "name"],
    [{ name: "Ada", email: "ada", password: "long enough" }, "email"],
    [{ name: "Ada", email: "ada@example.com", password: "seven77" }, "password"],
    [{ name: "A\0da", email: "ada@example.com", password: "long enough" }, "name"],
    [[], "body"],
  ])("%j names %s", async (body, field) => {
    const answer = await new Member(service).send("POST", "/api/auth/sign-up/email", body)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: "invalid_request", field })
  })

  test("a new password signs every other browser out", async () => {
    const member = await signedUp()
    const elsewhere = (await signIn(member.email, member.password)).headers.getSetCookie()[0]?.split(";")[0] ?? ""
    const change = { currentPassword: member.password, newPassword: "a new and longer password" }
    expect((await member.send("POST", "/api/auth/change-password", change)).status).toBe(200)
    expect((await fetch(`${service.url}/api/account`, { headers: { cookie: elsewhere } })).status).toBe(401)
    expect((await member.send("GET", "/api/account")).status).toBe(200)
    expect((await signIn(member.email, member.password)).status).toBe(401)
  })
})

describe("guessing", () => {
  test("ten tries at one account in five minutes, over all replicas, known or not", async () => {
    const other = await service.startReplica()
    const member = await signedUp()
    for (const email of [member.email, `unknown-${member.email}`]) {
      const tries = Array.from({ length: 32 }, (_, index) =>
        signIn(email, "a wrong password", index % 2 ? service.url : other.url),
      )
      const statuses = (await Promise.all(tries)).map(({ status }) => status)
      expect(statuses.filter((status) => status === 401)).toHaveLength(10)
      expect(statuses.filter((status) => status === 429)).toHaveLength(22)
      const refused = await signIn(email, member.password)
      expect(refused.status).toBe(429)
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(200)
      expect(await refused.json()).toMatchObject({
        error: "too_many_attempts",
        message: expect.stringMatching(/try again in \d+ seconds/),
      })
    }
    service.simulator.clock.advance(301_000)
    expect((await signIn(member.email, member.password)).status).toBe(200)
  })
})

describe("changes from other sites", () => {
  const foreign: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ]
  test.each(foreign)("%j is refused on every route that changes something", async (headers) => {
    const { member, key } = await connected()
    const changes: [string, string, object?][] = [
      ["POST", "/api/account/api-key"],
      ["DELETE", "/api/account"],
      ["POST", "/api/connections/whoop/sync"],
      ["DELETE", "/api/connections/whoop?data=delete"],
      ["POST", "/api/auth/sign-out"],
      ["POST", "/api/auth/sign-in/email", { email: member.email, password: member.password }],
      ["POST", "/api/auth/change-password", { currentPassword: member.password, newPassword: "another long password" }],
    ]
    for (const [method, path, body] of changes) {
      const answer = await member.send(method, path, body, headers)
      expect([path, answer.status]).toEqual([path, 403])
      expect(await answer.json()).toMatchObject({ error: "forbidden" })
    }
    expect((await readHealth(service.url, key)).status).toBe(200)
  })

  test("no page may be framed, sniffed, or load what is not ours", async () => {
    const { headers } = await fetch(`${service.url}/openapi.json`)
    expect(headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
    expect(headers.get("x-frame-options")).toBe("DENY")
    expect(headers.get("x-content-type-options")).toBe("nosniff")
  })
})

describe("the account", () => {
  test("shows plan, usage, key and connection, as described", async () => {
    const { member, key } = await connected()
    await readHealth(service.url, key)
    const answer = await member.send("GET", "/api/account")
    await expectDescribed(service.url, "GET", "/api/account", answer)
    expect(await answer.json()).toEqual({
      user: { id: expect.any(String), name: "Ada", email: member.email },
      sign_in: { password: true, passkeys: 0, providers: [] },
      plan: "free",
      usage: {
        limit: 1000,
        used: 1,
        remaining: 999,
        reset: expect.stringMatching(/-01T00:00:00\.000Z$/),
        by_day: expect.any(Array),
      },
      api_key: { prefix: key.slice(0, 8), created_at: expect.any(String), last_used_at: expect.any(String) },
      providers: ["whoop"],
      connections: [
        {
          provider: "whoop",
          status: "ok",
          status_reason: null,
          connected_at: expect.any(String),
          last_synced_at: expect.any(String),
          history: { complete: true, fetched_back_to: expect.any(String), records: expect.any(Number) },
        },
      ],
      assistants: [],
    })
  })

  test("exports every record with the vendor's own payload", async () => {
    const person = service.simulator.people.add({ email: `${crypto.randomUUID()}@vendor.example` })
    const { member } = await Member.connected(service, person)
    const answer = await member.send("GET", "/api/account/export")
    expect(answer.headers.get("content-disposition")).toContain("attachment")
    const { records, profiles, user, connections } = await answer.json()
    expect(user).toMatchObject({ name: "Ada", email: member.email, plan: "free" })
    expect(connections).toMatchObject([{ provider: "whoop", status: "ok", history_complete: true }])
    const truth = service.simulator.records(person)
    const ids = records
      .map(({ kind, provider_id }: { kind: string; provider_id: string }) => `${kind}/${provider_id}`)
      .sort()
    const expected = [
      ...truth.sleeps.map(({ id }) => `sleep/${id}`),
      ...truth.workouts.map(({ id }) => `workout/${id}`),
      ...truth.cycles.map(({ id }) => `cycle/${id}`),
      ...truth.recoveries.map(({ cycle_id }) => `recovery/${cycle_id}`),
    ]
    expect(ids).toEqual(expected.sort())
    expect(records.every(({ raw }: { raw: { user_id: number } }) => raw.user_id === person.userId)).toBe(true)
    expect(profiles).toHaveLength(1)
  })

  test("deletes everything at once: keys, sessions, records, and the grant at the vendor", async () => {
    const { member, key } = await connected()
    const { user } = await (await member.send("GET", "/api/account")).json()
    const grants = service.simulator.tokens.counts().refreshTokens
    expect((await member.send("DELETE", "/api/account")).status).toBe(204)
    expect((await readHealth(service.url, key)).status).toBe(401)
    expect((await signIn(member.email, member.password)).status).toBe(401)
    expect(service.simulator.tokens.counts().refreshTokens).toBe(grants - 1)
    const { rows } = await service.store.pool.query(
      "select table_name, column_name from information_schema.columns where table_schema = 'restwell' and column_name in ('user_id', 'userId')",
    )
    expect(rows.length).toBeGreaterThan(8)
    for (const { table_name, column_name } of rows) {
      const left = await service.store.pool.query(
        `select 1 from restwell."${table_name}" where "${column_name}" = $1`,
        [user.id],
      )
      expect([table_name, left.rowCount]).toEqual([table_name, 0])
    }
  })

  test("an hour after the sign-in, deletion asks for the password", async () => {
    const member = await signedUp()
    service.simulator.clock.advance(61 * 60_000)
    expect((await member.send("DELETE", "/api/account")).status).toBe(403)
    expect((await member.send("DELETE", "/api/account", { password: "a wrong password" })).status).toBe(403)
    expect((await member.send("DELETE", "/api/account", { password: member.password })).status).toBe(204)
  })

  test("disconnecting ends the answers and keeps the data for a later connect; wiping does not", async () => {
    const person = service.simulator.people.add({ email: `${crypto.randomUUID()}@vendor.example` })
    const { member, key } = await Member.connected(service, person)
    const recordsStored = async () =>
      (await (await member.send("GET", "/api/account")).json()).connections[0].history.records
    const before = await recordsStored()
    expect((await member.send("DELETE", "/api/connections/whoop")).status).toBe(204)
    expect((await readHealth(service.url, key)).status).toBe(404)
    expect((await member.send("DELETE", "/api/connections/whoop")).status).toBe(404)
    expect(await recordsStored()).toBe(before)
    await member.connect(person)
    expect((await readHealth(service.url, key)).status).toBe(200)
    expect((await member.send("DELETE", "/api/connections/whoop?data=delete")).status).toBe(204)
    expect(await recordsStored()).toBe(0)
  })

  test("an authorization is good once, in the session that began it, and not when forged", async () => {
    const [member, thief] = [await signedUp(), await signedUp()]
    const person = service.simulator.people.add({ email: `${crypto.randomUUID()}@vendor.example` })
    const page = new URL((await member.send("GET", "/api/connections/whoop/authorize")).headers.get("location") ?? "")
    page.searchParams.set("login_hint", person.email)
    const callback = new URL((await fetch(page, { redirect: "manual" })).headers.get("location") ?? "")
    const path = callback.pathname + callback.search
    expect((await thief.send("GET", path)).status).toBe(400)
    expect((await fetch(service.url + path, { redirect: "manual" })).status).toBe(401)
    expect((await member.send("GET", path)).status).toBe(302)
    expect((await member.send("GET", path)).status).toBe(400)
    const refused = await member.send("GET", "/api/connections/whoop/callback?error=access_denied&state=x")
    expect([refused.status, await refused.json()]).toEqual([400, expect.objectContaining({ field: "error" })])
    const unknown = await member.send("GET", "/api/connections/fitbit/authorize")
    expect([unknown.status, await unknown.json()]).toEqual([
      404,
      { error: "not_found", message: expect.stringMatching(/try whoop/) },
    ])
  })
})

describe("closed sign-up", () => {
  test("lets the first person in and nobody after", async () => {
    const closed = await startTestService({ environment: { SIGN_UP: "closed" } })
    await new Member(closed).signUp()
    const body = { name: "Eve", email: "eve@example.com", password: "a long password" }
    const answer = await new Member(closed).send("POST", "/api/auth/sign-up/email", body)
    expect([answer.status, await answer.json()]).toEqual([
      403,
      { error: "forbidden", message: expect.stringMatching(/closed/) },
    ])
    await closed.close()
  })
})
