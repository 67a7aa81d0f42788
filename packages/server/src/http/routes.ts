import type { Context, HealthReader, ReceiveWebhook } from "@restwell/core"
import type { FastifyReply, FastifyRequest } from "fastify"
import type { Registry } from "prom-client"
import { z } from "zod"
import type { Accounts, Session } from "../accounts/accounts.ts"
import type { IdentityProvider } from "../accounts/identity-providers.ts"
import { type Dashboard, MEMBER_PAGES, PUBLIC_PAGES } from "../dashboard/dashboard.ts"
import type { Asset } from "../docs/assets.ts"
import type { Connector } from "../mcp/connector.ts"
import type { AuthorizationServer } from "../oauth/authorization-server.ts"
import {
  deleteAccountDoor,
  exportAccountDoor,
  readAccountDoor,
  rotateApiKeyDoor,
  trendsDoor,
} from "./account/account-handlers.ts"
import { revokeAssistantDoor } from "./account/assistant-handlers.ts"
import { accessLogDoor, securityLogDoor } from "./account/log-handlers.ts"
import {
  authorizeDoor,
  type ConnectionRequest,
  callbackDoor,
  disconnectDoor,
  forPeople,
  syncDoor,
} from "./connections/connection-handlers.ts"
import { type CountWebhook, webhookDoor } from "./connections/webhook-handler.ts"
import { connectorRoutes } from "./connector/connector-routes.ts"
import { healthHandler, ownHealthHandler } from "./health/health-handlers.ts"
import { assetDoor } from "./plumbing/asset-handler.ts"
import { memberPageDoor, publicPageDoor } from "./plumbing/page-handlers.ts"
import { livenessDoor, metricsDoor, readinessDoor } from "./plumbing/probe-handlers.ts"
import type { Readiness } from "./plumbing/readiness.ts"
import { requireSession } from "./plumbing/session-guard.ts"
import { authDoor } from "./sign-in/accounts-handler.ts"
import {
  beginProviderDoor,
  completeProviderDoor,
  deletePasskeyDoor,
  listPasskeysDoor,
  signInOptionsDoor,
} from "./sign-in/sign-in-handlers.ts"

const ParametersSchema = z.object({ provider: z.string() })

export interface Doors {
  readonly context: Context
  readonly reader: HealthReader
  readonly receiveWebhook: ReceiveWebhook
  readonly countWebhook: CountWebhook
  readonly accounts: Accounts
  readonly baseUrl: string
  readonly readiness: Readiness
  readonly registry: Registry
  /** The description and the reference for people, made once at start. */
  readonly assets: readonly Asset[]
  readonly dashboard: Dashboard
  readonly identityProviders: readonly IdentityProvider[]
  readonly authorizationServer: AuthorizationServer
  readonly connector: Connector
  /** Makes the tokens of the consent page's forms. */
  readonly formKey: Buffer
  /** Whether assistants that mix the eras of MCP are understood. */
  readonly takesMixedEra: boolean
}

export interface Route {
  readonly method: "GET" | "POST" | "DELETE"
  readonly path: string
  readonly door: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
  /** Its answers may be megabytes, and hold no secret: they are compressed for who takes that. */
  readonly isLarge?: boolean
  /** Its body is handed over as it came. */
  readonly takesBytes?: boolean
  /** It explains why the path does not take this method, and does not count among those that it takes. */
  readonly isRefusal?: boolean
}

