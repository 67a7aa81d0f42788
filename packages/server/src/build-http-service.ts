import {
  type Context,
  createAccessLog,
  createHealthReader,
  createTokenOpener,
  createWebhookReceiver,
  deriveKey,
  hasAccounts,
  readTrends,
  sweepAudit,
  sweepLinksAndMail,
  sweepOauthRecords,
} from "@restwell/core"
import type { FastifyInstance } from "fastify"
import type { Pool } from "pg"
import type { Registry } from "prom-client"
import { createAccounts } from "./accounts/accounts.ts"
import type { LiveSettings } from "./config/live-settings.ts"
import { readChatPage, readDashboard } from "./dashboard/dashboard.ts"
import { describeService } from "./docs/describe-service.ts"
import { readManual } from "./docs/manual.ts"
import { buildApp } from "./http/app.ts"
import { createWebhookCounter } from "./http/connections/webhook-handler.ts"
import { assistantErrorPage } from "./http/connector/pages/error-page.ts"
import { RESOURCE_METADATA_PATH } from "./http/connector/protected-resource.ts"
import type { Readiness } from "./http/plumbing/readiness.ts"
import type { Services } from "./http/routes.ts"
import { createConnector } from "./mcp/connector.ts"
import { chartViewOf } from "./mcp/views/chart-view.ts"
import { createPublicFetch } from "./network/public-fetch.ts"
import { resourceOf } from "./oauth/addresses.ts"
import { createAuthorizationServer } from "./oauth/authorization-server.ts"
import type { ServiceOptions } from "./service-options.ts"
import { setupCodeOf } from "./setup/setup-code.ts"
import { repeat } from "./time/repeat.ts"
import { waitInRealTime } from "./time/wait.ts"

const SWEEP_MS = 3_600_000
/** Memory for results of tool calls, as a share of that for cached responses. */
const RESULTS_SHARE = 0.25
/** Limit for an OAuth client's keys. Its metadata document has a lower one. */
const LARGEST_DOCUMENT_BYTES = 16 * 1024

export interface HttpServiceOptions extends ServiceOptions {
  readonly context: Context
  readonly live: LiveSettings
  readonly pool: Pool
  readonly registry: Registry
  readonly readiness: Readiness
}

/** Everything that answers requests: API, dashboard, sign-in and connector. */
export async function buildHttpService(
  options: HttpServiceOptions,
  started: AsyncDisposableStack,
): Promise<FastifyInstance> {
  const { config, logger, context, live, registry, readiness, pool } = options
  const reader = createHealthReader(context, { pool, cacheBytes: config.answerCacheBytes })
  const parts: SharedParts = {
    reader,
    dashboard: await readDashboard(),
    chatPage: await readChatPage(),
    countWebhook: createWebhookCounter(registry),
    currentAccounts: () => services.accounts,
  }
  startSweeping(context, started)
  let services: Services = await createServices(options, parts, live.current().baseUrl)
  live.beforeAddressChange(async (baseUrl) => {
    const { connector } = services
    services = await createServices(options, parts, baseUrl)
    logger.info({ baseUrl }, "the public address has changed")
    await connector.close()
  })
  if (!(await hasAccounts(context)))
    logger.info(
      {},
      `no account exists yet: set Restwell up at ${services.baseUrl}/setup. From another machine, or in a container, it asks for the code ${setupCodeOf(options.secrets()[0])}`,
    )
  return buildApp({ config, logger, registry, readiness, live: () => services })
}

/** What does not depend on the public address. */
interface SharedParts extends Pick<Services, "reader" | "dashboard" | "countWebhook" | "currentAccounts"> {
  readonly chatPage: string
}

/** What answers requests at one public address. */
async function createServices(
  { config, context, live, readiness, registry, secrets, fetchDocument, logger, pool }: HttpServiceOptions,
  { chatPage, ...shared }: SharedParts,
  baseUrl: string,
): Promise<Services> {
  const { identityProviders } = config
  const [secret, ...formerSecrets] = secrets()
  const keyFor = (purpose: string) => (each: string) => deriveKey(each, purpose).toString("base64url")
  return {
    ...shared,
    config,
    live,
    secrets,
    context,
    baseUrl,
    identityProviders,
    readiness,
    registry,
    receiveWebhook: createWebhookReceiver(context),
    assets: describeService(baseUrl, context.version),
    manual: await readManual(),
    accounts: createAccounts({
      context,
      baseUrl,
      signUp: config.signUp,
      sendsMail: config.mail !== undefined,
      identityProviders,
      secret: keyFor("sessions")(secret),
      formerSecrets: formerSecrets.map(keyFor("sessions")),
    }),
    authorizationServer: await createAuthorizationServer({
      context,
      baseUrl,
      cookieKeys: [secret, ...formerSecrets].map(keyFor("oauth-cookies")),
      fetchDocument: fetchDocument ?? createPublicFetch({ maxBytes: LARGEST_DOCUMENT_BYTES }),
      errorPage: assistantErrorPage,
    }),
    connector: createConnector({
      logger,
      openAccessToken: createTokenOpener({ clock: context.clock, pool }, resourceOf(baseUrl)),
      log: createAccessLog({ clock: context.clock, pool }),
      reader: shared.reader,
      baseUrl,
      readTrends: (userId, days) => readTrends(context, userId, days),
      view: chartViewOf(chatPage),
      cacheBytes: config.answerCacheBytes * RESULTS_SHARE,
      metadataUrl: `${baseUrl}${RESOURCE_METADATA_PATH}`,
    }),
    importMaxBytes: config.importMaxBytes,
    formKey: deriveKey(secret, "consent-forms"),
    takesMixedEra: config.takesMixedEra,
  }
}

/** Deletes expired authorizations and links, and old log entries and e-mails, every hour. */
function startSweeping(context: Context, started: AsyncDisposableStack): void {
  const stopping = new AbortController()
  started.defer(() => stopping.abort())
  const sweeps = [
    { sweep: sweepOauthRecords, failure: "could not delete expired authorizations" },
    { sweep: sweepLinksAndMail, failure: "could not delete expired links and e-mails" },
    { sweep: sweepAudit, failure: "could not delete old log entries" },
  ]
  const sweepAll = () =>
    Promise.all(
      sweeps.map(({ sweep, failure }) =>
        sweep(context).catch((error: unknown) => context.logger.error({ err: error }, failure)),
      ),
    )
  void repeat(sweepAll, { everyMs: SWEEP_MS, wait: waitInRealTime, signal: stopping.signal })
}
