import type { BoundSocket } from "node:net"
import { utcDateOf } from "@restwell/client/calendar-dates"
import { HOUR_MS } from "@restwell/client/time-units"
import {
  type Clock,
  type Context,
  createAccessLog,
  createHealthReader,
  createScoreWait,
  createTokenCipher,
  createTokenOpener,
  createWebhookReceiver,
  deriveKey,
  findLastAsking,
  foldAccessLog,
  limitAtATime,
  limitExpensiveReads,
  openDatabase,
  type PushThread,
  pushTurns,
  type Secrets,
  type Statistics,
  sweepAudit,
  sweepExpired,
  sweepOauthRecords,
} from "@restwell/core"
import type { FastifyInstance } from "fastify"
import type { Pool } from "pg"
import type { Registry } from "prom-client"
import manifest from "../package.json" with { type: "json" }
import { createAccounts } from "./accounts/accounts.ts"
import type { PasswordHash } from "./accounts/better-auth.ts"
import type { Config } from "./config/config.ts"
import type { LiveSettings } from "./config/live-settings.ts"
import { createVendors } from "./config/vendors.ts"
import { readChatPage, readDashboard, readManual } from "./docs/built-pages.ts"
import { EXPORTS } from "./http/account/account-data.ts"
import { buildApp } from "./http/app.ts"
import { createWebhookCounter } from "./http/connections/webhooks.ts"
import { RESOURCE_METADATA_PATH } from "./http/connector/connector.ts"
import { assistantErrorPage } from "./http/connector/pages.ts"
import { assetOf } from "./http/plumbing/assets.ts"
import type { Readiness } from "./http/plumbing/readiness.ts"
import { DESCRIBED, type Services } from "./http/routes.ts"
import type { Jobs } from "./jobs/jobs.ts"
import { createConnector } from "./mcp/connector.ts"
import { createPublicFetch } from "./network/public-fetch.ts"
import { type ReceiverNetwork, type ReceiverOptions, sendersOf } from "./network/receivers.ts"
import { resourceOf } from "./oauth/addresses.ts"
import { openSigningKey } from "./oauth/signing-key.ts"
import { describeApi } from "./openapi/operation.ts"
import type { WatchedDisk } from "./postgres/disk-watch.ts"
import { onFirstUse } from "./process/idle-memory.ts"
import type { Logger } from "./process/logger.ts"
import { repeat, type Wait, waitInRealTime, waitUnreferenced } from "./process/wait.ts"

/** What the composition root is given. */
export interface ServiceOptions {
  readonly config: Config
  /** The operator's secrets at each call. Cookies and forms use those of the start. */
  readonly secrets: () => Secrets
  readonly clock: Clock
  /** Waits on that clock, for vendors' budgets and for jobs that are due. @default in real time */
  readonly wait?: Wait
  readonly logger: Logger
  /** Extra settings of the embedded PostgreSQL, for data that may be lost. */
  readonly postgresSettings?: Readonly<Record<string, string>>
  /** Fetches the metadata documents of OAuth clients. @default a fetch that reaches public addresses alone */
  readonly fetchDocument?: typeof fetch
  /** How people's receivers of messages are reached. @default as in `network/receivers.ts` */
  readonly receiverLimits?: Omit<ReceiverOptions, "privateHosts">
  /** @default a slow one, as guessing demands */
  readonly passwordHash?: PasswordHash
  /** A port that is bound already. @default `host` and `port` of the configuration */
  readonly socket?: BoundSocket
  /** Called when the service cannot continue. */
  readonly onFatal: (error: unknown) => void
  /** Interrupts the start: started parts are stopped, and the process has to end. */
  readonly signal?: AbortSignal
}

interface ContextOptions extends ServiceOptions {
  readonly live: Pick<LiveSettings, "current">
  readonly disk: Context["disk"]
}

/** What every verb of core is called with. */
export function createContext(
  { config, secrets, clock, wait = waitInRealTime, logger, live, disk }: ContextOptions,
  jobs: Jobs,
  pool: Pool,
): Context {
  const database = openDatabase(pool)
  const vendors = createVendors({ vendors: () => live.current().vendors, database, clock, wait, signal: jobs.stopping })
  const cipher = createTokenCipher(secrets)
  return {
    get adapters() {
      return vendors.adapters()
    },
    adaptersFor: vendors.adaptersFor,
    database,
    clock,
    wait: waitUnreferenced,
    logger,
    jobs,
    cipher,
    plans: config.plans,
    sharedVendorAccounts: config.sharedVendorAccounts,
    disk,
    importPersonBytes: config.importPersonBytes,
    version: manifest.version,
  }
}

const SWEEP_MS = HOUR_MS
/** Limit for an OAuth client's keys. Its metadata document has a lower one. */
const LARGEST_DOCUMENT_BYTES = 16 * 1024

export interface HttpServiceOptions extends ServiceOptions {
  readonly context: Context
  /** On the connections of jobs: what deletes much, or waits for a vendor, takes longer than a reader's statement may. */
  readonly workContext: Context
  readonly live: LiveSettings
  readonly pool: Pool
  readonly registry: Registry
  readonly readiness: Readiness
  readonly statistics: Statistics
  readonly pushes: PushThread
  readonly disk: WatchedDisk
  readonly receivers: ReceiverNetwork
}

