import { AccessLogResponseSchema, AccountResponseSchema, SecurityLogResponseSchema } from "@restwell/client"
import { generateApiKey, sweepAudit } from "@restwell/core"
import { callTool, connectAssistant, register } from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest"

const LIMIT = 40

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 40, environment: { FREE_MONTHLY_REQUESTS: String(LIMIT) } })
})
afterAll(() => service.close())

const connected = () =>
  Member.connected(service, service.simulator.people.add({ email: `${crypto.randomUUID()}@example.com` }))

const accessesOf = async (member: Member, search = "") =>
  AccessLogResponseSchema.parse(await (await member.send("GET", `/api/account/access-log${search}`)).json())

const eventsOf = async (member: Member, search = "") =>
  SecurityLogResponseSchema.parse(await (await member.send("GET", `/api/account/security-log${search}`)).json())

const usedOf = async (member: Member) =>
  AccountResponseSchema.parse(await (await member.send("GET", "/api/account")).json()).usage.used

const userIdOf = async (member: Member): Promise<string> =>
  AccountResponseSchema.parse(await (await member.send("GET", "/api/account")).json()).user.id

/** The newest events as "type: detail". */
const told = async (member: Member) =>
  (await eventsOf(member)).entries.map(({ type, detail }) => (detail === null ? type : `${type}: ${detail}`))

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

