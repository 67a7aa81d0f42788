import { sql, type Transaction } from "kysely"
import type { ConnectionId, Context } from "../context/context.ts"
import type { Database } from "../store/database.ts"

type Store = Pick<Context, "database" | "clock">

const HOUR_MS = 3_600_000
/** The longest that an e-mail is tried. Whoever asks for a new password has given up by then. */
const TRIED_HOURS = { password_reset: 1, reconnect: 72, invitation: 72 } as const
/** A connection that breaks again so soon gives no second notice. */
const NOTICE_PAUSE_HOURS = 24

const timesOf = ({ clock }: Pick<Context, "clock">, kind: keyof typeof TRIED_HOURS) => {
  const now = clock.now()
  return { created_at: now, due_at: now, expires_at: new Date(now.getTime() + TRIED_HOURS[kind] * HOUR_MS) }
}

/** Asks for a link to a new password. Does the same whether the address has an account or not, so that nobody can tell. */
export async function queuePasswordResetMail(context: Store, address: string): Promise<void> {
  const kind = "password_reset"
  await context.database.insertInto("mail").values({ kind, address, ...timesOf(context, kind) }).execute()
}

/** Sends the link of an invitation to its address. The link that was made before stops working. */
export async function queueInvitationMail(context: Store, invitationId: string): Promise<void> {
  const kind = "invitation"
  await context.database
    .insertInto("mail")
    .values({ kind, invitation_id: invitationId, ...timesOf(context, kind) })
    .execute()
}

/** Tells the person that a connection has to be renewed, in the transaction that changes its status. */
export async function queueReconnectMail(
  transaction: Transaction<Database>,
  context: Pick<Context, "clock">,
  { userId, provider }: ConnectionId,
): Promise<void> {
  const { created_at: now, expires_at: expiresAt } = timesOf(context, "reconnect")
  const pausedSince = new Date(now.getTime() - NOTICE_PAUSE_HOURS * HOUR_MS)
  await sql`
    insert into restwell.mail (kind, user_id, provider, created_at, due_at, expires_at)
    select 'reconnect', user_id, ${provider}, ${now}, ${now}, ${expiresAt} from restwell.person
    where user_id = ${userId} and reconnect_mail and not exists (
      select from restwell.mail m
      where m.user_id = ${userId} and m.kind = 'reconnect' and m.provider = ${provider} and m.created_at > ${pausedSince})
  `.execute(transaction)
}
