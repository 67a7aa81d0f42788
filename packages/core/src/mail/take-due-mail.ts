import { sql } from "kysely"
import type { Context } from "../context/context.ts"
import { NotFound } from "../context/errors.ts"
import { renewInvitation } from "../invitation/create-invitation.ts"
import { createPasswordReset } from "../password-reset/create-password-reset.ts"
import type { MailTable } from "../store/people-tables.ts"

type Store = Pick<Context, "database" | "clock">

/** Longer than a mail server may take. An e-mail whose process was killed is tried again after it. */
const LEASE_MS = 3 * 60_000

/** What an e-mail says. The tokens are new and in no table. */
export type MailContent =
  | { readonly kind: "password_reset"; readonly token: string }
  | { readonly kind: "reconnect"; readonly provider: string; readonly name: string }
  | { readonly kind: "invitation"; readonly token: string }

export interface DueMail {
  readonly id: string
  readonly address: string
  /** This try, from 1. */
  readonly attempt: number
  readonly content: MailContent
}

/**
 * The next e-mail to send, for this process alone. Undefined if none is due. E-mails that are pointless by now are deleted: to an address
 * without an account, about a connection that works again, for an invitation that was accepted.
 */
export async function takeDueMail(context: Store): Promise<DueMail | undefined> {
  for (;;) {
    const row = await claimRow(context)
    if (!row) return undefined
    const prepared = await prepare(context, row)
    if (prepared) return { id: row.id, attempt: row.attempts, ...prepared }
    await context.database.deleteFrom("mail").where("id", "=", row.id).execute()
  }
}

type Row = Pick<MailTable, "kind" | "user_id" | "address" | "provider" | "invitation_id"> & {
  readonly id: string
  readonly attempts: number
}

async function claimRow({ database, clock }: Store): Promise<Row | undefined> {
  const now = clock.now()
  const { rows } = await sql<Row>`
    update restwell.mail set attempts = attempts + 1, due_at = ${new Date(now.getTime() + LEASE_MS)}
    where id = (
      select id from restwell.mail
      where sent_at is null and due_at <= ${now} and expires_at > ${now}
      order by due_at, id limit 1 for update skip locked)
    returning id, kind, user_id, address, provider, invitation_id, attempts`.execute(database)
  return rows[0]
}

type Prepared = Pick<DueMail, "address" | "content">

function prepare(context: Store, row: Row): Promise<Prepared | undefined> {
  switch (row.kind) {
    case "password_reset":
      return prepareReset(context, row)
    case "reconnect":
      return prepareNotice(context, row)
    case "invitation":
      return prepareInvitation(context, row)
  }
}

async function prepareReset(context: Store, { id, user_id, address }: Row): Promise<Prepared | undefined> {
  const user = await context.database
    .selectFrom("user")
    .select(["id", "email"])
    .where((row) => row.or([row("id", "=", user_id ?? ""), row("email", "=", address ?? "")]))
    .executeTakeFirst()
  // From now on it belongs to the account, and is deleted with it.
  if (user)
    await context.database.updateTable("mail").set({ user_id: user.id, address: null }).where("id", "=", id).execute()
  const link = user && (await createPasswordReset(context, user.id, { by: "email" }))
  return user && link && { address: user.email, content: { kind: "password_reset", token: link.token } }
}

async function prepareNotice({ database }: Store, { user_id, provider }: Row): Promise<Prepared | undefined> {
  const found = await database
    .selectFrom("user")
    .innerJoin("person", "person.user_id", "user.id")
    .innerJoin("connection", "connection.user_id", "user.id")
    .select(["email", "name", "connection.provider"])
    .where("user.id", "=", user_id ?? "")
    .where("connection.provider", "=", provider ?? "")
    .where("connection.status", "=", "reauthorization_required")
    .where("reconnect_mail", "=", true)
    .executeTakeFirst()
  return found && { address: found.email, content: { kind: "reconnect", provider: found.provider, name: found.name } }
}

async function prepareInvitation(context: Store, { invitation_id }: Row): Promise<Prepared | undefined> {
  const invitation = await context.database
    .selectFrom("invitation")
    .select(["id", "email"])
    .where("id", "=", invitation_id)
    .executeTakeFirst()
  if (!invitation || invitation.email === null) return undefined
  const link = await renewInvitation(context, invitation.id).catch((error: unknown) => {
    if (error instanceof NotFound) return undefined
    throw error
  })
  return link && { address: invitation.email, content: { kind: "invitation", token: link.token } }
}
