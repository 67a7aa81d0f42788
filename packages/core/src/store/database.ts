import type { AccessLogEntry, ScoreState, SecurityEventType } from "@restwell/client"
import type { CallPurpose, EventName, Json, RecordKind } from "@restwell/providers"
import { type ColumnType, type Generated, Kysely, PostgresDialect } from "kysely"
import type { Pool } from "pg"
import type { Plan } from "../quota/plans.ts"
import type { ConnectionStatus } from "./connection.ts"
import type { StoredDetail } from "./stored-record.ts"

/** Schema of all our tables, so that the service can live in a database it shares. */
export const SCHEMA = "restwell"

/** JSON columns are written as text and read as values. */
type JsonColumn<Value> = ColumnType<Value, string, string>

/** Made by better-auth; only what core reads of it. */
interface UserTable {
  id: string
  name: string
  email: string
  createdAt: Date
}

interface PersonTable {
  user_id: string
  plan: Generated<Plan>
  /** IANA name; the zone of "today" until a record tells one. */
  time_zone: string | null
  /** Grows with every completed sync and change of status: equal versions, equal answers. */
  data_version: Generated<string>
  /** Minutes east of UTC where the newest record happened. */
  utc_offset_minutes: number | null
}

interface ApiKeyTable {
  user_id: string
  /** SHA-256 of the key. The key itself is nowhere. */
  key_hash: Buffer
  prefix: string
  created_at: Date
  last_used_at: Date | null
}

interface UsageTable {
  user_id: string
  /** First day of the UTC month. */
  month: string
  used: number
  /** Of those, how many on each UTC day of the month: 31 entries, the first is the first. */
  by_day: Generated<number[]>
}

interface ConnectionTable {
  user_id: string
  provider: string
  status: ConnectionStatus
  status_reason: string | null
  status_changed_at: Date
  /** Grows at each connect and disconnect: work begun before writes nothing after. */
  generation: Generated<string>
  connected_at: Date
  last_synced_at: Date | null
  /** When there is something to do next, events apart. */
  next_sync_at: Date
  /** When the newest days were last read from the vendor's lists, all kinds to their last page. */
  listed_at: Date | null
  /** When the vendor is asked for news next; null for now. */
  refresh_at: Date | null
  /** When late changes were last looked for; null asks for it. */
  reconciled_at: Date | null
  /** How often they were. */
  reconciliations: Generated<number>
  /** When the vendor last told of a change. */
  last_event_at: Date | null
  /** Nothing is tried before: the vendor failed, or the calls are used up. */
  held_until: Date | null
  /** The vendor's id of the person, by which it names them in events. */
  member_id: string | null
  /** Syncs that failed since the last that did not: the back-off's exponent. */
  failures: Generated<number>
  /** When a reader last asked for a sync; one a minute is enough. */
  sync_requested_at: Date | null
  /** Everything that started from here on has been fetched; null before the first window. */
  fetched_back_to: Date | null
  history_complete: Generated<boolean>
}

interface VendorGrantTable {
  user_id: string
  provider: string
  /** Which key sealed the access token. */
  key_id: string
  access_token: Buffer
  refresh_token: Buffer | null
  /** Which key sealed the refresh token; null as in a row of an older version, where it is `key_id`. */
  refresh_key_id: string | null
  expires_at: Date
  scopes: string[]
}

interface AuthorizationRequestTable {
  user_id: string
  provider: string
  state: string
  session_id: string
  expires_at: Date
}

export interface RecordTable {
  user_id: string
  provider: string
  kind: RecordKind
  provider_id: string
  /** Local calendar date, the rule of its kind (DESIGN: Time and days). */
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
  detail: JsonColumn<StoredDetail>
  raw: JsonColumn<Json>
  /** The record's part of an answer, without what other records settle; null for what an earlier version stored. */
  shown: string | null
  /** The presentation that spelled it. */
  shown_as: string | null
}

interface ProfileTable {
  user_id: string
  provider: string
  data: JsonColumn<Json>
  raw: JsonColumn<Json>
  fetched_at: Date
}

interface RejectedRecordTable {
  user_id: string
  provider: string
  kind: RecordKind
  /** SHA-256 of the payload: the same payload is kept once. */
  digest: Buffer
  provider_id: string | null
  reason: string
  raw: JsonColumn<Json>
  seen_at: Date
  /** The version of the software that could not read it. */
  retried_by: string | null
  /** How often it was asked for again since. */
  retries: Generated<number>
  /** When it is asked for again. */
  retry_at: Generated<Date>
}

