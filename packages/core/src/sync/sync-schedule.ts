import { MINUTE_MS } from "@restwell/client/time-units"
import {
  AuthorizationRevoked,
  type CallPurpose,
  type ProviderError,
  type RateLimited,
  SPARE_PURPOSES,
  type SyncPolicy,
  VendorUnavailable,
} from "@restwell/providers"
import { sql } from "kysely"
import {
  applyEvent,
  type ConnectionEvent,
  isActive,
  isRetryDue,
  storeWait,
  waitsUntil,
} from "../connect/connection-status.ts"
import { failureText, vendorFailureText } from "../connect/failure-texts.ts"
import type { ConnectionId, Context, JobQueue, Urgency } from "../context/context.ts"
import { InvalidRequest, NotFound, TooManyRequests } from "../context/errors.ts"
import { addJob, type ClaimedJob, hasJob, isJobWaiting, type JobPlace, personOf } from "../jobs/job-queue.ts"
import { personTransaction } from "../store/database.ts"
import { nextNews, type SyncStep } from "./next-step.ts"
import type { SyncState } from "./sync-state.ts"

const FIRST_RETRY_MS = MINUTE_MS
const LONGEST_RETRY_MS = 30 * MINUTE_MS

/** Schedules the next look at a connection. An event leads to an earlier one. */
export const scheduleSync = ({ database }: Context, connection: ConnectionId, at: Date): Promise<void> =>
  setTimes(database, connection, { next_sync_at: at })

/** @param times `retry_after` makes events wait as well */
async function setTimes(
  database: Context["database"],
  { userId, provider }: ConnectionId,
  times: { readonly next_sync_at: Date; readonly retry_after?: Date },
): Promise<void> {
  await database
    .updateTable("connection")
    .set(times)
    .where("user_id", "=", userId)
    .where("provider", "=", provider)
    .execute()
}

/**
 * Sets a connection to `failing` after an unexpected error, and schedules the retry. If that fails too, the connection stays due. The
 * reason contains nothing of the error, which may name rows and figures.
 */
export const scheduleRetryOfBug = (context: Context, connection: ConnectionId): Promise<void> =>
  backOff(context, connection, {
    eventAt: (at) => ({
      type: "sync_failed",
      reason: failureText(connection.provider, "unexpected", at),
    }),
  }).catch((error: unknown) =>
    context.logger.error({ ...connection, err: error }, "could not store that a sync failed"),
  )

/**
 * Schedules the retry of a failed step. A revoked grant waits for the person. After other errors the pauses double from one minute to
 * half an hour.
 */
export async function scheduleRetry(
  context: Context,
  connection: ConnectionId,
  error: ProviderError,
  purpose: CallPurpose,
): Promise<void> {
  const fields = { ...connection, error: error.name, reason: error.message, purpose }
  context.logger.warn(fields, "sync did not finish")
  if (error instanceof AuthorizationRevoked) return
  await backOff(context, connection, {
    eventAt: () => ({ type: "vendor_failed", reason: vendorFailureText(connection.provider, error) }),
    shortestMs: requestedWaitMs(error),
  })
}

/** Counts a failure, applies its event, and schedules the retry: the pauses double from one minute to half an hour. */
async function backOff(
  context: Context,
  connection: ConnectionId,
  { eventAt, shortestMs = 0 }: { readonly eventAt: (retryAt: Date) => ConnectionEvent; readonly shortestMs?: number },
): Promise<void> {
  await personTransaction(context.database, connection.userId, async (transaction) => {
    const failed = await transaction
      .updateTable("connection")
      .set((row) => ({ failures: row("failures", "+", 1) }))
      .where("user_id", "=", connection.userId)
      .where("provider", "=", connection.provider)
      .returning("failures")
      .executeTakeFirst()
    if (!failed) return
    const backOffMs = Math.min(FIRST_RETRY_MS * 2 ** (failed.failures - 1), LONGEST_RETRY_MS)
    const at = later(context, Math.max(backOffMs, shortestMs))
    await applyEvent(transaction, context, connection, eventAt(at))
    await setTimes(transaction, connection, { next_sync_at: at, retry_after: at })
  })
}

/** Returns the wait that the vendor requested, 0 without one. */
const requestedWaitMs = (error: ProviderError): number =>
  error instanceof VendorUnavailable && error.retryAfterSeconds !== undefined ? error.retryAfterSeconds * 1000 : 0

const later = ({ clock }: Context, milliseconds: number): Date => new Date(clock.now().getTime() + milliseconds)

/** A step that got no calls. */
interface WaitingStep {
  readonly step: SyncStep
  readonly state: SyncState
  readonly policy: SyncPolicy
  readonly error: RateLimited
}

