import type { SecurityEventType } from "@restwell/client"
import { DAY_MS } from "@restwell/client/time-units"
import type { CallPurpose, VendorAdapter } from "@restwell/providers"
import { type Kysely, sql } from "kysely"
import type { Pool } from "pg"
import { batchCalls } from "../base/batch.ts"
import type { Clock } from "../base/calendar.ts"
import type { TokenCipher } from "../base/encryption.ts"
import type { PlanLimits } from "../base/plans.ts"
import type { ConnectionId } from "../store/connection-tables.ts"
import type { Database } from "../store/database.ts"
import type { Disk } from "../store/database-trouble.ts"
import { runStatement } from "../store/pool.ts"

export type { Clock } from "../base/calendar.ts"
export type { ConnectionId } from "../store/connection-tables.ts"

/** The part of a logger that core uses, as pino has it. Fields never contain a secret or a measurement. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** `now`: somebody waits, or the vendor sent an event. `later`: before the history of others. `history`: when nothing else is due. */
export type Urgency = "now" | "later" | "history"

/** The queue of syncs. A second request for a sync that waits adds nothing. One that runs is run once more afterwards. */
export interface JobQueue {
  /** Syncs the connection as soon as a worker is free. @param urgency @default "now" */
  requestSync(connection: ConnectionId, urgency?: Urgency): Promise<void>
  /** True when other connections wait for a worker. */
  isAnyoneWaiting(): Promise<boolean>
  /** True while a sync of the connection waits for a worker or runs. */
  isSyncing(connection: ConnectionId): Promise<boolean>
}

/** Resolves after that time on the service's clock. Rejects when the signal aborts. */
export type Wait = (milliseconds: number, signal: AbortSignal) => Promise<void>

/** The first argument of core's functions: no globals, no container. */
export interface Context {
  readonly database: Kysely<Database>
  readonly clock: Clock
  readonly logger: Logger
  readonly jobs: JobQueue
  /** The configured vendors by name, for all but calls of a person's data. */
  readonly adapters: ReadonlyMap<string, VendorAdapter>
  /** The configured vendors by name, for calls of one person's data. Person and purpose decide their share of the call budget. */
  readonly adaptersFor: (purpose: CallPurpose, userId: string) => ReadonlyMap<string, VendorAdapter>
  readonly cipher: TokenCipher
  readonly plans: PlanLimits
  /** Whether two accounts may be connected to one member of a vendor. */
  readonly sharedVendorAccounts: "refuse" | "allow"
  readonly disk: Disk
  /** Most bytes of the archives of one person together. */
  readonly importPersonBytes: number
  /** Resolves after that many milliseconds of real time. */
  readonly wait: (milliseconds: number) => Promise<void>
  /** The software's version. A record that one version could not read is read again by the next. */
  readonly version: string
}

const PAGE_SIZE = 100

/** Entries to read for one page: one more than it has, to find out whether there is a next page. */
const PAGE_LIMIT = PAGE_SIZE + 1

/** One page of a log, and the `before` of the next page, null on the last. */
function pageOf<Entry extends { readonly id: string }>(found: readonly Entry[]) {
  const entries = found.slice(0, PAGE_SIZE)
  return { entries, next: found.length > PAGE_SIZE ? (entries.at(-1)?.id ?? null) : null }
}

/** One read by an assistant. It contains no measurement. */
export interface AssistantReading {
  readonly clientId: string
  readonly assistant: string
  /** The tool, the resource's address, or the path. */
  readonly operation: string
  /** The types of data that were read. */
  readonly types: readonly string[]
  /** The dates that were read, inclusive. Null if the request had none. */
  readonly startDate: string | null
  readonly endDate: string | null
  /** Number of records in the answer, 1 for a profile. Null for a refusal. */
  readonly recordCount: number | null
  /** `answered`, or the error's code. */
  readonly outcome: string
}

/** Logs an assistant's read or refused read. Resolves once the entry is stored. */
export type LogAccess = (userId: string, entry: AssistantReading) => Promise<void>

/**
 * Logs reads and refused reads of assistants, all of one moment. Skips the entries of accounts that are being deleted. Rows of assistants
 * are locked in one order, and rows that another replica has locked are skipped, so that replicas never wait for each other.
 * $1 entries as JSON, $2 time
 */
const LOG_ASSISTANT_READS = {
  name: "log-assistant-reads",
  text: `
    with logged as (
      insert into restwell.access_log
        (user_id, at, reader, client_id, assistant, operation, types, start_date, end_date, record_count, outcome)
      select "userId", $2::timestamptz, 'assistant', "clientId", assistant, operation, types, "startDate", "endDate",
        "recordCount", outcome
      from jsonb_to_recordset($1::jsonb) as e(
        "userId" text, "clientId" text, assistant text, operation text, types text[], "startDate" date, "endDate" date,
        "recordCount" integer, outcome text)
      join restwell."user" u on u.id = e."userId"
      order by "userId"
      for key share of u
      returning user_id, client_id, at),
    free as (
      select a.user_id, a.client_id from restwell.assistant a
      where (a.user_id, a.client_id) in (select user_id, client_id from logged)
      order by a.user_id, a.client_id
      for no key update skip locked)
    update restwell.assistant a set last_read_at = $2::timestamptz
    from free where a.user_id = free.user_id and a.client_id = free.client_id`,
}

