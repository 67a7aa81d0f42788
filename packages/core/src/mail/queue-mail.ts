import type { Context } from "../context/context.ts"

type Store = Pick<Context, "database" | "clock">

const HOUR_MS = 3_600_000
/** The longest that an e-mail is tried. A person who asks for a new password has given up by then. */
const TRIED_HOURS = { password_reset: 1, invitation: 72 } as const

const timesOf = ({ clock }: Pick<Context, "clock">, kind: keyof typeof TRIED_HOURS) => {
  const now = clock.now()
  return { created_at: now, due_at: now, expires_at: new Date(now.getTime() + TRIED_HOURS[kind] * HOUR_MS) }
}

/** Asks for a link to a new password. Does the same whether the address has an account or not, so that nobody can tell. */
export async function queuePasswordResetMail(context: Store, address: string): Promise<void> {
  const kind = "password_reset"
  await context.database
    .insertInto("mail")
    .values({ kind, address, ...timesOf(context, kind) })
    .execute()
}

/** Sends the link of an invitation to its address. The link that was made before stops working. */
export async function queueInvitationMail(context: Store, invitationId: string): Promise<void> {
  const kind = "invitation"
  await context.database
    .insertInto("mail")
    .values({ kind, invitation_id: invitationId, ...timesOf(context, kind) })
    .execute()
}
