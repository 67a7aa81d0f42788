import {
  authorize,
  callConnector,
  connectAssistant,
  postToken,
  redeem,
  refresh,
  register,
  TokensSchema,
} from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, expect, test } from "vitest"

const GRACE_MS = 30_000

let service: TestService
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 1, role: "api" })
  member = new Member(service)
  await member.signUp()
})
afterAll(() => service.close())

async function refreshed(clientId: string, token: string) {
  const answer = await refresh(service, clientId, token)
  expect(answer.status, await answer.clone().text()).toBe(200)
  return TokensSchema.parse(await answer.json())
}

async function expectRevoked(clientId: string, ...tokens: readonly { access_token: string; refresh_token: string }[]) {
  for (const { access_token, refresh_token } of tokens) {
    expect((await refresh(service, clientId, refresh_token)).status).toBe(400)
    expect((await callConnector(service, access_token, "tools/list")).status).toBe(401)
  }
}

test("each refresh issues a new refresh token, and the former access token stays valid", async () => {
  const first = await connectAssistant(service, member)
  const second = await refreshed(first.clientId, first.refresh_token)
  expect(second.refresh_token).not.toBe(first.refresh_token)
  expect(second.access_token).not.toBe(first.access_token)
  for (const { access_token } of [first, second])
    expect((await callConnector(service, access_token, "tools/list")).status).toBe(200)
})

test("a repeated refresh gets the same tokens for 30 seconds, with their remaining lifetime", async () => {
  const first = await connectAssistant(service, member)
  const second = await refreshed(first.clientId, first.refresh_token)
  service.simulator.clock.advance(GRACE_MS - 5_000)
  const again = await refreshed(first.clientId, first.refresh_token)
  expect({ ...again, expires_in: 0 }).toEqual({ ...second, expires_in: 0 })
  expect(again.expires_in).toBeLessThanOrEqual(3600 - 25)
  expect((await callConnector(service, again.access_token, "tools/list")).status).toBe(200)
})

test("the life of an access token is a setting, so that an integrator can test the refresh", async () => {
  for (const refused of ["59", "86401", "1h"])
    await expect(service.startReplica("api", { ACCESS_TOKEN_SECONDS: refused })).rejects.toThrow(
      "ACCESS_TOKEN_SECONDS must be a whole number from 60 to 86400",
    )
  const replica = await service.startReplica("api", { ACCESS_TOKEN_SECONDS: "60" })
  const first = await connectAssistant(replica, member.at(replica))
  expect(first.expires_in).toBe(60)
  expect((await callConnector(replica, first.access_token, "tools/list")).status).toBe(200)
  service.simulator.clock.advance(61_000)
  expect((await callConnector(replica, first.access_token, "tools/list")).status).toBe(401)
  const next = TokensSchema.parse(await (await refresh(replica, first.clientId, first.refresh_token)).json())
  expect((await callConnector(replica, next.access_token, "tools/list")).status).toBe(200)
})

test("a former refresh token that is used after 30 seconds revokes its whole family", async () => {
  const first = await connectAssistant(service, member)
  const second = await refreshed(first.clientId, first.refresh_token)
  service.simulator.clock.advance(GRACE_MS + 1_000)
  expect((await refresh(service, first.clientId, first.refresh_token)).status).toBe(400)
  await expectRevoked(first.clientId, second)
})

test("a refresh token older than the previous one revokes its family at once", async () => {
  const first = await connectAssistant(service, member)
  const second = await refreshed(first.clientId, first.refresh_token)
  const third = await refreshed(first.clientId, second.refresh_token)
  expect((await refresh(service, first.clientId, first.refresh_token)).status).toBe(400)
  await expectRevoked(first.clientId, second, third)
})

test("a revoked family leaves another family of the same person and client valid", async () => {
  const first = await connectAssistant(service, member)
  const client = { client_id: first.clientId }
  const other = await connectAssistant(service, member, { client })
  const second = await refreshed(first.clientId, first.refresh_token)
  await refreshed(first.clientId, second.refresh_token)
  expect((await refresh(service, first.clientId, first.refresh_token)).status).toBe(400)
  expect((await callConnector(service, other.access_token, "tools/list")).status).toBe(200)
  await refreshed(first.clientId, other.refresh_token)
})

test("another client cannot repeat a refresh", async () => {
  const first = await connectAssistant(service, member)
  const other = await connectAssistant(service, member)
  await refreshed(first.clientId, first.refresh_token)
  expect((await refresh(service, other.clientId, first.refresh_token)).status).toBe(400)
})

test("a refresh may request fewer scopes, and a later one all of them", async () => {
  const first = await connectAssistant(service, member)
  const form = { grant_type: "refresh_token", client_id: first.clientId, refresh_token: first.refresh_token }
  const narrow = TokensSchema.parse(await (await postToken(service, { ...form, scope: "sleep:read" })).json())
  expect(narrow.scope).toBe("sleep:read")
  const all = await refreshed(first.clientId, narrow.refresh_token)
  expect(all.scope.split(" ")).toHaveLength(6)
})

test("no token, code or secret is readable in the database or the log", async () => {
  const confidential = await register(service, { token_endpoint_auth_method: "client_secret_post" })
  const authorized = await authorize(service, member)
  const first = {
    ...TokensSchema.parse(await (await redeem(service, authorized)).json()),
    clientId: authorized.client.client_id,
  }
  const second = await refreshed(first.clientId, first.refresh_token)
  const tables = ["oauth_record", "oauth_client", "refresh_reply", "assistant", "signing_key"]
  const dumps = await Promise.all(
    tables.map(async (table) => (await service.store.pool.query(`select r::text from restwell.${table} r`)).rows),
  )
  // PostgreSQL prints encrypted bytes in hexadecimal.
  const dump = JSON.stringify(dumps)
  expect(dump).toContain(first.clientId)
  const log = service.log.join("")
  const { code, verifier } = authorized
  const tokens = [first.access_token, first.refresh_token, second.access_token, second.refresh_token]
  for (const secret of [...tokens, code, verifier, confidential.client_secret ?? ""]) {
    expect(secret.length).toBeGreaterThan(30)
    expect(log).not.toContain(secret)
    for (const form of [secret, Buffer.from(secret).toString("hex")]) expect(dump).not.toContain(form)
  }
})
