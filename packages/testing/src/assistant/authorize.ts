import { expect } from "vitest"
import { z } from "zod"
import type { Address, Member } from "../member/member.ts"
import { type Choice, decide, openConsent } from "./consent.ts"
import { Browser } from "./plain-browser.ts"
import { authorizationRequest, type ClientSchema, pkce, REDIRECT_URI, register, resourceOf } from "./register.ts"

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
