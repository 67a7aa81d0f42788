import { type Context, readSyncCounts } from "@restwell/core"
import type { Registry } from "prom-client"
import { gaugesOf } from "./gauges.ts"

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
}
