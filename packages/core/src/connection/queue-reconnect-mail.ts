import { sql, type Transaction } from "kysely"
import type { ConnectionId, Context } from "../context/context.ts"
import type { Database } from "../store/database.ts"

const DAY_MS = 86_400_000
/** The longest that the e-mail is tried. */
const TRIED_DAYS = 3
/** A connection that breaks again so soon gives no second notice. */
const PAUSE_DAYS = 1

/** Tells the person by e-mail that a connection has to be renewed, in the transaction that changes its status. */
export async function queueReconnectMail(
  transaction: Transaction<Database>,
  { clock }: Pick<Context, "clock">,
  { userId, provider }: ConnectionId,
): Promise<void> {
  const now = clock.now()
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS)
  await sql`
    insert into restwell.mail (kind, user_id, provider, created_at, due_at, expires_at)
    select 'reconnect', user_id, ${provider}, ${now}, ${now}, ${inDays(TRIED_DAYS)} from restwell.person
    where user_id = ${userId} and reconnect_mail and not exists (
      select from restwell.mail m
      where m.user_id = ${userId} and m.kind = 'reconnect' and m.provider = ${provider}
        and m.created_at > ${inDays(-PAUSE_DAYS)})
  `.execute(transaction)
}
