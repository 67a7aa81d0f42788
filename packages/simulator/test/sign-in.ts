/** Walks the authorization code flow over HTTP, as any client would. */
import type { PersonReference, Simulator } from "../src/index.ts"

const ALL_SCOPES = "offline read:recovery read:cycles read:workout read:sleep read:profile read:body_measurement"
export const REDIRECT_URI = "http://localhost:9999/callback"
export const CLIENT = { client_id: "simulator-client", client_secret: "simulator-secret" }

export interface Tokens {
  access_token: string
  refresh_token?: string
  expires_in: number
  scope: string
  token_type: string
}

/** Returns the query of a valid authorization request. */
export function authorizationQuery(changes: Record<string, string> = {}): URLSearchParams {
  return new URLSearchParams({
    response_type: "code",
    client_id: CLIENT.client_id,
    redirect_uri: REDIRECT_URI,
    scope: ALL_SCOPES,
    state: "abcd1234",
    ...changes,
  })
}

/** Posts the authorize form and returns the address it redirects to. */
export async function decide(
  simulator: Simulator,
  person: PersonReference,
  changes: Record<string, string> = {},
): Promise<URL> {
  const form = authorizationQuery({ decision: "allow", person: simulator.people.get(person).email, ...changes })
  const reply = await fetch(`${simulator.url}/oauth/oauth2/auth`, { method: "POST", body: form, redirect: "manual" })
  return new URL(reply.headers.get("location") ?? "missing:location")
}

export function postToken(simulator: Simulator, form: Record<string, string>): Promise<Response> {
  return fetch(`${simulator.url}/oauth/oauth2/token`, {
    method: "POST",
    body: new URLSearchParams({ ...CLIENT, ...form }),
  })
}

export function exchange(simulator: Simulator, code: string): Promise<Response> {
  return postToken(simulator, { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI })
}

export function refresh(simulator: Simulator, refreshToken: string | undefined): Promise<Response> {
  return postToken(simulator, { grant_type: "refresh_token", refresh_token: refreshToken ?? "", scope: "offline" })
}

export async function signIn(simulator: Simulator, person: PersonReference, scope = ALL_SCOPES): Promise<Tokens> {
  const location = await decide(simulator, person, { scope })
  const reply = await exchange(simulator, location.searchParams.get("code") ?? "")
  const tokens: Tokens = await reply.json()
  return tokens
}

/** Requests a path of the data API with a person's access token. */
export function ask(simulator: Simulator, { access_token }: Tokens, path: string, method = "GET"): Promise<Response> {
  return fetch(`${simulator.url}/developer${path}`, { method, headers: { authorization: `Bearer ${access_token}` } })
}

/** Returns all pages of a collection. */
export async function walk<T>(simulator: Simulator, tokens: Tokens, path: string, query: Record<string, string> = {}) {
  const pages: { records: T[]; next_token?: string | null }[] = []
  let nextToken: string | null | undefined
  do {
    const parameters = new URLSearchParams({ ...query, ...(nextToken && { nextToken }) })
    const reply = await ask(simulator, tokens, `${path}?${parameters}`)
    const page: { records: T[]; next_token?: string | null } = await reply.json()
    pages.push(page)
    nextToken = page.next_token
  } while (nextToken)
  return pages
}
