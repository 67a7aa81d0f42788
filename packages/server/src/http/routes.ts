import type { Context } from "@restwell/core"
import type { Config } from "../config/config.ts"
import { type AccountServices, accountEndpoints } from "./account/account.ts"
import { accountDataEndpoints } from "./account/account-data.ts"
import { dayEndpoints, ownJournalEndpoints } from "./account/days.ts"
import { keyEndpoints } from "./account/keys.ts"
import { notificationEndpoints } from "./account/notifications.ts"
import { statisticsPageEndpoints } from "./account/pages.ts"
import { preferenceEndpoints, sourceEndpoints } from "./account/preferences.ts"
import { pushSubscriptionEndpoints } from "./account/push-subscriptions.ts"
import { type SharedServices, shareEndpoints } from "./account/shares.ts"
import { webhookReceiverEndpoints } from "./account/webhooks.ts"
import { type ConnectionServices, connectionEndpoints } from "./connections/connections.ts"
import { type ImportServices, importEndpoints } from "./connections/imports.ts"
import { type PushServices, pushEndpoints } from "./connections/pushes.ts"
import { type WebhookServices, webhookEndpoints } from "./connections/webhooks.ts"
import { type AuthorizationServices, authorizationEndpoints } from "./connector/authorization.ts"
import { type ConnectorServices, connectorEndpoints } from "./connector/connector.ts"
import { type ConsentServices, consentEndpoints } from "./connector/consent.ts"
import type { ReadServices } from "./health/answer-read.ts"
import { healthEndpoints, seriesEndpoints } from "./health/health-endpoints.ts"
import { insightEndpoints } from "./health/insight-endpoints.ts"
import { describedOf, type Endpoint, openRoute, type Route, routeOf } from "./plumbing/endpoint.ts"
import type { Readiness } from "./plumbing/readiness.ts"
import { homeAssistantEndpoints } from "./service/home-assistant.ts"
import { mailEndpoints } from "./service/mail.ts"
import { manualIndexEndpoint, type PageServices, pageEndpoints } from "./service/pages.ts"
import { peopleEndpoints } from "./service/people.ts"
import {
  metricsEndpoint,
  type ProbeServices,
  probeEndpoints,
  type SeenServices,
  seenEndpoint,
} from "./service/probes.ts"
import { serviceEndpoints } from "./service/service.ts"
import { type OperationServices, settingEndpoints } from "./service/settings.ts"
import { type SetupServices, setupEndpoints } from "./service/setup.ts"
import { vendorAppEndpoints } from "./service/vendor-apps.ts"
import { passkeyEndpoints } from "./sign-in/passkeys.ts"
import { linkEndpoints, passwordEndpoints, twoFactorEndpoints } from "./sign-in/passwords.ts"
import { providerEndpoints, type SignInServices } from "./sign-in/providers.ts"

/** What the handlers of all endpoints call. */
export interface Services
  extends AccountServices,
    AuthorizationServices,
    ConnectionServices,
    ConnectorServices,
    ConsentServices,
    ImportServices,
    OperationServices,
    PageServices,
    ProbeServices,
    PushServices,
    ReadServices,
    SeenServices,
    SetupServices,
    SharedServices,
    SignInServices,
    WebhookServices {
  readonly config: Config
  readonly context: Context
  readonly readiness: Readiness
}

/** Every endpoint of the service, subject by subject. */
const ENDPOINTS: readonly Endpoint<Services>[] = [
  ...healthEndpoints,
  ...insightEndpoints,
  ...seriesEndpoints,
  ...accountEndpoints,
  ...accountDataEndpoints,
  ...keyEndpoints,
  ...webhookReceiverEndpoints,
  ...dayEndpoints,
  ...ownJournalEndpoints,
  ...notificationEndpoints,
  ...statisticsPageEndpoints,
  ...shareEndpoints,
  ...preferenceEndpoints,
  ...sourceEndpoints,
  ...pushSubscriptionEndpoints,
  ...passwordEndpoints,
  ...linkEndpoints,
  ...twoFactorEndpoints,
  ...passkeyEndpoints,
  ...providerEndpoints,
  ...connectionEndpoints,
  ...importEndpoints,
  ...pushEndpoints,
  ...webhookEndpoints,
  ...setupEndpoints,
  ...serviceEndpoints,
  ...settingEndpoints,
  ...mailEndpoints,
  ...homeAssistantEndpoints,
  ...vendorAppEndpoints,
  ...peopleEndpoints,
  ...connectorEndpoints,
  ...authorizationEndpoints,
  ...consentEndpoints,
  ...probeEndpoints,
  seenEndpoint,
  ...pageEndpoints,
]

/** What the OpenAPI document and the reference are made of. */
export const DESCRIBED = describedOf(ENDPOINTS)

/** The routes of the service. Metrics may have a port of their own, and not every installation has a built manual. */
export function routesOf(live: () => Services): Route[] {
  const { config, manual } = live()
  return [
    ...ENDPOINTS.map((endpoint) => routeOf(endpoint, live)),
    ...(config.metricsPort === undefined ? [openRoute(metricsEndpoint("shared"), live)] : []),
    ...(manual === undefined ? [] : [openRoute(manualIndexEndpoint, () => ({ manual }))]),
  ]
}