/** A record to be read again, because the vendor told of a change. */
interface VendorEventTable {
  user_id: string
  provider: string
  kind: RecordKind
  /** What `provider_id` is the id of. */
  named_by: EventName
  provider_id: string
  /** Grows when it is told again. */
  version: Generated<string>
  received_at: Date
  /** When it is read: some are told of twice within minutes. */
  ripe_at: Date
}

interface VendorEventSeenTable {
  provider: string
  /** SHA-256 of what tells an event from others. */
  event_key: Buffer
  seen_at: Date
}

/** Calls made of a vendor's app on a UTC day, by what they were for. */
interface VendorCallCountTable {
  provider: string
  day: string
  purpose: CallPurpose
  calls: number
}

interface AttemptTable {
  /** SHA-256 of whom or what the attempts are counted for. */
  subject: Buffer
  count: number
  began_at: Date
  expires_at: Date
}

interface VendorCallTable {
  provider: string
  called_at: Date
}

interface VendorPauseTable {
  provider: string
  until: Date
}

interface OauthClientTable {
  client_id: string
  /** As registered (RFC 7591), without the secret. */
  metadata: JsonColumn<Json>
  secret_key_id: string | null
  secret: Buffer | null
  created_at: Date
  /** When it was last authorized or given a token; null while it only registered. */
  last_used_at: Date | null
}

interface OauthRecordTable {
  /** SHA-256 of kind and id. The id itself, which is the token or code, is nowhere. */
  id_hash: Buffer
  kind: string
  payload: JsonColumn<Json>
  /** The `id_hash` of the grant it came from. */
  grant_hash: Buffer | null
  user_id: string | null
  client_id: string | null
  /** When a code or refresh token was used. */
  consumed_at: Date | null
  expires_at: Date
}

interface RefreshReplyTable {
  token_hash: Buffer
  successor_hash: Buffer
  reply: Buffer
  reply_key_id: string
  replied_at: Date
}

interface SigningKeyTable {
  id: string
  key_id: string
  sealed: Buffer
  created_at: Date
}

interface AssistantTable {
  user_id: string
  client_id: string
  name: string
  /** The site that vouches for the client by its metadata document; null for one that registered itself. */
  verified_host: string | null
  redirect_host: string
  scopes: string[]
  /** Asked for and not allowed. */
  declined: string[]
  /** How many dates back it may read; null for all. */
  days: number | null
  connected_at: Date
  last_read_at: Date | null
}

interface AccessLogTable {
  id: Generated<string>
  user_id: string
  at: Date
  reader: AccessLogEntry["reader"]
  /** The assistant's; null for a key. */
  client_id: string | null
  assistant: string | null
  operation: string
  types: string[]
  start_date: string | null
  end_date: string | null
  /** Records that the answer was made of; null for a refusal. */
  record_count: number | null
  /** Equal reads of that moment. */
  reads: Generated<number>
  outcome: string
}

interface SecurityEventTable {
  id: Generated<string>
  user_id: string
  at: Date
  type: SecurityEventType
  detail: string | null
  network: string | null
}

export interface Database {
  user: UserTable
  person: PersonTable
  api_key: ApiKeyTable
  usage: UsageTable
  connection: ConnectionTable
  vendor_grant: VendorGrantTable
  authorization_request: AuthorizationRequestTable
  record: RecordTable
  profile: ProfileTable
  rejected_record: RejectedRecordTable
  attempt: AttemptTable
  vendor_event: VendorEventTable
  vendor_event_seen: VendorEventSeenTable
  vendor_call: VendorCallTable
  vendor_call_count: VendorCallCountTable
  vendor_pause: VendorPauseTable
  oauth_client: OauthClientTable
  oauth_record: OauthRecordTable
  refresh_reply: RefreshReplyTable
  signing_key: SigningKeyTable
  assistant: AssistantTable
  access_log: AccessLogTable
  security_event: SecurityEventTable
}

/** A typed door to the tables. Statements name tables without the schema; it is added here. */
export const openDatabase = (pool: Pool): Kysely<Database> =>
  new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }).withSchema(SCHEMA)
