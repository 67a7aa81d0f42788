/* Links for others: each opens the report of a part of a person's data, until its end, and nothing else. */

import { type PeriodPage, type SharedReport, type ShareRequest, SOURCE_TYPES } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { DAY_MS } from "@restwell/client/time-units"
import { sql } from "kysely"
import { type TimeZone, todayIn } from "../base/calendar.ts"
import { type Context, recordSecurityEvent } from "../context/context.ts"
import { accountGone, InvalidRequest, TooManyRequests, Unauthorized } from "../context/errors.ts"
import type { HealthReader } from "../read/health-reader.ts"
import { METRIC_GROUPS } from "../read/metric-groups.ts"
import type { PageQuery } from "../read/pages.ts"
import { personTransaction } from "../store/database.ts"
import type { KeyScope } from "../store/statements/read-health.ts"
import { generateApiKey, parseApiKey } from "./api-key.ts"
import { takeAttempt } from "./attempts.ts"
import { endNamed, endOf, requireRoom } from "./named-secrets.ts"

const KIND = { table: "share", word: "share" } as const
const USUAL_DAYS = 30
/** A year of a program that counts days: after a clock change it may end a little later than the same date of the next year. */
const YEAR_MS = 365 * DAY_MS
/** How the access log names a view. */
const OPERATION = "/api/shared/report"

interface ShareCall {
  readonly userId: string
  /** The visitor's network, for the security log. */
  readonly network?: string | undefined
}

/**
 * Makes a share. Returns its token, which is not stored readable.
 * @throws {Conflict} when the person has too many
 * @throws {InvalidRequest} when it would have ended already, or would end more than a year ahead
 */
export async function createShare(
  context: Pick<Context, "database" | "clock">,
  { userId, network }: ShareCall,
  { name, types, days, expires_at: end }: ShareRequest,
): Promise<{ readonly id: string; readonly token: string }> {
  const { text, keyHash, prefix } = generateApiKey("rws_")
  const now = context.clock.now()
  return personTransaction(context.database, userId, async (transaction) => {
    await requireRoom(transaction, userId, KIND)
    const zone = await transaction
      .selectFrom("person")
      .select(["time_zone as timeZone", "utc_offset_minutes as utcOffsetMinutes"])
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow(accountGone)
    const { id } = await transaction
      .insertInto("share")
      .values({
        user_id: userId,
        token_hash: Buffer.from(keyHash, "hex"),
        prefix,
        name,
        types: types && [...new Set(types)],
        days,
        expires_at: expiryOf(end, zone, now),
        created_at: now,
        last_viewed_at: null,
      })
      .returning("id")
      .executeTakeFirstOrThrow()
    const event = { type: "share_created" as const, detail: name, network }
    await recordSecurityEvent({ database: transaction, clock: context.clock }, userId, event)
    return { id, token: text }
  })
}

/** @throws {InvalidRequest} */
function expiryOf(end: string | null, zone: TimeZone, now: Date): Date {
  const today = todayIn(zone, now)
  const expiresAt = endOf(end ?? addDays(today, USUAL_DAYS), zone, now)
  if (expiresAt <= now) throw new InvalidRequest("expires_at must be in the future", "expires_at")
  const inAYear = Temporal.PlainDate.from(today).add({ years: 1 }).toString()
  if (expiresAt.getTime() > Math.max(endOf(inAYear, zone, now).getTime(), now.getTime() + YEAR_MS))
    throw new InvalidRequest("expires_at must be at most a year ahead", "expires_at")
  return expiresAt
}

