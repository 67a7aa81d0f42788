import { PeopleResponseSchema } from "@restwell/client"
import { Member } from "@restwell/testing/member"
import { type OpenIdProvider, startOpenIdProvider } from "@restwell/testing/openid-provider"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"
import { listSecurityEvents, readUserId } from "../http/read-logs.ts"

const LinkSchema = z.object({ link: z.string(), expires_at: z.iso.datetime() })

let google: OpenIdProvider
let service: TestService
let owner: Member
beforeAll(async () => {
  google = await startOpenIdProvider()
  const environment = {
    SIGN_UP: "closed",
    GOOGLE_CLIENT_ID: "client",
    GOOGLE_CLIENT_SECRET: "secret",
    GOOGLE_ISSUER: google.issuer,
  }
  service = await startTestService({ days: 3, environment })
  owner = new Member(service)
  await owner.setUp()
})
afterAll(async () => {
  await service.close()
  await google.close()
})

async function invite(body: object = {}): Promise<string> {
  const response = await owner.send("POST", "/api/service/invitations", body)
  expect(response.status).toBe(201)
  return tokenIn(response)
}

const tokenIn = async (response: Response): Promise<string> => {
  const { link } = LinkSchema.parse(await response.json())
  expect(link).toMatch(new RegExp(`^${service.url}/invite#[\\w-]{43}$`))
  return new URL(link).hash.slice(1)
}

const people = async () => PeopleResponseSchema.parse(await (await owner.send("GET", "/api/service/people")).json())

function accept(member: Member, invitation: string): Promise<Response> {
  const { email, password } = member
  return member.send("POST", "/api/auth/sign-up/email", { name: "Lena", email, password, invitation })
}

