import { type BackupEntry, type Context, readBackups, readSyncCounts } from "@restwell/core"
import type { FastifyInstance } from "fastify"
import { collectDefaultMetrics, Gauge, Histogram, type Registry } from "prom-client"
import type { Logger } from "../../process/logger.ts"
import { sumLines, waitUnreferenced } from "../../process/wait.ts"

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

export const WEBHOOKS_PATH = "/api/webhooks/:provider"
/** Why webhooks are refused. Anybody can send them, any number of times. */
const REFUSALS: Readonly<Record<number, string>> = {
  400: "unreadable",
  401: "forged",
  404: "unknown vendor",
  413: "too large",
}

/** Measures every request by route and status, and the process. No label names a person. */
export function measureRequests(app: FastifyInstance, registry: Registry, logger: Logger): void {
  collectDefaultMetrics({ register: registry })
  const duration = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from a request's headers to its response, by route and status",
    labelNames: ["method", "route", "status"],
    buckets: SECONDS,
    registers: [registry],
  })
  // These lines are frequent and contain no secrets.
  const lines = logger.child({}, { redact: [] })
  const refusedWebhooks = sumLines((refused) => lines.info({ refused }, "webhooks refused"), waitUnreferenced)
  app.addHook("onClose", async () => refusedWebhooks.flush())
  app.addHook("onResponse", (request, reply, done) => {
    const { method, id: reqId } = request
    const route = request.routeOptions.url ?? "none"
    const { statusCode: status, elapsedTime: durationMs } = reply
    duration.observe({ method, route, status }, durationMs / 1000)
    if (route === WEBHOOKS_PATH && status >= 400 && status < 500) refusedWebhooks.add(REFUSALS[status] ?? `${status}`)
    else lines.info({ reqId, method, route, status, durationMs: Math.round(durationMs * 10) / 10 }, "answered")
    done()
  })
}

/** All gauges of a scrape, and of the next ones within this time, share one query. */
const FRESH_MS = 5_000

interface Sample {
  readonly labels: Record<string, string>
  readonly value: number
}

/** Adds a gauge of the values read. */
type AddGauge<Reading> = (
  name: string,
  help: string,
  labelNames: string[],
  samples: (reading: Reading) => Sample[],
) => void

/** Returns a function that adds gauges, which share one reading. */
function gaugesOf<Reading>(read: () => Promise<Reading>, registry: Registry): AddGauge<Reading> {
  const readOnce = sharedReading(read)
  return (name, help, labelNames, samples) => {
    const gauge: Gauge = new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      collect: async () => {
        const reading = await readOnce()
        gauge.reset()
        for (const { labels, value } of samples(reading)) gauge.set(labels, value)
      },
    })
  }
}

function sharedReading<Reading>(read: () => Promise<Reading>): () => Promise<Reading> {
  let latest: { readonly reading: Promise<Reading>; readonly startedMs: number } | undefined
  return () => {
    const nowMs = performance.now()
    if (latest && nowMs - latest.startedMs < FRESH_MS) return latest.reading
    const reading = read()
    latest = { reading, startedMs: nowMs }
    reading.catch(() => {
      latest = undefined
    })
    return reading
  }
}

/** Gauges of the backups, from the database: the same in every process. Without any backup only the failure has a value. */
export function measureBackups(context: Pick<Context, "database">, registry: Registry): void {
  const addGauge = gaugesOf(() => readBackups(context), registry)
  const ofLast = (name: string, help: string, value: (last: BackupEntry) => number) =>
    addGauge(name, help, [], ({ last }) => (last ? [{ labels: {}, value: value(last) }] : []))
  ofLast(
    "restwell_backup_last_success_timestamp_seconds",
    "When the last complete backup began, Unix time",
    ({ startedAt }) => startedAt.getTime() / 1000,
  )
  ofLast("restwell_backup_last_bytes", "Size of the last complete backup", ({ bytes }) => bytes ?? 0)
  ofLast(
    "restwell_backup_last_duration_seconds",
    "How long the last complete backup took",
    ({ startedAt, endedAt }) => (endedAt.getTime() - startedAt.getTime()) / 1000,
  )
  addGauge("restwell_backup_failed", "1 if a backup failed and no later one is complete, else 0", [], ({ failure }) => [
    { labels: {}, value: failure === null ? 0 : 1 },
  ])
}

/** Gauges of the syncs, from the database: the same in every process. */
export function measureSyncs(context: Pick<Context, "database" | "clock">, registry: Registry): void {
  const addGauge = gaugesOf(() => readSyncCounts(context), registry)
  addGauge("restwell_connections", "Connections by vendor and status", ["provider", "status"], ({ connections }) =>
    connections.map(({ provider, status, count }) => ({ labels: { provider, status }, value: count })),
  )
  addGauge(
    "restwell_vendor_calls",
    "Calls to the vendor's API since the start of counting, by purpose",
    ["provider", "purpose"],
    ({ calls }) => calls.map(({ provider, purpose, count }) => ({ labels: { provider, purpose }, value: count })),
  )
  addGauge(
    "restwell_vendor_calls_per_connection",
    "Calls of the last whole UTC day for each working connection",
    ["provider"],
    ({ callsPerConnection }) =>
      callsPerConnection.map(({ provider, count }) => ({ labels: { provider }, value: count })),
  )
  addGauge("restwell_events_waiting", "Webhook events whose records are not read yet", ["provider"], ({ waiting }) =>
    waiting.map(({ provider, count }) => ({ labels: { provider }, value: count })),
  )
  addGauge("restwell_events_oldest_seconds", "Age of the oldest waiting event", ["provider"], ({ waiting }) =>
    waiting.map(({ provider, oldestSeconds }) => ({ labels: { provider }, value: oldestSeconds })),
  )
  addGauge(
    "restwell_connections_waiting",
    "Connections whose sync waits for calls, by reason",
    ["provider", "reason"],
    ({ waitingForCalls }) =>
      waitingForCalls.map(({ provider, reason, count }) => ({ labels: { provider, reason }, value: count })),
  )
  addGauge(
    "restwell_rejected_records",
    "Records set aside because they do not match the vendor's documented format",
    ["provider", "kind"],
    ({ rejected }) => rejected.map(({ provider, kind, count }) => ({ labels: { provider, kind }, value: count })),
  )
  addGauge(
    "restwell_left_out_fields",
    "Fields that are missing in their records because they are wrong",
    ["provider", "kind", "field"],
    ({ leftOutFields }) =>
      leftOutFields.map(({ provider, kind, field, count }) => ({ labels: { provider, kind, field }, value: count })),
  )
}
