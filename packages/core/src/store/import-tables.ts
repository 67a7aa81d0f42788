import type { ScoreState } from "@restwell/client"
import type { Json, RecordKind } from "@restwell/providers"
import type { Generated } from "kysely"
import type { JsonColumn } from "./json-column.ts"
import type { StoredDetail } from "./stored-record.ts"

/** `receiving` until the whole file is here. Only then it is listed. */
export type ImportStatus = "receiving" | "queued" | "running" | "done" | "failed"
export type ImportKind = "whoop_archive" | "oura_archive" | "restwell_export"

/** What an import found. */
export interface ImportReport {
  /** Records and answers that it brought. */
  readonly stored: number
  /** Those that were here already, and doubled rows. */
  readonly unchanged: number
  readonly ignored: readonly { readonly reason: string; readonly count: number }[]
  readonly from_date: string | null
  readonly to_date: string | null
  /** Distinct records of the file. */
  readonly by_type: Readonly<Record<string, number>>
}

export interface ImportTable {
  user_id: string
  id: Generated<string>
  /** Grows with each import. */
  number: Generated<string>
  file_name: string
  /** Bytes. */
  size: Generated<string>
  kind: ImportKind | null
  status: ImportStatus
  /** Whether answers about private topics are stored. */
  includes_private: boolean
  /** Fraction of the file that was read, 0 to 1. */
  progress: Generated<number>
  report: JsonColumn<ImportReport> | null
  /** The order and the choices of sources that it restored. */
  restored: JsonColumn<Json> | null
  error: string | null
  created_at: Date
  /** The run that reads the file. */
  claimed_by: string | null
  /** By the database's clock. */
  claimed_at: Date | null
}

export interface ImportPartTable {
  user_id: string
  import_id: string
  part: number
  bytes: Buffer
}

export interface ImportRecordTable {
  user_id: string
  import_id: string
  provider: string
  kind: RecordKind
  provider_id: string
  has_vendor_id: boolean
  /** True for a record of our own export that the vendor itself had delivered. */
  was_direct: Generated<boolean>
  date: string
  started_at: Date
  ended_at: Date | null
  utc_offset_minutes: number
  score_state: ScoreState
  vendor_updated_at: Date
  sleep_provider_id: string | null
  cycle_provider_id: string | null
  detail: JsonColumn<StoredDetail>
  raw: JsonColumn<Json>
}

export interface ImportProfileTable {
  user_id: string
  import_id: string
  provider: string
  data: JsonColumn<Json>
  raw: JsonColumn<Json>
  fetched_at: Date
}

export interface JournalAnswerTable {
  user_id: string
  import_id: string
  provider: string
  cycle_started_at: Date
  question: string
  /** Empty for answers without an id of the vendor. */
  provider_id: string
  utc_offset_minutes: number
  factor: string
  answer: boolean | null
  date: string
}
