import type { BoundSocket } from "node:net"
import {
  type Clock,
  type Context,
  createAccessLog,
  createHealthReader,
  createTokenCipher,
  createTokenOpener,
  createWebhookReceiver,
  deriveKey,
  migrate,
  openDatabase,
  openPool,
  type PoolSettings,
  type Secrets,
  sweepAudit,
  sweepOauthRecords,
} from "@restwell/core"
import type { FastifyInstance } from "fastify"
import type { Pool, PoolConfig } from "pg"
import { Registry } from "prom-client"
import manifest from "../package.json" with { type: "json" }
import { createAccounts } from "./accounts/accounts.ts"
import type { Config } from "./config/config.ts"
import { readDashboard } from "./dashboard/dashboard.ts"
import { describeService } from "./docs/describe-service.ts"
import { buildApp } from "./http/app.ts"
import { createWebhookCounter } from "./http/connections/webhook-handler.ts"
import { RESOURCE_METADATA_PATH } from "./http/connector/protected-resource.ts"
import { createReadiness } from "./http/plumbing/readiness.ts"
import { measureSyncs } from "./http/plumbing/sync-metrics.ts"
import { buildProbeApp } from "./http/probe-app.ts"
import { createSyncMeter } from "./jobs/sync-meter.ts"
import { type SyncQueue, startSyncQueue } from "./jobs/sync-queue.ts"
import { type Logger, sparingly } from "./log/logger.ts"
import { createConnector } from "./mcp/connector.ts"
import { bindPort, onSocket } from "./network/bind-port.ts"
import { createPublicFetch } from "./network/public-fetch.ts"
import { resourceOf } from "./oauth/addresses.ts"
import { createAuthorizationServer } from "./oauth/authorization-server.ts"
import { startEmbeddedPostgres } from "./postgres/embedded-postgres.ts"
import { type Wait, waitInRealTime } from "./time/wait.ts"
import { createVendors } from "./vendors/create-vendors.ts"

/** Connections of readers and of jobs are apart: a slow vendor never keeps a reader waiting. */
const READER_CONNECTIONS = 10
const JOB_CONNECTIONS = 10
/** People's connections that one process syncs at a time: some for whatever there is to do, more for what is urgent. */
const WORK = { concurrency: 2, urgentConcurrency: 4 }
/** A reader's statement is done in milliseconds; one that is not tells of a database in trouble. */
const READER_TIMEOUT_MS = 5_000
const CONNECT_TIMEOUT_MS = 2_000
/** After its own timeout the database says that it gave up; where not even that comes, the way to it is broken. */
const READER_SILENCE_MS = READER_TIMEOUT_MS + 1_000
/** Jobs wait for each other's connections, and hold one over a call of the vendor's. */
const JOB_CONNECT_TIMEOUT_MS = 30_000
const JOB_SILENCE_MS = 60_000
const SWEEP_MS = 3_600_000
/** Of what an OAuth client publishes: its metadata document has a lower limit, its keys this one. */
const LARGEST_DOCUMENT_BYTES = 16 * 1024

export interface Service {
  /** How people reach it: BASE_URL, or localhost with the port it listens on. */
  readonly baseUrl: string
  /** The address it listens on. A worker answers only its probes there. */
  readonly url: string
  /** Answers what was accepted, hands jobs back, stops the embedded PostgreSQL last. */
  close(): Promise<void>
}

export interface ServiceOptions {
  readonly config: Config
  /** The operator's, as they are at each call. Cookies and forms take those of the start. */
  readonly secrets: () => Secrets
  readonly clock: Clock
  /** Waits on that clock: for the vendor's budget, and for what is due next. @default in real time */
  readonly wait?: Wait
  readonly logger: Logger
  /** Settings of the embedded PostgreSQL beside our own, for data that may be lost. */
  readonly postgresSettings?: Readonly<Record<string, string>>
  /** Fetches the metadata documents of OAuth clients. @default one that reaches public addresses alone */
  readonly fetchDocument?: typeof fetch
  /** A port that is bound already. @default `host` and `port` of the configuration */
  readonly socket?: BoundSocket
  /** Told when the service cannot go on. */
  readonly onFatal: (error: unknown) => void
}