/** The person's shares, oldest first. */
export const listShares = ({ database }: Pick<Context, "database">, userId: string) =>
  database
    .selectFrom("share")
    .select(["id", "name", "prefix", "types", "days", "expires_at as expiresAt"])
    .select(["created_at as createdAt", "last_viewed_at as lastViewedAt"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .orderBy("id")
    .execute()

/** Ends a share. No view of it is answered from the commit on. @throws {NotFound} when the person has no such share */
export const endShare = (
  context: Pick<Context, "database" | "clock">,
  share: ShareCall & { readonly id: string },
): Promise<void> => endNamed(context, share, { ...KIND, type: "share_ended" })

/** What a token opens. */
export interface Share extends KeyScope {
  readonly userId: string
  readonly id: string
  readonly name: string
  /** The name of the person whose report it is. */
  readonly by: string
  readonly expiresAt: Date
}

/**
 * The report that a share opens, made from its types and its last dates alone. The view is in the person's access log, and does not count
 * against the quota.
 * @throws {Unauthorized} where the share was ended while its report was made
 * @throws {ServiceError} for a report that cannot be made now
 */
export async function readSharedReport(
  context: Pick<Context, "database" | "clock">,
  reader: HealthReader,
  share: Share,
): Promise<SharedReport> {
  await countView(context, share)
  const { userId, name, by, types, days, expiresAt } = share
  const scope = { ...share, types: groupsOf(share) }
  const query: PageQuery = { type: "page", page: "report", days: days ?? "all" }
  const request = { credential: { userId }, query, scope, ifNoneMatch: [], isCounted: false }
  const reading = await reader.read(request)
  if (reading.outcome === "refused") throw reading.error
  if (reading.outcome !== "answer") throw new Error("a report without conditions has an answer")
  const report: PeriodPage = JSON.parse(reading.response.bytes.toString())
  await noteView(context, share, { period: report.period, recordCount: reading.response.recordCount })
  return { ...report, shared: { name, by, types: types && [...types], days, expires_at: expiresAt.toISOString() } }
}

/** What a report is made of. The journal is private: a share opens it only where its types name it. */
const groupsOf = ({ types }: Pick<Share, "types">) =>
  METRIC_GROUPS.filter((group) =>
    types === null
      ? group !== "journal"
      : types.includes(group) || (types.includes("summary") && SOURCE_TYPES.some((type) => type === group)),
  )

/** More than somebody who reads a report opens it. Its figures are computed anew each time. */
const VIEWS_A_MINUTE = { attempts: 30, windowSeconds: 60 }

/** @throws {TooManyRequests} */
async function countView(context: Pick<Context, "database" | "clock">, { id }: Share): Promise<void> {
  const waitSeconds = await takeAttempt(context, `share/${id}`, VIEWS_A_MINUTE)
  if (waitSeconds === 0) return
  const { attempts: limit } = VIEWS_A_MINUTE
  throw new TooManyRequests(`at most ${limit} views a minute, try again in ${waitSeconds} seconds`, {
    limit,
    retryAfterSeconds: waitSeconds,
    reset: new Date(context.clock.now().getTime() + waitSeconds * 1_000),
  })
}

/** The share of a token. @throws {Unauthorized} in words for a token that opens nothing */
export async function openShare(
  { database, clock }: Pick<Context, "database" | "clock">,
  token: string,
): Promise<Share> {
  const parsed = parseApiKey(token, "rws_")
  if (!parsed) throw new Unauthorized(`invalid link: ${describeTokenError(token)}`)
  const share = await database
    .selectFrom("share")
    .innerJoin("user", "user.id", "share.user_id")
    .select(["share.user_id as userId", "share.id", "share.name", "user.name as by", "types", "days"])
    .select("expires_at as expiresAt")
    .where("token_hash", "=", Buffer.from(parsed.keyHash, "hex"))
    .executeTakeFirst()
  if (!share) throw ended()
  if (share.expiresAt <= clock.now())
    throw new Unauthorized("this link has expired, ask the person who sent it for a new one")
  return share
}

const ended = () => new Unauthorized("this link was ended, ask the person who sent it for a new one")

function describeTokenError(token: string): string {
  if (token.startsWith("rws_")) return "it is incomplete, copy all of it again"
  if (token.startsWith("rw_"))
    return "this is an API key, which reads the API. A link has a token that begins with rws_"
  return "a link has a token that begins with rws_"
}

interface View {
  readonly period: PeriodPage["period"]
  readonly recordCount: number
}

/** Logs a view, unless the share was ended meanwhile: then nobody gets its report. @throws {Unauthorized} */
async function noteView(
  { database, clock }: Pick<Context, "database" | "clock">,
  { userId, id, types }: Share,
  { period, recordCount }: View,
): Promise<void> {
  const now = clock.now()
  // An end that runs at the same time waits for the lock of this row, or this statement for the end.
  const { rows } = await sql`
    with viewed as (
      update restwell.share set last_viewed_at = ${now}
      where user_id = ${userId} and id = ${id} and expires_at > ${now} returning user_id, name)
    insert into restwell.access_log
      (user_id, at, reader, key_name, operation, types, start_date, end_date, record_count, outcome)
    select user_id, ${now}, 'share', name, ${OPERATION}, ${groupsOf({ types })}, ${period.start_date}, ${period.end_date}, ${recordCount}, 'answered'
    from viewed returning id`.execute(database)
  if (rows.length === 0) throw ended()
}
