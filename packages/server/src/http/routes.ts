import type { Context, HealthReader } from "@restwell/core"
import type { Config } from "../config/config.ts"
import type { Asset } from "../docs/describe-service.ts"
import type { Manual } from "../docs/manual.ts"
import type { AccountServices } from "./account/account-handlers.ts"
import { accountRoutes } from "./account/account-routes.ts"
import { limitConcurrency } from "./account/limit-concurrency.ts"
import { type ConnectionServices, connectionRoutes } from "./connections/connection-routes.ts"
import { type ConnectorServices, connectorRoutes } from "./connector/connector-routes.ts"
import {
  healthHandler,
  insightHandler,
  journalHandler,
  ownHealthHandler,
  ownInsightHandler,
} from "./health/health-handlers.ts"
import { HEALTH_PATH, JOURNAL_PATH } from "./health/health-query.ts"
import { INSIGHT_TYPES } from "./health/insight-query.ts"
import { type ImportServices, importRoutes } from "./imports/import-routes.ts"
import { assetHandler } from "./plumbing/asset-handler.ts"
import { type PageServices, pageRoutes } from "./plumbing/page-handlers.ts"
import { type ProbeServices, probeRoutes } from "./plumbing/probe-handlers.ts"
import type { Route } from "./plumbing/route.ts"
import { type SeenServices, seenRoute } from "./plumbing/seen-route.ts"
import { withSession } from "./plumbing/session.ts"
import type { OperationServices } from "./service/operation-services.ts"
import { peopleRoutes } from "./service/people-routes.ts"
import { serviceRoutes } from "./service/service-routes.ts"
import { setupRoutes } from "./setup/setup-routes.ts"
import type { SetupServices } from "./setup/setup-services.ts"
import { type SignInServices, signInRoutes } from "./sign-in/sign-in-routes.ts"

/** What the handlers of all routes call. */
export interface Services
  extends AccountServices,
    ConnectionServices,
    ConnectorServices,
    ImportServices,
    OperationServices,
    PageServices,
    ProbeServices,
    SeenServices,
    SetupServices,
    SignInServices {
  readonly config: Config
  readonly context: Context
  readonly reader: HealthReader
  /** The OpenAPI document and the reference page, made once at start. */
  readonly assets: readonly Asset[]
  /** The built manual; undefined where none was built. */
  readonly manual: Manual | undefined
}

/** Not counted, so a page could ask without end. */
const STATISTICS = { what: "statistics", most: 8, retryAfterSeconds: 1 }

/** Every route of the service, subject by subject. */
export const routesOf = (services: Services): Route[] => [
  { method: "GET", path: HEALTH_PATH, handle: healthHandler(services.reader) },
  { method: "GET", path: JOURNAL_PATH, handle: journalHandler(services.reader) },
  {
    method: "GET",
    path: "/api/account/health",
    handle: withSession(services.accounts, ownHealthHandler(services.reader)),
  },
  ...INSIGHT_TYPES.flatMap((type): Route[] => [
    { method: "GET", path: `/api/v1/${type}`, handle: insightHandler(services.reader, type) },
    {
      method: "GET",
      path: `/api/account/${type}`,
      handle: withSession(services.accounts, limitConcurrency(STATISTICS, ownInsightHandler(services.reader, type))),
    },
  ]),
  ...accountRoutes(services),
  ...signInRoutes(services),
  ...connectionRoutes(services),
  ...setupRoutes(services),
  ...serviceRoutes(services),
  ...peopleRoutes(services),
  ...importRoutes(services),
  ...connectorRoutes(services),
  ...probeRoutes(services),
  seenRoute(services),
  ...pageRoutes(services),
  ...manualRoutes(services.manual),
  ...services.assets.map((asset): Route => ({ method: "GET", path: asset.path, handle: assetHandler(asset) })),
]

/** The manual's pages are files (`plumbing/serve-manual.ts`). Without a built manual, the address has the reference. */
const manualRoutes = (manual: Manual | undefined): Route[] => [
  {
    method: "GET",
    path: "/docs",
    handle: async (_request, reply) => reply.redirect(manual === undefined ? "/docs/reference" : "/docs/", 302),
  },
  ...(manual === undefined
    ? []
    : [
        {
          method: "GET",
          path: "/llms.txt",
          handle: assetHandler({ contentType: "text/plain; charset=utf-8", body: manual.llms }),
        } as const,
      ]),
]
