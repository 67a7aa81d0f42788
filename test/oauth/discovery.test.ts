import { callConnector, resourceOf } from "@restwell/testing/assistant"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 1, role: "api" })
})
afterAll(() => service.close())

const read = async (path: string) => {
  const answer = await fetch(service.url + path)
  expect(answer.status, path).toBe(200)
  expect(answer.headers.get("access-control-allow-origin"), path).toBe("*")
  return answer.json()
}

test("a client without a token discovers the authorization server from the connector's challenge", async () => {
  const refused = await callConnector(service, undefined, "initialize")
  expect(refused.status).toBe(401)
  const challenge = refused.headers.get("www-authenticate") ?? ""
  const metadataUrl = /resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? ""
  const resource = await (await fetch(metadataUrl)).json()
  expect(resource).toMatchObject({
    resource: resourceOf(service),
    authorization_servers: [service.url],
    bearer_methods_supported: ["header"],
    scopes_supported: ["sleep:read", "recovery:read", "workouts:read", "profile:read", "journal:read", "series:read"],
  })
  const server = await read("/.well-known/oauth-authorization-server")
  // RFC 8414 3.3: the issuer must be identical to the requested one.
  expect(server.issuer).toBe(resource.authorization_servers[0])
  expect(server).toMatchObject({
    code_challenge_methods_supported: ["S256"],
    response_types_supported: ["code"],
    grant_types_supported: ["authorization_code", "refresh_token"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    token_endpoint_auth_methods_supported: expect.arrayContaining([
      "none",
      "client_secret_basic",
      "client_secret_post",
    ]),
    scopes_supported: expect.arrayContaining([...resource.scopes_supported, "offline_access"]),
  })
  for (const name of ["authorization", "token", "registration", "revocation"])
    expect(server[`${name}_endpoint`]).toMatch(new RegExp(`^${service.url}/oauth/`))
  expect((await (await fetch(server.jwks_uri)).json()).keys).toHaveLength(1)
})

test("no private part of the signing key is published", async () => {
  const { keys } = await read("/oauth/jwks")
  for (const name of ["d", "p", "q", "dp", "dq", "qi", "k"]) expect(keys[0]).not.toHaveProperty(name)
})

describe("the metadata is at every address that clients try:", () => {
  test.each([
    "/.well-known/openid-configuration",
    "/.well-known/oauth-authorization-server/api/mcp/oauth",
    "/.well-known/openid-configuration/api/mcp/oauth",
    "/api/mcp/oauth/.well-known/openid-configuration",
  ])("%s", async (path) => {
    expect(await read(path)).toEqual(await read("/.well-known/oauth-authorization-server"))
  })

  test("/.well-known/oauth-protected-resource", async () => {
    expect(await read("/.well-known/oauth-protected-resource")).toEqual(
      await read("/.well-known/oauth-protected-resource/api/mcp/oauth"),
    )
  })
})

test("a trailing slash in the connector's address is ignored", async () => {
  const refused = await fetch(`${resourceOf(service)}/`, { method: "POST" })
  expect(refused.status).toBe(401)
  expect(refused.headers.get("www-authenticate")).toContain('/.well-known/oauth-protected-resource/api/mcp/oauth"')
  expect(await read("/.well-known/oauth-protected-resource/api/mcp/oauth/")).toEqual(
    await read("/.well-known/oauth-protected-resource/api/mcp/oauth"),
  )
})

test("the connector's address redirects a browser to the page that says how to connect an assistant, and answers a program with 405", async () => {
  const person = await fetch(resourceOf(service), { headers: { accept: "text/html" }, redirect: "manual" })
  expect([person.status, person.headers.get("location")]).toEqual([302, "/access"])
  const program = await fetch(resourceOf(service), { headers: { accept: "text/event-stream" } })
  expect([program.status, program.headers.get("allow")]).toEqual([405, "POST"])
})

test("every address begins with BASE_URL, whatever host the request names", async () => {
  const server = JSON.stringify(await read("/.well-known/oauth-authorization-server"))
  const headers = { "x-forwarded-host": "evil.example", "x-forwarded-proto": "https", forwarded: "host=evil.example" }
  for (const path of ["/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource"])
    expect(JSON.stringify(await (await fetch(service.url + path, { headers })).json())).not.toContain("evil.example")
  const other = await fetch(`${service.url.replace("localhost", "127.0.0.1")}/.well-known/oauth-authorization-server`)
  expect(JSON.stringify(await other.json())).toBe(server)
})

test.each([
  ["/oauth/token", "POST"],
  ["/oauth/register", "POST"],
  ["/oauth/revoke", "POST"],
  ["/.well-known/oauth-authorization-server", "GET, HEAD"],
])("CORS allows any site to call %s, without credentials", async (path, methods) => {
  const headers = { origin: "https://inspector.example", "access-control-request-method": "POST" }
  const answer = await fetch(service.url + path, { method: "OPTIONS", headers })
  expect(answer.status).toBe(204)
  expect(answer.headers.get("access-control-allow-origin")).toBe("*")
  expect(answer.headers.get("access-control-allow-methods")).toBe(methods)
  expect(answer.headers.get("access-control-allow-credentials")).toBeNull()
})

test.each(["/oauth/authorize", "/oauth/consent/x", "/api/mcp/oauth"])(
  "CORS allows no other site to call %s",
  async (path) => {
    const headers = { origin: "https://inspector.example", "access-control-request-method": "POST" }
    const answer = await fetch(service.url + path, { method: "OPTIONS", headers })
    expect(answer.headers.get("access-control-allow-origin")).toBeNull()
  },
)

test("a replica with another secret does not start, and the signing key stays", async () => {
  const before = await read("/oauth/jwks")
  const starting = service.startReplica("api", { RESTWELL_SECRET: "another secret of at least thirty-two characters" })
  await expect(starting).rejects.toThrow("this database was encrypted with another secret")
  expect(await read("/oauth/jwks")).toEqual(before)
})

test("all replicas have the same signing key, even after a restart", async () => {
  const other = await service.startReplica("api", { BASE_URL: service.url })
  const third = await service.startReplica("api", { BASE_URL: service.url })
  const keys = await Promise.all([other, third].map(async ({ url }) => (await fetch(`${url}/oauth/jwks`)).json()))
  expect(keys[0]).toEqual(keys[1])
  await third.close()
  await other.close()
})
