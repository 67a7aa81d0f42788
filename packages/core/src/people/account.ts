import { DAY_MS } from "@restwell/client/time-units"
import { sql, type Transaction } from "kysely"
import type { Sealed, TokenCipher } from "../base/encryption.ts"
import { monthOf, nextMonth } from "../base/plans.ts"
import { isEnded, waitingOf } from "../connect/connection-status.ts"
import { endGrant, type GrantContext, takeGrants } from "../connect/end-grant.ts"
import { endingText, failureText } from "../connect/failure-texts.ts"
import type { Context } from "../context/context.ts"
import { accountGone } from "../context/errors.ts"
import type { ConnectionStatus } from "../store/connection-tables.ts"
import type { Database } from "../store/database.ts"
import { MAX_CLOCK_SKEW_MS } from "./attempts.ts"

/** Returns the id of the account with this address, or undefined. Addresses are stored in lower case. */
export async function findUserByEmail(
  { database }: Pick<Context, "database">,
  email: string,
): Promise<string | undefined> {
  const found = await database
    .selectFrom("user")
    .select("id")
    .where("email", "=", email.trim().toLowerCase())
    .executeTakeFirst()
  return found?.id
}

/** True once anyone has signed up here. */
export async function hasAccounts({ database }: Pick<Context, "database">): Promise<boolean> {
  return (await database.selectFrom("user").select("id").limit(1).executeTakeFirst()) !== undefined
}

/** The content of the person's account page. `providers` are the vendors that the operator set up. */
export async function readAccount(context: Context, userId: string) {
  const now = context.clock.now()
  const { database } = context
  const [{ plan, reconnect_mail: reconnectMail }, months, apiKey, connections, others] = await Promise.all([
    database
      .selectFrom("person")
      .select(["plan", "reconnect_mail"])
      .where("user_id", "=", userId)
      .executeTakeFirstOrThrow(accountGone),
    readMonths(context, userId, now),
    database
      .selectFrom("api_key")
      .select(["prefix", "created_at as createdAt", "last_used_at as lastUsedAt"])
      .where("user_id", "=", userId)
      .where("name", "is", null)
      .executeTakeFirst(),
    readConnections(context, userId, now),
    database.selectFrom("user").select("id").where("id", "<>", userId).limit(1).execute(),
  ])
  const limit = context.plans[plan]
  // A month without a row had no request.
  const used = months.get(monthOf(now))?.used ?? 0
  return {
    plan,
    isAlone: others.length === 0,
    reconnectMail,
    usage: { limit, used, remaining: Math.max(limit - used, 0), reset: nextMonth(now), byDay: lastDays(months, now) },
    apiKey: apiKey ?? null,
    providers: [...context.adapters.keys()],
    connections,
  }
}

const USAGE_DAYS = 30
/** The last 30 dates lie in at most three months: 31 January to 1 March. */
const USAGE_MONTHS = 3

type Months = ReadonlyMap<string, { readonly used: number; readonly by_day: readonly number[] }>

/** Usage by the first day of the month. */
async function readMonths({ database }: Context, userId: string, now: Date): Promise<Months> {
  const rows = await database
    .selectFrom("usage")
    .select((row) => [sql<string>`${row.ref("month")}::text`.as("month"), "used", "by_day"])
    .where("user_id", "=", userId)
    .orderBy("usage.month", "desc")
    .where("usage.month", "<=", monthOf(now))
    .limit(USAGE_MONTHS)
    .execute()
  return new Map(rows.map((row) => [row.month, row]))
}

/** Counted requests of the last 30 UTC dates, oldest first. */
function lastDays(months: Months, now: Date) {
  const today = Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO("UTC").toPlainDate()
  return Array.from({ length: USAGE_DAYS }, (_, index) => {
    const date = today.subtract({ days: USAGE_DAYS - 1 - index })
    const month = months.get(date.with({ day: 1 }).toString())
    return { date: date.toString(), requests: month?.by_day[date.day - 1] ?? 0 }
  })
}

/** `fetchedBackTo` is the start of the stored history, null before the first window. Vendors do not say where it begins. */
async function readConnections({ database }: Context, userId: string, now: Date) {
  const rows = await database
    .selectFrom("connection")
    .select(["provider", "status_reason as statusReason", "connected_at as connectedAt"])
    .select(["history_complete as complete", "fetched_back_to as fetchedBackTo"])
    .select(({ fn }) => [
      fn<ConnectionStatus>("restwell.shown_status", ["status", "pushed_at"]).as("status"),
      fn.coalesce("pushed_at", "last_synced_at").as("lastSyncedAt"),
    ])
    .select(["waiting_reason as reason", "waiting_message as message", "waiting_until as until", "gaps"])
    .select((row) =>
      row
        .selectFrom("record")
        .select((record) => record.fn.countAll<string>().as("records"))
        .whereRef("record.user_id", "=", "connection.user_id")
        .whereRef("record.provider", "=", "connection.provider")
        .as("records"),
    )
    .where("user_id", "=", userId)
    .orderBy("connected_at")
    .execute()
  const leftOut = await readLeftOut(database, userId)
  return rows.map(({ complete, fetchedBackTo, records, reason, message, until, gaps, ...connection }) => ({
    ...connection,
    statusReason:
      connection.statusReason ??
      (until && until > now && !isEnded(connection.status) ? failureText(connection.provider, "limit", until) : null),
    notice: isEnded(connection.status) ? null : endingText(connection, now),
    gaps: isEnded(connection.status) ? [] : gaps,
    leftOut: leftOut.flatMap(({ provider, ...one }) => (provider === connection.provider ? [one] : [])),
    waiting: waitingOf({ ...connection, reason, message, until, fetchedBackTo }, now),
    history: { complete, fetchedBackTo, records: Number(records) },
  }))
}

