import type { AccessLogEntry, KeyType, PreferencesResponse, SecurityEventType } from "@restwell/client"
import type { Json } from "@restwell/providers"
import type { Generated } from "kysely"
import type { Plan } from "../base/plans.ts"
import type { JsonColumn } from "./record-tables.ts"

/** better-auth's table. Only the columns that core reads. */
export interface UserTable {
  id: string
  name: string
  email: string
  createdAt: Date
}

export interface PersonTable {
  user_id: string
  plan: Generated<Plan>
  /** IANA name. It defines "today" until there is a record. */
  time_zone: string | null
  /** Grows with every change of an answer: equal versions mean equal bytes for the same dates. */
  data_version: Generated<string>
  /** Minutes east of UTC, from the newest record. */
  utc_offset_minutes: number | null
  /** Whether an email tells the person when a connection has to be renewed. */
  reconnect_mail: Generated<boolean>
  /** How figures and clock times are written. Null until the person or their browser sets it. */
  units: PreferencesResponse["units"] | null
  clock: PreferencesResponse["clock"] | null
  first_weekday: PreferencesResponse["first_weekday"] | null
  /** Null for the usual ones. */
  days_off: PreferencesResponse["days_off"] | null
  /** The cards of the page Trends. Null for the usual ones. */
  trend_cards: PreferencesResponse["trend_cards"]
  hidden_cards: PreferencesResponse["hidden_cards"]
  /** Null where the question was not answered so. */
  no_main_device: boolean | null
  /** Those of the columns above that the browser suggested. */
  suggested_preferences: Generated<string[]>
}

export interface InvitationTable {
  id: Generated<string>
  /** SHA-256 of the link's token. */
  token_hash: Buffer
  /** The only address that may accept it. */
  email: string | null
  plan: Plan
  created_at: Date
  expires_at: Date
  /** Address of the account that is being created with it. */
  claimed_for: string | null
  claimed_at: Date | null
}

export interface PasswordResetTable {
  user_id: string
  /** SHA-256 of the link's token. */
  token_hash: Buffer
  removes_two_factor: boolean
  created_at: Date
  expires_at: Date
}

type MailKind = "password_reset" | "reconnect" | "invitation" | "passkey_added" | "passkey_removed" | "notice"

export interface MailTable {
  id: Generated<string>
  kind: MailKind
  user_id: string | null
  /** The address that somebody typed. Null where the person or the invitation has it. */
  address: string | null
  provider: string | null
  invitation_id: string | null
  /** What it says. */
  notice_id: string | null
  created_at: Date
  expires_at: Date
  attempts: Generated<number>
  sent_at: Date | null
  /** The mail server's answer to the last try. */
  error: string | null
}

export interface ApiKeyTable {
  user_id: string
  id: Generated<string>
  /** SHA-256 of the key. The key itself is not stored. */
  key_hash: Buffer
  prefix: string
  /** Null for the key that opens everything, of which a person has one. */
  name: string | null
  /** What the key opens. Null for everything. */
  types: KeyType[] | null
  /** How many dates, ending today, the key opens. Null for all. */
  days: number | null
  expires_at: Date | null
  created_at: Date
  last_used_at: Date | null
}

/** A link for somebody else, which opens a report. */
export interface ShareTable {
  user_id: string
  id: Generated<string>
  /** SHA-256 of the token. The token itself is not stored. */
  token_hash: Buffer
  prefix: string
  /** Who it is for. */
  name: string
  /** What the report is made of. Null for everything. */
  types: KeyType[] | null
  /** How many dates, ending today, the report is about. Null for all. */
  days: number | null
  expires_at: Date
  created_at: Date
  last_viewed_at: Date | null
}

/** A phone's token, which writes and does not read. */
export interface IngestTokenTable {
  user_id: string
  id: Generated<string>
  /** SHA-256 of the token. The token itself is not stored. */
  token_hash: Buffer
  prefix: string
  name: string
  created_at: Date
  last_used_at: Date | null
}

export interface UsageTable {
  user_id: string
  /** First day of the UTC month. */
  month: string
  used: number
  /** Counted requests by UTC day of the month: 31 entries. */
  by_day: number[]
}

export interface AttemptTable {
  /** SHA-256 of the account, address or network that the attempts are counted for. */
  subject: Buffer
  count: number
  began_at: Date
  expires_at: Date
}

export interface OauthClientTable {
  client_id: string
  /** As registered (RFC 7591), without the secret. */
  metadata: JsonColumn<Json>
  secret_key_id: string | null
  secret: Buffer | null
  created_at: Date
  /** When it last got an authorization or a token. Null while it has only registered. */
  last_used_at: Date | null
}

export interface OauthRecordTable {
  /** SHA-256 of kind and id. The id itself, which is the token or code, is not stored. */
  id_hash: Buffer
  kind: string
  payload: JsonColumn<Json>
  /** The `id_hash` of its grant. */
  grant_hash: Buffer | null
  user_id: string | null
  client_id: string | null
  /** When a code or refresh token was used. */
  consumed_at: Date | null
  expires_at: Date
}

export interface RefreshReplyTable {
  token_hash: Buffer
  successor_hash: Buffer
  reply: Buffer
  reply_key_id: string
  replied_at: Date
}

export interface SigningKeyTable {
  id: string
  key_id: string
  sealed: Buffer
  created_at: Date
}

export interface AssistantTable {
  user_id: string
  client_id: string
  name: string
  /** The host of the client's metadata document. Null for a client that registered itself. */
  verified_host: string | null
  redirect_host: string
  scopes: string[]
  /** Requested scopes that the person declined. */
  declined: string[]
  /** How many dates back it may read. Null for all. */
  days: number | null
  connected_at: Date
  last_read_at: Date | null
}

export interface AccessLogTable {
  id: Generated<string>
  user_id: string
  at: Date
  reader: AccessLogEntry["reader"]
  /** Null for the key that opens everything, which has none, and for an assistant. */
  key_name: string | null
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

/** One row at most. */
export interface OwnerTable {
  is_only: Generated<true>
  user_id: string
}

export interface ServiceSettingTable {
  /** The environment variable that takes precedence. */
  name: string
  key_id: string
  sealed: Buffer
  updated_at: Date
}

/** A person who is published to Home Assistant. */
export interface HomeAssistantTable {
  user_id: string
  /** Part of topics and identifiers. */
  device: string
  figures: JsonColumn<Json>
  /** The newest scored night, YYYY-MM-DD. */
  night: string | null
  night_arrived_at: Date | null
  is_night_announced: Generated<boolean>
  /** Null before the first publication. */
  published_at: Date | null
  /** A hash of the address that the history was sent to. */
  history_target: string | null
  /** Of each month that was sent, YYYY-MM, a hash of what it was. */
  history_months: JsonColumn<Json>
  history_checked_at: Date | null
}

/** A way to Home Assistant. */
export interface HomeAssistantLinkTable {
  link: "broker" | "history"
  /** Part of topics. It sets the installations of one broker apart. */
  installation: string
  failing_since: Date | null
  failure: string | null
}
