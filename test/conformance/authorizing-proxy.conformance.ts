import { createServer } from "node:http"
import { afterEach, expect, test } from "vitest"
import { startAuthorizingProxy } from "./authorizing-proxy.ts"
import { startFixtureServer } from "./fixture-server.ts"
import { listenOnLoopback } from "./loopback.ts"
import { runServerScenarios } from "./run-scenarios.ts"

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const server of open.splice(0).reverse()) await server.close()
})

const kept = <Running extends { close(): Promise<void> }>(server: Running): Running => {
  open.push(server)
  return server
}

/** Responds with the request that it received. */
async function startEcho(): Promise<string> {
  const echo = createServer(async (request, response) => {
    const body = Buffer.concat(await request.toArray()).toString()
    const { method, url } = request
    const { authorization, host, origin } = request.headers
    response.writeHead(418, { "content-type": "application/json", "x-echo": "yes" })
    response.end(JSON.stringify({ method, url, body, authorization, host, origin }))
  })
  return kept(await listenOnLoopback(echo)).origin
}

test("adds the token and passes everything else through", async () => {
  const target = await startEcho()
  const proxy = kept(await startAuthorizingProxy({ target: `${target}/api`, token: "secret" }))
  const answer = await fetch(`${proxy.url}?a=1`, { method: "PUT", body: "words" })
  expect(answer.status).toBe(418)
  expect(answer.headers.get("x-echo")).toBe("yes")
  expect(await answer.json()).toEqual({
    method: "PUT",
    url: "/api?a=1",
    body: "words",
    authorization: "Bearer secret",
    host: new URL(target).host,
  })
})

test("replaces its own origin with the target's, and keeps a foreign origin", async () => {
  const target = await startEcho()
  const { url } = kept(await startAuthorizingProxy({ target, token: "secret" }))
  const originSeen = async (origin: string) => (await fetch(url, { headers: { origin } })).json()
  expect(await originSeen(new URL(url).origin)).toMatchObject({ origin: target })
  expect(await originSeen("http://evil.example.com")).toMatchObject({ origin: "http://evil.example.com" })
})

test("answers 502 when the target is gone", async () => {
  const gone = await listenOnLoopback(createServer())
  await gone.close()
  const proxy = kept(await startAuthorizingProxy({ target: gone.origin, token: "secret" }))
  expect((await fetch(proxy.url)).status).toBe(502)
})

// The first keeps streams open. The second sends a foreign Host and Origin.
test.each(["server-stateless", "dns-rebinding-protection"])("passes the scenario %s through", async (scenario) => {
  const server = kept(await startFixtureServer())
  const proxy = kept(await startAuthorizingProxy({ target: server.url, token: "secret" }))
  const results = await runServerScenarios({ url: proxy.url, specVersion: "2026-07-28", scenarios: [scenario] })
  expect(results).toMatchObject([{ scenario, failed: 0, failures: [], warnings: [] }])
})
