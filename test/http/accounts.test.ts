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
  const person = service.simulator.people.addOne()
  return Member.connected(service, person)
}

describe("requests from other sites", () => {
  const foreign: Record<string, string>[] = [
    { origin: "https://evil.example" },
    { origin: "null" },
    { "sec-fetch-site": "cross-site" },
    { "sec-fetch-site": "same-site" },
  ]
  test.each(foreign)("%j gets 403 on every route that changes data", async (headers) => {
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

  test("headers prevent framing, content sniffing and foreign content", async () => {
    const { headers } = await fetch(`${service.url}/openapi.json`)
    expect(headers.get("content-security-policy")).toContain("default-src 'none'")
    expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
    expect(headers.get("x-frame-options")).toBe("DENY")
    expect(headers.get("x-content-type-options")).toBe("nosniff")
  })
})

describe("the account", () => {
  test("has plan, usage, key and connection, as OpenAPI describes them", async () => {
    const { member, key } = await connected()
    await readHealth(service.url, key)
    // The use of a key is stored soon after the answer.
    const read = async () => (await (await member.send("GET", "/api/account")).json()).api_key
    await expect.poll(read).toMatchObject({ last_used_at: expect.any(String) })
    const answer = await member.send("GET", "/api/account")
    await expectDescribed(service.url, "GET", "/api/account", answer)
    expect(await answer.json()).toEqual({
      user: { id: expect.any(String), name: "Ada", email: member.email },
      is_owner: false,
      is_alone: false,
      address: { is_https: false, reach: "this_computer" },
      notices: { can_send: false, reconnect: true },
      sign_in: { password: true, two_factor: false, passkeys: 0, providers: [] },
      plan: "free",
      preferences: {
        ...{
          time_zone: null,
          units: "metric",
          clock: "24h",
          first_weekday: "monday",
          days_off: ["saturday", "sunday"],
        },
        ...{ trend_cards: null, hidden_cards: null, no_main_device: false, stored: [] },
      },
      usage: {
        limit: 1000,
        used: 1,
        remaining: 999,
        reset: expect.stringMatching(/-01T00:00:00\.000Z$/),
        by_day: expect.any(Array),
      },
      api_key: { prefix: key.slice(0, 8), created_at: expect.any(String), last_used_at: expect.any(String) },
      providers: ["whoop", "intervals", "ultrahuman"],
      connections: [
        {
          provider: "whoop",
          status: "ok",
          status_reason: null,
          notice: null,
          connected_at: expect.any(String),
          last_synced_at: expect.any(String),
          waiting: null,
          gaps: [],
          left_out: [],
          history: { complete: true, fetched_back_to: expect.any(String), records: expect.any(Number) },
        },
      ],
      vendors: expect.any(Array),
      archives: expect.any(Array),
      devices: expect.any(Array),
      assistants: [],
      // The service of the test is at a local address.
      has_home_assistant: false,
      local_program: { command: process.execPath, args: [expect.stringMatching(/\/bin\/restwell\.js$/), "mcp"] },
    })
  })

  test("exports every record with the vendor's own payload", async () => {
    const person = service.simulator.people.addOne()
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
})

describe("deleting the account", () => {
  test("deletes keys, sessions, records and the grant at the vendor at once", async () => {
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

  test("clears what the browser kept of the person", async () => {
    const member = await signedUp()
    const deleted = await member.send("DELETE", "/api/account", { password: member.password })
    expect([deleted.status, deleted.headers.get("clear-site-data")]).toEqual([204, '"cache", "cookies", "storage"'])
  })

  test("requires the password an hour after the sign-in", async () => {
    const member = await signedUp()
    service.simulator.clock.advance(61 * 60_000)
    expect((await member.send("DELETE", "/api/account")).status).toBe(403)
    expect((await member.send("DELETE", "/api/account", { password: "a wrong password" })).status).toBe(403)
    expect((await member.send("DELETE", "/api/account", { password: member.password })).status).toBe(204)
  })
})

describe("connections", () => {
  test("disconnecting keeps the records for a later connection, unless data=delete wipes them", async () => {
    const person = service.simulator.people.addOne()
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

  test("a callback works once, only in the session that started it, and not if forged", async () => {
    const [member, thief] = [await signedUp(), await signedUp()]
    const person = service.simulator.people.addOne()
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