/** Samples that cannot be used, with their first and last UTC day. */
async function readLeftOut(database: Context["database"], userId: string) {
  return database
    .selectFrom("series_left_out")
    .select(["provider", "type", "reason"])
    .select(({ fn }) => fn.sum<string>("count").as("count"))
    .select([sql<string>`min(day)::text`.as("fromDate"), sql<string>`max(day)::text`.as("toDate")])
    .where("user_id", "=", userId)
    .groupBy(["provider", "type", "reason"])
    .orderBy("provider")
    .orderBy("type")
    .orderBy("reason")
    .execute()
}

/**
 * Deletes a person and all their data in one transaction, then revokes access at the vendors. A running sync finds no connection
 * and writes nothing.
 */
export async function deleteAccount(context: GrantContext, userId: string): Promise<void> {
  const taken = await context.database.transaction().execute(async (transaction) => {
    // Lock the account first, as `personTransaction` does, so that the two cannot deadlock.
    const user = await transaction
      .selectFrom("user")
      .select("email")
      .where("id", "=", userId)
      .forUpdate()
      .executeTakeFirst()
    const grants = await takeGrants(transaction, context, { userId })
    if (user) await deleteTraces(transaction, userId, user.email)
    await transaction.deleteFrom("user").where("id", "=", userId).execute()
    return grants
  })
  await Promise.all(taken.map((grant) => endGrant(context, grant)))
}

/** Deletes what names the person and has no foreign key: challenges, open invitations and emails to the address. */
async function deleteTraces(transaction: Transaction<Database>, userId: string, email: string): Promise<void> {
  await sql`
    delete from restwell.verification where value = ${userId}
      or strpos(value, to_json(${userId}::text)::text) > 0 or strpos(value, to_json(${email}::text)::text) > 0
  `.execute(transaction)
  await transaction.deleteFrom("mail").where("address", "=", email).execute()
  await transaction
    .deleteFrom("invitation")
    .where((row) => row.or([row("email", "=", email), row("claimed_for", "=", email)]))
    .execute()
}

/** The owner sees unsent emails and open invitations for this long. */
const KEPT_MS = 7 * DAY_MS

/** Tables whose rows end at a time, by that column. Those of better-auth have its spelling. */
const EXPIRING = [
  ["session", "expiresAt"],
  ["verification", "expiresAt"],
  ["attempt", "expires_at"],
  ["password_reset", "expires_at"],
  ["authorization_request", "expires_at"],
] as const
const KEPT_A_WEEK = ["invitation", "mail"] as const

/** Deletes expired sessions, challenges, attempts, links and authorizations, and emails, invitations and reports of pushes of the week before. */
export async function sweepExpired({ database, clock }: Pick<Context, "database" | "clock">): Promise<void> {
  const nowMs = clock.now().getTime()
  // A replica whose clock is behind may still accept them.
  const before = new Date(nowMs - MAX_CLOCK_SKEW_MS)
  for (const [table, column] of EXPIRING)
    await sql`delete from ${sql.table(`restwell.${table}`)} where ${sql.ref(column)} < ${before}`.execute(database)
  for (const table of KEPT_A_WEEK)
    await database
      .deleteFrom(table)
      .where("expires_at", "<", new Date(nowMs - KEPT_MS))
      .execute()
  await database
    .deleteFrom("push")
    .where("status", "in", ["done", "failed"])
    .where("created_at", "<", new Date(nowMs - KEPT_MS))
    .execute()
}

/** What sign-in codes are made from, and the codes for a lost device. */
type TwoFactorSecret = "secret" | "backupCodes"

/** better-auth does not say whose a secret is, so it is bound to the column alone. */
export const twoFactorBelongsTo = (kind: TwoFactorSecret): string => `two-factor/${kind}`

/** Returns the text to store. */
export const sealTwoFactor = (cipher: TokenCipher, kind: TwoFactorSecret, plain: string): string =>
  textOf(cipher.seal(plain, twoFactorBelongsTo(kind)))

/** @throws {UnreadableSecret} */
export const openTwoFactor = (cipher: TokenCipher, kind: TwoFactorSecret, stored: string): string =>
  cipher.open(sealedOf(stored), twoFactorBelongsTo(kind))

/** A sealed value as text. */
export const textOf = ({ keyId, bytes }: Sealed): string => `${keyId}.${bytes.toString("base64url")}`

/** A text of `textOf` as the sealed value. */
export function sealedOf(stored: string): Sealed {
  const [keyId = "", bytes = ""] = stored.split(".")
  return { keyId, bytes: Buffer.from(bytes, "base64url") }
}
