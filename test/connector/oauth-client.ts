import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthClientProvider,
  OAuthDiscoveryState,
  OAuthTokens,
} from "@modelcontextprotocol/client"

/** Stores the OAuth state of the official SDK's client in memory. */
export class MemoryOauthProvider implements OAuthClientProvider {
  readonly redirectUrl: string
  readonly clientMetadataUrl?: string
  tokenSet: OAuthTokens | undefined
  authorizationUrl: URL | undefined
  client: OAuthClientInformationMixed | undefined
  #verifier = ""
  #discovery: OAuthDiscoveryState | undefined

  constructor(redirectUrl: string, clientMetadataUrl?: string) {
    this.redirectUrl = redirectUrl
    if (clientMetadataUrl !== undefined) this.clientMetadataUrl = clientMetadataUrl
  }

  get clientMetadata(): OAuthClientMetadata {
    return {
      client_name: "Reference client",
      redirect_uris: [this.redirectUrl],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
    }
  }

  clientInformation(): OAuthClientInformationMixed | undefined {
    return this.client
  }

  saveClientInformation(client: OAuthClientInformationMixed): void {
    this.client = client
  }

  tokens(): OAuthTokens | undefined {
    return this.tokenSet
  }

  saveTokens(tokens: OAuthTokens): void {
    this.tokenSet = tokens
  }

  redirectToAuthorization(url: URL): void {
    this.authorizationUrl = url
  }

  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier
  }

  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovery = state
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovery
  }

  codeVerifier(): string {
    return this.#verifier
  }
}
