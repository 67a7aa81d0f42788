import { expectDescribed, Member } from "@restwell/testing/member"

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

describe("signing up and in", () => {
  test("sets an HttpOnly session cookie, and the body contains no secret", async () => {
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

  test("an https BASE_URL makes the cookie Secure and sends HSTS", async () => {
    const secure = await startTestService({ environment: { BASE_URL: "https://restwell.example" } })
    const member = new Member(secure)
    await member.signUp()
    const [cookie = ""] = (await signIn(member.email, member.password, secure.url)).headers.getSetCookie()
    expect(cookie).toMatch(/^__Secure-restwell\.session_token=.*Secure/i)
    const page = await fetch(`${secure.url}/healthz`)
    expect(page.headers.get("strict-transport-security")).toMatch(/max-age=\d+/)
    await secure.close()
  })

  test("creates a new session each time, and refuses a forged one", async () => {
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

  test("a wrong password and an unknown account get the same response", async () => {
    const member = await signedUp()
    const wrong = await signIn(member.email, "not the password")
    const unknown = await signIn(`nobody-${member.email}`, "not the password")
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    expect(await wrong.json()).toEqual(await unknown.json())
  })

  test("an email address that is in use gets 409, in any letter case", async () => {
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
  ])("%j gets 400 that names %s", async (body, field) => {
    const answer = await new Member(service).send("POST", "/api/auth/sign-up/email", body)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: "invalid_request", field })
  })

  test("a password change signs out every other browser", async () => {
    const member = await signedUp()
    const elsewhere = (await signIn(member.email, member.password)).headers.getSetCookie()[0]?.split(";")[0] ?? ""
    const change = { currentPassword: member.password, newPassword: "a new and longer password" }
    expect((await member.send("POST", "/api/auth/change-password", change)).status).toBe(200)
    expect((await fetch(`${service.url}/api/account`, { headers: { cookie: elsewhere } })).status).toBe(401)
    expect((await member.send("GET", "/api/account")).status).toBe(200)
    expect((await signIn(member.email, member.password)).status).toBe(401)
  })
})

describe("closed sign-up", () => {
  test.each(["closed", ""])("with SIGN_UP=%s nobody signs up, before the set-up and after it", async (setting) => {
    const closed = await startTestService({ environment: { SIGN_UP: setting } })
    const refusal = async () => {
      const body = { name: "Eve", email: "eve@example.com", password: "a long password" }
      const answer = await new Member(closed).send("POST", "/api/auth/sign-up/email", body)
      return [answer.status, (await answer.json()).message]
    }
    expect(await refusal()).toEqual([403, expect.stringMatching(/no owner yet: open the set-up link/)])
    await new Member(closed).setUp()
    expect(await refusal()).toEqual([403, expect.stringMatching(/closed/)])
    const options = await new Member(closed).send("GET", "/api/auth/options")
    expect(await options.json()).toMatchObject({ sign_up: "closed" })
    await closed.close()
  })
})
