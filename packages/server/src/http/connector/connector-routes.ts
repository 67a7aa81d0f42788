import { AUTHORIZATION_PATHS, CONNECTOR_PATH } from "../../oauth/addresses.ts"
import { assetDoor } from "../plumbing/asset-handler.ts"
import type { Doors, Route } from "../routes.ts"
import {
  beginAuthorizationDoor,
  oauthDocumentDoor,
  oauthFormDoor,
  registerClientDoor,
  resumeAuthorizationDoor,
} from "./authorization-handlers.ts"
import { connectorAddressDoor, connectorDoor } from "./connector-handler.ts"
import {
  type ConsentDoors,
  consentDoor,
  consentSignInDoor,
  consentSignOutDoor,
  decidedDoor,
  decisionDoor,
} from "./consent-handlers.ts"
import { OAUTH_STYLE_PATH } from "./pages/page.ts"
import { OAUTH_STYLE } from "./pages/style.ts"
import { protectedResourceDoor, RESOURCE_METADATA_PATH, ROOT_RESOURCE_METADATA_PATH } from "./protected-resource.ts"

/** The connector, and the authorization server that assistants sign in by. */
export function connectorRoutes(doors: Doors): Route[] {
  const { authorizationServer: server, accounts, context, baseUrl, connector, formKey, takesMixedEra } = doors
  const { logger } = context
  const oauth = { server, context, baseUrl }
  const consent: ConsentDoors = { server, accounts, context, baseUrl, formKey }
  const { authorization, token, registration, revocation, jwks } = AUTHORIZATION_PATHS
  const metadata = METADATA_PATHS.map(
    ([path, document]): Route => ({ method: "GET", path, door: oauthDocumentDoor(oauth, document) }),
  )
  const style = { path: OAUTH_STYLE_PATH, contentType: "text/css; charset=utf-8", body: OAUTH_STYLE }
  return [
    ...withSlash({
      method: "POST",
      path: CONNECTOR_PATH,
      door: connectorDoor({ connector, logger, baseUrl, takesMixedEra }),
    }),
    ...withSlash({ method: "GET", path: CONNECTOR_PATH, door: connectorAddressDoor(), isRefusal: true }),
    ...withSlash({ method: "GET", path: RESOURCE_METADATA_PATH, door: protectedResourceDoor(baseUrl) }),
    { method: "GET", path: ROOT_RESOURCE_METADATA_PATH, door: protectedResourceDoor(baseUrl) },
    ...metadata,
    { method: "GET", path: authorization, door: beginAuthorizationDoor(oauth) },
    { method: "GET", path: `${authorization}/:id`, door: resumeAuthorizationDoor(oauth) },
    { method: "POST", path: token, door: oauthFormDoor(oauth, token) },
    { method: "POST", path: revocation, door: oauthFormDoor(oauth, revocation) },
    { method: "POST", path: registration, door: registerClientDoor(oauth) },
    { method: "GET", path: jwks, door: oauthDocumentDoor(oauth, jwks) },
    { method: "GET", path: "/oauth/consent/:id", door: consentDoor(consent) },
    { method: "POST", path: "/oauth/consent/:id", door: decisionDoor(consent) },
    { method: "GET", path: "/oauth/consent/:id/decided", door: decidedDoor() },
    { method: "POST", path: "/oauth/consent/:id/sign-in", door: consentSignInDoor(consent) },
    { method: "POST", path: "/oauth/consent/:id/sign-out", door: consentSignOutDoor(consent) },
    { method: "GET", path: OAUTH_STYLE_PATH, door: assetDoor(style) },
  ]
}

/** People and clients put a slash behind the address. */
const withSlash = (route: Route): Route[] => [route, { ...route, path: `${route.path}/` }]

const RFC_8414 = "/.well-known/oauth-authorization-server"
const OPENID_DISCOVERY = "/.well-known/openid-configuration"

/** Where clients really ask for the metadata: at the root, and with the connector's path before or behind. RFC 8414 3.1 */
const METADATA_PATHS = [
  [RFC_8414, RFC_8414],
  [OPENID_DISCOVERY, OPENID_DISCOVERY],
  [`${RFC_8414}${CONNECTOR_PATH}`, RFC_8414],
  [`${OPENID_DISCOVERY}${CONNECTOR_PATH}`, OPENID_DISCOVERY],
  [`${CONNECTOR_PATH}${OPENID_DISCOVERY}`, OPENID_DISCOVERY],
] as const
