import { authorizationRequest, Browser, REDIRECT_URI, register } from "@restwell/testing/assistant"
import { Member } from "@restwell/testing/member"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

let service: TestService
let member: Member
let other: Member
let clientId: string
beforeAll(async () => {
  service = await startTestService({ days: 1, role: "api" })
  member = new Member(service)
  other = new Member(service)
  await member.signUp()
  await other.signUp()
  ;({ client_id: clientId } = await register(service))
})
afterAll(() => service.close())

const requestOf = (parameters: Readonly<Record<string, string | undefined>> = {}): URL =>
  authorizationRequest(service, { client_id: clientId, ...parameters })

describe("an invalid authorization request is refused at the client's redirect URI:", () => {
  test.each<[string, Record<string, string | undefined>, string]>([
    ["the response type token", { response_type: "token" }, "unsupported_response_type"],
    ["the response type id_token", { response_type: "id_token" }, "unsupported_response_type"],
    ["the response type code token", { response_type: "code token" }, "unsupported_response_type"],
    ["the response type code id_token token", { response_type: "code id_token token" }, "unsupported_response_type"],
    ["the response type none", { response_type: "none" }, "unsupported_response_type"],
    ["an unknown response type", { response_type: "magic" }, "unsupported_response_type"],
    ["no response type", { response_type: undefined }, "invalid_request"],
    ["no challenge", { code_challenge: undefined, code_challenge_method: undefined }, "invalid_request"],
    ["a method without a challenge", { code_challenge: undefined }, "invalid_request"],
    ["a challenge without a method, which is plain", { code_challenge_method: undefined }, "invalid_request"],
    ["the plain method", { code_challenge_method: "plain" }, "invalid_request"],
    ["an unknown method", { code_challenge_method: "S512" }, "invalid_request"],
    ["the method in lower case", { code_challenge_method: "s256" }, "invalid_request"],
    ["a short challenge", { code_challenge: "short" }, "invalid_request"],
    ["a long challenge", { code_challenge: "a".repeat(129) }, "invalid_request"],
    ["a challenge of other characters", { code_challenge: `${"a".repeat(42)}+` }, "invalid_request"],
    ["an empty challenge", { code_challenge: "" }, "invalid_request"],
    ["another site's resource", { resource: "https://evil.example/api/mcp/oauth" }, "invalid_target"],
    ["the REST endpoint", { resource: "SERVICE/api/v1/health" }, "invalid_target"],
    ["a path below", { resource: "SERVICE/api/mcp/oauth/admin" }, "invalid_target"],
    ["a path above", { resource: "SERVICE/api/mcp" }, "invalid_target"],
    ["the path in upper case", { resource: "SERVICE/API/MCP/OAUTH" }, "invalid_target"],
    ["a resource with a fragment", { resource: "SERVICE/api/mcp/oauth#a" }, "invalid_target"],
    ["a resource with a query", { resource: "SERVICE/api/mcp/oauth?a=b" }, "invalid_target"],
    ["a resource that is not a URL", { resource: "mcp" }, "invalid_target"],
    ["the prompt none", { prompt: "none" }, "consent_required"],
    ["the prompts none and consent", { prompt: "none consent" }, "invalid_request"],
    ["an unknown prompt", { prompt: "magic" }, "invalid_request"],
    ["a request object", { request: "eyJhbGciOiJub25lIn0.e30." }, "request_not_supported"],
    ["a request URI", { request_uri: "https://evil.example/request" }, "request_uri_not_supported"],
    ["a registration parameter", { registration: "{}" }, "registration_not_supported"],
    ["a scope of other characters", { scope: 'sleep:read "' }, "invalid_scope"],
    ["an unknown response mode", { response_mode: "carrier_pigeon" }, "unsupported_response_mode"],
  ])("%s", async (_what, parameters, error) => {
    const resource = parameters["resource"]?.replace("SERVICE", service.url)
    const url = requestOf({ ...parameters, ...(resource !== undefined && { resource }) })
    const answer = await new Browser(member).get(url)
    expect(answer.status).toBe(303)
    const target = new URL(answer.headers.get("location") ?? "")
    expect(target.origin + target.pathname).toBe(REDIRECT_URI)
    const parametersOf = new URLSearchParams(target.search || target.hash.slice(1))
    expect(parametersOf.get("error")).toBe(error)
    expect(parametersOf.get("code")).toBeNull()
    expect(parametersOf.get("state")).toBe("a state")
    // RFC 9207: errors name the issuer too, so that a client cannot mistake another server's error for ours.
    expect(parametersOf.get("iss")).toBe(service.url)
  })

  test.each(["client_id", "redirect_uri", "response_type", "state", "code_challenge", "scope", "nonce"])(
    "%s given twice",
    async (name) => {
      const url = requestOf()
      url.searchParams.append(name, url.searchParams.get(name) ?? "x")
      url.searchParams.append(name, "another")
      const answer = await new Browser(member).get(url)
      expect(answer.headers.get("location") ?? "").not.toMatch(/\/oauth\/consent\/|[?&]code=/)
      expect(answer.headers.get("location") ?? "").not.toContain("another")
    },
  )

  test("two resources", async () => {
    const url = requestOf()
    url.searchParams.append("resource", "https://evil.example/")
    const answer = await new Browser(member).get(url)
    expect(new URL(answer.headers.get("location") ?? "").searchParams.get("error")).toBe("invalid_target")
  })

  test.each(["POST", "PUT", "DELETE"])("%s", async (method) => {
    const answer = await fetch(requestOf(), { method, redirect: "manual" })
    expect(answer.status).toBe(405)
  })
})
