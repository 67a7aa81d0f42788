import { HEALTH_SCOPES, isHealthScope } from "@restwell/core"

/** Path of the connector. With the base URL it is the resource of access tokens (RFC 8707), always without a slash at its end. */
export const CONNECTOR_PATH = "/api/mcp/oauth"

export const resourceOf = (baseUrl: string): string => `${baseUrl}${CONNECTOR_PATH}`

/** Hosts of programs on the person's own machine. RFC 8252 7.3 */
export const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"])

export const isLoopback = (url: URL): boolean => url.protocol === "http:" && LOOPBACK_HOSTS.has(url.hostname)

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

/** The dashboard's sign-in page, which leads back to the page where the person decides. */
export const signInPath = (id: string): string => `/sign-in?${new URLSearchParams({ next: interactionPath(id) })}`

/** Where the browser goes on to the client once the person has decided. */
export const resumePath = (id: string): string => `${AUTHORIZATION_PATHS.authorization}/${id}`

/**
 * The connector's resource for its other spellings: some clients add a slash, some send the site's own address, some write the host in
 * capitals or the scheme's own port. Any other text stays as it is and is refused. RFC 8707 2, RFC 3986 6.2
 */
function normalizeResource(indicator: string, baseUrl: string): string {
  const resource = resourceOf(baseUrl)
  const url = PLAIN_URL.test(indicator) ? URL.parse(indicator) : null
  const isOurs = url?.origin === new URL(baseUrl).origin && SPELLINGS.has(pathIn(indicator))
  return isOurs ? resource : indicator
}

/** A scheme, a host with or without a port, and a path of plain characters: neither a user nor a query, which parsers treat differently. */
const PLAIN_URL = /^https?:\/\/[\w.:[\]-]+(?:\/[\w/]*)?$/i
const SPELLINGS: ReadonlySet<string> = new Set(["", "/", CONNECTOR_PATH, `${CONNECTOR_PATH}/`])

/** As it is written, because parsers resolve dots. */
const pathIn = (url: string): string => url.replace(/^https?:\/\/[^/]*/i, "")

/**
 * A request's parameters with one spelling of the only resource. An authorization request without a health scope gets all of them, because
 * older clients send no scope, and the person decides. All other parameters stay as they are.
 */
export function normalizeParameters(
  sent: URLSearchParams,
  baseUrl: string,
  endpoint: "authorization" | "token",
): string {
  const normalized = new URLSearchParams(
    [...sent].map(([name, value]) => [name, name === "resource" ? normalizeResource(value, baseUrl) : value]),
  )
  const resources = new Set(normalized.getAll("resource"))
  if (resources.size === 1) normalized.set("resource", [...resources].join(""))
  if (endpoint === "authorization") addHealthScopes(normalized)
  return normalized.toString()
}

function addHealthScopes(parameters: URLSearchParams): void {
  const scopes = parameters.getAll("scope")
  if (scopes.length > 1) return
  const requested = (scopes[0] ?? "").split(" ").filter((scope) => scope !== "")
  if (!requested.some(isHealthScope)) parameters.set("scope", [...requested, ...HEALTH_SCOPES].join(" "))
}
