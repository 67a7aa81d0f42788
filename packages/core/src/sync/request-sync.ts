import { sql } from "kysely"
import { isActive } from "../connection/active-connection.ts"
import type { ConnectionId, Context } from "../context/context.ts"
import { InvalidRequest, NotFound, TooManyRequests } from "../context/errors.ts"

/** One request in this time: the newest days take calls that all people share. */
const EVERY_MS = 60_000
/** A wrong clock wrote a request that is further ahead. */
const CLOCK_TOLERANCE_MS = 5 * 60_000

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
