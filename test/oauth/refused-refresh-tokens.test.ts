import { callConnector, connectAssistant, postToken, refresh, register, type Tokens } from "@restwell/testing/assistant"

import { Member } from "@restwell/testing/member"

import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"

import { expectRefusal, revokeAssistants } from "./expect-refused-tokens.ts"

let service: TestService
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 3 })
  ;({ member } = await Member.connected(service, service.simulator.people.add({ email: "ada@example.com" })))
})
afterAll(() => service.close())

describe("a refresh token", () => {
  let tokens: Tokens & { clientId: string }
  beforeEach(async () => {
    tokens = await connectAssistant(service, member)
  })

  test("is refused for another client", async () => {
    const { client_id } = await register(service)
    await expectRefusal(await refresh(service, client_id, tokens.refresh_token), "invalid_grant")
  })

  test("is refused if it is an access token", async () => {
    await expectRefusal(await refresh(service, tokens.clientId, tokens.access_token), "invalid_grant")
  })

  test.each(["", "made-up", "a".repeat(43)])("is refused if it is “%s”", async (token) => {
    await expectRefusal(await refresh(service, tokens.clientId, token), /invalid_/)
  })

  test("is refused for more scopes than were granted", async () => {
    const narrow = await connectAssistant(service, member, { scope: "sleep:read" })
    const answer = await postToken(service, {
      grant_type: "refresh_token",
      client_id: narrow.clientId,
      refresh_token: narrow.refresh_token,
      scope: "sleep:read profile:read",
    })
    await expectRefusal(answer, "invalid_scope")
  })

  test("is refused for another resource", async () => {
    const answer = await postToken(service, {
      grant_type: "refresh_token",
      client_id: tokens.clientId,
      refresh_token: tokens.refresh_token,
      resource: "https://evil.example/",
    })
    await expectRefusal(answer, "invalid_target")
  })

  test("is refused after its client has revoked it", async () => {
    const revoked = await fetch(`${service.url}/oauth/revoke`, {
      method: "POST",
      body: new URLSearchParams({ client_id: tokens.clientId, token: tokens.refresh_token }),
    })
    expect(revoked.status).toBe(200)
    await expectRefusal(await refresh(service, tokens.clientId, tokens.refresh_token), "invalid_grant")
    expect((await callConnector(service, tokens.access_token, "tools/list")).status).toBe(401)
  })

  test("is refused after the person has revoked the assistant", async () => {
    await revokeAssistants(member)
    await expectRefusal(await refresh(service, tokens.clientId, tokens.refresh_token), "invalid_grant")
  })

  test("is refused after its expiry", async () => {
    await service.store.pool.query(
      `update restwell.oauth_record set payload = payload || '{"exp": 1}' where kind = 'RefreshToken'`,
    )
    await expectRefusal(await refresh(service, tokens.clientId, tokens.refresh_token), "invalid_grant")
  })

  test("stays valid if another client revokes it", async () => {
    const { client_id } = await register(service)
    await fetch(`${service.url}/oauth/revoke`, {
      method: "POST",
      body: new URLSearchParams({ client_id, token: tokens.refresh_token }),
    })
    expect((await refresh(service, tokens.clientId, tokens.refresh_token)).status).toBe(200)
  })
})
