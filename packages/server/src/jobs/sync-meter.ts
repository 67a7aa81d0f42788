import { Histogram, type Registry } from "prom-client"

/** A poll takes a second; the whole first history of a person takes minutes, at the pace the vendor allows. */
const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]

/** Told of each sync that has ended. */
export type SyncMeter = (outcome: "done" | "failed", seconds: number) => void

/** Counts and times syncs. No label names a person. */
export function createSyncMeter(registry: Registry): SyncMeter {
  const duration = new Histogram({
    name: "restwell_sync_duration_seconds",
    help: "Time that bringing one connection in step took, by outcome",
    labelNames: ["outcome"],
    buckets: SECONDS,
    registers: [registry],
  })
  return (outcome, seconds) => duration.observe({ outcome }, seconds)
}
