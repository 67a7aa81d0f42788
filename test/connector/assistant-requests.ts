import { authorizationRequest, REDIRECT_URI, register } from "@restwell/testing/assistant"
import type { Address } from "@restwell/testing/member"

/** The metadata document that `fetchDocument` returns. */
export const DOCUMENT_URL = "https://documented.example/oauth/client"
export const DOCUMENT_REDIRECT_URI = "https://documented.example/callback"
const DOCUMENT = {
  client_id: DOCUMENT_URL,
  client_name: "Documented assistant",
  redirect_uris: [DOCUMENT_REDIRECT_URI],
  token_endpoint_auth_method: "none",
}
export const fetchDocument: typeof fetch = async (url) =>
  String(url) === DOCUMENT_URL ? Response.json(DOCUMENT) : new Response("", { status: 404 })

export interface AssistantRequest {
  /** The client name to register. */
  readonly name?: string
  readonly redirectUri?: string
  readonly scope?: string
  /** A client that is already registered. */
  readonly clientId?: string
}

/** Returns the authorization URL that an assistant opens in the person's browser. */
export async function requestOf(service: Address, request: AssistantRequest = {}): Promise<string> {
  const { name = "Test assistant", redirectUri = REDIRECT_URI, scope } = request
  const metadata = { client_name: name, redirect_uris: [redirectUri] }
  return authorizationRequest(service, {
    client_id: request.clientId ?? (await register(service, metadata)).client_id,
    redirect_uri: redirectUri,
    ...(scope !== undefined && { scope }),
  }).href
}

export const documentedRequestOf = (service: Address): Promise<string> =>
  requestOf(service, { clientId: DOCUMENT_URL, redirectUri: DOCUMENT_REDIRECT_URI })
