/** Google's authorization, token and revocation endpoints. @see https://developers.google.com/identity/protocols/oauth2/web-server */
import type { FastifyInstance, FastifyReply } from "fastify"
import { formOf } from "../http/vendor-api.ts"
import { DAY_MS } from "../model/calendar.ts"
import type { AuthorizationEndpoint } from "../vendor/authorize.ts"
import type { Grant, TokenPair } from "../vendor/grants.ts"
import { type GoogleVendor, PREFIX } from "./vendor.ts"

const SCOPE_TEXTS: Readonly<Record<string, string>> = {
  [`${PREFIX}profile.readonly`]: "Your profile",
  [`${PREFIX}settings.readonly`]: "Your settings, with your time zone",
  [`${PREFIX}sleep.readonly`]: "Your sleep",
  [`${PREFIX}activity_and_fitness.readonly`]: "Your activity and workouts",
  [`${PREFIX}health_metrics_and_measurements.readonly`]: "Your heart rate, weight and other measurements",
}

export const ACCESS_SECONDS = 3_599
const GRANT_DAYS_IN_TESTING = 7

export const googleAuthorization = ({ settings, people, grants }: GoogleVendor): AuthorizationEndpoint => ({
  vendorName: "Google",
  path: "/o/oauth2/v2/auth",
  scopeTexts: SCOPE_TEXTS,
  scopesAreOptional: true,
  app: settings,
  people,
  grants,
  refuse: (query) =>
    query.get("response_type") !== "code"
      ? ["unsupported_response_type", "The authorization server supports the type code only"]
      : query.get("access_type") !== "offline" || query.get("prompt") !== "consent"
        ? ["invalid_request", "Without offline access and consent there is no refresh token"]
        : undefined,
  // A scope that the consent screen does not list is dropped in silence.
  grantedScopes: (allowed) =>
    allowed.filter(
      (scope) =>
        Object.hasOwn(SCOPE_TEXTS, scope) &&
        !settings.uncheckedScopes.some((unchecked) => scope === `${PREFIX}${unchecked}.readonly`),
    ),
  redirectParameters: {},
})

/** A refresh keeps the refresh token, and an older access token stays valid to its end. */
export function addGoogleTokenRoutes(app: FastifyInstance, vendor: GoogleVendor): void {
  const { settings, grants, clock } = vendor
  const givenMs = new WeakMap<Grant, number>()
  app.post("/token", async (request, reply) => {
    const form = formOf(request)
    const clientId = form.get("client_id") ?? ""
    if (clientId !== settings.clientId || form.get("client_secret") !== settings.clientSecret)
      return refuse(reply, 401, "invalid_client")
    if (form.get("grant_type") === "authorization_code") {
      const pair = grants.exchangeCode(form.get("code") ?? "", clientId, form.get("redirect_uri") ?? "")
      if (!pair) return refuse(reply, 400, "invalid_grant")
      givenMs.set(pair.grant, clock.nowMs())
      return present(pair)
    }
    if (form.get("grant_type") !== "refresh_token") return refuse(reply, 400, "unsupported_grant_type")
    const pair = grants.renewAccess(form.get("refresh_token") ?? "", clientId)
    if (!pair) return refuse(reply, 400, "invalid_grant")
    const since = givenMs.get(pair.grant) ?? clock.nowMs()
    if (settings.isInTesting && clock.nowMs() >= since + GRANT_DAYS_IN_TESTING * DAY_MS) {
      grants.revokeToken(pair.accessToken)
      return refuse(reply, 400, "invalid_grant")
    }
    return present(pair)
  })
  app.post("/revoke", async (request, reply) => {
    const token = formOf(request).get("token") ?? ""
    if (!grants.authorize(token)) return refuse(reply, 400, "invalid_token")
    grants.revokeToken(token)
    return {}
  })
}

const refuse = (reply: FastifyReply, status: number, error: string) =>
  reply.code(status).send({ error, error_description: "Token has been expired or revoked." })

const present = ({ accessToken, refreshToken, grant }: TokenPair) => ({
  access_token: accessToken,
  expires_in: ACCESS_SECONDS,
  scope: grant.scopes.join(" "),
  token_type: "Bearer",
  ...(refreshToken !== undefined && { refresh_token: refreshToken }),
})
