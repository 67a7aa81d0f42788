/* What keys, tokens and shares with a name have in common: how many a person may have, when one ends, and how one is ended. */

import type { SecurityEventType } from "@restwell/client"
import { addDays } from "@restwell/client/calendar-dates"
import { offsetInZone } from "@restwell/providers"
import { sql, type Transaction } from "kysely"
import { midnightIn, type TimeZone } from "../base/calendar.ts"
import { type Context, recordSecurityEvent } from "../context/context.ts"
import { Conflict, NotFound } from "../context/errors.ts"
import { type Database, lockData, personTransaction } from "../store/database.ts"

/** The table and what people call its rows. */
interface Kind {
  readonly table: "api_key" | "ingest_token" | "share"
  readonly word: "key" | "token" | "share"
}

/** More than anybody has devices or programs. */
const MOST = 20

/**
 * Locks the person, so that of requests at the same time none is one too many.
 * @throws {Conflict} when the person has as many as one may
 */
export async function requireRoom(
  transaction: Transaction<Database>,
  userId: string,
  { table, word }: Kind,
): Promise<void> {
  await lockData(transaction, userId)
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${sql.table(`restwell.${table}`)} where user_id = ${userId} and name is not null
  `.execute(transaction)
  if ((rows[0]?.count ?? MOST) >= MOST) throw new Conflict(`there are ${MOST} ${word}s already, end one of them first`)
}

/** The end of an instant or of a date, which ends where the person is. Its clocks may change until then. */
export function endOf(end: string, { utcOffsetMinutes, timeZone }: TimeZone, now: Date): Date {
  if (end.includes("T")) return new Date(end)
  // Who is elsewhere than the time zone of the account has no known clock changes.
  const isInZone = timeZone !== null && offsetInZone(now.getTime(), timeZone) === utcOffsetMinutes
  return midnightIn({ utcOffsetMinutes: isInZone ? null : utcOffsetMinutes, timeZone }, addDays(end, 1))
}

interface Ended {
  readonly userId: string
  readonly id: string
  /** The visitor's network, for the security log. */
  readonly network?: string | undefined
}

/** Deletes one, and says so in the security log. @throws {NotFound} when the person has none with this id */
export async function endNamed(
  { database, clock }: Pick<Context, "database" | "clock">,
  { userId, id, network }: Ended,
  { table, word, type }: Kind & { readonly type: SecurityEventType },
): Promise<void> {
  await personTransaction(database, userId, async (transaction) => {
    const { rows } = await sql<{ name: string }>`
      delete from ${sql.table(`restwell.${table}`)}
      where user_id = ${userId} and id::text = ${id} and name is not null returning name
    `.execute(transaction)
    const [ended] = rows
    if (!ended) throw new NotFound(`you have no ${word} with this id`)
    await recordSecurityEvent({ database: transaction, clock }, userId, { type, detail: ended.name, network })
  })
}
