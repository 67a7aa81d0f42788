// A push until it is stored: its body is kept first, so that the work goes on after the process has ended.

import { randomUUID } from "node:crypto"
import { utcDateOf } from "@restwell/client/calendar-dates"
import { DAY_MS } from "@restwell/client/time-units"
import { sql, type Transaction } from "kysely"
import type { Clock } from "../base/calendar.ts"
import type { Context } from "../context/context.ts"
import { InvalidRequest, NotFound, TooManyRequests, Unauthorized, Unavailable } from "../context/errors.ts"
import type { Pusher } from "../people/ingest-tokens.ts"
import { type Database, personTransaction } from "../store/database.ts"
import { isDiskLow, isMissingRow, LOW_DISK } from "../store/database-trouble.ts"
import type { PushReport } from "../store/record-tables.ts"
import { isSilent } from "../store/silence.ts"
import { noteWhileArriving, partsOf, removeArrived } from "./arriving-parts.ts"

/** A push that this process stores, until another one takes it over. */
export interface ClaimedPush {
  readonly userId: string
  readonly id: string
  readonly claim: string
}

interface PushedBody {
  readonly provider: string
  readonly isGzip: boolean
  /** How its counts are added up, where the program says it. */
  readonly aggregation?: string | undefined
  readonly content: AsyncIterable<Uint8Array>
}

type Store = Pick<Context, "database" | "clock" | "disk">

const RETRY_AFTER_SECONDS = 300

/**
 * Stores the body of a push, to be stored as rows by `PushThread`. If it breaks off, nothing stays.
 * @throws {InvalidRequest} when it is empty @throws {Unauthorized} when the token was ended meanwhile
 * @throws {TooManyRequests} when the rows of the day are used up @throws {Unavailable} when the disk is nearly full
 */
export async function receivePush(context: Store, pusher: Pusher, body: PushedBody): Promise<ClaimedPush> {
  if (await isDiskLow(context.disk)) throw new Unavailable(LOW_DISK, RETRY_AFTER_SECONDS)
  await refuseFullDay(context, pusher)
  const push = { userId: pusher.userId, id: randomUUID(), claim: randomUUID() }
  let arrived = 0
  const arriving = noteWhileArriving(body.content, async () => {
    // The first part adds the push.
    if (arrived > 0) await noteLife(context, [push])
  })
  try {
    for await (const bytes of partsOf(arriving)) {
      await storePart(context, { ...pusher, ...push, ...body, part: arrived, bytes })
      arrived += 1
    }
    if (arrived === 0) throw new InvalidRequest("the push has no body", "body")
    await changePush(context, push, sql`status = 'queued'`)
    return push
  } catch (error) {
    const parts = context.database.deleteFrom("push").where("user_id", "=", push.userId).where("id", "=", push.id)
    if (arrived > 0) await removeArrived(parts, "a push was not removed", error)
    throw isMissingRow(error) ? tokenEnded() : error
  }
}

export const tokenEnded = (): Unauthorized =>
  new Unauthorized("invalid token: it was ended, make a new one on the page Connections")

interface ArrivedPart extends Pusher, ClaimedPush, PushedBody {
  readonly part: number
  readonly bytes: Buffer
}

/** Nobody was told yet that the push arrived, so no part waits for the disk. */
async function storePart({ database, clock }: Store, push: ArrivedPart): Promise<void> {
  const { userId, id, tokenId, provider, isGzip, aggregation = null, claim, part, bytes } = push
  await personTransaction(database, userId, async (transaction) => {
    await sql`set local synchronous_commit = off`.execute(transaction)
    if (part === 0)
      await transaction
        .insertInto("push")
        .values({
          user_id: userId,
          id,
          token_id: tokenId,
          provider,
          is_gzip: isGzip,
          aggregation,
          status: "receiving",
          created_at: clock.now(),
          claimed_by: claim,
          claimed_at: sql`now()`,
        })
        .execute()
    await transaction.insertInto("push_part").values({ user_id: userId, push_id: id, part, bytes }).execute()
  })
}

async function changePush({ database }: Pick<Context, "database">, push: ClaimedPush, change: ReturnType<typeof sql>) {
  const { rows } = await sql`
    update restwell.push set ${change} where user_id = ${push.userId} and id = ${push.id} and claimed_by = ${push.claim} returning id
  `.execute(database)
  return rows.length > 0
}

/**
 * Keeps the report of a push for its sender, who is told its id. What was written before is durable with it.
 * @returns false if the push has ended already
 */
export const acknowledgePush = (context: Pick<Context, "database">, push: ClaimedPush): Promise<boolean> =>
  changePush(context, push, sql`is_acknowledged = true`)