/** Everything that answers requests: API, dashboard, sign-in and connector. */
export async function buildHttpService(
  options: HttpServiceOptions,
  started: AsyncDisposableStack,
): Promise<FastifyInstance> {
  const { config, logger, context, live, registry, readiness, pool } = options
  const expensiveReads = limitExpensiveReads(context.clock)
  const { statistics } = options
  const dashboard = await readDashboard()
  const reader = createHealthReader(context, { pool, cacheBytes: config.answerCacheBytes, statistics, expensiveReads })
  const parts: SharedParts = {
    reader,
    awaitScore: createScoreWait(context, { pool, reader }),
    statistics,
    expensiveReads,
    exportsAtATime: limitAtATime({ ...EXPORTS, clock: context.clock }),
    pushes: options.pushes,
    pushTurns: pushTurns({ clock: context.clock, wait: waitUnreferenced }),
    page: assetOf("text/html; charset=utf-8", dashboard.html, "no-cache"),
    countWebhook: createWebhookCounter(registry),
  }
  startSweeping(context, started)
  let services: Services = await createServices(options, parts, live.current().baseUrl)
  live.beforeAddressChange(async (baseUrl) => {
    const { connector } = services
    services = await createServices(options, parts, baseUrl)
    logger.info({ baseUrl }, "the public address has changed")
    await connector.close()
  })
  const { assetsFolder } = dashboard
  const app = await buildApp({ config, logger, registry, readiness, assetsFolder, live: () => services })
  app.addHook("onListen", () => void prepareForAssistants(context, services))
  return app
}

/**
 * Loads what assistants need once the service listens, where there are any, so that their first question takes no longer than later ones: the
 * connector, and by a read that nobody gets the thread of the statistics.
 */
async function prepareForAssistants(context: Context, { reader, connector }: Services): Promise<void> {
  try {
    const userId = await findLastAsking(context)
    if (userId === undefined) return
    const date = utcDateOf(context.clock.now())
    const day = { credential: { userId }, query: { type: "day", date }, ifNoneMatch: [], isCounted: false } as const
    await Promise.all([reader.read(day), connector.prepare()])
  } catch (error) {
    context.logger.warn({ err: error }, "could not prepare for assistants, their first question takes longer")
  }
}

/** What does not depend on the public address. */
type SharedParts = Pick<
  Services,
  | "reader"
  | "awaitScore"
  | "statistics"
  | "expensiveReads"
  | "exportsAtATime"
  | "pushes"
  | "pushTurns"
  | "page"
  | "countWebhook"
>

/** What answers requests at one public address. */
async function createServices(
  {
    config,
    context,
    workContext,
    live,
    disk,
    readiness,
    registry,
    secrets,
    fetchDocument,
    passwordHash,
    logger,
    pool,
    receivers,
  }: HttpServiceOptions,
  shared: SharedParts,
  baseUrl: string,
): Promise<Services> {
  const { identityProviders } = config
  const [secret, ...formerSecrets] = secrets()
  // Stored at the first start: a start with another secret finds out by this key.
  const signingKey = await openSigningKey(context)
  const keyFor = (purpose: string) => (each: string) => deriveKey(each, purpose).toString("base64url")
  return {
    ...shared,
    config,
    live,
    secrets,
    disk,
    context,
    workContext,
    delivering: { pool, senders: sendersOf(receivers, { context, baseUrl: () => baseUrl }) },
    receivers,
    baseUrl,
    identityProviders,
    readiness,
    registry,
    receiveWebhook: createWebhookReceiver(context),
    description: assetOf(
      "application/json; charset=utf-8",
      JSON.stringify(describeApi({ baseUrl, version: context.version, endpoints: DESCRIBED })),
    ),
    manual: await readManual(),
    accounts: createAccounts({
      context,
      baseUrl,
      signUp: () => live.current().signUp,
      sendsMail: () => live.current().mail !== undefined,
      identityProviders,
      secret: keyFor("sessions")(secret),
      formerSecrets: formerSecrets.map(keyFor("sessions")),
      passwordHash,
    }),
    authorizationServer: onFirstUse(async () => {
      const { createAuthorizationServer } = await import("./oauth/authorization-server.ts")
      return createAuthorizationServer({
        context,
        baseUrl,
        signingKey,
        cookieKeys: [secret, ...formerSecrets].map(keyFor("oauth-cookies")),
        fetchDocument: fetchDocument ?? createPublicFetch({ maxBytes: LARGEST_DOCUMENT_BYTES }),
        accessTokenSeconds: config.accessTokenSeconds,
        errorPage: assistantErrorPage,
      })
    }),
    connector: createConnector({
      logger,
      openAccessToken: createTokenOpener({ clock: context.clock, pool }, resourceOf(baseUrl)),
      log: createAccessLog({ clock: context.clock, pool }),
      reader: shared.reader,
      baseUrl,
      readChatPage,
      metadataUrl: `${baseUrl}${RESOURCE_METADATA_PATH}`,
    }),
    importMaxBytes: config.importMaxBytes,
    formKey: deriveKey(secret, "consent-forms"),
    takesMixedVersions: config.takesMixedVersions,
  }
}

/** Deletes everything that has expired, and old log entries and emails, at the start and every hour. */
function startSweeping(context: Context, started: AsyncDisposableStack): void {
  const stopping = new AbortController()
  const sweeps = [
    { sweep: sweepOauthRecords, failure: "could not delete expired authorizations" },
    { sweep: sweepExpired, failure: "could not delete expired sessions, links and emails" },
    { sweep: sweepAudit, failure: "could not delete old log entries" },
    { sweep: foldAccessLog, failure: "could not fold old entries of the access log" },
  ]
  const sweepAll = () =>
    Promise.all(
      sweeps.map(({ sweep, failure }) =>
        sweep(context).catch((error: unknown) => context.logger.error({ err: error }, failure)),
      ),
    )
  const running = sweepAll().then(() =>
    repeat(sweepAll, { everyMs: SWEEP_MS, wait: waitInRealTime, signal: stopping.signal }),
  )
  started.defer(async () => {
    stopping.abort()
    await running
  })
}
