import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { type Simulator, startSimulator } from "../src/index.ts"
import {
  ask,
  authorizationQuery,
  CLIENT,
  decide,
  exchange,
  postToken,
  REDIRECT_URI,
  refresh,
  signIn,
  type Tokens,
} from "./sign-in.ts"

const NOW = new Date("2026-11-20T12:00:00Z")
const PERSON = "lena@example.com"
let simulator: Simulator

beforeEach(async () => {
  simulator = await startSimulator({ now: NOW, days: 5 })
})
afterEach(() => simulator.close())

const authorize = (changes: Record<string, string> = {}, origin = simulator.url) =>
  fetch(`${origin}/oauth/oauth2/auth?${authorizationQuery(changes)}`, { redirect: "manual" })

const redirectOf = (reply: Response) => new URL(reply.headers.get("location") ?? "missing:location")

describe("the authorize page", () => {
  test("lists the people in one plain form", async () => {
    const page = await (await authorize()).text()
    expect(page).toContain('<form method="post" action="/oauth/oauth2/auth">')
    for (const { email } of simulator.people.list()) expect(page).toContain(`value="${email}"`)
  })

  test("redirects to the client with code, scope and state", async () => {
    const location = await decide(simulator, PERSON, { state: "a-longer-state-is-fine" })
    expect(location.href.startsWith(REDIRECT_URI)).toBe(true)
    expect(location.searchParams.get("code")).toBeTruthy()
    expect(location.searchParams.get("state")).toBe("a-longer-state-is-fine")
    expect(location.searchParams.get("scope")).toBe(authorizationQuery().get("scope"))
  })

  test("redirects with access_denied when the person denies", async () => {
    const location = await decide(simulator, PERSON, { decision: "deny" })
    expect(Object.fromEntries(location.searchParams)).toMatchObject({ error: "access_denied", state: "abcd1234" })
  })

  test.each([
    ["a state of seven characters", { state: "1234567" }, "invalid_state"],
    ["no state", { state: "" }, "invalid_state"],
    ["another response type", { response_type: "token" }, "unsupported_response_type"],
    ["an unknown scope", { scope: "offline read:mind" }, "invalid_scope"],
  ])("redirects with an error for %s", async (_name, changes, error) => {
    expect(redirectOf(await authorize(changes)).searchParams.get("error")).toBe(error)
  })

  test.each([
    ["an unknown client", { client_id: "somebody" }],
    ["a redirect address that is not http", { redirect_uri: "javascript:alert(1)" }],
  ])("never redirects for %s", async (_name, changes) => {
    const reply = await authorize(changes)
    expect(reply.status).toBe(400)
    expect(reply.headers.get("location")).toBeNull()
  })

  test("escapes what it prints", async () => {
    const page = await (await authorize({ state: '"><script>alert(1)</script>' })).text()
    expect(page).not.toContain("<script>")
  })

  test("accepts only registered redirect addresses, if any are registered", async () => {
    const strict = await startSimulator({ now: NOW, days: 1, redirectUris: [REDIRECT_URI] })
    expect((await authorize({}, strict.url)).status).toBe(200)
    expect((await authorize({ redirect_uri: `${REDIRECT_URI}/` }, strict.url)).status).toBe(400)
    await strict.close()
  })

  test("accepts only eight characters of state when strict", async () => {
    const strict = await startSimulator({ now: NOW, days: 1, strictState: true })
    expect((await authorize({ state: "12345678" }, strict.url)).status).toBe(200)
    expect(redirectOf(await authorize({ state: "123456789" }, strict.url)).searchParams.get("error")).toBe(
      "invalid_state",
    )
    await strict.close()
  })

  test("requires the password of a person who has one", async () => {
    simulator.people.add({ email: "locked@example.com", password: "open sesame" })
    const wrong = authorizationQuery({ decision: "allow", person: "locked@example.com", password: "guess" })
    const reply = await fetch(`${simulator.url}/oauth/oauth2/auth`, { method: "POST", body: wrong, redirect: "manual" })
    expect(reply.status).toBe(401)
    const right = await decide(simulator, "locked@example.com", { password: "open sesame" })
    expect(right.searchParams.get("code")).toBeTruthy()
  })

  test("is skipped under autoApprove, for the person of login_hint", async () => {
    const eager = await startSimulator({ now: NOW, days: 1, autoApprove: true })
    const location = redirectOf(await authorize({ login_hint: "sam@example.com" }, eager.url))
    const tokens: Tokens = await (await exchange(eager, location.searchParams.get("code") ?? "")).json()
    const profile: unknown = await (await ask(eager, tokens, "/v2/user/profile/basic")).json()
    expect(profile).toMatchObject({ email: "sam@example.com" })
    await eager.close()
  })
})

