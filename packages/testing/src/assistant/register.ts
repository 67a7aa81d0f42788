import { createHash, randomBytes } from "node:crypto"
import { expect } from "vitest"
import { z } from "zod"
import type { Address } from "../member/member.ts"

export const ClientSchema = z.looseObject({ client_id: z.string(), client_secret: z.string().optional() })

export const REDIRECT_URI = "https://assistant.example/callback"
export const ALL_SCOPES = "sleep:read recovery:read workouts:read profile:read journal:read"

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