/** Starts what the role asks for, in the order of need; a failure on the way stops what had been started. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, logger } = options
  await using started = new AsyncDisposableStack()
  const connection = await openConnection(options, started)
  // All of them break at once when the database restarts.
  const logBroken = sparingly((count, err: Error) => logger.warn({ err, count }, "idle database connections broke"))
  const pool = (settings: PoolSettings): Pool => {
    let isEnding = false
    const opened = openPool({ ...connection, ...settings }, (err) => {
      // The last connections of a pool that ends may still see the server go.
      if (!isEnding) logBroken(err)
    })
    started.defer(() => {
      isEnding = true
      return opened.endSoon()
    })
    return opened
  }
  await migrateApart(connection)
  const registry = new Registry()
  const workers = pool({
    max: JOB_CONNECTIONS,
    connectionTimeoutMillis: JOB_CONNECT_TIMEOUT_MS,
    longestSilenceMs: JOB_SILENCE_MS,
  })
  const jobs = await startSyncQueue(connection, logger, options.wait ?? waitInRealTime)
  started.defer(() => jobs.stop())
  const readers = pool({
    max: READER_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: READER_TIMEOUT_MS,
    longestSilenceMs: READER_SILENCE_MS,
  })
  const socket = options.socket ?? (config.port === 0 ? await bindPort(config.host, 0) : undefined)
  if (socket) started.use(socket)
  const baseUrl = config.baseUrl ?? `http://localhost:${socket?.address().port ?? config.port}`
  const build = config.role === "worker" ? buildProbes : buildService
  const app = await build(options, { jobs, pool: readers, registry, baseUrl }, started)
  const url = await app.listen(socket ? onSocket(socket) : { host: config.host, port: config.port })
  if (config.role !== "api") {
    await jobs.work(createContext(options, jobs, workers), { ...WORK, meter: createSyncMeter(registry) })
  }
  const running = started.move()
  return { baseUrl, url, close: () => running.disposeAsync() }
}

/** On a connection that may be silent for long: another process may be migrating, and a large table takes its time. */
async function migrateApart(connection: PoolConfig): Promise<void> {
  const pool = openPool({ ...connection, max: 1, connectionTimeoutMillis: JOB_CONNECT_TIMEOUT_MS }, () => {})
  try {
    await migrate(openDatabase(pool))
  } finally {
    await pool.end()
  }
}

async function openConnection(
  { config, logger, onFatal, postgresSettings: settings }: ServiceOptions,
  started: AsyncDisposableStack,
): Promise<PoolConfig> {
  if (config.databaseUrl !== undefined) return { connectionString: config.databaseUrl }
  const postgres = await startEmbeddedPostgres({
    dataDir: config.dataDir,
    logger,
    onLost: onFatal,
    ...(settings && { settings }),
  })
  started.defer(() => postgres.stop())
  return postgres.connection
}

/** What an address is made of, beside the settings. */
interface Listening {
  readonly jobs: SyncQueue
  readonly pool: Pool
  readonly registry: Registry
  readonly baseUrl: string
}

async function buildProbes(
  options: ServiceOptions,
  { jobs, pool, registry }: Listening,
  started: AsyncDisposableStack,
): Promise<FastifyInstance> {
  const app = buildProbeApp({ readiness: createReadiness(pool), registry })
  measureSyncs(createContext(options, jobs, pool), registry)
  started.defer(() => app.close())
  return app
}

async function buildService(
  options: ServiceOptions,
  { jobs, pool, registry, baseUrl }: Listening,
  started: AsyncDisposableStack,
): Promise<FastifyInstance> {
  const { config, logger } = options
  const [secret, ...formerSecrets] = options.secrets()
  const keyFor = (purpose: string) => (each: string) => deriveKey(each, purpose).toString("base64url")
  const context = createContext(options, jobs, pool)
  const readiness = createReadiness(pool)
  const reader = createHealthReader(context, { pool, cacheBytes: config.answerCacheBytes })
  const connector = createConnector({
    logger,
    openAccessToken: createTokenOpener(context, resourceOf(baseUrl)),
    log: createAccessLog(context),
    reader,
    baseUrl,
    metadataUrl: `${baseUrl}${RESOURCE_METADATA_PATH}`,
  })
  const sweeping = setInterval(() => {
    sweepOauthRecords(context).catch((error: unknown) =>
      logger.error({ err: error }, "ended authorizations could not be swept away"),
    )
    sweepAudit(context).catch((error: unknown) =>
      logger.error({ err: error }, "entries of logs that are too old could not be swept away"),
    )
  }, SWEEP_MS)
  started.defer(() => clearInterval(sweeping))
  const app = await buildApp({
    config,
    logger,
    context,
    baseUrl,
    identityProviders: config.identityProviders,
    readiness,
    reader,
    receiveWebhook: createWebhookReceiver(context),
    registry,
    countWebhook: createWebhookCounter(registry),
    dashboard: await readDashboard(),
    assets: describeService(baseUrl, manifest.version),
    accounts: createAccounts({
      context,
      baseUrl,
      signUp: config.signUp,
      identityProviders: config.identityProviders,
      secret: keyFor("sessions")(secret),
      formerSecrets: formerSecrets.map(keyFor("sessions")),
    }),
    authorizationServer: await createAuthorizationServer({
      context,
      baseUrl,
      cookieKeys: [secret, ...formerSecrets].map(keyFor("oauth-cookies")),
      fetchDocument: options.fetchDocument ?? createPublicFetch({ maxBytes: LARGEST_DOCUMENT_BYTES }),
    }),
    connector,
    formKey: deriveKey(secret, "consent-forms"),
    takesMixedEra: config.takesMixedEra,
  })
  started.defer(() => app.close())
  started.defer(() => readiness.drain())
  return app
}

function createContext(
  { config, secrets, clock, wait = waitInRealTime, logger }: ServiceOptions,
  jobs: SyncQueue,
  pool: Pool,
): Context {
  const database = openDatabase(pool)
  const vendors = createVendors({ vendors: config.vendors, database, clock, wait, signal: jobs.stopping })
  const cipher = createTokenCipher(secrets)
  return { ...vendors, database, clock, logger, jobs, cipher, plans: config.plans, version: manifest.version }
}
