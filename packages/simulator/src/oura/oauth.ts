/** Oura's authorization, token and revocation endpoints, of both portals. @see https://cloud.ouraring.com/docs/authentication */

import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify"
import { formOf, queryOf } from "../http/vendor-api.ts"
import type { AuthorizationEndpoint } from "../vendor/authorize.ts"
import type { TokenPair } from "../vendor/grants.ts"
import type { OuraPortal, OuraVendor } from "./vendor.ts"

const SCOPE_TEXTS: Readonly<Record<string, string>> = {
  email: "Your email address",
  personal: "Your age, weight, height and sex",
  daily: "Your sleep, activity and readiness of each day",
  heartrate: "Your heart rate",
  workout: "Your workouts",
  tag: "Your tags",
  session: "Your moments and sessions",
  spo2: "Your blood oxygen",
}

/** The apps of the current portal write scopes with this prefix, or without. */
const PREFIX = "extapi:"

const OAUTH_PATHS = {
  legacy: { authorize: "/oauth/authorize", token: "/oauth/token", revoke: "/oauth/revoke" },
  current: {
    authorize: "/oauth/v2/ext/oauth-authorize",
    token: "/oauth/v2/ext/oauth-token",
    revoke: "/oauth/v2/ext/oauth-revoke",
  },
} as const satisfies Record<OuraPortal, object>

/** Returns the endpoint of the portal that the app belongs to. The other portal does not know the app. */
export function ouraAuthorization({ settings, people, grants }: OuraVendor): AuthorizationEndpoint {
  const { portal } = settings
  return {
    vendorName: "Oura",
    path: OAUTH_PATHS[portal].authorize,
    scopeTexts: SCOPE_TEXTS,
    scopesAreOptional: true,
    app: settings,
    people,
    grants,
    refuse: (query) =>
      query.get("response_type") === "code"
        ? undefined
        : ["unsupported_response_type", "The authorization server supports the type code only"],
    // An unknown scope is dropped in silence.
    grantedScopes: (allowed) =>
      allowed
        .map((scope) => scope.replace(PREFIX, ""))
        .filter((scope) => Object.hasOwn(SCOPE_TEXTS, scope) && !settings.uncheckedScopes.includes(scope)),
    redirectParameters: portal === "current" ? { iss: "https://moi.ouraring.com/oauth/v2/ext/oauth-anonymous" } : {},
  }
}

class OauthError extends Error {
  override readonly name = "OauthError"
  readonly status: number
  readonly error: string

  constructor(status: number, error: string, description: string) {
    super(description)
    this.status = status
    this.error = error
  }
}

export function addOuraTokenRoutes(app: FastifyInstance, vendor: OuraVendor): void {
  for (const portal of ["legacy", "current"] as const) {
    app.post(OAUTH_PATHS[portal].token, (request, reply) =>
      answer(reply, () => present(vendor, issue(vendor, portal, request))),
    )
    app.post(OAUTH_PATHS[portal].revoke, (request, reply) => answer(reply, () => revoke(vendor, portal, request)))
  }
}

async function answer(reply: FastifyReply, act: () => object): Promise<unknown> {
  reply.headers({ "cache-control": "no-store" })
  try {
    return act()
  } catch (refusal) {
    if (!(refusal instanceof OauthError)) throw refusal
    const { status, error, message } = refusal
    return reply.code(status).send({ status, title: error, detail: message, error, error_description: message })
  }
}

/** Credentials are in the form or in HTTP Basic. */
function requireClient({ settings }: OuraVendor, request: FastifyRequest): string {
  const form = formOf(request)
  const basic = /^Basic (.+)$/i.exec(request.headers.authorization ?? "")?.[1] ?? ""
  const [user, password] = Buffer.from(basic, "base64").toString().split(":")
  const clientId = form.get("client_id") ?? user
  const secret = form.get("client_secret") ?? password
  if (clientId !== settings.clientId || secret !== settings.clientSecret)
    throw new OauthError(401, "invalid_client", "Client authentication failed")
  return clientId
}

function issue(vendor: OuraVendor, portal: OuraPortal, request: FastifyRequest): TokenPair {
  const form = formOf(request)
  const clientId = requireClient(vendor, request)
  switch (form.get("grant_type")) {
    case "authorization_code":
      return exchange(vendor, portal, clientId, form)
    case "refresh_token":
      if (portal !== vendor.settings.portal)
        throw new OauthError(400, "invalid_request", "The refresh token is not of this authorization server")
      return (
        vendor.grants.refresh(form.get("refresh_token") ?? "", clientId) ??
        refuse(400, "invalid_grant", "Refresh token already used")
      )
    default:
      return refuse(400, "unsupported_grant_type", "The grant_type is missing or not supported")
  }
}

/** The endpoint of the other portal refuses the app, and the code is spent. */
function exchange({ settings, grants }: OuraVendor, portal: OuraPortal, clientId: string, form: URLSearchParams) {
  const code = form.get("code") ?? ""
  if (portal !== settings.portal) {
    grants.spendCode(code)
    return refuse(401, "invalid_client", "Client authentication failed")
  }
  return (
    grants.exchangeCode(code, clientId, form.get("redirect_uri") ?? "") ??
    refuse(400, "invalid_grant", "The authorization code is invalid, expired or already used")
  )
}

/** An unknown token counts as revoked (RFC 7009, section 2.2). The legacy portal takes it as a parameter of the address. */
function revoke(vendor: OuraVendor, portal: OuraPortal, request: FastifyRequest): object {
  if (portal !== vendor.settings.portal) return refuse(401, "invalid_client", "Client authentication failed")
  if (portal === "current") requireClient(vendor, request)
  const token = portal === "current" ? formOf(request).get("token") : queryOf(request).get("access_token")
  vendor.grants.revokeToken(token ?? refuse(400, "invalid_request", "The token is missing"))
  return {}
}

function present({ settings }: OuraVendor, { accessToken, refreshToken, grant }: TokenPair) {
  return {
    token_type: "bearer",
    access_token: accessToken,
    expires_in: settings.accessTokenSeconds,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    ...(settings.namesScopes && { scope: grant.scopes.join(" ") }),
  }
}

function refuse(status: number, error: string, description: string): never {
  throw new OauthError(status, error, description)
}
