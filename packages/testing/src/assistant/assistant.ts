import { createHash, randomBytes } from "node:crypto"
import { expect } from "vitest"
import { z } from "zod"
import type { Address, Member } from "./member.ts"
import type { TestService } from "./service.ts"

export const ClientSchema = z.looseObject({ client_id: z.string(), client_secret: z.string().optional() })
export const TokensSchema = z.looseObject({
  access_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
  token_type: z.literal("Bearer"),
  scope: z.string(),
})
export type Tokens = z.infer<typeof TokensSchema>

export const REDIRECT_URI = "https://assistant.example/callback"
export const ALL_SCOPES = "sleep:read recovery:read workouts:read profile:read"

/** What a person decides on the consent page. */
export interface Choice {
  readonly scopes?: readonly string[]
  readonly days?: "7" | "30" | "90" | "all"
  readonly decision?: "allow" | "deny"
}

export const resourceOf = ({ url }: Address): string => `${url}/api/mcp/oauth`

export async function register(service: Address, metadata: object = {}): Promise<z.infer<typeof ClientSchema>> {
  const answer = await fetch(`${service.url}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({
      client_name: "Test assistant",
      redirect_uris: [REDIRECT_URI],
      token_endpoint_auth_method: "none",
      ...metadata,
    }),
  })
  expect(answer.status, await answer.clone().text()).toBe(201)
  return ClientSchema.parse(await answer.json())
}

/** PKCE, RFC 7636. */
export function pkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString("base64url")
  return { verifier, challenge: createHash("sha256").update(verifier).digest("base64url") }
}

export function authorizationUrl(service: Address, parameters: Readonly<Record<string, string | undefined>>): URL {
  const url = new URL("/oauth/authorize", service.url)
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) url.searchParams.set(name, value)
  return url
}

/** A request for everything that is as it must be, but for what `parameters` say; its verifier is nobody's. */
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

/** A browser without a window: cookies, forms, and redirects one by one. */
export class Browser {
  readonly #cookies = new Map<string, string>()

  constructor(member?: Member) {
    if (member) this.keep(member.cookie)
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
    const answer = await fetch(url, { ...init, redirect: "manual", headers: { ...init.headers, cookie: this.cookie } })
    for (const cookie of answer.headers.getSetCookie()) this.keep(cookie)
    return answer
  }
}

/** The value of a form's hidden token. */
export const formToken = (page: string): string => /name="token" value="([^"]+)"/.exec(page)?.[1] ?? ""

/** Opens the authorization request. @returns the address of the consent page */
export async function openConsent(service: Address, browser: Browser, url: URL): Promise<URL> {
  const answer = await browser.get(url)
  expect(answer.status, await answer.clone().text()).toBe(303)
  return new URL(answer.headers.get("location") ?? "", service.url)
}

/** Decides, and follows the browser back. @returns where the assistant is answered */
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

/** From nothing to an authorization code. */
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

/** What a code is redeemed with. RFC 6749 4.1.3 */
export const redemptionOf = (service: Address, { client, code, verifier, redirectUri }: Authorized) => ({
  grant_type: "authorization_code",
  client_id: client.client_id,
  code,
  code_verifier: verifier,
  redirect_uri: redirectUri,
  resource: resourceOf(service),
})

/** @param at the replica that is asked */
export const redeem = (service: Address, authorized: Authorized, at = service): Promise<Response> =>
  postToken(at, redemptionOf(service, authorized))

export const refresh = (service: Address, clientId: string, token: string): Promise<Response> =>
  postToken(service, { grant_type: "refresh_token", client_id: clientId, refresh_token: token })

/** From nothing to tokens. */
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

/** One request of MCP, as a client of 2025-11-25 sends it without a session. */
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
const ToolResultSchema = z.looseObject({
  isError: z.boolean().optional(),
  content: z.array(z.looseObject({ type: z.string(), text: z.string() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
})

/** The message of an answer, whether it came as JSON or as an event. */
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

/** Readings that an assistant of this client made, so many, all at once. */
export async function fillAccessLog({ store }: TestService, clientId: string, count: number): Promise<void> {
  await store.pool.query(
    `insert into restwell.access_log (user_id, at, client_id, assistant, operation, types, outcome)
     select user_id, now(), client_id, name, 'get_sleep', '{sleep}', 'answered'
     from restwell.assistant, generate_series(1, $2::int) where client_id = $1`,
    [clientId, count],
  )
}
