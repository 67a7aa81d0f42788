/** WHOOP's authorization endpoint. @see https://developer.whoop.com/docs/developing/oauth */
import type { AuthorizationEndpoint } from "../authorization/authorize.ts"
import type { Vendor } from "./vendor.ts"

const SHORTEST_STATE = 8

const SCOPE_TEXTS: Readonly<Record<string, string>> = {
  offline: "Stay connected while you are away",
  "read:recovery": "Your recovery: score, heart rate variability, resting heart rate",
  "read:cycles": "Your day strain and average heart rate",
  "read:workout": "Your workouts and activities",
  "read:sleep": "Your sleep and naps",
  "read:profile": "Your name and e-mail address",
  "read:body_measurement": "Your height, weight and maximal heart rate",
}

export function whoopAuthorization({ settings, people, grants }: Vendor): AuthorizationEndpoint {
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
