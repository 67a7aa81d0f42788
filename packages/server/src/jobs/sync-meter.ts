import type { SyncFailure } from "@restwell/core"
import { Counter, Histogram, type Registry } from "prom-client"

/** A poll takes a second, a person's first history takes minutes at the vendor's pace. */
const SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600]

const REASONS = ["vendor", "authorization", "unexpected", "database"] as const satisfies readonly (
  | SyncFailure
  | "unexpected"
  | "database"
)[]

export type FailureReason = (typeof REASONS)[number]

/** Called with each sync that has ended. @param failure undefined for a sync that did everything due, as far as the call budget allows */
export type SyncMeter = (failure: FailureReason | undefined, seconds: number) => void

/** Counts and times syncs. No label names a person. */
export function createSyncMeter(registry: Registry): SyncMeter {
  const duration = new Histogram({
    name: "restwell_sync_duration_seconds",
    help: "Duration of one connection's sync, by outcome",
    labelNames: ["outcome"],
    buckets: SECONDS,
    registers: [registry],
  })
  const failures = new Counter({
    name: "restwell_sync_failures_total",
    help: "Syncs of one connection that failed, by reason",
    labelNames: ["reason"],
    registers: [registry],
  })
  // A series that starts at its first failure has no increase to alert on.
  for (const reason of REASONS) failures.inc({ reason }, 0)
  return (failure, seconds) => {
    duration.observe({ outcome: failure === undefined ? "done" : "failed" }, seconds)
    if (failure !== undefined) failures.inc({ reason: failure })
  }
}