describe("an invitation", () => {
  test("creates an account where sign-ups are closed, with its plan, once", async () => {
    const token = await invite({ plan: "pro" })
    const lena = new Member(service)
    const read = await lena.send("POST", "/api/auth/invitation", { token })
    expect(await read.json()).toEqual({ email: null, plan: "pro" })
    expect((await accept(lena, token)).status).toBe(200)
    expect(await (await lena.send("GET", "/api/account")).json()).toMatchObject({ plan: "pro" })
    expect(await listSecurityEvents(lena)).toEqual(
      expect.arrayContaining(["invitation_accepted", "account_created: password"]),
    )
    expect((await accept(new Member(service), token)).status).toBe(404)
    expect((await new Member(service).send("POST", "/api/auth/invitation", { token })).status).toBe(404)
    expect((await people()).people.map(({ email, is_owner }) => [email, is_owner])).toEqual(
      expect.arrayContaining([
        [owner.email, true],
        [lena.email, false],
      ]),
    )
  })

  test("is accepted by one of many at once", async () => {
    const token = await invite()
    const members = Array.from({ length: 6 }, () => new Member(service))
    const statuses = await Promise.all(members.map(async (member) => (await accept(member, token)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
    for (const status of statuses) expect([200, 404, 409]).toContain(status)
    const emails = (await people()).people.map(({ email }) => email)
    expect(members.filter(({ email }) => emails.includes(email))).toHaveLength(1)
  })

  test("is accepted once by a form that is sent twice", async () => {
    const [token, lena] = [await invite(), new Member(service)]
    const twice = await Promise.all([accept(lena.at(service), token), accept(lena.at(service), token)])
    expect(twice.map(({ status }) => status).toSorted()[0]).toBe(200)
    expect((await people()).people.filter(({ email }) => email === lena.email)).toHaveLength(1)
    expect((await accept(new Member(service), token)).status).toBe(404)
  })

  test("with an address is for that address alone", async () => {
    const lena = new Member(service)
    const token = await invite({ email: lena.email.toUpperCase() })
    const refused = await accept(new Member(service), token)
    expect([refused.status, await refused.json()]).toMatchObject([400, { field: "email" }])
    expect((await accept(lena, token)).status).toBe(200)
  })

  test("stays open when the account cannot be created", async () => {
    const [token, lena] = [await invite(), new Member(service)]
    const { email } = lena
    const weak = await lena.send("POST", "/api/auth/sign-up/email", {
      name: "L",
      email,
      password: "password1",
      invitation: token,
    })
    expect(weak.status).toBe(400)
    expect((await accept(new Member(service, {}, owner.email), token)).status).toBe(409)
    expect((await accept(lena, token)).status).toBe(200)
  })

  test("is listed until it is revoked, and a new link replaces the former one", async () => {
    const token = await invite({ email: "mia@example.com", plan: "pro" })
    const [open] = (await people()).invitations
    expect(open).toMatchObject({ email: "mia@example.com", plan: "pro" })
    const renewed = await tokenIn(await owner.send("POST", `/api/service/invitations/${open?.id}/link`, {}))
    const mia = new Member(service, {}, "mia@example.com")
    expect((await mia.send("POST", "/api/auth/invitation", { token })).status).toBe(404)
    expect((await mia.send("POST", "/api/auth/invitation", { token: renewed })).status).toBe(200)
    expect((await owner.send("DELETE", `/api/service/invitations/${open?.id}`)).status).toBe(204)
    expect((await accept(mia, renewed)).status).toBe(404)
    for (const id of [open?.id, "nothing"])
      expect((await owner.send("DELETE", `/api/service/invitations/${id}`)).status).toBe(404)
  })
})

test("an invitation ends after a week, and no token is stored", async () => {
  const token = await invite()
  const { rows } = await service.store.pool.query(
    "select row_to_json(i)::text as row, expires_at - created_at = '7 days' as is_week from restwell.invitation i",
  )
  for (const { row, is_week } of rows) expect([row.includes(token), is_week]).toEqual([false, true])
  await service.store.pool.query("update restwell.invitation set expires_at = now() - interval '1 second'")
  expect((await accept(new Member(service), token)).status).toBe(404)
})

test("an invitation cannot be sent where no email is set up", async () => {
  const response = await owner.send("POST", "/api/service/invitations", { email: "mia@example.com", send: true })
  expect(response.status).toBe(409)
  expect((await new Member(service).send("POST", "/api/auth/forgot-password", { email: owner.email })).status).toBe(404)
})

describe("an invitation, with Google", () => {
  /** A browser that opened the invitation and then chose Google. Returns the page that it comes back to. */
  async function continueWithGoogle(member: Member): Promise<string> {
    const begun = await member.send("GET", "/api/auth/sign-in/google")
    const provider = await fetch(begun.headers.get("location") ?? "", { redirect: "manual" })
    const back = new URL(provider.headers.get("location") ?? "")
    return (await member.send("GET", back.pathname + back.search)).headers.get("location") ?? ""
  }
  const asPerson = (email: string) => {
    google.person = { sub: crypto.randomUUID(), email, name: "Lena" }
  }

  test("creates an account with its plan, once", async () => {
    const token = await invite({ plan: "pro" })
    const lena = new Member(service)
    await lena.send("POST", "/api/auth/invitation", { token })
    const mia = lena.at(service)
    asPerson(lena.email)
    expect(await continueWithGoogle(lena)).toBe(`${service.url}/`)
    expect(await (await lena.send("GET", "/api/account")).json()).toMatchObject({ plan: "pro" })
    expect(await listSecurityEvents(lena)).toContain("invitation_accepted")
    expect(lena.cookie).not.toContain(token)
    asPerson(`${crypto.randomUUID()}@example.com`)
    expect(await continueWithGoogle(mia)).toBe(`${service.url}/sign-in?problem=invitation_invalid`)
  })

  test("refuses another address than the invited one", async () => {
    const token = await invite({ email: "mia@example.com" })
    const lena = new Member(service)
    await lena.send("POST", "/api/auth/invitation", { token })
    asPerson(lena.email)
    expect(await continueWithGoogle(lena)).toBe(`${service.url}/sign-in?problem=invitation_invalid`)
  })
})

describe("the owner", () => {
  const joined = async (): Promise<Member> => {
    const member = new Member(service)
    expect((await accept(member, await invite())).status).toBe(200)
    return member
  }

  test("changes a plan, which holds at once", async () => {
    const member = await joined()
    const id = await readUserId(member)
    expect((await owner.send("PUT", `/api/service/people/${id}`, { plan: "pro" })).status).toBe(200)
    expect(await (await member.send("GET", "/api/account")).json()).toMatchObject({ plan: "pro" })
    expect(await listSecurityEvents(member)).toContain("plan_changed: free -> pro")
    expect((await owner.send("PUT", `/api/service/people/${id}`, { plan: "gold" })).status).toBe(400)
    expect((await owner.send("PUT", "/api/service/people/nobody", { plan: "pro" })).status).toBe(404)
  })

  test("removes a person whose address was typed, but not the owner", async () => {
    const member = await joined()
    const id = await readUserId(member)
    const wrong = await owner.send("DELETE", `/api/service/people/${id}`, { email: owner.email })
    expect(wrong.status).toBe(400)
    expect((await member.send("GET", "/api/account")).status).toBe(200)
    const typed = { email: member.email.toUpperCase(), password: owner.password }
    expect((await owner.send("DELETE", `/api/service/people/${id}`, typed)).status).toBe(204)
    expect((await member.send("GET", "/api/account")).status).toBe(401)
    const own = await owner.send("DELETE", `/api/service/people/${await readUserId(owner)}`, { email: owner.email })
    expect(own.status).toBe(409)
    expect((await owner.send("GET", "/api/account")).status).toBe(200)
  })

  test("finds people by a part of the name or address", async () => {
    const member = await joined()
    const found = await owner.send("GET", `/api/service/people?search=${member.email.slice(0, 12).toUpperCase()}`)
    expect(PeopleResponseSchema.parse(await found.json()).people.map(({ email }) => email)).toEqual([member.email])
    for (const sign of ["%", "_", "\\"]) {
      const none = await owner.send("GET", `/api/service/people?search=${encodeURIComponent(sign)}`)
      expect(PeopleResponseSchema.parse(await none.json()).people).toEqual([])
    }
  })

  test("is the only one who sees and changes people", async () => {
    const member = await joined()
    const id = await readUserId(owner)
    for (const [method, path, body] of [
      ["GET", "/api/service/people", undefined],
      ["PUT", `/api/service/people/${id}`, { plan: "pro" }],
      ["DELETE", `/api/service/people/${id}`, { email: owner.email }],
      ["POST", "/api/service/invitations", {}],
      ["POST", `/api/service/invitations/${crypto.randomUUID()}/link`, {}],
      ["DELETE", `/api/service/invitations/${crypto.randomUUID()}`, undefined],
    ] as const) {
      expect([path, (await member.send(method, path, body)).status]).toEqual([path, 403])
      expect([path, (await new Member(service).send(method, path, body)).status]).toEqual([path, 401])
    }
  })
})