/**
 * Schedules a step again for when there are calls, and stores what it waits for: the person sees it. News are looked for meanwhile,
 * because they have a larger share of the calls than history and requested syncs.
 */
export async function waitForCalls(
  context: Pick<Context, "database" | "clock" | "logger">,
  connection: ConnectionId,
  { step: { purpose }, state, policy, error }: WaitingStep,
): Promise<void> {
  const now = context.clock.now()
  const until = waitsUntil(context, error)
  context.logger.info(
    { ...connection, waitsFor: error.reason, reason: error.message, purpose, until },
    "sync waits for the vendor's limits",
  )
  const newsAt = nextNews(policy, state, now)
  const isSooner = SPARE_PURPOSES.includes(purpose) && newsAt > now && newsAt < until
  // Events wait only when their share is used up too.
  const blocksEvents = purpose === "event" || purpose === "person"
  await personTransaction(context.database, connection.userId, async (transaction) => {
    const scheduled = await transaction
      .updateTable("connection")
      .set({ next_sync_at: isSooner ? newsAt : until, ...(blocksEvents && { retry_after: until }) })
      .where("user_id", "=", connection.userId)
      .where("provider", "=", connection.provider)
      .where("generation", "=", state.generation)
      .returning("user_id")
      .executeTakeFirst()
    if (scheduled) await storeWait(transaction, context, connection, error)
  })
}

/** The highest runs first. */
const PRIORITY: Readonly<Record<Urgency, number>> = { now: 10, later: 5, history: 0 }

/** The place for any sync, and the one for all but histories. */
export const SYNC_PLACES = {
  any: { kind: "sync", minPriority: PRIORITY.history },
  urgent: { kind: "sync", minPriority: PRIORITY.later },
} as const satisfies Readonly<Record<string, JobPlace>>

const jobOf = ({ userId, provider }: ConnectionId) => ({ kind: "sync", key: `${userId}/${provider}` }) as const

/** The connection that a job syncs. */
export function connectionOf(job: ClaimedJob): ConnectionId {
  const userId = personOf(job)
  return { userId, provider: job.key.slice(userId.length + 1) }
}

/** The syncs in the queue of all processes. */
export const createJobQueue = (context: Pick<Context, "database" | "clock">): JobQueue => ({
  requestSync: (connection, urgency = "now") =>
    addJob(context, {
      ...jobOf(connection),
      userId: connection.userId,
      priority: PRIORITY[urgency],
      due: "at_once",
    }),
  isAnyoneWaiting: () => isJobWaiting(context, "sync"),
  isSyncing: (connection) => hasJob(context, jobOf(connection)),
})

/** Most requests of one look. The next look requests more, so that urgent ones do not wait behind all of them. */
const BATCH = 200

/** SQL: true if the connection `c` has no sync that runs, or waits with this priority or a higher one. */
const isUnrequested = (now: Date, priority: number) => sql<boolean>`not exists (
  select from restwell.job j where j.kind = 'sync' and j.key = c.user_id || '/' || c.provider
    and (j.claim is not null or j.due_at <= ${now} and j.priority >= ${priority}))`

/**
 * Requests a sync of every connection that is due or has waiting events. If several processes request it, it runs once. Look again when a
 * sync has ended: one that runs is not requested. A time more than two days ahead comes from a wrong clock, and the connection is due: no
 * vendor is looked at less often.
 * @returns when the next connection or event is due, as far as it is known now
 */
export async function requestDueSyncs({ database, clock, jobs }: Context): Promise<Date | undefined> {
  const now = clock.now()
  const { rows } = await sql<{ user_id: string; provider: string; urgency: Urgency }>`
    (select e.user_id, e.provider, 'now' as urgency
     from restwell.vendor_event e join restwell.connection c using (user_id, provider)
     where e.due_at <= ${now} and ${isActive} and ${isRetryDue(now)} and ${isUnrequested(now, PRIORITY.now)}
     group by e.user_id, e.provider order by min(e.version) limit ${BATCH})
    union all
    (select c.user_id, c.provider,
            case when c.fetched_back_to is null then 'now' when c.refresh_at > ${now} then 'history' else 'later' end
     from restwell.connection c
     where ${isActive} and ${isUnrequested(now, PRIORITY.history)}
       and (c.next_sync_at <= ${now} or c.next_sync_at > ${now}::timestamptz + interval '49 hours')
     order by c.next_sync_at limit ${BATCH})
  `.execute(database)
  for (const { user_id, provider, urgency } of rows) await jobs.requestSync({ userId: user_id, provider }, urgency)
  if (rows.length >= BATCH) return now
  const { rows: ahead } = await sql<{ at: Date | null }>`
    select least(
      (select min(c.next_sync_at) from restwell.connection c where ${isActive} and c.next_sync_at > ${now}),
      (select min(c.retry_after) from restwell.connection c where ${isActive} and c.retry_after > ${now}),
      (select min(e.due_at) from restwell.vendor_event e where e.due_at > ${now})) as at
  `.execute(database)
  return ahead[0]?.at ?? undefined
}

