/** Walks Oura's authorization code flow over HTTP, as any client would. */
import type { OuraPortal, OuraSimulator, PersonReference } from "../src/index.ts"

const REDIRECT_URI = "http://localhost:9999/callback"
const CLIENT = { client_id: "simulator-client", client_secret: "simulator-secret" }
const OURA_SCOPES = "personal daily workout heartrate spo2 session tag email"

const OURA_PATHS: Readonly<Record<OuraPortal, { authorize: string; token: string; revoke: string }>> = {
  legacy: { authorize: "/oauth/authorize", token: "/oauth/token", revoke: "/oauth/revoke" },
  current: {
    authorize: "/oauth/v2/ext/oauth-authorize",
    token: "/oauth/v2/ext/oauth-token",
    revoke: "/oauth/v2/ext/oauth-revoke",
  },
}

export interface OuraTokens {
  access_token: string
  refresh_token: string
  expires_in: number
  scope: string
}

/** Returns the address that the authorize page redirects to. */
export async function decideAtOura(
  simulator: OuraSimulator,
  person: PersonReference,
  portal: OuraPortal = "current",
  changes: Record<string, string> = {},
): Promise<URL> {
  const form = new URLSearchParams({
    response_type: "code",
    client_id: CLIENT.client_id,
    redirect_uri: REDIRECT_URI,
    scope: OURA_SCOPES,
    state: "state-1",
    decision: "allow",
    person: simulator.people.get(person).email,
    ...changes,
  })
  const address = `${simulator.url}${OURA_PATHS[portal].authorize}`
  const reply = await fetch(address, { method: "POST", body: form, redirect: "manual" })
  return new URL(reply.headers.get("location") ?? "missing:location")
}

export function postOuraToken(
  simulator: OuraSimulator,
  form: Record<string, string>,
  portal: OuraPortal = "current",
): Promise<Response> {
  return fetch(`${simulator.url}${OURA_PATHS[portal].token}`, {
    method: "POST",
    body: new URLSearchParams({ ...CLIENT, ...form }),
  })
}

export const exchangeAtOura = (simulator: OuraSimulator, code: string, portal: OuraPortal = "current") =>
  postOuraToken(simulator, { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI }, portal)

export async function signInAtOura(
  simulator: OuraSimulator,
  person: PersonReference,
  changes: Record<string, string> = {},
): Promise<OuraTokens> {
  const location = await decideAtOura(simulator, person, "current", changes)
  const reply = await exchangeAtOura(simulator, location.searchParams.get("code") ?? "")
  const tokens: OuraTokens = await reply.json()
  return tokens
}

export function askOura(simulator: OuraSimulator, { access_token }: OuraTokens, path: string): Promise<Response> {
  return fetch(`${simulator.url}/v2/usercollection/${path}`, { headers: { authorization: `Bearer ${access_token}` } })
}

interface OuraPage<T> {
  data: T[]
  next_token: string | null
}

/** Returns all documents of a query, from all of its pages. */
export async function listOura<T>(
  simulator: OuraSimulator,
  tokens: OuraTokens,
  name: string,
  query: Record<string, string> = {},
): Promise<T[]> {
  const found: T[] = []
  let token: string | null = ""
  while (token !== null) {
    const parameters = new URLSearchParams({ ...query, ...(token !== "" && { next_token: token }) })
    const page: OuraPage<T> = await (await askOura(simulator, tokens, `${name}?${parameters}`)).json()
    found.push(...page.data)
    token = page.next_token
  }
  return found
}

export const APP_HEADERS = { "x-client-id": CLIENT.client_id, "x-client-secret": CLIENT.client_secret }
