import { Kysely, PostgresDialect, PostgresDriver, sql, type Transaction } from "kysely"
import type { Pool } from "pg"
import type {
  AuthorizationRequestTable,
  BackupTable,
  ConnectionTable,
  ImportSeriesDayTable,
  SeriesDayTable,
  SeriesLeftOutTable,
  VendorEventSeenTable,
  VendorEventTable,
  VendorGrantTable,
  VendorPauseTable,
  VendorSubscriptionTable,
} from "./connection-tables.ts"
import { databaseTrouble } from "./database-trouble.ts"
import type {
  ArrivedHistoryTable,
  MorningTable,
  NoticeTable,
  NotificationSettingsTable,
} from "./notification-tables.ts"
import type {
  AccessLogTable,
  ApiKeyTable,
  AssistantTable,
  AttemptTable,
  HomeAssistantLinkTable,
  HomeAssistantTable,
  IngestTokenTable,
  InvitationTable,
  MailTable,
  OauthClientTable,
  OauthRecordTable,
  OwnerTable,
  PasswordResetTable,
  PersonTable,
  RefreshReplyTable,
  SecurityEventTable,
  ServiceSettingTable,
  ShareTable,
  SigningKeyTable,
  UsageTable,
  UserTable,
} from "./people-tables.ts"
import type {
  FolderFileTable,
  ImportOwnAnswerTable,
  ImportOwnNoteTable,
  ImportPartTable,
  ImportProfileTable,
  ImportRecordTable,
  ImportTable,
  JournalAnswerTable,
  JournalEntryTable,
  OwnAnswerTable,
  OwnNoteTable,
  ProfileTable,
  PushedDayTable,
  PushPartTable,
  PushTable,
  PushUsageTable,
  RecordTable,
  RejectedRecordTable,
  SourceChoiceTable,
  SourceOrderTable,
} from "./record-tables.ts"
import type { DeliveryTable, ReceiverTable } from "./telling-tables.ts"

/** Schema of all our tables, so that the service can live in a database it shares. */
export const SCHEMA = "restwell"

/** Every table that core reads or writes. `schema/*.sql` creates them. */
export interface Database {
  user: UserTable
  person: PersonTable
  owner: OwnerTable
  service_setting: ServiceSettingTable
  api_key: ApiKeyTable
  ingest_token: IngestTokenTable
  share: ShareTable
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
  vendor_pause: VendorPauseTable
  vendor_subscription: VendorSubscriptionTable
  record: RecordTable
  profile: ProfileTable
  source_order: SourceOrderTable
  source_choice: SourceChoiceTable
  rejected_record: RejectedRecordTable
  import: ImportTable
  import_part: ImportPartTable
  folder_file: FolderFileTable
  pushed_day: PushedDayTable
  push: PushTable
  push_part: PushPartTable
  push_usage: PushUsageTable
  import_record: ImportRecordTable
  import_profile: ImportProfileTable
  journal_answer: JournalAnswerTable
  journal_entry: JournalEntryTable
  own_answer: OwnAnswerTable
  own_note: OwnNoteTable
  import_own_answer: ImportOwnAnswerTable
  import_own_note: ImportOwnNoteTable
  series_day: SeriesDayTable
  series_left_out: SeriesLeftOutTable
  import_series_day: ImportSeriesDayTable
  assistant: AssistantTable
  oauth_client: OauthClientTable
  oauth_record: OauthRecordTable
  refresh_reply: RefreshReplyTable
  signing_key: SigningKeyTable
  access_log: AccessLogTable
  security_event: SecurityEventTable
  backup: BackupTable
  notification_settings: NotificationSettingsTable
  receiver: ReceiverTable
  delivery: DeliveryTable
  morning: MorningTable
  arrived_history: ArrivedHistoryTable
  notice: NoticeTable
  home_assistant: HomeAssistantTable
  home_assistant_link: HomeAssistantLinkTable
}

