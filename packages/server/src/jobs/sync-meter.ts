import { Histogram, type Registry } from "prom-client"

/** A poll takes a second, a person's first history takes minutes at the vendor's pace. */
const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]

/** Called with each sync that has ended. */
export type SyncMeter = (outcome: "done" | "failed", seconds: number) => void

/** Counts and times syncs. No label names a person. */
export function createSyncMeter(registry: Registry): SyncMeter {
  const duration = new Histogram({
    name: "restwell_sync_duration_seconds",
    help: "Duration of one connection's sync, by outcome",
    labelNames: ["outcome"],
    buckets: SECONDS,
    registers: [registry],
  })
  return (outcome, seconds) => duration.observe({ outcome }, seconds)
}
