/**
 * The token endpoint. Its errors are those of Ory Hydra, which WHOOP runs.
 * @see https://developer.whoop.com/docs/developing/oauth
 */
import type { FastifyInstance } from "fastify"
import type { TokenPair } from "../grants/grants.ts"
import { formOf } from "../http/request.ts"
import type { Vendor } from "./vendor.ts"

const TOKEN_PATH = "/oauth/oauth2/token"

/** An error of RFC 6749, section 5.2, with Hydra's additions. */
class TokenError extends Error {
  readonly status: number
  readonly error: string
  readonly hint: string

  constructor(status: number, error: string, description: string, hint: string) {
    super(description)
    this.name = "TokenError"
    this.status = status
    this.error = error
    this.hint = hint
  }
}

export function addTokenRoute(app: FastifyInstance, vendor: Vendor): void {
  app.post(TOKEN_PATH, async (request, reply) => {
    reply.headers({ "cache-control": "no-store", pragma: "no-cache" })
    try {
      return present(issue(vendor, formOf(request)), vendor.settings.accessTokenSeconds)
    } catch (refusal) {
      if (!(refusal instanceof TokenError)) throw refusal
      const { status, error, message, hint } = refusal
      return reply.code(status).send({ error, error_description: message, error_hint: hint, status_code: status })
    }
  })
}

function issue({ settings, grants }: Vendor, form: URLSearchParams): TokenPair {
  const clientId = form.get("client_id")
  if (clientId !== settings.clientId || form.get("client_secret") !== settings.clientSecret) throw invalidClient()
  switch (form.get("grant_type")) {
    case "authorization_code":
      return (
        grants.exchangeCode(required(form, "code"), clientId, required(form, "redirect_uri")) ??
        invalidGrant("The authorization code is unknown, expired, already used, or belongs to another redirect_uri")
      )
    case "refresh_token":
      return (
        grants.refresh(required(form, "refresh_token"), clientId) ??
        invalidGrant("The refresh token has not been found or was already used")
      )
    default:
      throw invalidRequest("The grant_type is missing or not supported")
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
  if (value === null || value === "") throw invalidRequest(`The parameter ${name} is missing`)
  return value
}

function invalidClient(): TokenError {
  const description =
    "Client authentication failed (e.g., unknown client, no client authentication included, or unsupported authentication method)."
  return new TokenError(401, "invalid_client", description, "The client_id or the client_secret is wrong")
}

function invalidGrant(hint: string): never {
  const description =
    "The provided authorization grant (e.g., authorization code, resource owner credentials) or refresh token is invalid, expired, revoked, does not match the redirection URI used in the authorization request, or was issued to another client."
  throw new TokenError(400, "invalid_grant", description, hint)
}

function invalidRequest(hint: string): TokenError {
  const description =
    "The request is missing a required parameter, includes an invalid parameter value, includes a parameter more than once, or is otherwise malformed"
  return new TokenError(400, "invalid_request", description, hint)
}
