/**
 * WHOOP's authorization and token endpoints. The token endpoint has the errors of Ory Hydra, which WHOOP runs.
 * @see https://developer.whoop.com/docs/developing/oauth
 */

import type { FastifyInstance } from "fastify"
import { formOf } from "../http/vendor-api.ts"
import type { AuthorizationEndpoint } from "../vendor/authorize.ts"
import type { TokenPair } from "../vendor/grants.ts"
import type { WhoopVendor } from "./vendor.ts"

const SHORTEST_STATE = 8

const SCOPE_TEXTS: Readonly<Record<string, string>> = {
  offline: "Stay connected while you are away",
  "read:recovery": "Your recovery: score, heart rate variability, resting heart rate",
  "read:cycles": "Your day strain and average heart rate",
  "read:workout": "Your workouts and activities",
  "read:sleep": "Your sleep and naps",
  "read:profile": "Your name and email address",
  "read:body_measurement": "Your height, weight and maximal heart rate",
}

export function whoopAuthorization({ settings, people, grants }: WhoopVendor): AuthorizationEndpoint {
  return {
    vendorName: "WHOOP",
    path: "/oauth/oauth2/auth",
    scopeTexts: SCOPE_TEXTS,
    scopesAreOptional: false,
    app: settings,
    people,
    grants,
    refuse(query, state, scopes) {
      if (query.get("response_type") !== "code")
        return ["unsupported_response_type", "The authorization server supports the type code only"]
      if (state.length < SHORTEST_STATE || (settings.strictState && state.length !== SHORTEST_STATE))
        return ["invalid_state", "The state is missing or does not have enough characters"]
      if (scopes.length === 0 || !scopes.every((scope) => Object.hasOwn(SCOPE_TEXTS, scope)))
        return ["invalid_scope", "The requested scope is invalid, unknown, or malformed"]
      return undefined
    },
    grantedScopes: (allowed) => allowed,
    redirectParameters: {},
  }
}

const TOKEN_PATH = "/oauth/oauth2/token"

/** Errors of RFC 6749, section 5.2, in Hydra's words. */
const DESCRIPTIONS = {
  invalid_client:
    "Client authentication failed (e.g., unknown client, no client authentication included, or unsupported authentication method).",
  invalid_grant:
    "The provided authorization grant (e.g., authorization code, resource owner credentials) or refresh token is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client.",
  invalid_request:
    "The request is missing a required parameter, includes an invalid parameter value, includes a parameter more than once, or is otherwise malformed",
} as const

class TokenError extends Error {
  override readonly name = "TokenError"
  readonly error: keyof typeof DESCRIPTIONS

  constructor(error: keyof typeof DESCRIPTIONS, hint: string) {
    super(hint)
    this.error = error
  }
}

export function addTokenRoute(app: FastifyInstance, vendor: WhoopVendor): void {
  app.post(TOKEN_PATH, async (request, reply) => {
    reply.headers({ "cache-control": "no-store", pragma: "no-cache" })
    try {
      return present(issue(vendor, formOf(request)), vendor.settings.accessTokenSeconds)
    } catch (refusal) {
      if (!(refusal instanceof TokenError)) throw refusal
      const { error, message: hint } = refusal
      const status = error === "invalid_client" ? 401 : 400
      const description = DESCRIPTIONS[error]
      return reply.code(status).send({ error, error_description: description, error_hint: hint, status_code: status })
    }
  })
}

function issue({ settings, grants }: WhoopVendor, form: URLSearchParams): TokenPair {
  const clientId = form.get("client_id")
  if (clientId !== settings.clientId || form.get("client_secret") !== settings.clientSecret)
    return refuse("invalid_client", "The client_id or the client_secret is wrong")
  switch (form.get("grant_type")) {
    case "authorization_code":
      return (
        grants.exchangeCode(required(form, "code"), clientId, required(form, "redirect_uri")) ??
        refuse(
          "invalid_grant",
          "The authorization code is unknown, expired, already used, or belongs to another redirect_uri",
        )
      )
    case "refresh_token":
      return (
        grants.refresh(required(form, "refresh_token"), clientId) ??
        refuse("invalid_grant", "The refresh token has not been found or was already used")
      )
    default:
      return refuse("invalid_request", "The grant_type is missing or not supported")
  }
}

function present({ accessToken, refreshToken, grant }: TokenPair, expiresInSeconds: number) {
  return {
    access_token: accessToken,
    expires_in: expiresInSeconds,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    scope: grant.scopes.join(" "),
    token_type: "bearer",
  }
}

function required(form: URLSearchParams, name: string): string {
  const value = form.get(name)
  if (value === null || value === "") return refuse("invalid_request", `The parameter ${name} is missing`)
  return value
}

function refuse(error: TokenError["error"], hint: string): never {
  throw new TokenError(error, hint)
}
