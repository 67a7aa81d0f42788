import type { SeriesType, Source } from "@restwell/client"
import type { DeviceKind, EventName, Holding, RecordKind, WaitReason } from "@restwell/providers"
import type { ColumnType, Generated, RawBuilder } from "kysely"

/** One person's connection to one vendor. */
export interface ConnectionId {
  readonly userId: string
  readonly provider: string
}

/** The state of a connection. `connect/connection-status.ts` holds the transitions. Answers show every state but `disconnected`. */
export type ConnectionStatus = Source["status"] | "disconnected"

/** The columns of a connection that say what its sync waits for. */
export interface StoredWaiting {
  readonly status: ConnectionStatus
  readonly reason: WaitReason | null
  readonly message: string | null
  readonly until: Date | null
  /** The start of the stored history. */
  readonly fetchedBackTo: Date | null
}

/** What a connection lacks of one collection of its vendor, as JSON. `sync/gaps.ts` has the meaning of each field. */
export interface StoredGap {
  readonly collection: string
  readonly title: string
  readonly holds: readonly Holding[]
  readonly reason: string
  readonly nextStep: string
  readonly helpsReconnect: boolean
  /** Instants are ISO 8601. */
  readonly since: string
  readonly triedAt: string
  readonly retryAt: string
  readonly failures: number
  readonly lacksFrom: string
  readonly lacksTo: string | null
}

export interface ConnectionTable {
  user_id: string
  provider: string
  status: ConnectionStatus
  status_reason: string | null
  status_changed_at: Date
  /** Since when it does not work. Null while it works, and once the person ended it. */
  failing_since: Generated<Date | null>
  /** Whether an event said so. */
  is_failure_told: Generated<boolean>
  /** Grows at each connect and disconnect. Work that began under an older generation stores nothing. */
  generation: Generated<string>
  connected_at: Date
  /** Null for a source that was connected once. */
  first_connected_at: Generated<Date | null>
  /** Null for what archives and pushes alone have brought. */
  first_live_at: Generated<Date | null>
  last_synced_at: Date | null
  /** The newest push from a phone. With it, answers show the status `archive` as `ok`. */
  pushed_at: Generated<Date | null>
  archived_at: Generated<Date | null>
  /** When the next sync is due, apart from events. */
  next_sync_at: Date
  /** When the trailing days of all kinds were last listed to their last page. */
  listed_at: Date | null
  /** When to poll the vendor next. Null means now. */
  refresh_at: Date | null
  /** When late changes were last looked for. Null means that a look is due. */
  reconciled_at: Date | null
  /** Completed reconciliations. */
  reconciliations: Generated<number>
  /** When the vendor last sent an event. */
  last_event_at: Date | null
  /** No call before this time: the vendor failed, or the budget is used up. */
  retry_after: Date | null
  /** The vendor's id of the person, as its events name them. */
  member_id: string | null
  /** Failures since the last success: the exponent of the back-off. */
  failures: Generated<number>
  /** When a read last requested a sync: at most once a minute. */
  sync_requested_at: Date | null
  /** When the person last requested a sync: at most once a minute. */
  person_requested_at: Date | null
  /** Why a step waits for calls, in a sentence too, and until when. Null or in the past while none waits. */
  waiting_reason: WaitReason | null
  waiting_message: string | null
  waiting_until: Date | null
  /** Everything that started after this has been fetched. Null before the first window. */
  fetched_back_to: Date | null
  history_complete: Generated<boolean>
  /** When the history was complete for the first time. Null before. */
  history_told_at: Generated<Date | null>
  /** Collections that give nothing, and those whose past is read since they answer again. */
  gaps: ColumnType<StoredGap[], string | undefined, string | RawBuilder<string>>
  /** When the newest samples were last read. Samples are values within the day that are no parts of records. */
  samples_read_at: Date | null
  /** All samples before this have been read, as far as `samples_back_to`. */
  samples_until: Date | null
  samples_back_to: Date | null
  /** Where the past of samples ends. Null for where the history begins. */
  samples_goal: Date | null
}

export interface VendorGrantTable {
  user_id: string
  provider: string
  /** The key that encrypted the access token. */
  key_id: string
  access_token: Buffer
  refresh_token: Buffer | null
  /** The key that encrypted the refresh token. Null without a refresh token. */
  refresh_key_id: string | null
  expires_at: Date
  scopes: string[]
}

export interface AuthorizationRequestTable {
  user_id: string
  provider: string
  state: string
  session_id: string
  expires_at: Date
}

/** A record to read again, because the vendor sent an event about it. */
export interface VendorEventTable {
  user_id: string
  provider: string
  kind: RecordKind
  /** The kind of record that `provider_id` names. */
  named_by: EventName
  provider_id: string
  /** Grows with each repeated event. */
  version: Generated<string>
  received_at: Date
  /** When to read it: some kinds get a second event within minutes. */
  due_at: Date
}

export interface VendorEventSeenTable {
  provider: string
  /** SHA-256 of what identifies the delivery. */
  event_key: Buffer
  seen_at: Date
}

/** The app's subscription to the webhooks of a vendor that requires one. */
export interface VendorSubscriptionTable {
  provider: string
  callback_url: string
  /** When all was well last. */
  kept_at: Date
  ends_at: Date | null
  /** The key that encrypted the secret. */
  key_id: string | null
  /** What the vendor signs webhooks with, where it gives a secret for them. */
  secret: Buffer | null
}

export interface VendorPauseTable {
  provider: string
  until: Date
}

/** Who asked for a backup: the schedule of the settings, or `restwell backup`. */
export type BackupOrigin = "schedule" | "command"

export interface BackupTable {
  id: Generated<string>
  origin: BackupOrigin
  file: string
  host: string
  has_secret: boolean
  status: "done" | "failed"
  started_at: Date
  ended_at: Date
  /** Size of the file. PostgreSQL's bigint arrives as text. */
  bytes: string | null
  error: string | null
}

/** The packed samples of a person, type, source and UTC day. */
export interface SeriesDayTable {
  user_id: string
  type: SeriesType
  provider: string
  /** UTC day, YYYY-MM-DD. */
  day: string
  /** Empty where no collector names a device. */
  device: Generated<string>
  /** `rmssd` or `sdnn` of HRV, else empty. */
  method: Generated<string>
  /** The vendor's id of the record that the samples are a part of, or empty. */
  record_id: Generated<string>
  count: number
  samples: Buffer
}

/** Samples of a vendor that cannot be used. */
export interface SeriesLeftOutTable {
  user_id: string
  provider: string
  type: SeriesType | "workout" | "sleep"
  /** UTC day, YYYY-MM-DD. */
  day: string
  /** The vendor's id of the record that the samples would be a part of, or empty. */
  record_id: string
  reason: string
  count: number
}

/** What an import brought. */
export interface ImportSeriesDayTable extends SeriesDayTable {
  import_id: string
  was_direct: Generated<boolean>
  /** What a device says that it is. */
  device_kind: Generated<DeviceKind | null>
}
