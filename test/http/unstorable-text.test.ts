import {
  authorizationRequest,
  authorize,
  Browser,
  connectAssistant,
  formToken,
  messageOf,
  openConsent,
  register,
  resourceOf,
} from "@restwell/testing/assistant"
import { Member, readHealth } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"

let service: TestService
let member: Member
beforeAll(async () => {
  service = await startTestService({ days: 1 })
  member = new Member(service)
  await member.signUp()
})
afterAll(() => {
  expect(service.log.filter((line) => /"level":[56]0/.test(line))).toEqual([])
  return service.close()
})

const ErrorSchema = z.object({ error: z.literal("invalid_request"), message: z.string(), field: z.string() })

const get = (path: string): Promise<Response> =>
  fetch(service.url + path, { redirect: "manual", headers: { cookie: member.cookie } })

const post = (path: string, body: string, contentType: string): Promise<Response> =>
  fetch(service.url + path, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: member.cookie, "content-type": contentType },
    body,
  })

async function expectRefused(answer: Response, field: string): Promise<void> {
  expect(answer.status).toBe(400)
  const error = ErrorSchema.parse(await answer.json())
  expect(error.field).toBe(field)
  expect(error.message).toContain(field)
}

/** U+0000, a surrogate, an incomplete and an impossible byte, and escape sequences that are none. */
const ENCODINGS = ["%00", "%ED%A0%80", "%E2%82", "%FF", "%", "%zz"]

describe.each(ENCODINGS)("%s", (text) => {
  test.each([
    `/api/connections/whoop${text}/authorize`,
    `/api/connections/whoop${text}/callback?state=x&code=x`,
    `/api/auth/callback/${text}`,
    `/oauth/authorize/${text}`,
    `/nothing/${text}`,
  ])("in the path %s gets 400", async (path) => expectRefused(await get(path), "path"))

  test("in the path of the consent page gets a page with 400", async () => {
    expect((await get(`/oauth/consent/${text}`)).status).toBe(400)
  })

  test.each([
    ["state", `/api/connections/whoop/callback?code=x&state=${text}`],
    ["code", `/api/connections/whoop/callback?code=${text}&state=x`],
    ["state", `/api/auth/callback/google?state=${text}`],
    ["client_id", `/oauth/authorize?response_type=code&client_id=${text}`],
    ["state", `/oauth/authorize?response_type=code&state=${text}`],
    ["type", `/api/v1/health?type=${text}`],
    ["before", `/api/account/access-log?before=${text}`],
    ["query", `/api/v1/health?${text}=1`],
  ])("in the parameter %s of %s gets 400", async (field, path) => expectRefused(await get(path), field))

  test.each([
    ["client_id", "/oauth/token", `grant_type=refresh_token&client_id=${text}`],
    ["refresh_token", "/oauth/token", `grant_type=refresh_token&refresh_token=${text}`],
    ["client_id", "/oauth/revoke", `token=x&client_id=${text}`],
    ["state", "/api/auth/callback/google", `state=${text}`],
  ])("in the field %s of a form to %s gets 400", async (field, path, form) =>
    expectRefused(await post(path, form, "application/x-www-form-urlencoded"), field),
  )
})

describe.each(["\\u0000", "\\ud800", "\\udc00\\ud800"])("%s in JSON", (text) => {
  test.each([
    ["name", "/api/auth/sign-up/email", `{"name":"${text}"}`],
    ["password", "/api/auth/sign-in/email", `{"email":"a@example.com","password":"${text}"}`],
    ["?", "/api/auth/sign-in/email", `{"${text.slice(0, 6)}":1}`],
  ])("in %s of a body to %s gets 400", async (field, path, body) =>
    expectRefused(await post(path, body, "application/json"), field),
  )

  test.each([
    ["client_name", `{"client_name":"${text}","redirect_uris":["https://x.example/"]}`],
    ["contacts.0", `{"contacts":["${text}"],"redirect_uris":["https://x.example/"]}`],
  ])("in %s of a registration gets 400 in the words of RFC 7591", async (field, body) => {
    const answer = await post("/oauth/register", body, "application/json")
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({
      error: "invalid_client_metadata",
      error_description: expect.stringContaining(field),
      field,
    })
  })

  test("in an argument of a tool gets 400 in the words of JSON-RPC", async () => {
    const { access_token } = await connectAssistant(service, member)
    const answer = await fetch(resourceOf(service), {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${access_token}` },
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"query":"${text}"}}}`,
    })
    expect(answer.status).toBe(400)
    expect((await messageOf(answer)).error).toEqual({
      code: -32_600,
      message: expect.stringContaining("params.arguments.query"),
    })
  })
})

test.each(["[".repeat(65) + "]".repeat(65), `${'{"a":'.repeat(650)}1${"}".repeat(650)}`])(
  "JSON that is nested too deeply gets 400",
  async (body) => {
    const answer = await post("/api/auth/sign-in/email", body, "application/json")
    expect(answer.status).toBe(400)
    expect(ErrorSchema.parse(await answer.json()).field.length).toBeLessThanOrEqual(40)
  },
)

test("a form from an identity provider that fits no redirect gets 400", async () => {
  const form = `state=x&code=${"x".repeat(15_000)}`
  await expectRefused(await post("/api/auth/callback/google", form, "application/x-www-form-urlencoded"), "form")
})

test.each(["\0:x", "%00:x", "\ud800:x"])(
  "credentials of a client with U+0000 or a surrogate get 401: %j",
  async (pair) => {
    const answer = await fetch(`${service.url}/oauth/token`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(pair).toString("base64")}` },
      body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: "x" }),
    })
    expect([400, 401]).toContain(answer.status)
  },
)

test("a client assertion that names a client with U+0000 is refused", async () => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const claims = { sub: "\0", iss: "\0", aud: service.url, jti: "\0", exp: 4e9 }
  const answer = await fetch(`${service.url}/oauth/token`, {
    method: "POST",
    body: new URLSearchParams({
      grant_type: "refresh_token",
      refresh_token: "x",
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
      client_assertion: `${part({ alg: "RS256" })}.${part(claims)}.AAAA`,
    }),
  })
  expect([400, 401]).toContain(answer.status)
})

test("the consent form sent twice at once gets one answer and one refusal", async () => {
  const browser = new Browser(member)
  const { client_id } = await register(service)
  const consent = await openConsent(service, browser, authorizationRequest(service, { client_id }))
  const token = formToken(await (await browser.get(consent)).text())
  const form = new URLSearchParams({ token, decision: "allow", days: "all", scope: "sleep:read" })
  const answers = await Promise.all(Array.from({ length: 6 }, () => browser.post(consent, form)))
  const statuses = answers.map(({ status }) => status)
  expect(statuses).toContain(303)
  expect(statuses.every((status) => status === 303 || status === 400 || status === 409)).toBe(true)
})

test("plain text with % and any language is accepted as before", async () => {
  const { code } = await authorize(service, member)
  expect(code).not.toBe("")
  const form = new URLSearchParams({ grant_type: "refresh_token", client_id: "100 % 🌙 ü" })
  expect((await post("/oauth/token", form.toString(), "application/x-www-form-urlencoded")).status).toBe(401)
  expect((await readHealth(service.url, await member.newKey(), "?type=%73leep")).status).toBe(404)
})
