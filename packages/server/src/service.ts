import {
  type Context,
  createTokenCipher,
  ImportThreads,
  openDatabase,
  type PoolSettings,
  PushThread,
  type Statistics,
  StatisticsThread,
} from "@restwell/core"
import { startEmbeddedPostgres } from "@restwell/postgres"
import type { Pool } from "pg"
import { Registry } from "prom-client"
import { findSetupLink } from "./accounts/links.ts"
import { buildHttpService, createContext, type ServiceOptions } from "./build-http-service.ts"
import { embeddedDir } from "./config/config.ts"
import { followSettings, type LiveSettings } from "./config/live-settings.ts"
import { callbackUrls } from "./config/vendors.ts"
import { FolderWatch, LOOK_AT_FOLDERS_MS } from "./folders/folder-watch.ts"
import { createHistoryWork, createHomeAssistantWork } from "./home-assistant/home-assistant-work.ts"
import { homeAssistantSettings } from "./home-assistant/settings.ts"
import { buildMetricsApp, buildProbeApp } from "./http/app.ts"
import { measureBackups, measureSyncs } from "./http/plumbing/metrics.ts"
import { createReadiness } from "./http/plumbing/readiness.ts"
import { createDeliveryWork } from "./jobs/delivery-work.ts"
import { createJobs, type WorkOptions } from "./jobs/jobs.ts"
import { createBackupWork, createNotifyWork, createSubscriptionWork } from "./jobs/optional-work.ts"
import { createSyncMeter } from "./jobs/sync-job.ts"
import { createMailMeter, createMailWork } from "./mail/mailer.ts"
import { bindPort, listen, onSocket } from "./network/bind-port.ts"
import { createReceiverNetwork, type ReceiverNetwork } from "./network/receivers.ts"
import { checkSigningKey } from "./oauth/signing-key.ts"
import { DiskWatch, UNKNOWN_DISK, type WatchedDisk } from "./postgres/disk-watch.ts"
import {
  importConnection,
  isWritable,
  JOB_POOL,
  migrateDatabase,
  poolsOn,
  pushConnection,
  READER_POOL,
  reachDatabase,
  statisticsConnection,
} from "./postgres/pools.ts"
import { repeat, unlessAborted, waitInRealTime, waitUnreferenced } from "./process/wait.ts"

/** Connections that one process syncs at a time: for any reason, and beside them for urgent ones. */
const WORK = { concurrency: 2, urgentConcurrency: 4 }

export interface Service {
  /** How people reach it, and the configured vendors. Both may change on the page Service. */
  readonly live: Pick<LiveSettings, "current">
  /** The address it listens on. A worker answers only its probes there. */
  readonly url: string
  /** The link to the set-up, which contains its code. Undefined with an owner, and for a worker. */
  readonly setupLink: string | undefined
  /** Answers the requests it has accepted, hands jobs back, and stops the embedded PostgreSQL last. */
  close(): Promise<void>
}

/** Starts the parts of the role in the order in which they need each other. A failure or `signal` stops the started ones. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, logger, signal } = options
  await using started = new AsyncDisposableStack()
  const socket = options.socket ?? (config.port === 0 ? await bindPort(config.host, 0) : undefined)
  if (socket) started.use(socket)
  const { connection, disk } = await openConnection(options, started)
  const openPool = poolsOn(connection, logger, started)
  await unlessAborted(migrateDatabase(connection), signal)
  const workers = openPool(JOB_POOL)
  // It ends after the queue that stops it.
  const imports = started.use(new ImportThreads({ connection: importConnection(connection), wait: waitUnreferenced }))
  const statistics = startStatistics(connection, started)
  const jobs = createJobs({
    ...options,
    openPool,
    wait: options.wait ?? waitInRealTime,
    isListening: config.role !== "api" && connection.sharesSessions !== true,
  })
  started.defer(() => jobs.stop())
  const readers = openPool(READER_POOL)
  const address = `http://localhost:${socket?.address().port ?? config.port}`
  const cipher = createTokenCipher(options.secrets)
  await unlessAborted(checkSigningKey({ database: openDatabase(readers), cipher }), signal)
  // On the connections that look for jobs anyway, so that those of readers end while nobody reads.
  const { settingsLooks: looks, ring: onChange } = jobs
  const live = await followSettings(
    { config, database: openDatabase(workers), cipher, logger, address, looks, onChange },
    started,
  )
  const { baseUrl } = live.current()
  const registry = new Registry()
  const parts = {
    ...options,
    live,
    registry,
    receivers: createReceiverNetwork({ ...options.receiverLimits, privateHosts: () => live.current().privateHosts }),
    context: createContext({ ...options, live, disk }, jobs, readers),
    workContext: createContext({ ...options, live, disk }, jobs, workers),
    pool: readers,
    disk,
    readiness: createReadiness({ disk, isDatabaseUp: () => isWritable(readers), wait: waitInRealTime }),
  }
  if (config.role === "worker") {
    measureSyncs(parts.context, registry)
    measureBackups(parts.context, registry)
  }
  await startMetrics(parts, baseUrl, started)
  const optional =
    config.role === "api" ? {} : openOptionalWork(options, { ...parts, workers, statistics, ring: onChange }, started)
  // Other processes take them over while the last email is sent.
  started.defer(() => jobs.leave())
  const app =
    config.role === "worker"
      ? await buildProbeApp(parts, baseUrl)
      : await buildHttpService(
          {
            ...parts,
            statistics,
            pushes: startPushes(connection, { ...parts.context, database: openDatabase(workers) }, started),
          },
          started,
        )
  started.defer(() => app.close())
  // Nothing that needs the database may fail once the service answers: it would end a service that is ready.
  const setupLink =
    config.role === "worker" ? undefined : await findSetupLink(parts.context, { baseUrl, secret: options.secrets()[0] })
  signal?.throwIfAborted()
  const url = socket ? await app.listen(onSocket(socket)) : await listen(app, { ...config, setting: "PORT" })
  if (config.role !== "api") {
    await jobs.work(parts.workContext, { ...WORK, meter: createSyncMeter(registry), imports, optional })
    watchFolders(options, parts.workContext, started)
  }
  // It is the first step of a stop: load balancers look elsewhere before anything ends.
  if (config.role !== "worker") started.defer(() => parts.readiness.drain())
  signal?.throwIfAborted()
  if (setupLink !== undefined)
    logger.info({ setup: setupLink }, "not set up yet: open the link to create the owner's account")
  const running = started.move()
  return { live, url, setupLink, close: () => running.disposeAsync() }
}

/** Imports what is put into IMPORT_DIR, until the service stops. */
function watchFolders(
  { config, wait = waitInRealTime }: ServiceOptions,
  context: Context,
  started: AsyncDisposableStack,
): void {
  const { importDir: directory, importMaxBytes } = config
  if (directory === undefined) return
  const folders = new FolderWatch({ directory, context, importMaxBytes })
  const stopping = new AbortController()
  const looking = repeat(() => folders.look(stopping.signal), {
    everyMs: LOOK_AT_FOLDERS_MS,
    wait,
    signal: stopping.signal,
  })
  started.defer(async () => {
    stopping.abort()
    await looking
  })
}

