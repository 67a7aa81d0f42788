/** Where the connector is, and what an access token must be for. Without a slash at its end, in every place. */
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

/** Where the person is asked. */
export const interactionPath = (id: string): string => `/oauth/consent/${id}`

/** Where the client is answered, once the person has decided. */
export const resumePath = (id: string): string => `${AUTHORIZATION_PATHS.authorization}/${id}`

/**
 * The resource that a client means. Some send the connector's address with a slash, some the site's own: those clients know no other
 * resource here. Anything else stays as it is, and is refused. RFC 8707 2
 */
export function resourceMeant(indicator: string, baseUrl: string): string {
  const resource = resourceOf(baseUrl)
  return [`${resource}/`, baseUrl, `${baseUrl}/`].includes(indicator) ? resource : indicator
}
