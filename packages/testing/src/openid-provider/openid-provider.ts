import { createHash } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { exportJWK, generateKeyPair, SignJWT } from "jose"

/** Who says yes at the stand-in provider. */
export interface OpenIdPerson {
  readonly sub: string
  readonly email: string
  readonly name?: string
}

/** What the provider does wrong. */
export interface OpenIdFaults {
  refuses?: boolean
  wrongNonce?: boolean
  wrongAudience?: boolean
  wrongIssuer?: boolean
  foreignKey?: boolean
  isExpired?: boolean
  tokenFails?: boolean
  discoveryFails?: boolean
}

/** A stand-in OpenID provider on loopback that says yes at once as `person`. OpenID Connect Core 1.0, 3.1. */
export interface OpenIdProvider {
  readonly issuer: string
  person: OpenIdPerson
  faults: OpenIdFaults
  /** Parameters of the last visit to its page. */
  readonly visit: URLSearchParams
  close(): Promise<void>
}

interface Code {
  readonly nonce: string
  readonly challenge: string
  readonly redirectUri: string
}

export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const own = await generateKeyPair("RS256")
  const foreign = await generateKeyPair("RS256")
  const jwk = { ...(await exportJWK(own.publicKey)), kid: "own", alg: "RS256", use: "sig" }
  const codes = new Map<string, Code>()
  const state = {
    person: { sub: "1", email: "ada@example.com", name: "Ada Berg" } as OpenIdPerson,
    faults: {} as OpenIdFaults,
    visit: new URLSearchParams(),
  }
  const idToken = async (nonce: string): Promise<string> => {
    const { person, faults } = state
    const issuedAt = Math.floor(Date.now() / 1000) - (faults.isExpired ? 7200 : 0)
    return new SignJWT({ ...person, email_verified: true, nonce: faults.wrongNonce ? "another" : nonce })
      .setProtectedHeader({ alg: "RS256", kid: "own" })
      .setIssuer(faults.wrongIssuer ? "https://evil.example" : issuer)
      .setAudience(faults.wrongAudience ? "another-client" : "client")
      .setSubject(person.sub)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + 3600)
      .sign(faults.foreignKey ? foreign.privateKey : own.privateKey)
  }
  const json = (response: ServerResponse, status: number, body: object): void => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
  }
  const authorize = (url: URL, response: ServerResponse): void => {
    state.visit = url.searchParams
    const back = new URL(url.searchParams.get("redirect_uri") ?? "")
    const answer = new URLSearchParams({ state: url.searchParams.get("state") ?? "" })
    if (state.faults.refuses) answer.set("error", "access_denied")
    else {
      const code = crypto.randomUUID()
      codes.set(code, {
        nonce: url.searchParams.get("nonce") ?? "",
        challenge: url.searchParams.get("code_challenge") ?? "",
        redirectUri: back.href,
      })
      answer.set("code", code)
    }
    if (url.searchParams.get("response_mode") === "form_post") {
      const inputs = [...answer].map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
      const page = `<form method="post" action="${back.href}">${inputs.join("")}<button>Go on</button></form>`
      response.writeHead(200, { "content-type": "text/html" }).end(page)
      return
    }
    response.writeHead(302, { location: `${back.href}?${answer}` }).end()
  }
  const token = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    const code = codes.get(form.get("code") ?? "")
    codes.delete(form.get("code") ?? "")
    const proof = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url")
    if (!code || state.faults.tokenFails || code.challenge !== proof || form.get("redirect_uri") !== code.redirectUri)
      return json(response, 400, { error: "invalid_grant" })
    const id_token = await idToken(code.nonce)
    json(response, 200, { access_token: "access", token_type: "Bearer", expires_in: 3600, id_token })
  }
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "", issuer)
    if (url.pathname === "/.well-known/openid-configuration")
      return state.faults.discoveryFails ? json(response, 500, {}) : json(response, 200, discoveryOf(issuer))
    if (url.pathname === "/authorize") return authorize(url, response)
    if (url.pathname === "/token") return token(request, response)
    if (url.pathname === "/jwks") return json(response, 200, { keys: [jwk] })
    json(response, 404, {})
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  const issuer = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`
  return Object.assign(state, {
    issuer,
    close: async () => {
      server.closeAllConnections()
      server.close()
    },
  })
}

const discoveryOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  response_types_supported: ["code"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
})