/** Every route. GET answers HEAD as well. */
export function routesOf(doors: Doors): Route[] {
  const { context, reader, accounts, baseUrl, dashboard } = doors
  const signedIn =
    (door: (session: Session, reply: FastifyReply, request: FastifyRequest) => Promise<unknown>) =>
    async (request: FastifyRequest, reply: FastifyReply) =>
      door(await requireSession(doors, request, reply), reply.header("cache-control", "no-store"), request)
  const connection =
    (door: (request: ConnectionRequest) => Promise<unknown>) => async (request: FastifyRequest, reply: FastifyReply) =>
      door({
        session: await requireSession(doors, request, reply),
        provider: ParametersSchema.parse(request.params).provider,
        search: new URL(request.url, baseUrl).searchParams,
        reply,
      })
  const led = (door: Route["door"]) => forPeople(baseUrl, ({ params }) => ParametersSchema.parse(params).provider, door)
  return [
    { method: "GET", path: "/api/v1/health", door: healthHandler(reader) },
    { method: "POST", path: "/api/auth/sign-up/email", door: authDoor(baseUrl, (request) => accounts.signUp(request)) },
    { method: "POST", path: "/api/auth/sign-in/email", door: authDoor(baseUrl, (request) => accounts.signIn(request)) },
    { method: "POST", path: "/api/auth/sign-out", door: authDoor(baseUrl, (request) => accounts.signOut(request)) },
    {
      method: "POST",
      path: "/api/auth/change-password",
      door: authDoor(baseUrl, (request) => accounts.changePassword(request)),
    },
    {
      method: "POST",
      path: "/api/auth/set-password",
      door: authDoor(baseUrl, (request) => accounts.setPassword(request)),
    },
    { method: "GET", path: "/api/auth/options", door: signInOptionsDoor(accounts, doors.identityProviders) },
    {
      method: "POST",
      path: "/api/auth/sign-in/passkey/options",
      door: authDoor(baseUrl, (request) => accounts.passkeys.signInOptions(request)),
    },
    {
      method: "POST",
      path: "/api/auth/sign-in/passkey",
      door: authDoor(baseUrl, (request) => accounts.passkeys.signIn(request)),
    },
    {
      method: "POST",
      path: "/api/auth/passkeys/options",
      door: authDoor(baseUrl, (request) => accounts.passkeys.registrationOptions(request)),
    },
    { method: "GET", path: "/api/auth/passkeys", door: signedIn(listPasskeysDoor(accounts)) },
    {
      method: "POST",
      path: "/api/auth/passkeys",
      door: authDoor(baseUrl, (request) => accounts.passkeys.add(request), 201),
    },
    { method: "DELETE", path: "/api/auth/passkeys/:id", door: signedIn(deletePasskeyDoor(accounts)) },
    { method: "GET", path: "/api/auth/sign-in/:provider", door: beginProviderDoor(accounts) },
    { method: "GET", path: "/api/auth/callback/:provider", door: completeProviderDoor(accounts, baseUrl) },
    { method: "POST", path: "/api/auth/callback/:provider", door: completeProviderDoor(accounts, baseUrl) },
    { method: "GET", path: "/api/account", door: signedIn(readAccountDoor(context, accounts)) },
    { method: "DELETE", path: "/api/account", door: signedIn(deleteAccountDoor(context, accounts)) },
    { method: "POST", path: "/api/account/api-key", door: signedIn(rotateApiKeyDoor(context)) },
    { method: "DELETE", path: "/api/account/assistants/:id", door: signedIn(revokeAssistantDoor(context)) },
    { method: "GET", path: "/api/account/access-log", door: signedIn(accessLogDoor(context)) },
    { method: "GET", path: "/api/account/security-log", door: signedIn(securityLogDoor(context)) },
    { method: "GET", path: "/api/account/trends", door: signedIn(trendsDoor(context)), isLarge: true },
    { method: "GET", path: "/api/account/health", door: signedIn(ownHealthHandler(reader)) },
    { method: "GET", path: "/api/account/export", door: signedIn(exportAccountDoor(context)), isLarge: true },
    {
      method: "GET",
      path: "/api/connections/:provider/authorize",
      door: led(connection(authorizeDoor(context, baseUrl))),
    },
    {
      method: "GET",
      path: "/api/connections/:provider/callback",
      door: led(connection(callbackDoor(context, baseUrl))),
    },
    { method: "POST", path: "/api/connections/:provider/sync", door: connection(syncDoor(context)) },
    { method: "DELETE", path: "/api/connections/:provider", door: connection(disconnectDoor(context)) },
    {
      method: "POST",
      path: "/api/webhooks/:provider",
      door: webhookDoor(doors.receiveWebhook, doors.countWebhook),
      takesBytes: true,
    },
    { method: "GET", path: "/healthz", door: livenessDoor() },
    { method: "GET", path: "/readyz", door: readinessDoor(doors.readiness) },
    { method: "GET", path: "/metrics", door: metricsDoor(doors.registry) },
    ...PUBLIC_PAGES.map((path): Route => ({ method: "GET", path, door: publicPageDoor(dashboard.html) })),
    ...MEMBER_PAGES.map((path): Route => ({ method: "GET", path, door: memberPageDoor(dashboard.html) })),
    ...connectorRoutes(doors),
    ...doors.assets.map((asset): Route => ({ method: "GET", path: asset.path, door: assetDoor(asset) })),
  ]
}
