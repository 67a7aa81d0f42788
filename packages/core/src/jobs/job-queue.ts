// The queue of all work in the database: one statement claims a job for one run at a time, over all processes.
import { randomUUID } from "node:crypto"
import { type Kysely, sql, type Transaction } from "kysely"
import type { Clock } from "../base/calendar.ts"
import type { Database } from "../store/database.ts"
import { isSilent } from "../store/silence.ts"

/** What a job does. */
export type JobKind =
  | "sync"
  | "import"
  | "mail"
  | "backup"
  | "subscription"
  | "delivery"
  | "notify"
  | "home_assistant"
  | "home_assistant_history"

/** Names a job: there is one of a kind for each key. */
interface JobId {
  readonly kind: JobKind
  /** What it is about. */
  readonly key: string
}

/** When a job is due by the clock of the service. Clocks differ, and what is due at once waits for none. */
export type DueTime = Date | "at_once"

interface NewJob extends JobId {
  /** The person whose job it is. It ends with the account. Null for a job of the service. */
  readonly userId: string | null
  /** The highest runs first. */
  readonly priority: number
  readonly due: DueTime
}

/** A job that one run has, until it ends or shows no life. */
export interface ClaimedJob extends JobId {
  /** Null for a job of the service. */
  readonly userId: string | null
  readonly priority: number
  /** Stands for this run. */
  readonly claim: string
  /** True if the run before showed no more life. It may have done its work, or may still do it. */
  readonly isTakenOver: boolean
}

/** The person whose job it is. */
export function personOf({ kind, userId }: ClaimedJob): string {
  if (userId === null) throw new Error(`a job of ${kind} belongs to nobody`)
  return userId
}

/** A free place for a job: of this kind, with this priority or a higher one. */
export interface JobPlace {
  readonly kind: JobKind
  readonly minPriority: number
  /** For this job alone. @default any */
  readonly key?: string | undefined
  /** Not for a person of whom another job of the kind runs. @default false */
  readonly isOneForEach?: boolean
}

interface Store {
  readonly database: Kysely<Database>
}

/** A run that showed no life for this long has died, and another one may claim its job. */
export const SILENT_SECONDS = 15

/** SQL: true if no run has the job, or one that has died. */
const isFree = sql<boolean>`(claim is null or ${isSilent("alive_at", SILENT_SECONDS)})`
/** SQL: true if a run has the other job. */
const isOtherHeld = sql<boolean>`(o.claim is not null and not ${isSilent("o.alive_at", SILENT_SECONDS)})`

const timestampOf = (due: DueTime) => sql`${due === "at_once" ? "-infinity" : due}::timestamptz`

/**
 * Adds a job, in the caller's transaction if `database` is one. A job that waits keeps its place, and gets the higher priority and the earlier
 * time. One that runs is run once more afterwards. Does nothing once the account is deleted.
 */
export async function addJob({ database }: Store, { kind, key, userId, priority, due }: NewJob): Promise<void> {
  await sql`
    insert into restwell.job as j (kind, key, user_id, priority, due_at)
    select ${kind}, ${key}, ${userId}::text, ${priority}::integer, ${timestampOf(due)}
    where ${userId}::text is null or exists (select from restwell.person where user_id = ${userId})
    on conflict (kind, key) do update set
      priority = greatest(j.priority, excluded.priority), due_at = least(j.due_at, excluded.due_at)
  `.execute(database)
}

/**
 * Adds a job of the service that runs again and again, or changes when it is due. One that runs, or is due at once, stays as it is.
 * @param dueTime called when no run can end any more before the change
 */
export async function scheduleJob(
  { database }: Store,
  { kind, key }: JobId,
  dueTime: (transaction: Transaction<Database>) => Promise<DueTime>,
): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await sql`
      insert into restwell.job as j (kind, key, priority, due_at) values (${kind}, ${key}, 0, 'infinity')
      on conflict (kind, key) do update set priority = j.priority
    `.execute(transaction)
    const due = await dueTime(transaction)
    await sql`
      update restwell.job set due_at = ${timestampOf(due)}
      where kind = ${kind} and key = ${key} and claim is null and due_at > '-infinity'
    `.execute(transaction)
  })
}

/**
 * Claims the next job that has a place: the highest priority first, then the one that waits longest. A dead run's job needs no time.
 * The search runs once because it is materialized: as a join it may run for each row, and then its limit is not one of the statement.
 */
