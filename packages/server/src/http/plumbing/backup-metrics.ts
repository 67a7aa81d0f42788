import { type BackupEntry, type Context, readBackups } from "@restwell/core"
import type { Registry } from "prom-client"
import { gaugesOf } from "./gauges.ts"

/** Gauges of the backups, from the database: the same in every process. Without any backup only the failure has a value. */
export function measureBackups(context: Pick<Context, "database">, registry: Registry): void {
  const addGauge = gaugesOf(() => readBackups(context), registry)
  const ofLast = (name: string, help: string, value: (last: BackupEntry, endedAt: Date) => number) =>
    addGauge(name, help, [], ({ last }) => (last?.endedAt ? [{ labels: {}, value: value(last, last.endedAt) }] : []))
  ofLast(
    "restwell_backup_last_success_timestamp_seconds",
    "When the last complete backup began, Unix time",
    ({ startedAt }) => startedAt.getTime() / 1000,
  )
  ofLast("restwell_backup_last_bytes", "Size of the last complete backup", ({ bytes }) => bytes ?? 0)
  ofLast(
    "restwell_backup_last_duration_seconds",
    "How long the last complete backup took",
    ({ startedAt }, endedAt) => (endedAt.getTime() - startedAt.getTime()) / 1000,
  )
  addGauge("restwell_backup_failed", "1 if a backup failed and no later one is complete, else 0", [], ({ failure }) => [
    { labels: {}, value: failure === null ? 0 : 1 },
  ])
}
