import type { ScoreState } from "@restwell/client"
import type { Json, RecordKind } from "@restwell/providers"
import type { Generated, GeneratedAlways } from "kysely"
import type { JsonColumn } from "./json-column.ts"
import type { StoredDetail } from "./stored-record.ts"

export interface RecordTable {
  user_id: string
  provider: string
  kind: RecordKind
  provider_id: string
  /** Local calendar date by the rule of its kind: `calendar/record-date.ts`. Null until it is derived. */
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
  detail: JsonColumn<StoredDetail>
  raw: JsonColumn<Json>
  /** What sources are chosen by, and what answers are made of, as `parse-facts.ts` reads them. The database derives both. */
  candidate: GeneratedAlways<string>
  fact: GeneratedAlways<string>
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
  reason: string
  raw: JsonColumn<Json>
  seen_at: Date
  /** The software version that could not read it. */
  retried_by: string | null
  /** How often it was requested again since. */
  retries: Generated<number>
  /** When to request it again. */
  retry_at: Generated<Date>
}
