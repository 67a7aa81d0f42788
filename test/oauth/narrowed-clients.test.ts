// Clients ask for more than this server has, or leave fields empty. What is supported of it is registered, and works. RFC 7591 2, 3.2.1
import {
  authorize,
  ClientSchema,
  callConnector,
  postToken,
  REDIRECT_URI,
  redemptionOf,
  TokensSchema,
} from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { z } from "zod"

const published = new Map<string, object>()

let service: TestService
let member: Member
beforeAll(async () => {
  service = await startTestService({
    days: 1,
    role: "api",
    fetchDocument: async (url) => Response.json(published.get(String(url)) ?? null),
  })
  member = new Member(service)
  await member.signUp()
})
afterAll(() => service.close())

/** Members that the library would act on, or refuse, if they reached it. */
const FOREIGN: Readonly<Record<string, object>> = {
  "foreign scopes": { scope: "openid profile email" },
  "a foreign scope beside one of ours": { scope: "sleep:read admin" },
  "one scope of ours": { scope: "recovery:read" },
  "an empty scope": { scope: "" },
  "a scope that is no text": { scope: ["sleep:read"] },
  "a foreign grant beside ours": {
    grant_types: ["authorization_code", "refresh_token", "urn:ietf:params:oauth:grant-type:device_code"],
  },
  "foreign grants alone": { grant_types: ["client_credentials", "implicit"] },
  "the refresh of tokens alone": { grant_types: ["refresh_token"] },
  "no grants": { grant_types: [] },
  "grants that are no list": { grant_types: "authorization_code" },
  "foreign types of responses": { response_types: ["code", "id_token", "code token"] },
  "types of responses alone that are foreign": { response_types: ["token"] },
  "no type of response": { response_types: null },
  "a mode of responses": { response_modes: ["jwt"] },
  "authentication by certificate": { token_endpoint_auth_method: "tls_client_auth" },
  "authentication that nobody knows": { token_endpoint_auth_method: "magic" },
  "empty authentication": { token_endpoint_auth_method: "" },
  "authentication by a key that is missing": { token_endpoint_auth_method: "private_key_jwt", jwks: null },
  "keys that nobody asked for": { token_endpoint_auth_method: "none", jwks: { keys: "none" }, jwks_uri: "x" },
  "empty fields": { client_uri: "", logo_uri: "", tos_uri: "", policy_uri: "", jwks_uri: "", software_id: "" },
  "fields that are null": { client_name: null, client_uri: null, contacts: null, jwks: null, scope: null },
  "addresses that are none": { client_uri: "claude", logo_uri: "http://[", policy_uri: 1, tos_uri: {} },
  "contacts that are no addresses": { contacts: ["Ada", ""] },
  "a name that is no text": { client_name: { en: "Assistant" } },
  "a name without end": { client_name: "n".repeat(5000 - 500) },
  "the longest age of a sign-in": { default_max_age: 3600 },
  "the time of the sign-in": { require_auth_time: true, default_acr_values: ["mfa"] },
  "another kind of subject": { subject_type: "pairwise", sector_identifier_uri: "https://assistant.example/sector" },
  "another kind of application": { application_type: "web" },
  "other signatures and encryption": {
    id_token_signed_response_alg: "HS256",
    id_token_encrypted_response_alg: "RSA-OAEP",
    userinfo_signed_response_alg: "none",
    token_endpoint_auth_signing_alg: "none",
    request_object_signing_alg: "ES512",
  },
  "what other servers have": {
    require_pushed_authorization_requests: true,
    dpop_bound_access_tokens: true,
    tls_client_certificate_bound_access_tokens: true,
    require_signed_request_object: true,
    initiate_login_uri: "http://assistant.example/login",
    post_logout_redirect_uris: ["x"],
    "client_name#ja": "x",
  },
}

const RegisteredSchema = ClientSchema.extend({
  grant_types: z.array(z.enum(["authorization_code", "refresh_token"])),
  response_types: z.tuple([z.literal("code")]),
  token_endpoint_auth_method: z.enum(["none", "client_secret_basic", "client_secret_post", "private_key_jwt"]),
  scope: z
    .string()
    .regex(/^[a-z]+:read(?: [a-z]+:read)*$/)
    .optional(),
})

/** The person authorizes the client, which gets tokens and calls a tool with them. */
async function expectToWork(client: { readonly client_id: string; readonly client_secret?: string | undefined }) {
  const form = redemptionOf(service, await authorize(service, member, { client }))
  const secret = client.client_secret === undefined ? {} : { client_secret: client.client_secret }
  const answer = await postToken(service, { ...form, ...secret })
  expect([answer.status, await answer.clone().text()]).toEqual([200, expect.any(String)])
  const { access_token: token } = TokensSchema.parse(await answer.json())
  expect((await callConnector(service, token, "tools/list")).status).toBe(200)
}

describe("a registration with", () => {
  test.each(Object.entries(FOREIGN))("%s is narrowed to what works", async (_what, metadata) => {
    const answer = await fetch(`${service.url}/oauth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        token_endpoint_auth_method: "client_secret_post",
        redirect_uris: [REDIRECT_URI],
        ...metadata,
      }),
    })
    expect([answer.status, await answer.clone().text()]).toEqual([201, expect.any(String)])
    const client = RegisteredSchema.parse(await answer.json())
    expect(client).not.toHaveProperty("default_max_age")
    if (client.token_endpoint_auth_method !== "client_secret_basic") await expectToWork(client)
    else await expectBasicToWork(client)
  })
})

async function expectBasicToWork({ client_id, client_secret }: z.infer<typeof RegisteredSchema>) {
  const { client_id: _, ...form } = redemptionOf(service, await authorize(service, member, { client: { client_id } }))
  const credentials = Buffer.from(`${client_id}:${client_secret}`).toString("base64")
  const answer = await fetch(`${service.url}/oauth/token`, {
    method: "POST",
    headers: { authorization: `Basic ${credentials}` },
    body: new URLSearchParams(form),
  })
  expect([answer.status, await answer.text()]).toEqual([200, expect.any(String)])
}

describe("a client's document with", () => {
  test.each(Object.entries(FOREIGN))("%s is narrowed to what works", async (_what, metadata) => {
    const client_id = `https://assistant.example/${crypto.randomUUID()}/client.json`
    published.set(client_id, { client_id, redirect_uris: [REDIRECT_URI], ...metadata })
    await expectToWork({ client_id })
    service.simulator.clock.advance(2_000)
  })
})

test.each(Object.entries(FOREIGN))(
  "beside %s, a redirect address that is not allowed is refused",
  async (_what, metadata) => {
    for (const redirect_uris of [["javascript:1"], [], null, ["http://assistant.example/callback"]]) {
      const answer = await fetch(`${service.url}/oauth/register`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...metadata, redirect_uris }),
      })
      expect([answer.status, await answer.json()]).toEqual([
        400,
        expect.objectContaining({ error: "invalid_redirect_uri" }),
      ])
    }
  },
)
