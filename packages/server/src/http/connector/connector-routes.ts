import type { Context } from "@restwell/core"
import type { Accounts } from "../../accounts/accounts.ts"
import type { Connector } from "../../mcp/connector.ts"
import { AUTHORIZATION_PATHS, CONNECTOR_PATH } from "../../oauth/addresses.ts"
import type { AuthorizationServer } from "../../oauth/authorization-server.ts"
import { assetHandler } from "../plumbing/asset-handler.ts"
import type { Route } from "../plumbing/route.ts"
import {
  beginAuthorizationHandler,
  oauthDocumentHandler,
  oauthFormHandler,
  registerClientHandler,
  resumeAuthorizationHandler,
  sendRegistrationError,
} from "./authorization-handlers.ts"
import { connectorGetHandler, connectorHandler, sendInvalidMessage } from "./connector-handler.ts"
import { consentHandler, decidedHandler, decisionHandler } from "./consent-handlers.ts"
import { consentCodeHandler, consentSignInHandler, consentSignOutHandler } from "./consent-sign-in-handlers.ts"
import { type ConsentServices, sendErrorPage } from "./consent-visit.ts"
import { OAUTH_STYLE_PATH } from "./pages/page.ts"
import { OAUTH_STYLE } from "./pages/style.ts"
import { protectedResourceHandler, RESOURCE_METADATA_PATH, ROOT_RESOURCE_METADATA_PATH } from "./protected-resource.ts"

export interface ConnectorServices {
  readonly context: Context
  readonly accounts: Accounts
  readonly baseUrl: string
  readonly connector: Connector
  readonly authorizationServer: AuthorizationServer
  /** Signs the tokens of the consent page's forms. */
  readonly formKey: Buffer
  /** Whether assistants that mix the eras of MCP are understood. */
  readonly takesMixedEra: boolean
}

/** The connector, and the authorization server where assistants get their tokens. */
export const connectorRoutes = (services: ConnectorServices): Route[] => [
  ...mcpRoutes(services),
  ...oauthRoutes(services),
  ...consentRoutes({ ...services, server: services.authorizationServer }),
]

function mcpRoutes({ connector, context, baseUrl, takesMixedEra }: ConnectorServices): Route[] {
  const handle = connectorHandler({ connector, logger: context.logger, baseUrl, takesMixedEra })
  const metadata = protectedResourceHandler(baseUrl)
  return [
    ...withSlash({ method: "POST", path: CONNECTOR_PATH, handle, fromAnySite: true, sendError: sendInvalidMessage }),
    ...withSlash({ method: "GET", path: CONNECTOR_PATH, handle: connectorGetHandler, isRefusal: true }),
    ...withSlash({ method: "GET", path: RESOURCE_METADATA_PATH, handle: metadata }),
    { method: "GET", path: ROOT_RESOURCE_METADATA_PATH, handle: metadata },
  ]
}

function oauthRoutes({ authorizationServer: server, context, baseUrl }: ConnectorServices): Route[] {
  const oauth = { server, context, baseUrl }
  const { authorization, token, registration, revocation, jwks } = AUTHORIZATION_PATHS
  return [
    ...METADATA_PATHS.map(
      ([path, document]): Route => ({ method: "GET", path, handle: oauthDocumentHandler(oauth, document) }),
    ),
    { method: "GET", path: jwks, handle: oauthDocumentHandler(oauth, jwks) },
    { method: "GET", path: authorization, handle: beginAuthorizationHandler(oauth) },
    { method: "GET", path: `${authorization}/:id`, handle: resumeAuthorizationHandler(oauth) },
    { method: "POST", path: token, handle: oauthFormHandler(oauth, token), fromAnySite: true, body: "form" },
    { method: "POST", path: revocation, handle: oauthFormHandler(oauth, revocation), fromAnySite: true, body: "form" },
    {
      method: "POST",
      path: registration,
      handle: registerClientHandler(oauth),
      fromAnySite: true,
      sendError: sendRegistrationError,
    },
  ]
}

function consentRoutes(services: ConsentServices): Route[] {
  const path = "/oauth/consent/:id"
  const sendError = sendErrorPage(services)
  const style = { contentType: "text/css; charset=utf-8", body: OAUTH_STYLE }
  return [
    { method: "GET", path, handle: consentHandler(services), sendError },
    { method: "POST", path, handle: decisionHandler(services), body: "form", sendError },
    { method: "GET", path: `${path}/decided`, handle: decidedHandler },
    { method: "POST", path: `${path}/sign-in`, handle: consentSignInHandler(services), body: "form", sendError },
    { method: "POST", path: `${path}/code`, handle: consentCodeHandler(services), body: "form", sendError },
    { method: "POST", path: `${path}/sign-out`, handle: consentSignOutHandler(services), body: "form", sendError },
    { method: "GET", path: OAUTH_STYLE_PATH, handle: assetHandler(style) },
  ]
}

/** People and clients put a slash behind the address. */
const withSlash = (route: Route): Route[] => [route, { ...route, path: `${route.path}/` }]

const RFC_8414 = "/.well-known/oauth-authorization-server"
const OPENID_DISCOVERY = "/.well-known/openid-configuration"

/** Where clients really look for the metadata: at the root, and with the connector's path before or behind. RFC 8414 3.1 */
const METADATA_PATHS = [
  [RFC_8414, RFC_8414],
  [OPENID_DISCOVERY, OPENID_DISCOVERY],
  [`${RFC_8414}${CONNECTOR_PATH}`, RFC_8414],
  [`${OPENID_DISCOVERY}${CONNECTOR_PATH}`, OPENID_DISCOVERY],
  [`${CONNECTOR_PATH}${OPENID_DISCOVERY}`, OPENID_DISCOVERY],
] as const
