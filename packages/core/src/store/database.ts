import { Kysely, PostgresDialect } from "kysely"
import type { Pool } from "pg"
import type {
  AssistantTable,
  OauthClientTable,
  OauthRecordTable,
  RefreshReplyTable,
  SigningKeyTable,
} from "./assistant-tables.ts"
import type { BackupTable } from "./backup-table.ts"
import type {
  AuthorizationRequestTable,
  ConnectionTable,
  VendorCallCountTable,
  VendorCallTable,
  VendorEventSeenTable,
  VendorEventTable,
  VendorGrantTable,
  VendorPauseTable,
  VendorSubscriptionTable,
} from "./connection-tables.ts"
import type {
  ImportPartTable,
  ImportProfileTable,
  ImportRecordTable,
  ImportTable,
  JournalAnswerTable,
} from "./import-tables.ts"
import type { JournalEntryTable } from "./journal-tables.ts"
import type { AccessLogTable, SecurityEventTable } from "./log-tables.ts"
import type {
  ApiKeyTable,
  AttemptTable,
  InvitationTable,
  MailTable,
  PasswordResetTable,
  PersonTable,
  UsageTable,
  UserTable,
} from "./people-tables.ts"
import type {
  ProfileTable,
  RecordTable,
  RejectedRecordTable,
  SourceChoiceTable,
  SourceOrderTable,
} from "./record-tables.ts"

/** Schema of all our tables, so that the service can live in a database it shares. */
export const SCHEMA = "restwell"

/** Every table that core reads or writes. `schema/*.sql` creates them. */
export interface Database {
  user: UserTable
  person: PersonTable
  api_key: ApiKeyTable
  usage: UsageTable
  attempt: AttemptTable
  invitation: InvitationTable
  password_reset: PasswordResetTable
  mail: MailTable
  connection: ConnectionTable
  vendor_grant: VendorGrantTable
  authorization_request: AuthorizationRequestTable
  vendor_event: VendorEventTable
  vendor_event_seen: VendorEventSeenTable
  vendor_call: VendorCallTable
  vendor_call_count: VendorCallCountTable
  vendor_pause: VendorPauseTable
  vendor_subscription: VendorSubscriptionTable
  record: RecordTable
  profile: ProfileTable
  source_order: SourceOrderTable
  source_choice: SourceChoiceTable
  rejected_record: RejectedRecordTable
  import: ImportTable
  import_part: ImportPartTable
  import_record: ImportRecordTable
  import_profile: ImportProfileTable
  journal_answer: JournalAnswerTable
  journal_entry: JournalEntryTable
  assistant: AssistantTable
  oauth_client: OauthClientTable
  oauth_record: OauthRecordTable
  refresh_reply: RefreshReplyTable
  signing_key: SigningKeyTable
  access_log: AccessLogTable
  security_event: SecurityEventTable
  backup: BackupTable
}

/** Typed access to the tables. Statements name tables without the schema, which is added here. */
export const openDatabase = (pool: Pool): Kysely<Database> =>
  new Kysely<Database>({ dialect: new PostgresDialect({ pool }) }).withSchema(SCHEMA)
