import { createTokenCipher, openDatabase, type PoolSettings } from "@restwell/core"
import { Registry } from "prom-client"
import { buildHttpService } from "./build-http-service.ts"
import { followSettings, type LiveSettings } from "./config/live-settings.ts"
import { createContext } from "./create-context.ts"
import { buildMetricsApp } from "./http/metrics-app.ts"
import { measureBackups } from "./http/plumbing/backup-metrics.ts"
import { createReadiness } from "./http/plumbing/readiness.ts"
import { measureSyncs } from "./http/plumbing/sync-metrics.ts"
import { buildProbeApp } from "./http/probe-app.ts"
import { startBackups } from "./jobs/backup-schedule.ts"
import { createSyncMeter } from "./jobs/sync-meter.ts"
import { startSyncQueue } from "./jobs/sync-queue.ts"
import { createMailMeter } from "./mail/mail-meter.ts"
import { startMail } from "./mail/start-mail.ts"
import { bindPort, listen, onSocket } from "./network/bind-port.ts"
import { startEmbeddedPostgres } from "./postgres/embedded-postgres.ts"
import { reachDatabase } from "./postgres/find-pooler.ts"
import { isAnswering, JOB_POOL, migrateDatabase, poolsOn, READER_POOL } from "./postgres/open-pools.ts"
import type { ServiceOptions } from "./service-options.ts"
import { unlessAborted } from "./time/unless-aborted.ts"
import { waitInRealTime } from "./time/wait.ts"
import { callbackUrls } from "./vendors/callback-url.ts"

/** Connections that one process syncs at a time: for any reason, and beside them for urgent ones. */
const WORK = { concurrency: 2, urgentConcurrency: 4 }

export interface Service {
  /** How people reach it, and the configured vendors. Both may change on the page Service. */
  readonly live: Pick<LiveSettings, "current">
  /** The address it listens on. A worker answers only its probes there. */
  readonly url: string
  /** Answers the requests it has accepted, hands jobs back, and stops the embedded PostgreSQL last. */
  close(): Promise<void>
}

/** Starts the parts of the role in the order in which they need each other. A failure or `signal` stops those that were started. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const { config, logger, signal } = options
  await using started = new AsyncDisposableStack()
  const socket = options.socket ?? (config.port === 0 ? await bindPort(config.host, 0) : undefined)
  if (socket) started.use(socket)
  const connection = await openConnection(options, started)
  const openPool = poolsOn(connection, logger, started)
  await unlessAborted(migrateDatabase(connection), signal)
  const workers = openPool(JOB_POOL)
  const jobs = await unlessAborted(startSyncQueue(connection, logger, options.wait ?? waitInRealTime), signal)
  started.defer(() => jobs.stop())
  const readers = openPool(READER_POOL)
  const address = `http://localhost:${socket?.address().port ?? config.port}`
  const cipher = createTokenCipher(options.secrets)
  const live = await followSettings({ config, database: openDatabase(readers), cipher, logger, address }, started)
  const { baseUrl } = live.current()
  const registry = new Registry()
  const parts = {
    ...options,
    live,
    registry,
    context: createContext({ ...options, live }, jobs, readers),
    pool: readers,
    readiness: createReadiness({ isDatabaseUp: () => isAnswering(readers), wait: waitInRealTime }),
  }
  if (config.role === "worker") {
    measureSyncs(parts.context, registry)
    measureBackups(parts.context, registry)
  }
  const app = config.role === "worker" ? await buildProbeApp(parts, baseUrl) : await buildHttpService(parts, started)
  started.defer(() => app.close())
  if (config.role !== "worker") started.defer(() => parts.readiness.drain())
  signal?.throwIfAborted()
  await startMetrics(parts, baseUrl, started)
  const url = socket ? await app.listen(onSocket(socket)) : await listen(app, { ...config, setting: "PORT" })
  if (config.role !== "api")
    await jobs.work(createContext({ ...options, live }, jobs, workers), {
      ...WORK,
      meter: createSyncMeter(registry),
      callbackUrlOf: callbackUrls(live),
    })
  if (config.role !== "api" && config.mail)
    started.defer(
      await startMail({
        context: parts.context,
        baseUrl: () => live.current().baseUrl,
        mail: config.mail,
        meter: createMailMeter(registry),
        wait: options.wait ?? waitInRealTime,
      }),
    )
  if (config.role !== "api" && config.backup)
    started.defer(
      startBackups({
        ...parts.context,
        pool: workers,
        secrets: options.secrets,
        schedule: config.backup,
        wait: waitInRealTime,
      }),
    )
  signal?.throwIfAborted()
  const running = started.move()
  return { live, url, close: () => running.disposeAsync() }
}

/** On METRICS_PORT, if it is set. Metrics are served until the rest has stopped. */
async function startMetrics(
  { config, registry }: Pick<ServiceOptions, "config"> & { readonly registry: Registry },
  baseUrl: string,
  started: AsyncDisposableStack,
): Promise<void> {
  const { host, metricsPort: port } = config
  if (port === undefined) return
  const app = await buildMetricsApp({ config, registry }, baseUrl)
  started.defer(() => app.close())
  await listen(app, { host, port, setting: "METRICS_PORT" })
}

async function openConnection(
  { config, logger, onFatal, postgresSettings: settings, signal }: ServiceOptions,
  started: AsyncDisposableStack,
): Promise<PoolSettings> {
  if (config.databaseUrl !== undefined) {
    const connection = await unlessAborted(reachDatabase(config.databaseUrl, config.databasePooler), signal)
    if (connection.sharesSessions)
      logger.info(
        "a pooler stands before the database: statements are not prepared, and workers look for jobs every second",
      )
    return connection
  }
  const { dataDir } = config
  const postgres = await startEmbeddedPostgres({
    dataDir,
    logger,
    onLost: onFatal,
    ...(settings && { settings }),
    ...(signal && { signal }),
  })
  started.defer(() => postgres.stop())
  return postgres.connection
}