describe("the token endpoint", () => {
  test("exchanges a code for a token pair of the granted scope", async () => {
    const tokens = await signIn(simulator, PERSON)
    expect(tokens).toMatchObject({ expires_in: 3600, token_type: "bearer", scope: authorizationQuery().get("scope") })
    expect(tokens.refresh_token).toBeTruthy()
  })

  test("issues no refresh token without the scope offline", async () => {
    expect(await signIn(simulator, PERSON, "read:sleep")).not.toHaveProperty("refresh_token")
  })

  test("accepts a code once, and a second attempt ends the grant of the first", async () => {
    const code = (await decide(simulator, PERSON)).searchParams.get("code") ?? ""
    const tokens: Tokens = await (await exchange(simulator, code)).json()
    expect((await ask(simulator, tokens, "/v2/user/profile/basic")).status).toBe(200)
    expect((await exchange(simulator, code)).status).toBe(400)
    expect((await ask(simulator, tokens, "/v2/user/profile/basic")).status).toBe(401)
  })

  test("refuses a code for another redirect address and an expired code", async () => {
    const first = (await decide(simulator, PERSON)).searchParams.get("code") ?? ""
    const elsewhere = { grant_type: "authorization_code", code: first, redirect_uri: "http://localhost:9999/other" }
    expect((await postToken(simulator, elsewhere)).status).toBe(400)
    const second = (await decide(simulator, PERSON)).searchParams.get("code") ?? ""
    simulator.clock.advance(11 * 60_000)
    expect((await exchange(simulator, second)).status).toBe(400)
  })

  test("responds with Hydra's errors", async () => {
    const reply = await refresh(simulator, "unknown")
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({
      error: "invalid_grant",
      error_description: expect.stringContaining("refresh token is invalid"),
      error_hint: expect.any(String),
      status_code: 400,
    })
    const wrongClient = await postToken(simulator, { grant_type: "refresh_token", client_secret: "wrong" })
    expect(wrongClient.status).toBe(401)
    expect(await wrongClient.json()).toMatchObject({ error: "invalid_client" })
    const unknown = await postToken(simulator, { grant_type: "password" })
    expect(await unknown.json()).toMatchObject({ error: "invalid_request", status_code: 400 })
  })

  test("a refresh invalidates the old pair at once", async () => {
    const old = await signIn(simulator, PERSON)
    const fresh: Tokens = await (await refresh(simulator, old.refresh_token)).json()
    expect((await ask(simulator, old, "/v2/user/profile/basic")).status).toBe(401)
    expect((await ask(simulator, fresh, "/v2/user/profile/basic")).status).toBe(200)
    expect((await refresh(simulator, old.refresh_token)).status).toBe(400)
    expect((await refresh(simulator, fresh.refresh_token)).status).toBe(200)
  })

  test("exactly one of many simultaneous refreshes succeeds", async () => {
    const { refresh_token } = await signIn(simulator, PERSON)
    const replies = await Promise.all(Array.from({ length: 12 }, () => refresh(simulator, refresh_token)))
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(simulator.requestLog.counters().refreshes).toBe(12)
  })

  test("a refresh whose response is lost still invalidates the old pair", async () => {
    const { refresh_token } = await signIn(simulator, PERSON)
    simulator.faults.add({ match: { path: "/oauth/oauth2/token" }, kind: "drop_reply_after_effect", times: 1 })
    await expect(refresh(simulator, refresh_token)).rejects.toThrow()
    expect((await refresh(simulator, refresh_token)).status).toBe(400)
  })

  test("access tokens expire after expires_in", async () => {
    const tokens = await signIn(simulator, PERSON)
    simulator.clock.advance(3600_000 - 1)
    expect((await ask(simulator, tokens, "/v2/user/profile/basic")).status).toBe(200)
    simulator.clock.advance(1)
    expect((await ask(simulator, tokens, "/v2/user/profile/basic")).status).toBe(401)
    expect((await refresh(simulator, tokens.refresh_token)).status).toBe(200)
  })
})