interface WorkParts {
  readonly live: LiveSettings
  readonly receivers: ReceiverNetwork
  readonly registry: Registry
  readonly workers: Pool
  readonly statistics: Statistics
  /** There may be a job that this process can do now. */
  readonly ring: () => void
}

/** What needs settings that the owner may change. */
function openOptionalWork(
  { config, secrets, clock, wait = waitInRealTime }: ServiceOptions,
  { live, registry, receivers, workers, statistics, ring }: WorkParts,
  started: AsyncDisposableStack,
): WorkOptions["optional"] {
  const mail = createMailWork({
    baseUrl: () => live.current().baseUrl,
    mail: () => live.current().mail,
    meter: createMailMeter(registry),
  })
  started.defer(() => mail.stop())
  const schedule = () => live.current().backup
  const home = { ...homeAssistantSettings(live), pool: workers, statistics, wait, ring }
  return {
    mail,
    backup: createBackupWork({ secrets, clock, schedule, pool: workers, dataDir: embeddedDir(config) }),
    notify: createNotifyWork(statistics),
    subscription: createSubscriptionWork({ clock, wait, callbackUrlOf: callbackUrls(live) }),
    delivery: createDeliveryWork({ pool: workers, receivers, baseUrl: () => live.current().baseUrl }),
    home_assistant: createHomeAssistantWork(home),
    home_assistant_history: createHistoryWork(home),
  }
}

/** Ends after the server and the jobs that use it. */
function startStatistics(connection: PoolSettings, started: AsyncDisposableStack): Statistics {
  const settings = { connection: statisticsConnection(connection), wait: waitUnreferenced }
  return started.use(new StatisticsThread(settings)).compute
}

/** Ends after the server that uses it. It looks for pushes on the connections that look for jobs anyway. */
function startPushes(
  connection: PoolSettings,
  context: Pick<Context, "database" | "clock" | "logger">,
  started: AsyncDisposableStack,
): PushThread {
  return started.use(new PushThread({ context, connection: pushConnection(connection), wait: waitUnreferenced }))
}

/** For METRICS_PORT without METRICS_TOKEN: only programs on this machine read metrics. */
const THIS_MACHINE = "127.0.0.1"

/** On METRICS_PORT, if it is set. Metrics are served until the last request is answered. */
async function startMetrics(
  { config, registry }: Pick<ServiceOptions, "config"> & { readonly registry: Registry },
  baseUrl: string,
  started: AsyncDisposableStack,
): Promise<void> {
  const { metricsPort: port, metricsToken } = config
  const host = metricsToken === undefined ? THIS_MACHINE : config.host
  if (port === undefined) return
  const app = await buildMetricsApp({ config, registry }, baseUrl)
  started.defer(() => app.close())
  await listen(app, { host, port, setting: "METRICS_PORT" })
}

async function openConnection(
  { config, logger, onFatal, postgresSettings: settings, signal }: ServiceOptions,
  started: AsyncDisposableStack,
): Promise<{ readonly connection: PoolSettings; readonly disk: WatchedDisk }> {
  if (config.databaseUrl !== undefined) {
    const connection = await unlessAborted(reachDatabase(config.databaseUrl, config.databasePooler), signal)
    if (connection.sharesSessions)
      logger.info(
        "a pooler is in front of the database: statements are not prepared, and workers look for jobs every second",
      )
    return { connection, disk: UNKNOWN_DISK }
  }
  const { dataDir } = config
  const disk = new DiskWatch(dataDir, logger)
  const postgres = await startEmbeddedPostgres({
    dataDir,
    logger,
    onLost: onFatal,
    isDiskFull: () => disk.isFull(),
    ...(settings && { settings }),
    ...(signal && { signal }),
  })
  started.defer(() => postgres.stop())
  const ending = new AbortController()
  started.defer(() => ending.abort())
  void disk.watch(waitInRealTime, ending.signal)
  return { connection: postgres.connection, disk }
}
