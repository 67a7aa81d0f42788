import type { ScoreState } from "@restwell/client"
import type { Json, RecordKind, SleepCourse, VendorArchive } from "@restwell/providers"
import type { ColumnType, Generated } from "kysely"

/** JSON columns are written as text and read as values. */
export type JsonColumn<Value> = ColumnType<Value, string, string>

export interface RecordTable {
  user_id: string
  provider: string
  kind: RecordKind
  provider_id: string
  /** Local calendar date by the rule of its kind: `ownDateOf`. Null until it is derived. */
  date: string | null
  started_at: Date | null
  ended_at: Date | null
  utc_offset_minutes: number | null
  score_state: ScoreState
  vendor_updated_at: Date
  sleep_provider_id: string | null
  cycle_provider_id: string | null
  /** Recovery: deviation from the previous 30 scored nights, degrees Celsius. */
  skin_temp_deviation: number | null
  /** True for the copy of an archive's record. */
  from_archive: Generated<boolean>
  /** True where that archive is our own export, and the vendor itself had delivered the record. */
  was_direct: Generated<boolean>
  detail: JsonColumn<object>
  candidate: JsonColumn<object>
  course: JsonColumn<SleepCourse> | null
  raw: JsonColumn<Json>
}

/** The sources that the person prefers, the first one most. */
export interface SourceOrderTable {
  user_id: string
  type: RecordKind
  providers: string[]
}

/** The source that the person chose for one date. */
export interface SourceChoiceTable {
  user_id: string
  type: RecordKind
  date: string
  provider: string
}

export interface ProfileTable {
  user_id: string
  provider: string
  data: JsonColumn<Json>
  raw: JsonColumn<Json>
  fetched_at: Date
  /** True for the copy of an archive's profile. */
  from_archive: Generated<boolean>
}

export interface RejectedRecordTable {
  user_id: string
  provider: string
  kind: RecordKind
  /** SHA-256 of the payload: equal payloads are stored once. */
  digest: Buffer
  provider_id: string | null
  /** The date that lacks the record. Null where the payload does not tell it, and where an earlier version is stored. */
  date: string | null
  reason: string
  raw: JsonColumn<Json>
  seen_at: Date
  /** Where the list begins that has it. Null if it was requested by its id. */
  listed_from: Date | null
  /** The software version that could not read it. */
  retried_by: string | null
  /** How often it was requested again since. */
  retries: Generated<number>
  /** When to request it again. */
  retry_at: Generated<Date>
}

/** Entries of a journal that a vendor's API has. */
export interface JournalEntryTable {
  user_id: string
  provider: string
  provider_id: string
  /** Local date of waking. */
  date: string
  at: Date
  utc_offset_minutes: number
  question: string
  factor: string
  answer: boolean
}

/** The person's own answer to a topic, as the page writes it. */
export interface OwnAnswerTable {
  user_id: string
  /** Local date of waking. */
  date: string
  /** A name of the vocabulary, of a vendor's topic, or of the person's own, which begins with `own:`. */
  factor: string
  title: string
  answer: boolean
  value: number | null
}

/** The person's note for a date. */
export interface OwnNoteTable {
  user_id: string
  /** Local date of waking. */
  date: string
  note: string
}

/** Own answers that imports of our own exports brought. */
export interface ImportOwnAnswerTable extends OwnAnswerTable {
  import_id: string
}
export interface ImportOwnNoteTable extends OwnNoteTable {
  import_id: string
}

/** Which sources the person prefers. */
export interface SourcePreferences {
  /** By type, the preferred source first. Absent where the person set no order. */
  readonly order: Partial<Readonly<Record<RecordKind, readonly string[]>>>
  /** The sources of single dates. */
  readonly choices: readonly SourceChoice[]
  /** The sources that may answer, the one that the person has longest first. */
  readonly connected: readonly string[]
}

export interface SourceChoice {
  readonly type: RecordKind
  /** Local calendar date, YYYY-MM-DD. */
  readonly date: string
  readonly provider: string
}

/** `receiving` until the whole file is here. Only then it is listed. */
export type ImportStatus = "receiving" | "queued" | "running" | "done" | "failed"
export type ImportKind = VendorArchive["kind"] | "restwell_export" | "push"

/** What an import found. */
export interface ImportReport {
  /** Records and answers that it brought. */
  readonly stored: number
  /** Records that were stored already, and doubled rows. */
  readonly unchanged: number
  readonly ignored: readonly { readonly reason: string; readonly count: number }[]
  /** What else the person should know, in sentences. */
  readonly notes: readonly string[]
  readonly from_date: string | null
  readonly to_date: string | null
  /** Distinct records of the file. */
  readonly by_type: Readonly<Record<string, number>>
  /** The first and the last date of each type. Of values within the day, UTC days. */
  readonly dates_by_type: Readonly<Record<string, { readonly from_date: string; readonly to_date: string }>>
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
  /** Of pushes, which are one import for each provider. */
  pushed_provider: Generated<string | null>
  status: ImportStatus
  /** Whether answers about private topics are stored. */
  includes_private: boolean
  /** Fraction of the file that was read, 0 to 1. */
  progress: Generated<number>
  /** How many processes ended one after the other while they read it, all at the progress `died_at`. */
  deaths: Generated<number>
  died_at: Generated<number>
  report: JsonColumn<ImportReport> | null
  /** The preferences, and the order and the choices of sources, that it restored. */
  restored: JsonColumn<Json> | null
  error: string | null
  created_at: Date
  /** The last sign that somebody still sends it, by the database's clock. */
  arrived_at: Generated<Date>
}

export interface ImportPartTable {
  user_id: string
  import_id: string
  part: number
  bytes: Buffer
}

/** A file of a folder whose version was imported. */
export interface FolderFileTable {
  user_id: string
  path: string
  /** Bytes. */
  size: string
  modified_at: Date
  import_id: string
  former_import_id: string | null
}

/** What a push stored so far. */
export interface PushReport extends Pick<ImportReport, "stored" | "unchanged" | "ignored"> {}

/** A push that is received, or that is stored in pieces. */
export interface PushTable {
  user_id: string
  id: Generated<string>
  token_id: string
  provider: string
  is_gzip: boolean
  /** How its counts are added up, where the program says it. */
  aggregation: string | null
  status: "receiving" | "queued" | "done" | "failed"
  /** True once the sender was told to ask for the report. */
  is_acknowledged: Generated<boolean>
  pieces: Generated<number>
  report: ColumnType<PushReport, string | undefined, string>
  error: string | null
  created_at: Date
  claimed_by: string | null
  /** By the database's clock. */
  claimed_at: Date | null
  /** How many processes died while they stored it. */
  deaths: Generated<number>
}

export interface PushPartTable {
  user_id: string
  push_id: string
  part: number
  bytes: Buffer
}

export interface PushUsageTable {
  user_id: string
  /** UTC. */
  day: string
  rows: string
}

/** Pushed rows of a UTC day. */
export interface PushedDayTable {
  user_id: string
  import_id: string
  day: string
  rows: Buffer
  /** Short hashes of the rows that have an id. */
  ids: number[]
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
  /** Of the versions that several imports have, the highest counts. */
  precedence: Generated<number>
  date: string
  started_at: Date
  ended_at: Date | null
  utc_offset_minutes: number
  score_state: ScoreState
  vendor_updated_at: Date
  sleep_provider_id: string | null
  cycle_provider_id: string | null
  detail: JsonColumn<object>
  candidate: JsonColumn<object>
  course: JsonColumn<SleepCourse> | null
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
  /** True if the cycle is stored. */
  has_cycle: Generated<boolean>
}
