import { AccountResponseSchema } from "@restwell/client"
import { callTool, connectAssistant, register } from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"
import { connectNewMember, LOGS, listSecurityEvents, readSecurityLog, readUserId } from "./read-logs.ts"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 40 })
})
afterAll(() => service.close())

test("logs sign-up, sign-in, sign-out and password changes, with the network", async () => {
  const member = new Member(service)
  await member.signUp()
  const signIn = (password: string) => member.send("POST", "/api/auth/sign-in/email", { email: member.email, password })
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
  expect(await listSecurityEvents(member)).toEqual([
    "password_changed",
    "signed_in: password",
    "sign_in_failed: password",
    "signed_out",
    "signed_in: password",
    "account_created: password",
  ])
  for (const { network } of (await readSecurityLog(member)).entries)
    expect(network).toMatch(/^(127\.0\.0\.1|0:0:0:0::\/64)$/)
})

test("logs the first password of an account without one", async () => {
  const member = new Member(service)
  await member.signUp()
  await service.store.pool.query(`delete from restwell.account where "userId" = $1`, [await readUserId(member)])
  const set = () => member.send("POST", "/api/auth/set-password", { newPassword: "staple battery horse" })
  expect((await set()).status).toBe(200)
  expect((await set()).status).toBe(409)
  expect((await listSecurityEvents(member))[0]).toBe("password_set")
})

test("does not log a failed sign-in with an unknown email address", async () => {
  const count = async () =>
    (await service.store.pool.query("select from restwell.security_event where type = 'sign_in_failed'")).rowCount
  const before = await count()
  const nobody = { email: `${crypto.randomUUID()}@example.com`, password: "not the password" }
  expect((await new Member(service).send("POST", "/api/auth/sign-in/email", nobody)).status).toBe(401)
  await new Promise((resolve) => setTimeout(resolve, 200))
  expect(await count()).toBe(before)
})

test("logs new keys, changes of assistants, and exports", async () => {
  const { member, key } = await connectNewMember(service)
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
  const events = (await listSecurityEvents(member)).filter((event) => /^(api_key|assistant|data)/.test(event))
  expect(events).toEqual([
    "data_exported: csv sleep",
    "data_exported: json",
    "assistant_revoked: Claude",
    "assistant_authorized: Claude",
    `api_key_regenerated: ${second.slice(0, 8)}`,
    `api_key_created: ${key.slice(0, 8)}`,
  ])
  const { entries } = await readSecurityLog(member)
  for (const { type, network } of entries) expect(network === null, type).toBe(type === "connection_changed")
})

test("logs every change of a connection's status", async () => {
  const { member } = await connectNewMember(service)
  expect((await member.send("DELETE", "/api/connections/whoop")).status).toBe(204)
  const changes = (await listSecurityEvents(member)).filter((event) => event.startsWith("connection_changed"))
  expect(changes).toEqual([
    "connection_changed: whoop: ok -> disconnected",
    "connection_changed: whoop: syncing -> ok",
    "connection_changed: whoop: disconnected -> syncing",
  ])
})

test.each(["x", "-1", "99999999999999999999"])("before=%s gets 400", async (before) => {
  const member = new Member(service)
  await member.signUp()
  expect((await member.send("GET", `/api/account/security-log?before=${before}`)).status).toBe(400)
})

test("neither log contains a secret or a health value", async () => {
  const { member, key } = await connectNewMember(service)
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
  const cookie = decodeURIComponent(member.cookie.split("; ")[0]?.split("=").slice(1).join("=") ?? "")
  const secrets = [key, tokens.access_token, tokens.refresh_token, cookie.split(".")[0] ?? "", member.password]
  for (const secret of [...secrets, "not the password"]) {
    expect(secret.length).toBeGreaterThan(10)
    expect(text).not.toContain(secret)
  }
  expect(text).toContain(tokens.clientId)
  // Health values have decimals. Instants and networks contain dots too, so they are left out.
  for (const { at: _, network: __, ...row } of rows) expect(JSON.stringify(row)).not.toMatch(/\d\.\d/)
})