export async function claimJob(
  { database }: Store,
  places: readonly JobPlace[],
  now: Date,
): Promise<ClaimedJob | undefined> {
  const { rows } = await sql<ClaimedJob>`
    with next as materialized (
      select kind, key, claim is not null as is_taken_over from restwell.job w
      where ${isFree} and (claim is not null or due_at <= ${now})
        and exists (select from jsonb_to_recordset(${JSON.stringify(places)}::jsonb) as p(kind text, "minPriority" integer, key text, "isOneForEach" boolean)
          where p.kind = w.kind and p."minPriority" <= w.priority and coalesce(p.key, w.key) = w.key
            and (p."isOneForEach" is not true or not exists (select from restwell.job o
              where o.kind = w.kind and o.key <> w.key and o.user_id = w.user_id and ${isOtherHeld})))
      order by priority desc, number limit 1 for update skip locked
    )
    update restwell.job j set claim = ${randomUUID()}, alive_at = now(), due_at = 'infinity' from next
    where j.kind = next.kind and j.key = next.key
    returning j.kind, j.key, j.user_id as "userId", j.priority, j.claim, next.is_taken_over as "isTakenOver"
  `.execute(database)
  return rows[0]
}

/** Gives a job that runs a lower priority, for its next runs. */
export async function lowerJob({ database }: Store, { kind, key, claim }: ClaimedJob, priority: number): Promise<void> {
  await sql`
    update restwell.job set priority = least(priority, ${priority}::integer)
    where kind = ${kind} and key = ${key} and claim = ${claim}
  `.execute(database)
}

/** Shows that a run lives. @returns false if it has lost its job */
export async function keepJob({ database }: Store, { kind, key, claim }: ClaimedJob): Promise<boolean> {
  const { rows } = await sql`
    update restwell.job set alive_at = now() where kind = ${kind} and key = ${key} and claim = ${claim} returning key
  `.execute(database)
  return rows.length > 0
}

/**
 * Ends a run. The job is gone, unless it has to run again, or somebody asked for it meanwhile. Then it goes behind the jobs that wait, so
 * that one that is asked for all the time lets the others have their turn. @param again when to run again
 */
export async function endJob({ database }: Store, { kind, key, claim }: ClaimedJob, again?: DueTime): Promise<void> {
  await sql`
    with next as (select ${again === undefined ? sql`null::timestamptz` : timestampOf(again)} as due),
    done as (
      delete from restwell.job where kind = ${kind} and key = ${key} and claim = ${claim} and due_at = 'infinity'
        and (select due from next) is null returning key)
    update restwell.job set claim = null, alive_at = null, number = default, due_at = least(due_at, (select due from next))
    where kind = ${kind} and key = ${key} and claim = ${claim} and not exists (select from done)
  `.execute(database)
}

/** When the next job of these kinds is due that waits for its time, or may be taken over because its run shows no more life. */
export async function nextJobTime(
  { database }: Store,
  kinds: readonly JobKind[],
  now: Date,
): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    select min(case when claim is null then due_at
      else ${now}::timestamptz + make_interval(secs => ${SILENT_SECONDS}) - (now() - alive_at) end) as at
    from restwell.job
    where kind = any(${kinds}::text[]) and case when claim is null then due_at > ${now} else not ${isFree} end
  `.execute(database)
  return rows[0]?.at ?? undefined
}

/** True if a job of the kind waits for a run. */
export async function isJobWaiting(
  { database, clock }: Store & { readonly clock: Clock },
  kind: JobKind,
): Promise<boolean> {
  const { rows } = await sql`
    select from restwell.job where kind = ${kind} and claim is null and due_at <= ${clock.now()} limit 1
  `.execute(database)
  return rows.length > 0
}

/** True while the job runs, or is due at once. */
export async function isJobRunning({ database }: Store, { kind, key }: JobId): Promise<boolean> {
  const { rows } = await sql`
    select from restwell.job where kind = ${kind} and key = ${key} and (not ${isFree} or due_at = '-infinity')
  `.execute(database)
  return rows.length > 0
}

/** True while the job waits or runs. */
export async function hasJob({ database }: Store, { kind, key }: JobId): Promise<boolean> {
  const { rows } = await sql`select from restwell.job where kind = ${kind} and key = ${key}`.execute(database)
  return rows.length > 0
}