test("expireAccess leaves the refresh token valid, revokeAll does not", async () => {
  const tokens = await signIn(simulator, PERSON)
  simulator.tokens.expireAccess(PERSON)
  expect((await ask(simulator, tokens, "/v2/user/profile/basic")).status).toBe(401)
  expect(simulator.tokens.isRefreshable(tokens.refresh_token ?? "")).toBe(true)
  const fresh: Tokens = await (await refresh(simulator, tokens.refresh_token)).json()
  expect(simulator.tokens.isRefreshable(tokens.refresh_token ?? "")).toBe(false)
  simulator.tokens.revokeAll(PERSON)
  expect((await ask(simulator, fresh, "/v2/user/profile/basic")).status).toBe(401)
  expect((await refresh(simulator, fresh.refresh_token)).status).toBe(400)
})

test("a grants file restores connections after a restart, without revoked ones", async () => {
  const folder = await mkdtemp(join(tmpdir(), "simulator-"))
  const options = { now: NOW, days: 1, grantsFile: join(folder, "state", "grants.json") }
  const first = await startSimulator(options)
  const stored = await signIn(first, PERSON)
  const revoked = await signIn(first, "sam@example.com")
  first.tokens.revokeAll("sam@example.com")
  await first.close()
  const second = await startSimulator(options)
  expect((await ask(second, stored, "/v2/user/profile/basic")).status).toBe(200)
  expect((await ask(second, revoked, "/v2/user/profile/basic")).status).toBe(401)
  const fresh: Tokens = await (await refresh(second, stored.refresh_token)).json()
  await second.close()
  const third = await startSimulator(options)
  expect((await refresh(third, stored.refresh_token)).status).toBe(400)
  expect((await refresh(third, fresh.refresh_token)).status).toBe(200)
  await third.close()
  await rm(folder, { recursive: true })
})

test("DELETE /v2/user/access ends the grant of this person only", async () => {
  const tokens = await signIn(simulator, PERSON)
  const other = await signIn(simulator, "sam@example.com")
  const reply = await ask(simulator, tokens, "/v2/user/access", "DELETE")
  expect(reply.status).toBe(204)
  expect(await reply.text()).toBe("")
  expect((await ask(simulator, tokens, "/v2/user/profile/basic")).status).toBe(401)
  expect((await refresh(simulator, tokens.refresh_token)).status).toBe(400)
  expect((await ask(simulator, other, "/v2/user/profile/basic")).status).toBe(200)
})

test("the client may have any id and secret", async () => {
  const own = await startSimulator({ now: NOW, days: 1, clientId: "mine", clientSecret: "hidden", autoApprove: PERSON })
  const location = redirectOf(await authorize({ client_id: "mine" }, own.url))
  const form = {
    grant_type: "authorization_code",
    code: location.searchParams.get("code") ?? "",
    redirect_uri: REDIRECT_URI,
  }
  expect((await postToken(own, { ...form, ...CLIENT })).status).toBe(401)
  expect((await postToken(own, { ...form, client_id: "mine", client_secret: "hidden" })).status).toBe(200)
  await own.close()
})
