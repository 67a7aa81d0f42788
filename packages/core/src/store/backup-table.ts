import type { Generated } from "kysely"

/** Who asked for a backup: the schedule of the settings, or `restwell backup`. */
export type BackupOrigin = "schedule" | "command"

export interface BackupTable {
  id: Generated<string>
  origin: BackupOrigin
  file: string
  host: string
  has_secret: boolean
  status: "running" | "done" | "failed"
  started_at: Generated<Date>
  ended_at: Date | null
  /** Size of the file. PostgreSQL's bigint arrives as text. */
  bytes: string | null
  error: string | null
  alive_at: Generated<Date>
}
