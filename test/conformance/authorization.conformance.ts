import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { reservePort } from "@restwell/testing/port"
import { afterEach, expect, test } from "vitest"
import { listenOnLoopback } from "./loopback.ts"
import { runAuthorizationScenarios } from "./run-scenarios.ts"

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const server of open.splice(0)) await server.close()
})

const resource = "http://127.0.0.1/api/mcp/oauth"
/** Follows the redirect to the callback, as a browser does after consent. */
const agree = async (authorizationUrl: string): Promise<void> => void (await fetch(authorizationUrl))

/** An authorization server that approves at once. Token responses must have `no-store`. */
async function startAuthorizationServer({ cacheControl }: { cacheControl: string }): Promise<string> {
  let issuer = ""
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(request.url ?? "", issuer)
    if (pathname === "/authorize") {
      const back = new URL(searchParams.get("redirect_uri") ?? "")
      back.search = String(new URLSearchParams({ code: "1", state: searchParams.get("state") ?? "", iss: issuer }))
      response.writeHead(302, { location: back.href }).end()
      return
    }
    const body = pathname === "/token" ? { access_token: "1", token_type: "Bearer" } : metadataOf(issuer)
    response.writeHead(200, { "content-type": "application/json", "cache-control": cacheControl })
    response.end(JSON.stringify(body))
  }
  const server = await listenOnLoopback(createServer(answer))
  open.push(server)
  issuer = server.origin
  return issuer
}

const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  response_types_supported: ["code"],
  code_challenge_methods_supported: ["S256"],
  token_endpoint_auth_methods_supported: ["none"],
  client_id_metadata_document_supported: true,
})

async function run(issuer: string, approve: (authorizationUrl: string) => Promise<void>) {
  using callback = reservePort()
  return await runAuthorizationScenarios({ issuer, resource, clientId: "client", port: callback.port, approve })
}

test("completes the code grant when the caller approves at the authorization URL", async () => {
  const opened: string[] = []
  const results = await run(await startAuthorizationServer({ cacheControl: "no-store" }), async (url) => {
    opened.push(url)
    await agree(url)
  })
  expect(opened.map((url) => new URL(url).searchParams.get("resource"))).toEqual([resource])
  expect(results).toMatchObject([
    { scenario: "authorization-code-grant", passed: 1, failed: 0, warnings: [] },
    { scenario: "authorization-server-metadata-endpoint", failed: 0, warnings: [] },
  ])
})

test("reports what an authorization server does wrong", async () => {
  const results = await run(await startAuthorizationServer({ cacheControl: "max-age=60" }), agree)
  expect(results.flatMap(({ failures }) => failures)).toEqual([
    "authorization-code-grant: Invalid Cache-Control: max-age=60",
  ])
})

test("rejects if the caller cannot approve", async () => {
  const issuer = await startAuthorizationServer({ cacheControl: "no-store" })
  const refusal = new Error("no consent page came")
  await expect(run(issuer, () => Promise.reject(refusal))).rejects.toMatchObject({ cause: refusal })
})
