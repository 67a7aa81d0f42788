import { createHash, randomUUID } from "node:crypto"
import { once } from "node:events"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { type CryptoKey, exportJWK, generateKeyPair, SignJWT } from "jose"

/** The person who signs in at the provider. */
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
  /** Only the address of the userinfo endpoint says who the person is. */
  noIdToken?: boolean
  /** The token was issued to another client. */
  wrongAuthorizedParty?: boolean
  numericSubject?: boolean
  /** The path whose answer never ends. */
  endless?: "/token" | "/jwks" | "/.well-known/openid-configuration"
  /** The path that takes the request and never answers. */
  silent?: "/token" | "/jwks" | "/.well-known/openid-configuration"
}

/** A simulated OpenID provider on 127.0.0.1, which signs `person` in without asking. OpenID Connect Core 1.0, 3.1 */
export interface OpenIdProvider {
  readonly issuer: string
  person: OpenIdPerson
  faults: OpenIdFaults
  /** Parameters of the last authorization request. */
  readonly visit: URLSearchParams
  close(): Promise<void>
}

interface Code {
  readonly nonce: string
  readonly challenge: string
  readonly redirectUri: string
}

export async function startOpenIdProvider(): Promise<OpenIdProvider> {
  const provider = new Provider(await generateKeyPair("RS256"), await generateKeyPair("RS256"))
  await provider.listen()
  return provider
}

type KeyPair = Awaited<ReturnType<typeof generateKeyPair>>

class Provider implements OpenIdProvider {
  issuer = ""
  person: OpenIdPerson = { sub: "1", email: "ada@example.com", name: "Ada Berg" }
  faults: OpenIdFaults = {}
  visit = new URLSearchParams()
  readonly #own: KeyPair
  readonly #foreign: KeyPair
  readonly #codes = new Map<string, Code>()
  readonly #server = createServer((request, response) => void this.#answer(request, response))

  constructor(own: KeyPair, foreign: KeyPair) {
    this.#own = own
    this.#foreign = foreign
  }

  async listen(): Promise<void> {
    this.#server.listen(0, "127.0.0.1")
    await once(this.#server, "listening")
    const address = this.#server.address()
    if (typeof address !== "object" || !address) throw new Error("the OpenID provider has no port")
    this.issuer = `http://127.0.0.1:${address.port}`
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "", this.issuer)
    if (url.pathname === this.faults.silent) return
    if (url.pathname === this.faults.endless) return sendEndlessly(response)
    if (url.pathname === "/.well-known/openid-configuration")
      return this.faults.discoveryFails ? json(response, 500, {}) : json(response, 200, discoveryOf(this.issuer))
    if (url.pathname === "/authorize") return this.#authorize(url, response)
    if (url.pathname === "/token") return this.#redeem(request, response)
    if (url.pathname === "/jwks") return json(response, 200, { keys: [await publicKeyOf(this.#own.publicKey)] })
    if (url.pathname === "/userinfo") return json(response, 200, { ...this.person, email_verified: true })
    json(response, 404, {})
  }

  #authorize({ searchParams }: URL, response: ServerResponse): void {
    this.visit = searchParams
    const parameter = (name: string): string => searchParams.get(name) ?? ""
    const redirectUri = new URL(parameter("redirect_uri")).href
    const result = new URLSearchParams({ state: parameter("state") })
    if (this.faults.refuses) result.set("error", "access_denied")
    else {
      const code = randomUUID()
      this.#codes.set(code, { nonce: parameter("nonce"), challenge: parameter("code_challenge"), redirectUri })
      result.set("code", code)
    }
    if (parameter("response_mode") !== "form_post") {
      response.writeHead(302, { location: `${redirectUri}?${result}` }).end()
      return
    }
    const inputs = [...result].map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
    const page = `<form method="post" action="${redirectUri}">${inputs.join("")}<button>Go on</button></form>`
    response.writeHead(200, { "content-type": "text/html" }).end(page)
  }

  async #redeem(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = new URLSearchParams(Buffer.concat(await request.toArray()).toString())
    const parameter = (name: string): string => form.get(name) ?? ""
    const code = this.#codes.get(parameter("code"))
    this.#codes.delete(parameter("code"))
    const challenge = createHash("sha256").update(parameter("code_verifier")).digest("base64url")
    const isValid = code?.challenge === challenge && code.redirectUri === parameter("redirect_uri")
    if (!code || !isValid || this.faults.tokenFails) return json(response, 400, { error: "invalid_grant" })
    const id_token = this.faults.noIdToken ? undefined : await this.#idToken(code.nonce)
    json(response, 200, { access_token: "access", token_type: "Bearer", expires_in: 3600, id_token })
  }

  #idToken(nonce: string): Promise<string> {
    const { person, faults } = this
    const claims = {
      ...person,
      sub: faults.numericSubject ? 7 : person.sub,
      azp: faults.wrongAuthorizedParty ? "another-client" : "client",
    }
    return new SignJWT(Object({ ...claims, email_verified: true, nonce: faults.wrongNonce ? "another" : nonce }))
      .setProtectedHeader({ alg: "RS256", kid: "own" })
      .setIssuer(faults.wrongIssuer ? "https://evil.example" : this.issuer)
      .setAudience(faults.wrongAudience ? "another-client" : "client")
      .setIssuedAt(faults.isExpired ? "2 hours ago" : "0 seconds")
      .setExpirationTime(faults.isExpired ? "1 hour ago" : "1 hour")
      .sign(faults.foreignKey ? this.#foreign.privateKey : this.#own.privateKey)
  }
}

const publicKeyOf = async (key: CryptoKey) => ({ ...(await exportJWK(key)), kid: "own", alg: "RS256", use: "sig" })

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body))
}

const CHUNK = Buffer.alloc(65_536, 97)

/** An answer of text without an end. */
function sendEndlessly(response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" })
  const sendMore = (): void => {
    while (!response.destroyed && response.write(CHUNK));
  }
  response.on("drain", sendMore)
  response.write('{"a":"')
  sendMore()
}

const discoveryOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/jwks`,
  userinfo_endpoint: `${issuer}/userinfo`,
  response_types_supported: ["code"],
  subject_types_supported: ["public"],
  id_token_signing_alg_values_supported: ["RS256"],
})
