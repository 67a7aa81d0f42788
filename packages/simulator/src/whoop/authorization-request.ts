/** A valid authorization request. @see RFC 6749, section 4.1.1 */
export interface AuthorizationRequest {
  readonly clientId: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly state: string
  readonly loginHint: string | undefined
}