describe("reads by key", () => {
  test("each is told with its type, dates and number of records, the newest first", async () => {
    const { member, key } = await connected()
    const range = { start_date: daysAgo(20), end_date: daysAgo(11) }
    const search = `start_date=${range.start_date}&end_date=${range.end_date}`
    const expected: object[] = []
    let inSummary = 0
    for (const type of ["sleep", "recovery", "workout", "cycle"]) {
      const { count } = await (await readHealth(service.url, key, `?type=${type}&${search}`)).json()
      expect(count).toBeGreaterThan(0)
      inSummary += count
      expected.unshift({ types: [type], ...range, record_count: count })
    }
    await readHealth(service.url, key, `?${search}`)
    expected.unshift({ types: ["summary"], ...range, record_count: inSummary })
    await readHealth(service.url, key, "?type=profile")
    expected.unshift({ types: ["profile"], start_date: null, end_date: null, record_count: 1 })
    const summary = await (await readHealth(service.url, key, "?type=summary&days=3")).json()
    const { entries, next } = await accessesOf(member)
    const [byDays, ...others] = entries
    // The dates that were meant, which the summary's period spells as instants of the person's place.
    expect(summary.period.days).toBe(3)
    expect(Date.parse(byDays?.end_date ?? "") - Date.parse(byDays?.start_date ?? "")).toBe(2 * 86_400_000)
    expect(Math.abs(Date.parse(byDays?.start_date ?? "") - Date.parse(summary.period.start))).toBeLessThan(86_400_000)
    expect(others).toEqual(
      expected.map((entry) => ({
        id: expect.stringMatching(/^\d+$/),
        at: expect.any(String),
        reader: "api_key",
        assistant: null,
        client_id: null,
        operation: "/api/v1/health",
        outcome: "answered",
        reads: 1,
        ...entry,
      })),
    )
    expect(next).toBeNull()
    for (const { at } of entries) expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000)
  })

  test("what is not counted is not told: 304, HEAD, refusals, and what the person reads at the dashboard", async () => {
    const { member, key } = await connected()
    const etag = (await readHealth(service.url, key, "?type=sleep")).headers.get("etag") ?? ""
    expect((await readHealth(service.url, key, "?type=sleep", { "if-none-match": etag })).status).toBe(304)
    expect((await readHealth(service.url, key, "?type=nonsense")).status).toBe(400)
    expect((await readHealth(service.url, key, `?start_date=${daysAgo(1)}&end_date=${daysAgo(9)}`)).status).toBe(400)
    expect((await readHealth(service.url, generateApiKey().text)).status).toBe(401)
    const head = { method: "HEAD", headers: { authorization: `Bearer ${key}` } }
    expect((await fetch(`${service.url}/api/v1/health`, head)).status).toBe(200)
    expect((await member.send("GET", "/api/account/health?type=sleep")).status).toBe(200)
    expect((await member.send("GET", "/api/account/trends?days=7")).status).toBe(200)
    expect((await accessesOf(member)).entries).toHaveLength(1)
    const unconnected = new Member(service)
    await unconnected.signUp()
    expect((await readHealth(service.url, await unconnected.newKey())).status).toBe(404)
    expect((await accessesOf(unconnected)).entries).toEqual([])
  })

  test("as many entries as counted reads, whoever races for the last of them over two replicas", async () => {
    const { member, key } = await connected()
    const other = await service.startReplica("api")
    const replicas = [service.url, other.url]
    const searches = ["?type=sleep", "", "?type=profile", "?type=cycle&days=90", "?days=91"]
    const answers = await Promise.all(
      Array.from({ length: 3 * LIMIT }, (_, index) =>
        readHealth(replicas[index % 2] ?? "", key, searches[index % searches.length]),
      ),
    )
    const count = (status: number) => answers.filter((answer) => answer.status === status).length
    expect([count(200), count(400), count(429)]).toEqual([LIMIT, (3 * LIMIT) / 5, 3 * LIMIT - LIMIT - (3 * LIMIT) / 5])
    const { entries } = await accessesOf(member)
    expect(entries.reduce((sum, { reads }) => sum + reads, 0)).toBe(LIMIT)
    expect(await usedOf(member)).toBe(LIMIT)
    await other.close()
  })

  test("an assistant's readings stand beside them, with the records of all its answers", async () => {
    const { member, key } = await connected()
    const client = await register(service, { client_name: "Claude" })
    const tokens = await connectAssistant(service, member, { client, choice: { scopes: ["sleep:read"], days: "30" } })
    const range = { start_date: daysAgo(9), end_date: daysAgo(3) }
    await callTool(service, tokens.access_token, "get_sleep", range)
    await callTool(service, tokens.access_token, "get_recovery", range)
    const rest = await readHealth(service.url, key, `?type=sleep&${new URLSearchParams(range)}`)
    const { count } = await rest.json()
    expect((await accessesOf(member)).entries).toMatchObject([
      { reader: "api_key", record_count: count, outcome: "answered", ...range },
      { reader: "assistant", assistant: "Claude", operation: "get_recovery", record_count: null, outcome: "forbidden" },
      { reader: "assistant", assistant: "Claude", operation: "get_sleep", record_count: count, outcome: "answered" },
    ])
  })

  test("a sync is asked for although a wrong clock wrote that one had just been", async () => {
    const { member, key } = await connected()
    const { pool } = service.store
    const userId = await userIdOf(member)
    await pool.query(
      `update restwell.connection set last_synced_at = now() + interval '1 day', sync_requested_at = now() + interval '1 day',
       next_sync_at = now() + interval '1 day' where user_id = $1`,
      [userId],
    )
    await readHealth(service.url, key)
    await vi.waitFor(async () => {
      const { rows } = await pool.query(
        "select last_synced_at <= now() as healed from restwell.connection where user_id = $1",
        [userId],
      )
      expect(rows).toEqual([{ healed: true }])
    }, 10_000)
  })
})