/** A transaction whose connection breaks fails with its own error, not with that of its rollback. The connection is not used again. */
class Driver extends PostgresDriver {
  override async rollbackTransaction(connection: Parameters<PostgresDriver["rollbackTransaction"]>[0]): Promise<void> {
    await super.rollbackTransaction(connection).catch((error: unknown) => {
      if (databaseTrouble(error) === undefined) throw error
    })
  }
}

class Dialect extends PostgresDialect {
  readonly #pool: Pool

  constructor(pool: Pool) {
    super({ pool })
    this.#pool = pool
  }

  override createDriver(): Driver {
    return new Driver({ pool: this.#pool })
  }
}

/** Typed access to the tables. Statements name tables without the schema, which is added here. */
export const openDatabase = (pool: Pool): Kysely<Database> =>
  new Kysely<Database>({ dialect: new Dialect(pool) }).withSchema(SCHEMA)

/**
 * Runs a transaction that changes rows of one person. It locks the account before any other row, as the deletion of an account does, so
 * that the two cannot deadlock. A deletion waits for it, and the transaction finds nothing after a deletion.
 */
export const personTransaction = <Result>(
  database: Kysely<Database>,
  userId: string,
  work: (transaction: Transaction<Database>) => Promise<Result>,
): Promise<Result> =>
  database.transaction().execute(async (transaction) => {
    await lockPerson(transaction, userId)
    return work(transaction)
  })

/** Lets others read and change rows of the person, but not delete the account. */
export async function lockPerson(transaction: Transaction<Database>, userId: string): Promise<void> {
  await transaction.selectFrom("user").select("id").where("id", "=", userId).forKeyShare().execute()
}

/**
 * Locks what a person's data and settings are told by, until the transaction ends. Others read meanwhile. One order holds everywhere, so that
 * changes of one person at once wait for each other and never deadlock: the account, grants and imports, connections, this lock, and then
 * receivers with their deliveries, samples and jobs.
 */
export async function lockData(transaction: Kysely<Database>, userId: string): Promise<void> {
  await transaction.selectFrom("person").select("user_id").where("user_id", "=", userId).forNoKeyUpdate().execute()
}

/** A transaction that locks a person's data from its beginning. It locks no connection. */
export const dataTransaction = <Result>(
  database: Kysely<Database>,
  userId: string,
  work: (transaction: Transaction<Database>) => Promise<Result>,
): Promise<Result> =>
  personTransaction(database, userId, async (transaction) => {
    await lockData(transaction, userId)
    return work(transaction)
  })

/**
 * Pages of rows until one is not full, so that an export needs the memory of one page.
 * @param read the page after this row, with at most `pageSize` rows
 */
export async function* readPages<Row>(
  pageSize: number,
  read: (after?: Row) => Promise<readonly Row[]>,
): AsyncGenerator<readonly Row[], void> {
  for (let after: Row | undefined; ; ) {
    const page = await read(after)
    yield page
    if (page.length < pageSize) return
    after = page.at(-1)
  }
}

/** Raises a person's data version: their answers may differ from now on. */
export async function growDataVersion(transaction: Transaction<Database>, userId: string): Promise<void> {
  await transaction
    .updateTable("person")
    .set({ data_version: sql`data_version + 1` })
    .where("user_id", "=", userId)
    .execute()
}

/**
 * Runs statements over rows that were just stored. They have no statistics yet, so the planner would take them for one row and join them
 * row by row. The settings end with the work, not with the transaction: later statements read rows that have statistics.
 */
export async function withoutJoins<Result>(
  transaction: Transaction<Database>,
  joins: readonly ("nestloop" | "mergejoin")[],
  work: () => Promise<Result>,
): Promise<Result> {
  for (const join of joins) await sql`set local ${sql.ref(`enable_${join}`)} = off`.execute(transaction)
  const result = await work()
  for (const join of joins) await sql`set local ${sql.ref(`enable_${join}`)} to default`.execute(transaction)
  return result
}