/** Shows by the database's clock that this process lives. */
export async function noteLife({ database }: Pick<Context, "database">, pushes: readonly ClaimedPush[]): Promise<void> {
  const claims = pushes.map(({ claim }) => claim)
  await sql`
    update restwell.push p set claimed_at = now()
    from (
      select user_id, id from restwell.push
      where status in ('receiving', 'queued') and claimed_by = any(${claims}::uuid[]) for update skip locked
    ) own
    where p.user_id = own.user_id and p.id = own.id
  `.execute(database)
}

/** SQL: true if nobody claimed the push, or a process that was silent for this long. */
const isLeft = (seconds: number) => sql<boolean>`(claimed_at is null or ${isSilent("claimed_at", seconds)})`

/** A process that was silent for this long has died. */
const SILENT_SECONDS = 20
/** Nobody sends a push any more of which nothing arrived for this long: a connection is closed after half of it. */
const UNSENT_SECONDS = 60

export interface LeftPush extends ClaimedPush {
  /** How many processes died while they stored it. */
  readonly deaths: number
}

/** Deletes pushes that nobody sends any more, and claims those that a dead process left. @param own pushes that this process stores */
export async function claimLeftPushes(
  { database }: Pick<Context, "database">,
  own: readonly Pick<ClaimedPush, "id">[],
): Promise<LeftPush[]> {
  const ownIds = own.map(({ id }) => id)
  const { rows } = await sql<LeftPush>`
    with unsent as (delete from restwell.push where status = 'receiving' and ${isLeft(UNSENT_SECONDS)})
    update restwell.push p set claimed_by = gen_random_uuid(), claimed_at = now(), deaths = deaths + (claimed_at is not null)::integer
    from (
      select user_id, id from restwell.push
      where status = 'queued' and ${isLeft(SILENT_SECONDS)} and id <> all (${ownIds}::uuid[]) for update skip locked
    ) left_over
    where p.user_id = left_over.user_id and p.id = left_over.id
    returning p.user_id as "userId", p.id, p.claimed_by as claim, p.deaths
  `.execute(database)
  return rows
}

/** Lets another process go on at once. */
export const releasePush = (context: Pick<Context, "database">, push: ClaimedPush): Promise<boolean> =>
  changePush(context, push, sql`claimed_by = null, claimed_at = null`)

/** Rows that a person may store in a UTC day. */
const ROWS_A_DAY = 2_000_000

const dayOf = (clock: Clock): string => utcDateOf(clock.now())

/** @throws {TooManyRequests} when the person has stored all rows of the day, so that the body need not be sent */
async function refuseFullDay({ database, clock }: Store, { userId }: Pusher): Promise<void> {
  const usage = await database
    .selectFrom("push_usage")
    .select("rows")
    .where("user_id", "=", userId)
    .where(sql<boolean>`day = ${dayOf(clock)}::date`)
    .executeTakeFirst()
  if (Number(usage?.rows ?? 0) >= ROWS_A_DAY) throw dayIsFull(clock)
}

/** Counts rows that are stored. @throws {TooManyRequests} when they are more than a day may have */
export async function countStoredRows(
  transaction: Transaction<Database>,
  clock: Clock,
  userId: string,
  stored: number,
): Promise<void> {
  if (stored === 0) return
  const { rows } = await sql<{ rows: number }>`
    insert into restwell.push_usage as u (user_id, day, rows) values (${userId}, ${dayOf(clock)}::date, ${stored})
    on conflict (user_id) do update set day = excluded.day,
      rows = case when u.day = excluded.day then u.rows + excluded.rows else excluded.rows end
    returning rows::double precision as rows
  `.execute(transaction)
  if ((rows[0]?.rows ?? 0) > ROWS_A_DAY) throw dayIsFull(clock)
}

function dayIsFull(clock: Clock): TooManyRequests {
  const nowMs = clock.now().getTime()
  const reset = new Date((Math.floor(nowMs / DAY_MS) + 1) * DAY_MS)
  return new TooManyRequests(
    `a person may store ${ROWS_A_DAY} pushed rows a day: send it again after ${reset.toISOString()}, rows that are stored already do not count`,
    { limit: ROWS_A_DAY, retryAfterSeconds: Math.ceil((reset.getTime() - nowMs) / 1_000), reset },
  )
}

/** What became of a push. */
export interface PushStatus extends PushReport {
  readonly status: "queued" | "done" | "failed"
  readonly error: string | null
}

/** The report of a push that was sent with this token. @throws {NotFound} */
export async function readPush(
  { database }: Pick<Context, "database">,
  { userId, tokenId }: Pusher,
  id: string,
): Promise<PushStatus> {
  const found = await database
    .selectFrom("push")
    .select(["status", "report", "error"])
    .where("user_id", "=", userId)
    .where("token_id", "=", tokenId)
    .where(sql<boolean>`id::text = ${id}`)
    .executeTakeFirst()
  if (!found || found.status === "receiving") throw new NotFound("there is no push with this id")
  const { status, report, error } = found
  return { status, ...report, error }
}