/**
 * Logs reads by assistants, all entries of one moment in one statement. Reads by API key are logged where they are counted.
 * @param pool connections that keep the statement prepared
 */
export function createAccessLog({ clock, pool }: Pick<Context, "clock"> & { readonly pool: Pool }): LogAccess {
  const log = batchCalls(async (entries: readonly (AssistantReading & { readonly userId: string })[]) => {
    await runStatement(pool, LOG_ASSISTANT_READS, [JSON.stringify(entries), clock.now()])
    return entries.map(() => true)
  })
  return async (userId, entry) => {
    await log({ userId, ...entry })
  }
}

/** The newest entries, or those before an entry. `reads` counts equal reads at one moment. @param before the entry's id */
export async function readAccessLog({ database }: Pick<Context, "database">, userId: string, before?: string) {
  const entries = await database
    .selectFrom("access_log")
    .select([
      "id",
      "at",
      "reads",
      "reader",
      "key_name as keyName",
      "client_id as clientId",
      "assistant",
      "operation",
      "types",
      "outcome",
    ])
    .select(["start_date as startDate", "end_date as endDate", "record_count as recordCount"])
    .where("user_id", "=", userId)
    .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
    .orderBy("id", "desc")
    .limit(PAGE_LIMIT)
    .execute()
  return pageOf(entries)
}

/** Something that happened to an account, for its owner. It contains no secret and no measurement. */
export interface SecurityEvent {
  readonly type: SecurityEventType
  /** Details: the sign-in method, the assistant's name, the change of a connection. */
  readonly detail?: string | undefined
  /** The visitor's network, if a visitor caused the event. */
  readonly network?: string | undefined
}

/** Stores an event, in the caller's transaction if `database` is one. Does nothing once the account is deleted. */
export async function recordSecurityEvent(
  { database, clock }: Pick<Context, "database" | "clock">,
  userId: string,
  { type, detail, network }: SecurityEvent,
): Promise<void> {
  // The lock is the one that the foreign key takes. Taken first, it waits for a deletion that runs at the same time.
  await sql`
    insert into restwell.security_event (user_id, at, type, detail, network)
    select id, ${clock.now()}, ${type}, ${detail ?? null}, ${network ?? null}
    from restwell."user" where id = ${userId} for key share
  `.execute(database)
}

/** Stores a failed sign-in of the person with this address. Does nothing if there is no such person. */
export async function recordFailedSignIn(
  { database, clock }: Pick<Context, "database" | "clock">,
  email: string,
  network: string,
  factor: "password" | "code",
): Promise<void> {
  await sql`
    insert into restwell.security_event (user_id, at, type, detail, network)
    select id, ${clock.now()}, 'sign_in_failed', ${factor}, ${network} from restwell."user" where email = ${email}
  `.execute(database)
}

/** The newest events, or those before an event. @param before the event's id */
export async function readSecurityEvents({ database }: Pick<Context, "database">, userId: string, before?: string) {
  const rows = await database
    .selectFrom("security_event")
    .select(["id", "at", "type", "detail", "network"])
    .where("user_id", "=", userId)
    .$if(before !== undefined, (query) => query.where("id", "<", before ?? ""))
    .orderBy("id", "desc")
    .limit(PAGE_LIMIT)
    .execute()
  return pageOf(rows)
}

/** Both logs keep their entries for 90 days. The database refuses to delete younger ones, by its own clock. */
export const LOG_DAYS = 90
/** Rows per statement, so that none takes long. */
const BATCH = 10_000

/** Deletes expired entries of both logs. Skips rows that another process is deleting. */
export async function sweepAudit({ database, clock }: Pick<Context, "database" | "clock">): Promise<void> {
  const cutoff = new Date(clock.now().getTime() - LOG_DAYS * DAY_MS)
  for (const log of ["access_log", "security_event"] as const) {
    for (let deleted = BATCH; deleted === BATCH; ) {
      const { numAffectedRows } = await sql`
        delete from ${sql.table(`restwell.${log}`)} where (user_id, id) in (
          select user_id, id from ${sql.table(`restwell.${log}`)}
          where at < least(${cutoff}, now() - make_interval(days => ${LOG_DAYS}))
          order by at, id limit ${BATCH} for update skip locked)
      `.execute(database)
      deleted = Number(numAffectedRows)
    }
  }
}