/**
 * Makes every connection due whose last sync is in the future: a wrong clock wrote it and the time of the next one.
 * Call it when work begins, and after the clock went back.
 */
export async function healSchedules({ database, clock }: Pick<Context, "database" | "clock">): Promise<void> {
  const now = clock.now()
  await sql`
    update restwell.connection set next_sync_at = ${now}, retry_after = null
    where greatest(last_synced_at, listed_at, next_sync_at - interval '2 days', retry_after - interval '2 days')
      > ${now}::timestamptz + interval '5 minutes'
  `.execute(database)
}

/** One request in this time: the newest days take calls that all people share. */
const EVERY_MS = MINUTE_MS
/** A wrong clock wrote a request that is further ahead. */
const CLOCK_TOLERANCE_MS = 5 * MINUTE_MS

/**
 * Requests a sync for a person: at most one a minute, over all processes. While a sync of the connection waits or runs, a request joins it.
 * @throws {NotFound} when the provider is not connected
 * @throws {InvalidRequest} when it has to be connected again first
 * @throws {TooManyRequests} when the last request was less than a minute ago, and its sync is done
 */
export async function requestSync(context: Context, connection: ConnectionId): Promise<void> {
  const now = context.clock.now()
  if (await noteRequest(context, connection, now)) return context.jobs.requestSync(connection)
  const refused = await readRefused(context, connection, now)
  if (!refused) throw new NotFound(`provider ${connection.provider} is not connected`)
  if (refused.status === "reauthorization_required")
    throw new InvalidRequest(`${connection.provider} no longer accepts the authorization, connect it again`, "provider")
  // Between the two statements the next minute may have begun. That is a wait of a second.
  const { requestedAt, isWaiting } = refused
  if (isWaiting || requestedAt === null || (await context.jobs.isSyncing(connection))) return
  const reset = new Date(requestedAt.getTime() + EVERY_MS)
  const retryAfterSeconds = Math.max(1, Math.ceil((reset.getTime() - now.getTime()) / 1000))
  throw new TooManyRequests(
    `the last sync was requested less than a minute ago, request the next one in ${retryAfterSeconds} s`,
    { limit: 1, retryAfterSeconds, reset },
  )
}

/** SQL: true if the last request has got no calls yet. It runs as soon as there are some, so a further one changes nothing. */
const isWaitingForCalls = (now: Date) =>
  sql<boolean>`coalesce(c.person_requested_at > coalesce(c.listed_at, '-infinity') and c.waiting_until > ${now}, false)`

/**
 * Notes the request, if it is the first of its minute. One statement: of two at once, one is the first. A look for late changes in the
 * same millisecond counts as earlier, because it may have missed what the person waits for.
 */
async function noteRequest({ database }: Context, { userId, provider }: ConnectionId, now: Date): Promise<boolean> {
  const { rows } = await sql`
    update restwell.connection c set person_requested_at = ${now}, retry_after = null, next_sync_at = ${now},
      reconciled_at = case when c.reconciled_at >= ${now} then ${justBefore(now)} else c.reconciled_at end
    where c.user_id = ${userId} and c.provider = ${provider} and ${isActive}
      and (c.person_requested_at is null or c.person_requested_at <= ${new Date(now.getTime() - EVERY_MS)}
        or c.person_requested_at > ${new Date(now.getTime() + CLOCK_TOLERANCE_MS)})
      and not ${isWaitingForCalls(now)}
    returning c.user_id
  `.execute(database)
  return rows.length === 1
}

const justBefore = (at: Date): Date => new Date(at.getTime() - 1)

interface Refused {
  readonly status: string
  readonly requestedAt: Date | null
  readonly isWaiting: boolean
}

/** Returns why a request was not noted. Undefined without a connection. */
async function readRefused(
  { database }: Context,
  { userId, provider }: ConnectionId,
  now: Date,
): Promise<Refused | undefined> {
  const { rows } = await sql<Refused>`
    select c.status, c.person_requested_at as "requestedAt", ${isWaitingForCalls(now)} as "isWaiting"
    from restwell.connection c
    where c.user_id = ${userId} and c.provider = ${provider} and c.status not in ('disconnected', 'archive')
  `.execute(database)
  return rows[0]
}
