/** Oura's two authorization endpoints. @see https://cloud.ouraring.com/docs/authentication */
import type { AuthorizationEndpoint } from "../authorization/authorize.ts"
import type { OuraPortal } from "./settings.ts"
import type { OuraVendor } from "./vendor.ts"

const SCOPE_TEXTS: Readonly<Record<string, string>> = {
  email: "Your e-mail address",
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

export const OAUTH_PATHS = {
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
