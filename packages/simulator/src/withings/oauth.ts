/** Withings' authorization, token, signature and revocation endpoints. A code lives for 30 seconds, and errors have status 200. */
import { createHmac, randomBytes } from "node:crypto"
import type { FastifyInstance, FastifyRequest } from "fastify"
import { formOf } from "../http/vendor-api.ts"
import type { AuthorizationEndpoint } from "../vendor/authorize.ts"
import type { TokenPair } from "../vendor/grants.ts"
import { STATUS, type WithingsVendor, withingsError, wrongParameter } from "./vendor.ts"

const SCOPE_TEXTS: Readonly<Record<string, string>> = {
  "user.info": "Your name and devices",
  "user.metrics": "Your weight, blood pressure and other measures",
  "user.activity": "Your activity, workouts and sleep",
}

export function withingsAuthorization({ settings, people, grants }: WithingsVendor): AuthorizationEndpoint {
  return {
    vendorName: "Withings",
    path: "/oauth2_user/authorize2",
    scopeTexts: SCOPE_TEXTS,
    scopesAreOptional: true,
    app: settings,
    people,
    grants,
    refuse(query, state, scopes) {
      if (query.get("response_type") !== "code") return ["unsupported_response_type", "response_type is not code"]
      if (state === "") return ["invalid_request", "state is missing"]
      // Scopes are separated by commas.
      if (query.get("scope")?.includes(" ") || scopes.some((scope) => !Object.hasOwn(SCOPE_TEXTS, scope)))
        return ["invalid_scope", "an unknown scope was asked for"]
      return undefined
    },
    grantedScopes: (allowed) => allowed.filter((scope) => !settings.uncheckedScopes.includes(scope)),
    redirectParameters: {},
  }
}

export function addWithingsTokenRoutes(app: FastifyInstance, vendor: WithingsVendor): void {
  const nonces = new Set<string>()
  app.post("/v2/signature", async (request) => {
    const form = formOf(request)
    if (form.get("action") !== "getnonce") throw wrongParameter("action")
    requireSignature(vendor, form, ["action", "client_id", "timestamp"])
    const nonce = randomBytes(16).toString("hex")
    nonces.add(nonce)
    return { status: STATUS.ok, body: { nonce } }
  })
  app.post("/v2/oauth2", async (request) => {
    const form = formOf(request)
    if (form.get("action") === "revoke") {
      if (!nonces.delete(form.get("nonce") ?? "")) throw wrongParameter("nonce")
      requireSignature(vendor, form, ["action", "client_id", "nonce"])
      vendor.grants.revoke(Number(form.get("userid")), vendor.settings.clientId)
      return { status: STATUS.ok, body: {} }
    }
    return { status: STATUS.ok, body: present(vendor, issue(vendor, request)) }
  })
}

function requireSignature({ settings }: WithingsVendor, form: URLSearchParams, names: readonly string[]): void {
  const text = names.map((name) => form.get(name) ?? "").join(",")
  const expected = createHmac("sha256", settings.clientSecret).update(text).digest("hex")
  if (form.get("client_id") !== settings.clientId || form.get("signature") !== expected)
    throw wrongParameter("invalid signature")
}

/** OAuth's form, with an action of its own. */
function issue({ settings, grants }: WithingsVendor, request: FastifyRequest): TokenPair {
  const form = formOf(request)
  if (form.get("action") !== "requesttoken") throw wrongParameter("action")
  if (form.get("client_id") !== settings.clientId || form.get("client_secret") !== settings.clientSecret)
    throw withingsError(STATUS.noToken, "Invalid client: client_id or client_secret")
  switch (form.get("grant_type")) {
    case "authorization_code": {
      const pair = grants.exchangeCode(form.get("code") ?? "", settings.clientId, form.get("redirect_uri") ?? "")
      if (!pair) throw wrongParameter("invalid code")
      return pair
    }
    case "refresh_token": {
      const pair = grants.refresh(form.get("refresh_token") ?? "", settings.clientId)
      if (!pair) throw wrongParameter("invalid refresh_token")
      return pair
    }
    default:
      throw wrongParameter("grant_type")
  }
}

function present({ settings }: WithingsVendor, { accessToken, refreshToken, grant }: TokenPair) {
  return {
    userid: String(grant.userId),
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_in: settings.accessTokenSeconds,
    scope: grant.scopes.join(","),
    csrf_token: "0",
    token_type: "Bearer",
  }
}
