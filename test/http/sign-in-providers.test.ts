import { Member } from "@restwell/testing/member"
import { type OpenIdFaults, type OpenIdProvider, startOpenIdProvider } from "@restwell/testing/openid-provider"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest"
import { ProviderVisitor } from "./provider-visitor.ts"

let google: OpenIdProvider
let service: TestService
beforeAll(async () => {
  google = await startOpenIdProvider()
  const environment = { GOOGLE_CLIENT_ID: "client", GOOGLE_CLIENT_SECRET: "secret", GOOGLE_ISSUER: google.issuer }
  service = await startTestService({ days: 3, environment })
})
afterAll(async () => {
  await service.close()
  await google.close()
})
beforeEach(() => {
  google.faults = {}
  google.person = { sub: crypto.randomUUID(), email: `${crypto.randomUUID()}@example.com`, name: "Ada Berg" }
})

/** A browser at the service. */
class Visitor extends ProviderVisitor {
  constructor(base = service.url) {
    super(base)
  }
}

const problem = (code: string): string => `${service.url}/sign-in?problem=${code}`

describe("with Google", () => {
  test("the first sign-in creates an account, and later ones use it", async () => {
    const first = new Visitor()
    expect(await first.signIn()).toBe(`${service.url}/`)
    const account = await (await first.account()).json()
    expect(account).toMatchObject({
      user: { name: "Ada Berg", email: google.person.email },
      sign_in: { password: false, passkeys: 0, providers: ["google"] },
    })
    const again = new Visitor()
    expect(await again.signIn()).toBe(`${service.url}/`)
    expect((await (await again.account()).json()).user.id).toBe(account.user.id)
    expect(await again.securityEvents()).toEqual(["signed_in: google", "signed_in: google", "account_created: google"])
  })

  test("sends PKCE, state and nonce, and stores no token of the provider", async () => {
    await new Visitor().signIn()
    expect(google.visit.get("code_challenge_method")).toBe("S256")
    for (const name of ["state", "nonce", "code_challenge"]) expect(google.visit.get(name)?.length).toBeGreaterThan(20)
    expect(google.visit.get("scope")?.split(" ").toSorted()).toEqual(["email", "openid", "profile"])
    const { rows } = await service.store.pool.query(
      `select "accessToken", "refreshToken", "idToken" from restwell.account where "providerId" = 'google'`,
    )
    expect(rows.length).toBeGreaterThan(0)
    expect(rows.every((row) => Object.values(row).every((value) => value === null))).toBe(true)
  })

  test("does not open an existing account with the same email address", async () => {
    const member = new Member(service)
    await member.signUp()
    google.person = { sub: "the real owner of the address", email: member.email }
    const visitor = new Visitor()
    expect(await visitor.signIn()).toBe(problem("email_taken"))
    expect((await visitor.account()).status).toBe(401)
  })

  test.each<[keyof OpenIdFaults, string]>([
    ["refuses", "access_denied"],
    ["wrongNonce", "failed"],
    ["wrongAudience", "failed"],
    ["wrongIssuer", "failed"],
    ["foreignKey", "failed"],
    ["isExpired", "failed"],
    ["tokenFails", "failed"],
  ])("the fault %s signs nobody in, and the page reports %s", async (fault, code) => {
    google.faults = { [fault]: true }
    const visitor = new Visitor()
    expect(await visitor.signIn()).toBe(problem(code))
    expect((await visitor.account()).status).toBe(401)
  })

  test("a callback that another browser requested signs nobody in", async () => {
    const answer = await new Visitor().visit()
    const victim = new Visitor()
    expect(await victim.get(answer)).toBe(problem("expired"))
    expect((await victim.account()).status).toBe(401)
  })

  test("a callback works once", async () => {
    const visitor = new Visitor()
    const answer = await visitor.visit()
    expect(await visitor.get(answer)).toBe(`${service.url}/`)
    expect(await visitor.get(answer)).toBe(problem("expired"))
  })

  test.each(["apple", "github", "email"])("%s gets 404 if it is not set up", async (provider) => {
    for (const path of [`/api/auth/sign-in/${provider}`, `/api/auth/callback/${provider}?code=x&state=y`])
      expect((await fetch(service.url + path, { redirect: "manual" })).status).toBe(404)
  })

  test("a password can be set once, and then signs in", async () => {
    const visitor = new Visitor()
    await visitor.signIn()
    const set = () =>
      fetch(`${service.url}/api/auth/set-password`, {
        method: "POST",
        headers: { cookie: visitor.cookie, "content-type": "application/json" },
        body: JSON.stringify({ newPassword: "correct horse battery" }),
      })
    expect((await set()).status).toBe(200)
    expect((await set()).status).toBe(409)
    const body = { email: google.person.email, password: "correct horse battery" }
    expect((await new Member(service).send("POST", "/api/auth/sign-in/email", body)).status).toBe(200)
  })
})

