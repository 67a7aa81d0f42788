/** Polar's authorization and token endpoints, and the registration of people. @see https://www.polar.com/accesslink-api/#authentication */
import type { FastifyInstance } from "fastify"
import { formOf } from "../http/vendor-api.ts"
import type { AuthorizationEndpoint } from "../vendor/authorize.ts"
import { isClient, type PolarVendor, personOf, polarError, TOKEN_SECONDS } from "./vendor.ts"

const SCOPE = "accesslink.read_all"

export function polarAuthorization({ settings, people, grants }: PolarVendor): AuthorizationEndpoint {
  return {
    vendorName: "Polar",
    path: "/oauth2/authorization",
    scopeTexts: { [SCOPE]: "Your sleep, recharge, activity and training" },
    scopesAreOptional: false,
    app: settings,
    people,
    grants,
    refuse: (query, _state, scopes) => {
      if (query.get("response_type") !== "code")
        return ["unsupported_response_type", "The authorization server supports the type code only"]
      return scopes.every((scope) => scope === SCOPE) ? undefined : ["invalid_scope", "The scope is unknown"]
    },
    grantedScopes: (allowed) => allowed,
    redirectParameters: {},
  }
}

export function addPolarTokenRoute(app: FastifyInstance, vendor: PolarVendor): void {
  app.post("/v2/oauth2/token", async (request, reply) => {
    const form = formOf(request)
    // Credentials in the form count for nothing.
    if (!isClient(vendor, request)) return reply.code(401).send({ error: "invalid_client" })
    if (form.get("grant_type") !== "authorization_code")
      return reply.code(400).send({ error: "unsupported_grant_type" })
    const { clientId } = vendor.settings
    const pair = vendor.grants.exchangeCode(form.get("code") ?? "", clientId, form.get("redirect_uri") ?? "")
    if (!pair) return reply.code(400).send({ error: "invalid_grant" })
    const { accessToken, grant } = pair
    return { access_token: accessToken, token_type: "bearer", expires_in: TOKEN_SECONDS, x_user_id: grant.userId }
  })
}

/** People are registered once, and their registration ends with the grant. */
export function addRegistrationRoutes(app: FastifyInstance, vendor: PolarVendor): void {
  const { registrations, settings, clock, grants } = vendor
  app.post<{ Body: { "member-id"?: string } | null }>("/v3/users", async (request) => {
    const { userId, firstName, lastName } = personOf(vendor, request)
    if (typeof request.body?.["member-id"] !== "string") throw polarError(400, "member-id is missing")
    if (settings.lacksConsents) throw polarError(403, "User has not accepted all mandatory consents")
    if (registrations.sinceOf(userId) !== undefined) throw polarError(409, "User already registered")
    registrations.add(userId, clock.nowMs())
    return { "polar-user-id": userId, "first-name": firstName, "last-name": lastName }
  })
  app.delete<{ Params: { user: string } }>("/v3/users/:user", async (request, reply) => {
    const { userId } = personOf(vendor, request)
    if (request.params.user !== String(userId)) throw polarError(403, "Forbidden")
    registrations.end(userId)
    grants.revoke(userId)
    return reply.code(204).send()
  })
}