describe("the security log", () => {
  test("tells of sign-up, sign-in, sign-out and of the password, and from where", async () => {
    const member = new Member(service)
    await member.signUp()
    const signIn = (password: string) =>
      member.send("POST", "/api/auth/sign-in/email", { email: member.email, password })
    await member.send("POST", "/api/auth/sign-out")
    await member.send("POST", "/api/auth/sign-out")
    expect((await signIn("not the password")).status).toBe(401)
    const { pool } = service.store
    const failed = "select from restwell.security_event where type = 'sign_in_failed'"
    await expect.poll(async () => (await pool.query(failed)).rowCount).toBe(1)
    expect((await signIn(member.password)).status).toBe(200)
    const wrong = { currentPassword: "not the password", newPassword: "staple battery horse" }
    expect((await member.send("POST", "/api/auth/change-password", wrong)).status).toBe(403)
    const right = { ...wrong, currentPassword: member.password }
    expect((await member.send("POST", "/api/auth/change-password", right)).status).toBe(200)
    expect(await told(member)).toEqual([
      "password_changed",
      "signed_in: password",
      "sign_in_failed: password",
      "signed_out",
      "signed_in: password",
      "account_created: password",
    ])
    for (const { network } of (await eventsOf(member)).entries)
      expect(network).toMatch(/^(127\.0\.0\.1|0:0:0:0::\/64)$/)
  })

  test("tells of a password that was set where there was none", async () => {
    const member = new Member(service)
    await member.signUp()
    await service.store.pool.query(`delete from restwell.account where "userId" = $1`, [await userIdOf(member)])
    const set = () => member.send("POST", "/api/auth/set-password", { newPassword: "staple battery horse" })
    expect((await set()).status).toBe(200)
    expect((await set()).status).toBe(409)
    expect((await told(member))[0]).toBe("password_set")
  })

  test("a guess at an address that nobody has is written nowhere", async () => {
    const count = async () =>
      (await service.store.pool.query("select from restwell.security_event where type = 'sign_in_failed'")).rowCount
    const before = await count()
    const nobody = { email: `${crypto.randomUUID()}@example.com`, password: "not the password" }
    expect((await new Member(service).send("POST", "/api/auth/sign-in/email", nobody)).status).toBe(401)
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await count()).toBe(before)
  })

  test("tells of keys, of assistants and of exports", async () => {
    const { member, key } = await connected()
    const second = await member.newKey()
    const client = await register(service, { client_name: "Claude" })
    await connectAssistant(service, member, { client })
    const { assistants } = AccountResponseSchema.parse(await (await member.send("GET", "/api/account")).json())
    const path = `/api/account/assistants/${assistants[0]?.id}`
    expect((await member.send("DELETE", path)).status).toBe(204)
    expect((await member.send("DELETE", path)).status).toBe(404)
    await (await member.send("GET", "/api/account/export")).text()
    await (await member.send("GET", "/api/account/export?format=csv&type=sleep")).text()
    expect((await member.send("GET", "/api/account/export?format=csv")).status).toBe(400)
    const events = (await told(member)).filter((event) => /^(api_key|assistant|data)/.test(event))
    expect(events).toEqual([
      "data_exported: csv sleep",
      "data_exported: json",
      "assistant_revoked: Claude",
      "assistant_authorized: Claude",
      `api_key_regenerated: ${second.slice(0, 8)}`,
      `api_key_created: ${key.slice(0, 8)}`,
    ])
    const { entries } = await eventsOf(member)
    for (const { type, network } of entries) expect(network === null, type).toBe(type === "connection_changed")
  })

  test("tells of every change of a connection", async () => {
    const { member } = await connected()
    expect((await member.send("DELETE", "/api/connections/whoop")).status).toBe(204)
    const changes = (await told(member)).filter((event) => event.startsWith("connection_changed"))
    expect(changes).toEqual([
      "connection_changed: whoop: ok -> disconnected",
      "connection_changed: whoop: syncing -> ok",
      "connection_changed: whoop: disconnected -> syncing",
    ])
  })

  test.each(["x", "-1", "99999999999999999999"])("before=%s is refused", async (before) => {
    const member = new Member(service)
    await member.signUp()
    expect((await member.send("GET", `/api/account/security-log?before=${before}`)).status).toBe(400)
  })
})