test.each([
  ["alter table restwell.verification rename to gone", "alter table restwell.gone rename to verification"],
  [
    "alter table restwell.session add constraint nobody check (token is null) not valid",
    "alter table restwell.session drop constraint nobody",
  ],
])("a database error (%s) is only in the log, without the refused row", async (refuse, allow) => {
  const printed = vi.spyOn(console, "error").mockImplementation(() => {})
  const visitor = new Visitor()
  const answer = await visitor.visit()
  const { log, store } = service
  log.length = 0
  await store.pool.query(refuse)
  const page = await visitor.get(answer).finally(() => store.pool.query(allow))
  expect(page).toBe(problem("failed"))
  expect(log.filter((line) => line.includes('"level":50')).join("")).toMatch(/does not exist|violates check constraint/)
  expect(log.join("")).not.toContain("Failing row")
  expect(printed.mock.calls).toEqual([])
  printed.mockRestore()
})

test("a sign-in with Google makes the browser known, so that a stranger's guesses do not delay its password", async () => {
  const visitor = new Visitor()
  await visitor.signIn()
  const password = "correct horse battery staple"
  const post = (path: string, body: object, cookie: string) =>
    fetch(`${service.url}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", cookie },
      body: JSON.stringify(body),
    })
  expect((await post("/api/auth/set-password", { newPassword: password }, visitor.cookie)).status).toBe(200)
  await visitor.signIn()
  const { email } = google.person
  const guess = () => post("/api/auth/sign-in/email", { email, password: "wrong password" }, "")
  for (let attempt = 0; attempt < 12; attempt += 1) await guess()
  expect((await guess()).status).toBe(429)
  expect((await post("/api/auth/sign-in/email", { email, password }, visitor.cookie)).status).toBe(200)
})

test("one address can start at most 100 sign-ins", async () => {
  const environment = { GOOGLE_CLIENT_ID: "client", GOOGLE_CLIENT_SECRET: "secret", GOOGLE_ISSUER: google.issuer }
  const other = await startTestService({ days: 3, environment })
  try {
    const begin = () => fetch(`${other.url}/api/auth/sign-in/google`, { redirect: "manual" })
    for (let count = 0; count < 100; count += 1) expect((await begin()).status).toBe(302)
    expect((await begin()).status).toBe(429)
  } finally {
    await other.close()
  }
})

test("/api/auth/options lists the providers", async () => {
  const options = await (await new Member(service).send("GET", "/api/auth/options")).json()
  expect(options).toEqual({
    sign_up: "open",
    password_reset: "operator",
    providers: [{ provider: "google", name: "Google" }],
  })
})

test("with closed sign-up nobody gets an account at a provider", async () => {
  const environment = {
    GOOGLE_CLIENT_ID: "client",
    GOOGLE_CLIENT_SECRET: "secret",
    GOOGLE_ISSUER: google.issuer,
    SIGN_UP: "closed",
  }
  const closed = await startTestService({ days: 3, environment })
  try {
    const refused = `${closed.url}/sign-in?problem=sign_up_closed`
    expect(await new Visitor(closed.url).signIn()).toBe(refused)
    await new Member(closed).setUp()
    expect(await new Visitor(closed.url).signIn()).toBe(refused)
    const open = await closed.startReplica("api", { SIGN_UP: "open" })
    expect(await new Visitor(open.url).signIn()).toBe(`${open.url}/`)
    expect(await new Visitor(closed.url).signIn()).toBe(`${closed.url}/`)
  } finally {
    await closed.close()
  }
})

test("a provider that was unreachable is tried again", async () => {
  const late = await startOpenIdProvider()
  late.faults = { discoveryFails: true }
  const environment = { GOOGLE_CLIENT_ID: "client", GOOGLE_CLIENT_SECRET: "secret", GOOGLE_ISSUER: late.issuer }
  const other = await startTestService({ days: 3, environment })
  try {
    const visitor = new Visitor(other.url)
    expect(await visitor.get(`${other.url}/api/auth/sign-in/google`)).toBe(`${other.url}/sign-in?problem=failed`)
    late.faults = {}
    expect(await visitor.signIn()).toBe(`${other.url}/`)
  } finally {
    await other.close()
    await late.close()
  }
})

test("Apple's form post signs in the same browser", async () => {
  const apple = await startOpenIdProvider()
  apple.person = { sub: "7", email: "lena@example.com" }
  const environment = { APPLE_CLIENT_ID: "client", APPLE_CLIENT_SECRET: "secret", APPLE_ISSUER: apple.issuer }
  const other = await startTestService({ days: 3, environment })
  try {
    const visitor = new Visitor(other.url)
    const page = await (await fetch(await visitor.get(`${other.url}/api/auth/sign-in/apple`))).text()
    const inputs = [...page.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name = "", value = ""]) => [name, value])
    // The form is a cross-site POST, so browsers leave out SameSite=Lax cookies.
    const posted = await fetch(`${other.url}/api/auth/callback/apple`, {
      method: "POST",
      redirect: "manual",
      headers: { origin: apple.issuer, "sec-fetch-site": "cross-site" },
      body: new URLSearchParams(inputs),
    })
    expect(posted.status).toBe(302)
    expect(await visitor.get(posted.headers.get("location") ?? "")).toBe(`${other.url}/`)
    expect((await (await visitor.account()).json()).user).toMatchObject({ name: "lena", email: "lena@example.com" })
    expect(await visitor.securityEvents()).toEqual(["signed_in: apple", "account_created: apple"])
  } finally {
    await other.close()
    await apple.close()
  }
})
