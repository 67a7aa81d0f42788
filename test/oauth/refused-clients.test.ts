import { authorizationRequest, Browser, REDIRECT_URI, register } from "@restwell/testing/assistant"
import { startTestService, type TestService } from "@restwell/testing/service"
import { afterAll, beforeAll, describe, expect, test } from "vitest"

let service: TestService
beforeAll(async () => {
  service = await startTestService({ days: 1, role: "api" })
})
afterAll(() => service.close())

const sendRegistration = (body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${service.url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  })

describe("a client with an unsafe redirect URI is not registered:", () => {
  test.each([
    ["a script", "javascript:alert(1)"],
    ["a script in upper case", "JaVaScRiPt:alert(1)"],
    ["a data URL", "data:text/html,<script>1</script>"],
    ["a file", "file:///etc/passwd"],
    ["an older script", "vbscript:x"],
    ["a blob", "blob:https://assistant.example/1"],
    ["a blank page", "about:blank"],
    ["mail", "mailto:a@assistant.example"],
    ["ftp", "ftp://assistant.example/callback"],
    ["a web socket", "wss://assistant.example/callback"],
    ["an intent", "intent://assistant.example#Intent;scheme=https;end"],
    ["the browser's own pages", "chrome://settings"],
    ["a page's source", "view-source:https://assistant.example/"],
    ["a scheme without a domain name", "assistant:/callback"],
    ["another scheme without a domain name", "foo://callback"],
    ["http to a site", "http://assistant.example/callback"],
    ["http to a private address", "http://192.168.0.5/callback"],
    ["http to another private address", "http://10.0.0.1/callback"],
    ["http to the metadata address of clouds", "http://169.254.169.254/latest"],
    ["http to any address", "http://0.0.0.0/callback"],
    ["http to another loopback address", "http://127.0.0.2/callback"],
    ["http to a name in front of another", "http://localhost.evil.example/callback"],
    ["http to a number in front of a name", "http://127.0.0.1.evil.example/callback"],
    ["loopback as a number", "http://2130706433/callback"],
    ["loopback in hexadecimal", "http://0x7f.1/callback"],
    ["loopback in octal", "http://0177.0.0.1/callback"],
    ["loopback mapped into IPv6", "http://[::ffff:127.0.0.1]/callback"],
    ["loopback with a user", "http://evil.example@127.0.0.1/callback"],
    ["loopback before a user's sign", "http://127.0.0.1@evil.example/callback"],
    ["https to this machine", "https://localhost/callback"],
    ["a user", "https://user@assistant.example/callback"],
    ["a user with a password", "https://user:secret@assistant.example/callback"],
    ["an empty user", "https://@assistant.example/callback"],
    ["a site as the user of another", "https://assistant.example@evil.example/callback"],
    ["a fragment", "https://assistant.example/callback#part"],
    ["an empty fragment", "https://assistant.example/callback#"],
    ["a wildcard host", "https://*.assistant.example/callback"],
    ["no host", "https:///callback"],
    ["no slashes", "https:assistant.example/callback"],
    ["one slash", "https:/assistant.example/callback"],
    ["a back slash", "https://evil.example\\@assistant.example/callback"],
    ["back slashes for slashes", "https:\\\\assistant.example\\callback"],
    ["a space before", " https://assistant.example/callback"],
    ["a space within", "https://assistant.example/call back"],
    ["a line feed", "https://assistant.example/callback\n"],
    ["a tab", "https://assistant.example/\tcallback"],
    ["a NUL", "https://assistant.example/\u0000"],
    ["letters that look like others", "https://аssistant.example/callback"],
    ["a bidirectional mark", "https://assistant.example/\u202Ekcabllac"],
    ["markup", "https://assistant.example/<script>"],
    ["only a path", "/callback"],
    ["no scheme", "//assistant.example/callback"],
    ["a word", "callback"],
    ["nothing", ""],
    ["too much", `https://assistant.example/${"a".repeat(2100)}`],
  ])("%s", async (_what, uri) => {
    const answer = await sendRegistration({ redirect_uris: [REDIRECT_URI, uri], token_endpoint_auth_method: "none" })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: "invalid_redirect_uri",
    })
  })
})

