import { createHash, randomBytes } from "node:crypto"
import { expect } from "vitest"
import { z } from "zod"
import type { TestDatabase } from "../programs/database.ts"
import type { Address, Member } from "./member.ts"

export const ClientSchema = z.looseObject({ client_id: z.string(), client_secret: z.string().optional() })

export const REDIRECT_URI = "https://assistant.example/callback"
export const ALL_SCOPES = "sleep:read recovery:read workouts:read profile:read journal:read series:read"

/** The connector's address, which tokens are issued for. RFC 8707 */
export const resourceOf = ({ url }: Address): string => `${url}/api/mcp/oauth`

/** Registers an OAuth client. RFC 7591 */
export async function register(service: Address, metadata: object = {}): Promise<z.infer<typeof ClientSchema>> {
  const response = await fetch(`${service.url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "Test assistant",
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: "none",
      ...metadata,
    }),
  })
  expect(response.status, await response.clone().text()).toBe(201)
  return ClientSchema.parse(await response.json())
}

/** A code verifier and its challenge. RFC 7636 */
export function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString("base64url")
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") }
}

export function authorizationUrl(service: Address, parameters: Readonly<Record<string, string | undefined>>): URL {
  const url = new URL("/oauth/authorize", service.url)
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url
}

/** A valid authorization request for all scopes, changed by `parameters`. Its code cannot be redeemed: the verifier is not kept. */
export const authorizationRequest = (service: Address, parameters: Readonly<Record<string, string | undefined>>): URL =>
  authorizationUrl(service, {
    redirect_uri: REDIRECT_URI,
    response_type: "code",
    code_challenge: pkce().challenge,
    code_challenge_method: "S256",
    resource: resourceOf(service),
    scope: ALL_SCOPES,
    state: "a state",
    ...parameters,
  })

/** A browser without scripts or windows: it keeps cookies, sends forms, and follows no redirect by itself. */
export class Browser {
  readonly #cookies = new Map<string, string>()

  constructor(member?: Member) {
    for (const cookie of member?.cookie.split("; ") ?? []) this.keep(cookie)
  }

  keep(cookie: string): void {
    const [name = "", ...value] = (cookie.split(";")[0] ?? "").split("=")
    this.#cookies.set(name, value.join("="))
  }

  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ")
  }

  async get(url: URL | string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#send(url, { headers })
  }

  async post(
    url: URL | string,
    form: URLSearchParams | Readonly<Record<string, string>>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    return this.#send(url, {
      method: "POST",
      body: new URLSearchParams(form),
      headers: { origin: new URL(url).origin, "sec-fetch-site": "same-origin", ...headers },
    })
  }

  async #send(url: URL | string, init: RequestInit & { headers: Record<string, string> }): Promise<Response> {
    const response = await fetch(url, {
      ...init,
      redirect: "manual",
      headers: { ...init.headers, cookie: this.cookie },
    })
    for (const cookie of response.headers.getSetCookie()) this.keep(cookie)
    return response
  }
}

/** What a person chooses on the consent page. */
export interface Choice {
  readonly scopes?: readonly string[]
  readonly days?: "7" | "30" | "90" | "all"
  readonly decision?: "allow" | "deny"
}

/** The value of a form's hidden token. */
export const formToken = (page: string): string => /name="token" value="([^"]+)"/.exec(page)?.[1] ?? ""

/** Opens an authorization request. Returns the address of the consent page. */
export async function openConsent(service: Address, browser: Browser, url: URL): Promise<URL> {
  const response = await browser.get(url)
  expect(response.status, await response.clone().text()).toBe(303)
  return new URL(response.headers.get("location") ?? "", service.url)
}

/** Sends the consent form. Returns the address that the browser is sent back to, with a code or an error. */
export async function decide(browser: Browser, consent: URL, choice: Choice = {}): Promise<URL> {
  const page = await (await browser.get(consent)).text()
  const { scopes = ALL_SCOPES.split(" "), days = "all", decision = "allow" } = choice
  const form = new URLSearchParams({ token: formToken(page), decision, days })
  for (const scope of scopes) form.append("scope", scope)
  const decided = await browser.post(consent, form)
  expect(decided.status, await decided.clone().text()).toBe(303)
  const between = await (await browser.get(new URL(decided.headers.get("location") ?? "", consent))).text()
  const resume = /http-equiv="refresh" content="0;url=([^"]+)"/.exec(between)?.[1] ?? ""
  const back = await browser.get(new URL(resume, consent))
  expect(back.status, await back.clone().text()).toBe(303)
  return new URL(back.headers.get("location") ?? "")
}

export const TokensSchema = z.looseObject({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
  token_type: z.literal("Bearer"),
  scope: z.string(),
})
export type Tokens = z.infer<typeof TokensSchema>

/** What differs from a new client that is allowed everything. */
export interface Flow {
  readonly client?: z.infer<typeof ClientSchema>
  readonly scope?: string
  readonly choice?: Choice
  readonly redirectUri?: string
}

export interface Authorized {
  readonly client: z.infer<typeof ClientSchema>
  readonly code: string
  readonly verifier: string
  readonly redirectUri: string
}

/** Registers a client, consents, and returns the authorization code. */
export async function authorize(service: Address, member: Member, flow: Flow = {}): Promise<Authorized> {
  const client = flow.client ?? (await register(service))
  const redirectUri = flow.redirectUri ?? REDIRECT_URI
  const { verifier, challenge } = pkce()
  const url = authorizationRequest(service, {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_challenge: challenge,
    ...(flow.scope !== undefined && { scope: flow.scope }),
  })
  const browser = new Browser(member)
  const back = await decide(browser, await openConsent(service, browser, url), flow.choice)
  expect(back.searchParams.get("error")).toBeNull()
  return { client, code: back.searchParams.get("code") ?? "", verifier, redirectUri }
}

export const postToken = (service: Address, form: Readonly<Record<string, string>>): Promise<Response> =>
  fetch(`${service.url}/oauth/token`, { method: "POST", body: new URLSearchParams(form) })

/** The token request for a code. RFC 6749 4.1.3 */
export const redemptionOf = (service: Address, { client, code, verifier, redirectUri }: Authorized) => ({
  grant_type: "authorization_code",
  client_id: client.client_id,
  code,
  code_verifier: verifier,
  redirect_uri: redirectUri,
  resource: resourceOf(service),
})

/** @param at the replica that receives the token request */
export const redeem = (service: Address, authorized: Authorized, at = service): Promise<Response> =>
  postToken(at, redemptionOf(service, authorized))

export const refresh = (service: Address, clientId: string, token: string): Promise<Response> =>
  postToken(service, { grant_type: "refresh_token", client_id: clientId, refresh_token: token })

/** Registers a client, consents, and redeems the code. */
export async function connectAssistant(
  service: Address,
  member: Member,
  flow: Flow = {},
): Promise<Tokens & { clientId: string }> {
  const authorized = await authorize(service, member, flow)
  const answer = await redeem(service, authorized)
  expect(answer.status, await answer.clone().text()).toBe(200)
  return { ...TokensSchema.parse(await answer.json()), clientId: authorized.client.client_id }
}

/** Sends one MCP request, as a client of version 2025-11-25 does without a session. */
export async function callConnector(
  service: Address,
  token: string | undefined,
  method: string,
  params: object = {},
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(resourceOf(service), {
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  })
}

const RpcSchema = z.looseObject({
  result: z.unknown().optional(),
  error: z.looseObject({ code: z.number() }).optional(),
})
const TextSchema = z.looseObject({ type: z.literal("text"), text: z.string() })
const LinkSchema = z.looseObject({ type: z.literal("resource_link"), uri: z.string(), mimeType: z.string() })
const ToolResultSchema = z
  .looseObject({
    isError: z.boolean().optional(),
    content: z.array(z.union([TextSchema, LinkSchema])),
    structuredContent: z.record(z.string(), z.unknown()).optional(),
    _meta: z.record(z.string(), z.unknown()).optional(),
  })
  .transform(({ content, ...result }) => ({
    ...result,
    content: content.filter((block) => block.type === "text"),
    links: content.filter((block) => block.type === "resource_link"),
  }))

/** Parses the message of a response, which is either JSON or an event stream. */
export async function messageOf(answer: Response): Promise<z.infer<typeof RpcSchema>> {
  const text = await answer.text()
  const json = text.startsWith("{") ? text : (/^data: (.+)$/m.exec(text)?.[1] ?? "")
  return RpcSchema.parse(JSON.parse(json))
}

export async function callTool(service: Address, token: string, name: string, args: object = {}) {
  const answer = await callConnector(service, token, "tools/call", { name, arguments: args })
  expect(answer.status, await answer.clone().text()).toBe(200)
  return ToolResultSchema.parse((await messageOf(answer)).result)
}

/** Adds this many reads to the access log, made now by the assistant of a client. */
export async function fillAccessLog(
  { store }: { readonly store: TestDatabase },
  clientId: string,
  count: number,
): Promise<void> {
  await store.pool.query(
    `insert into restwell.access_log (user_id, at, reader, client_id, assistant, operation, types, outcome)
     select user_id, now(), 'assistant', client_id, name, 'get_sleep', '{sleep}', 'answered'
     from restwell.assistant, generate_series(1, $2::int) where client_id = $1`,
    [clientId, count],
  )
}