describe("both logs", () => {
  const LOGS = ["access_log", "security_event"] as const

  /** Entries of a person, so many days old. */
  async function fill(userId: string, count: number, days: number): Promise<void> {
    const { pool } = service.store
    const values = [userId, count, days]
    await pool.query(
      `insert into restwell.access_log (user_id, at, reader, operation, types, outcome)
       select $1, now() - make_interval(days => $3::int), 'api_key', '/api/v1/health', '{sleep}', 'answered' from generate_series(1, $2::int)`,
      values,
    )
    await pool.query(
      `insert into restwell.security_event (user_id, at, type)
       select $1, now() - make_interval(days => $3::int), 'signed_out' from generate_series(1, $2::int)`,
      values,
    )
  }

  async function agesOf(userId: string, log: (typeof LOGS)[number]): Promise<Record<string, number>> {
    const { rows } = await service.store.pool.query(
      `select (now()::date - at::date) as days, count(*)::int as count from restwell.${log} where user_id = $1 group by 1`,
      [userId],
    )
    return Object.fromEntries(rows.map(({ days, count }) => [days, count]))
  }

  test("are read page by page, by their owner alone", async () => {
    const member = new Member(service)
    await member.signUp()
    const stranger = new Member(service)
    await stranger.signUp()
    await fill(await userIdOf(member), 230, 1)
    const pages = [await eventsOf(member)]
    for (let { next } = pages[0] ?? { next: null }; next; next = pages.at(-1)?.next ?? null)
      pages.push(await eventsOf(member, `?before=${next}`))
    expect(pages.map(({ entries }) => entries.length)).toEqual([100, 100, 32])
    expect(new Set(pages.flatMap(({ entries }) => entries.map(({ id }) => id))).size).toBe(232)
    expect((await accessesOf(stranger, `?before=${"9".repeat(18)}`)).entries).toEqual([])
    expect((await eventsOf(stranger, `?before=${"9".repeat(18)}`)).entries.map(({ type }) => type)).toEqual([
      "signed_in",
      "account_created",
    ])
    for (const log of ["access-log", "security-log"])
      expect((await fetch(`${service.url}/api/account/${log}`)).status).toBe(401)
  })

  test.each(LOGS)("nobody changes %s, nor deletes what is younger than 90 days", async (log) => {
    const member = new Member(service)
    await member.signUp()
    const userId = await userIdOf(member)
    await fill(userId, 1, 89)
    await fill(userId, 1, 91)
    const { pool } = service.store
    const run = (statement: string) => pool.query(statement, [userId])
    const refused = "is append-only"
    await expect(run(`update restwell.${log} set at = now() where user_id = $1`)).rejects.toThrow(refused)
    await expect(run(`delete from restwell.${log} where user_id = $1`)).rejects.toThrow(refused)
    await expect(
      run(
        `delete from restwell.${log} where user_id = $1 and at between now() - interval '90 days' and now() - interval '85 days'`,
      ),
    ).rejects.toThrow(refused)
    await expect(pool.query(`truncate restwell.${log}`)).rejects.toThrow(refused)
    const before = await agesOf(userId, log)
    await run(`delete from restwell.${log} where user_id = $1 and at < now() - interval '90 days'`)
    expect(await agesOf(userId, log)).toEqual({ ...before, "91": undefined })
  })

  test("what is older than 90 days is swept away, and nothing else, whatever the clock of the service says", async () => {
    const member = new Member(service)
    await member.signUp()
    const userId = await userIdOf(member)
    const { database } = service.store
    const sweepAt = (days: number) =>
      sweepAudit({ database, clock: { now: () => new Date(Date.now() + days * 86_400_000) } })
    await fill(userId, 5, 89)
    await fill(userId, 12_000, 91)
    await fill(userId, 7, 200)
    for (const [days, left] of [
      [-60, { "89": 5, "91": 12_000 }],
      [0, { "89": 5 }],
      [3650, { "89": 5 }],
    ] as const) {
      await sweepAt(days)
      for (const log of LOGS) expect(await agesOf(userId, log)).toEqual({ ...left, ...(log === LOGS[1] && { "0": 2 }) })
    }
  })

  test("are in the export, go with the account, and nobody else's with them", async () => {
    const { member, key } = await connected()
    const other = await connected()
    await readHealth(service.url, key, "?type=sleep")
    await readHealth(service.url, other.key)
    const document = await (await member.send("GET", "/api/account/export")).json()
    expect(document.access_log).toMatchObject([{ reader: "api_key", types: ["sleep"], outcome: "answered" }])
    expect(document.security_log.map(({ type }: { type: string }) => type)).toContain("api_key_created")
    expect(document.security_log.at(-1)).toMatchObject({ type: "data_exported", detail: "json" })
    const [userId, otherId] = [await userIdOf(member), await userIdOf(other.member)]
    expect((await member.send("DELETE", "/api/account", {})).status).toBe(204)
    for (const log of LOGS) {
      expect(await agesOf(userId, log)).toEqual({})
      expect(Object.keys(await agesOf(otherId, log))).toEqual(["0"])
    }
  })

  test.each([
    ["a key that was not used lately", "api_key", "last_used_at", "last_used_at = null"],
    ["stale data", "connection", "sync_requested_at", "sync_requested_at = null"],
  ])("a read with %s does not wait for a deletion, nor the deletion for it", async (_, table, noted, change) => {
    const { member, key } = await connected()
    await readHealth(service.url, key)
    const userId = await userIdOf(member)
    const { pool } = service.store
    await pool.query(`update restwell.${table} set ${change} where user_id = $1`, [userId])
    service.skewClock(16 * 60_000)
    const deletion = await pool.connect()
    await deletion.query("begin")
    await deletion.query(`select from restwell."user" where id = $1 for update`, [userId])
    expect((await readHealth(service.url, key)).status).toBe(200)
    const isNoted = `select from restwell.${table} where user_id = $1 and ${noted} is not null`
    await expect.poll(async () => (await pool.query(isNoted, [userId])).rowCount).toBe(1)
    await deletion.query(`delete from restwell."user" where id = $1`, [userId])
    await deletion.query("rollback")
    deletion.release()
    service.skewClock(0)
    expect((await accessesOf(member)).entries).toHaveLength(2)
  })

  test("a read that was counted during a deletion is gone with the account", async () => {
    const { member, key } = await connected()
    for (let read = 0; read < 2; read += 1) expect((await readHealth(service.url, key)).status).toBe(200)
    const userId = await userIdOf(member)
    const deletion = await service.store.pool.connect()
    await deletion.query("begin")
    await deletion.query(`select from restwell."user" where id = $1 for update`, [userId])
    expect((await readHealth(service.url, key)).status).toBe(200)
    await deletion.query(`delete from restwell."user" where id = $1`, [userId])
    const late = readHealth(service.url, key)
    const waiting = `select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%Counts a batch of reads%'`
    await expect.poll(async () => (await service.store.pool.query(waiting)).rowCount).toBe(1)
    await deletion.query("commit")
    deletion.release()
    expect((await late).status).toBe(401)
    for (const table of [...LOGS, "usage"])
      expect(
        (await service.store.pool.query(`select from restwell.${table} where user_id = $1`, [userId])).rowCount,
      ).toBe(0)
  })

  test("hold no secret and no figure", async () => {
    const { member, key } = await connected()
    const tokens = await connectAssistant(service, member)
    const bodies = [
      await (await readHealth(service.url, key, "?type=recovery")).json(),
      await callTool(service, tokens.access_token, "get_recovery"),
    ]
    expect(JSON.stringify(bodies)).toMatch(/\d\.\d/)
    const rows = (
      await Promise.all(LOGS.map((log) => service.store.pool.query(`select to_jsonb(l) as row from restwell.${log} l`)))
    ).flatMap((result) => result.rows.map(({ row }): Record<string, unknown> => row))
    const text = JSON.stringify(rows)
    const cookie = decodeURIComponent(member.cookie.split("=").slice(1).join("="))
    const secrets = [key, tokens.access_token, tokens.refresh_token, cookie.split(".")[0] ?? "", member.password]
    for (const secret of [...secrets, "not the password"]) {
      expect(secret.length).toBeGreaterThan(10)
      expect(text).not.toContain(secret)
    }
    expect(text).toContain(tokens.clientId)
    // Figures are measured to a decimal, and nothing written down is: but for instants and networks, which hold points of their own.
    for (const { at: _, network: __, ...row } of rows) expect(JSON.stringify(row)).not.toMatch(/\d\.\d/)
  })
})
