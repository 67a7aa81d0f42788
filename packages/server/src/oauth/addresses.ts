/** Path of the connector. With the base URL it is the resource of access tokens (RFC 8707), always without a slash at its end. */
export const CONNECTOR_PATH = "/api/mcp/oauth"

export const resourceOf = (baseUrl: string): string => `${baseUrl}${CONNECTOR_PATH}`

/** Endpoints of the authorization server. */
export const AUTHORIZATION_PATHS = {
  authorization: "/oauth/authorize",
  token: "/oauth/token",
  registration: "/oauth/register",
  revocation: "/oauth/revoke",
  jwks: "/oauth/jwks",
} as const

/** The page where the person decides. */
export const interactionPath = (id: string): string => `/oauth/consent/${id}`

/** Where the browser goes on to the client once the person has decided. */
export const resumePath = (id: string): string => `${AUTHORIZATION_PATHS.authorization}/${id}`

/**
 * The connector's resource for its other spellings: some clients add a slash, some send the site's own address. Any other text stays as it
 * is and is refused. RFC 8707 2
 */
export function normalizeResource(indicator: string, baseUrl: string): string {
  const resource = resourceOf(baseUrl)
  return [`${resource}/`, baseUrl, `${baseUrl}/`].includes(indicator) ? resource : indicator
}