describe("a client with invalid metadata is not registered:", () => {
  test.each<[string, unknown]>([
    ["no redirect_uris", { client_name: "x" }],
    ["an empty list", { redirect_uris: [] }],
    ["no list", { redirect_uris: REDIRECT_URI }],
    ["numbers", { redirect_uris: [1] }],
    ["null", { redirect_uris: null }],
    ["21 addresses", { redirect_uris: Array.from({ length: 21 }, (_, index) => `${REDIRECT_URI}/${index}`) }],
    ["a list", [{ redirect_uris: [REDIRECT_URI] }]],
    ["text", '"https://assistant.example/callback"'],
    ["no JSON", "{"],
    ["nothing", {}],
    ["too much", JSON.stringify({ redirect_uris: [REDIRECT_URI], tos_uri: `https://x.example/${"a".repeat(70_000)}` })],
  ])("%s", async (_what, body) => {
    const answer = await sendRegistration(body)
    expect([400, 413]).toContain(answer.status)
    expect(await answer.json()).toMatchObject({ error: expect.any(String) })
  })

  test.each<[string, object, string]>([
    ["a redirect URI", { redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
    ["no redirect URI", { redirect_uris: [] }, "invalid_redirect_uri"],
    ["redirect URIs that are no text", { redirect_uris: [1] }, "invalid_redirect_uri"],
    ["another field", { redirect_uris: [REDIRECT_URI], client_name: "a\0b" }, "invalid_client_metadata"],
    ["a NUL in a redirect URI", { redirect_uris: ["https://x.example/\u0000"] }, "invalid_redirect_uri"],
  ])("%s: the error is that of RFC 7591 3.2.2", async (_what, body, error) => {
    const answer = await sendRegistration(body)
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ error, error_description: expect.any(String) }),
    ])
  })

  test("a form", async () => {
    const form = new URLSearchParams({ redirect_uris: REDIRECT_URI }).toString()
    const answer = await sendRegistration(form, { "content-type": "application/x-www-form-urlencoded" })
    expect(answer.status).toBe(415)
  })
})

describe("an authorization for an unregistered redirect URI ends at an error page:", () => {
  const site = "https://assistant.example"
  test.each([
    ["another site", "https://evil.example/callback"],
    ["a site that begins alike", "https://assistant.example.evil.example/callback"],
    ["a site that ends alike", "https://evil-assistant.example/callback"],
    ["a part of the site", "https://sub.assistant.example/callback"],
    ["http", "http://assistant.example/callback"],
    ["a port", `${site}:8443/callback`],
    ["the usual port, written", `${site}:443/callback`],
    ["a user", "https://evil@assistant.example/callback"],
    ["the site as a user", "https://assistant.example@evil.example/callback"],
    ["a user with a slash", "https://assistant.example%2f@evil.example/callback"],
    ["upper case in the host", "https://ASSISTANT.example/callback"],
    ["upper case in the scheme", "HTTPS://assistant.example/callback"],
    ["upper case in the path", `${site}/Callback`],
    ["a trailing slash", `${site}/callback/`],
    ["a double slash", `${site}//callback`],
    ["a parent folder after the path", `${site}/callback/../evil`],
    ["a parent folder before the path", `${site}/evil/../callback`],
    ["an encoded path", `${site}/%63allback`],
    ["an encoded slash", `${site}%2fcallback`],
    ["an encoded dot", `${site}/%2e/callback`],
    ["a semicolon", `${site}/callback;evil`],
    ["a query", `${site}/callback?next=https://evil.example`],
    ["an empty query", `${site}/callback?`],
    ["a fragment", `${site}/callback#evil`],
    ["an empty fragment", `${site}/callback#`],
    ["a back slash", `${site}\\callback`],
    ["a back slash as user", "https://evil.example\\@assistant.example/callback"],
    ["a dot after the host", "https://assistant.example./callback"],
    ["a NUL", `${site}/callback%00`],
    ["a line", `${site}/callback%0d%0aSet-Cookie:a=b`],
    ["a space", `${site}/callback `],
    ["no scheme", "//assistant.example/callback"],
    ["no host", "/callback"],
    ["a script", "javascript:alert(document.domain)"],
    ["a data URL", "data:text/html,hello"],
    ["this service", "SERVICE/sign-in"],
    ["loopback", "http://localhost/callback"],
    ["loopback as an address", "http://127.0.0.1:8080/callback"],
    ["two redirect URIs", `${site}/callback ${site}/callback`],
  ])("%s", async (_what, redirectUri) => {
    const client = await register(service)
    await expectPage(
      authorizationRequest(service, {
        client_id: client.client_id,
        redirect_uri: redirectUri.replace("SERVICE", service.url),
      }),
    )
  })
})

