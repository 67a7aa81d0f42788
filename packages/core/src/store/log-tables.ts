import type { AccessLogEntry, SecurityEventType } from "@restwell/client"
import type { Generated } from "kysely"

export interface AccessLogTable {
  id: Generated<string>
  user_id: string
  at: Date
  reader: AccessLogEntry["reader"]
  /** The assistant's client. Null for a read by key. */
  client_id: string | null
  assistant: string | null
  operation: string
  types: string[]
  start_date: string | null
  end_date: string | null
  /** Records in the answer. Null for a refusal. */
  record_count: number | null
  /** Equal reads at the same moment in this row. */
  reads: Generated<number>
  outcome: string
}

export interface SecurityEventTable {
  id: Generated<string>
  user_id: string
  at: Date
  type: SecurityEventType
  detail: string | null
  network: string | null
}
