import { type Context, readSyncCounts, type SyncCounts } from "@restwell/core"
import { Gauge, type Registry } from "prom-client"

/** So long a reading serves those who ask after it, milliseconds. */
const FRESH_MS = 5_000

interface Sample {
  readonly labels: Record<string, string>
  readonly value: number
}

/** How the syncs stand, from the database: the same whichever process is asked, whoever does the work. */
export function measureSyncs(context: Pick<Context, "database" | "clock">, registry: Registry): void {
  const read = sharedReading(() => readSyncCounts(context))
  const gauge = (name: string, help: string, labelNames: string[], samples: (counts: SyncCounts) => Sample[]) =>
    new Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const counts = await read()
        this.reset()
        for (const { labels, value } of samples(counts)) this.set(labels, value)
      },
    })
  gauge("restwell_connections", "Connections by vendor and status", ["provider", "status"], ({ connections }) =>
    connections.map(({ provider, status, count }) => ({ labels: { provider, status }, value: count })),
  )
  gauge(
    "restwell_vendor_calls",
    "Calls of the vendor's app since the first, by what they were for",
    ["provider", "purpose"],
    ({ calls }) => calls.map(({ provider, purpose, count }) => ({ labels: { provider, purpose }, value: count })),
  )
  gauge(
    "restwell_vendor_calls_per_connection",
    "Calls of the last whole UTC day, for each connection that works",
    ["provider"],
    ({ callsPerConnection }) =>
      callsPerConnection.map(({ provider, count }) => ({ labels: { provider }, value: count })),
  )
  gauge("restwell_events_waiting", "Records a vendor told of that wait to be read", ["provider"], ({ waiting }) =>
    waiting.map(({ provider, count }) => ({ labels: { provider }, value: count })),
  )
  gauge("restwell_events_oldest_seconds", "For how long the oldest of them waits", ["provider"], ({ waiting }) =>
    waiting.map(({ provider, oldestSeconds }) => ({ labels: { provider }, value: oldestSeconds })),
  )
  gauge(
    "restwell_rejected_records",
    "Records kept aside because they have another shape than the vendor documents",
    ["provider", "kind"],
    ({ rejected }) => rejected.map(({ provider, kind, count }) => ({ labels: { provider, kind }, value: count })),
  )
}

/** One reading for all gauges of a scrape. */
function sharedReading<Reading>(read: () => Promise<Reading>): () => Promise<Reading> {
  let reading: Promise<Reading> | undefined
  return () => {
    if (!reading) {
      reading = read()
      const forget = () => {
        reading = undefined
      }
      setTimeout(forget, FRESH_MS).unref()
      reading.catch(forget)
    }
    return reading
  }
}