describe("of a loopback redirect URI only the port may differ:", () => {
  const registered = ["http://127.0.0.1:33418/callback", "http://localhost/callback"]
  test.each([
    ["another path", "http://127.0.0.1:5000/evil"],
    ["a longer path", "http://127.0.0.1:5000/callback/evil"],
    ["a query", "http://127.0.0.1:5000/callback?a=b"],
    ["https", "https://127.0.0.1:5000/callback"],
    ["another address of this machine", "http://127.0.0.2:5000/callback"],
    ["an address of the network", "http://192.168.0.9:5000/callback"],
    ["a user", "http://evil@127.0.0.1:5000/callback"],
    ["a number for the address", "http://2130706433:5000/callback"],
    ["a name in front of another", "http://localhost.evil.example:5000/callback"],
    ["the IPv6 loopback address", "http://[::1]:5000/callback"],
    ["an impossible port", "http://127.0.0.1:99999/callback"],
  ])("%s", async (_what, redirectUri) => {
    const client = await register(service, { redirect_uris: registered })
    await expectPage(authorizationRequest(service, { client_id: client.client_id, redirect_uri: redirectUri }))
  })

  test.each(["http://127.0.0.1:5000/callback", "http://127.0.0.1/callback", "http://localhost:61234/callback"])(
    "%s is accepted",
    async (redirectUri) => {
      const client = await register(service, { redirect_uris: registered })
      const answer = await new Browser().get(
        authorizationRequest(service, { client_id: client.client_id, redirect_uri: redirectUri }),
      )
      expect(answer.headers.get("location")).toMatch(/\/oauth\/consent\//)
    },
  )
})

describe("an authorization for an invalid client ends at an error page:", () => {
  test.each([
    ["an unknown client", "b2c855ef-1955-41ea-b84e-decc0746d380"],
    ["no client", undefined],
    ["an empty client", ""],
    ["markup", "<script>alert(1)</script>"],
    ["an address without a document", "https://assistant.example/"],
    ["an address of this machine", "https://127.0.0.1/client"],
    ["http", "http://assistant.example/client.json"],
    ["a user", "https://user@assistant.example/client.json"],
    ["a fragment", "https://assistant.example/client.json#a"],
    ["dots", "https://assistant.example/a/../client.json"],
    ["SQL", "' or 1=1 --"],
  ])("%s", async (_what, clientId) => {
    await expectPage(authorizationRequest(service, { client_id: clientId, redirect_uri: REDIRECT_URI }))
  })
})

/** Expects an error page and no redirect. */
async function expectPage(url: URL): Promise<void> {
  const answer = await new Browser().get(url)
  expect(answer.status).toBe(400)
  expect(answer.headers.get("location")).toBeNull()
  expect(answer.headers.get("content-type")).toMatch(/^text\/html/)
  expect(answer.headers.get("content-security-policy")).toContain("frame-ancestors 'none'")
  const page = await answer.text()
  expect(page).toContain("request is invalid")
  expect(page).not.toMatch(/<script/i)
}
