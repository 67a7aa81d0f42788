// Emails that wait to be sent. Each is a job of the queue, which the schema adds with it.
import { HOUR_MS, MINUTE_MS } from "@restwell/client/time-units"
import { cutText } from "@restwell/providers"
import { type Selectable, sql } from "kysely"
import type { Context } from "../context/context.ts"
import { NotFound } from "../context/errors.ts"
import type { ClaimedJob } from "../jobs/job-queue.ts"
import type { NoticeMessage } from "../store/notification-tables.ts"
import type { MailTable, PersonTable } from "../store/people-tables.ts"
import { quietUntil } from "./due-times.ts"
import { createPasswordReset, renewInvitation } from "./links.ts"

type Store = Pick<Context, "database" | "clock">

/** How long an email is tried. After it, nobody waits for a new password any more, and the next briefing has not come yet. */
const TRIED_HOURS = { password_reset: 1, invitation: 72, passkey_added: 72, passkey_removed: 72, notice: 20 } as const

const timesOf = ({ clock }: Pick<Context, "clock">, kind: keyof typeof TRIED_HOURS) => {
  const now = clock.now()
  return { created_at: now, expires_at: new Date(now.getTime() + TRIED_HOURS[kind] * HOUR_MS) }
}

/** Asks for a link to a new password. Does the same whether the address has an account or not, so that nobody can tell. */
export async function queuePasswordResetMail(context: Store, address: string): Promise<void> {
  const kind = "password_reset"
  await context.database
    .insertInto("mail")
    .values({ kind, address, ...timesOf(context, kind) })
    .execute()
}

/** Sends a notice, in the caller's transaction, which stored it. */
export async function queueNoticeMail(context: Store, userId: string, noticeId: string): Promise<void> {
  const kind = "notice"
  await context.database
    .insertInto("mail")
    .values({ kind, user_id: userId, notice_id: noticeId, ...timesOf(context, kind) })
    .execute()
}

export type PasskeyMail = "passkey_added" | "passkey_removed"

/** Tells a person that a passkey was added or deleted. The email does not contain its name, which a stranger may have chosen. */
export async function queuePasskeyMail(context: Store, userId: string, kind: PasskeyMail): Promise<void> {
  const { created_at, expires_at } = timesOf(context, kind)
  // Nothing once the account is deleted.
  await sql`
    insert into restwell.mail (kind, user_id, created_at, expires_at)
    select ${kind}, id, ${created_at}, ${expires_at} from restwell."user" where id = ${userId}`.execute(
    context.database,
  )
}

/** Sends the link of an invitation to its address. The link that was made before stops working. */
export async function queueInvitationMail(context: Store, invitationId: string): Promise<void> {
  const kind = "invitation"
  await context.database
    .insertInto("mail")
    .values({ kind, invitation_id: invitationId, ...timesOf(context, kind) })
    .execute()
}

/** What an email says. The tokens are new and in no table. */
export type MailContent =
  | { readonly kind: "password_reset"; readonly token: string }
  | { readonly kind: "reconnect"; readonly provider: string; readonly name: string }
  | { readonly kind: "invitation"; readonly token: string }
  | { readonly kind: PasskeyMail; readonly at: Date; readonly reader: MailReader }
  | { readonly kind: "notice"; readonly message: NoticeMessage }

/** How the person writes dates and times, as the page does. Null where nothing is set. */
export type MailReader = Pick<Selectable<PersonTable>, "time_zone" | "units" | "clock">

export interface DueMail {
  readonly id: string
  readonly address: string
  /** This try, from 1. */
  readonly attempt: number
  readonly content: MailContent
}

/** The process that had the email before may still send it. Longer than a mail server takes. */
const TAKEN_OVER_MS = 3 * MINUTE_MS

/**
 * The email of a job, which is tried now. A time to try it, in quiet hours or if a process before may have sent it. Undefined if it was sent,
 * or is of no use any more. Emails that are pointless by now are deleted: to an address without an account, about a connection that works
 * again, for an invitation that was accepted.
 */
export async function beginMail(
  context: Store,
  { key: id, isTakenOver }: Pick<ClaimedJob, "key" | "isTakenOver">,
): Promise<DueMail | Date | undefined> {
  const now = context.clock.now()
  if (isTakenOver) return new Date(now.getTime() + TAKEN_OVER_MS)
  const quietEnd = await quietEndOf(context, id)
  if (quietEnd) return quietEnd
  const row = await context.database
    .updateTable("mail")
    .set((mail) => ({ attempts: mail("attempts", "+", 1) }))
    .where("id", "=", id)
    .where("sent_at", "is", null)
    .where("expires_at", ">", now)
    .returning(["id", "kind", "user_id", "address", "provider", "invitation_id", "notice_id", "attempts", "created_at"])
    .executeTakeFirst()
  if (!row) return undefined
  const prepared = await prepare(context, row)
  if (prepared) return { id, attempt: row.attempts, ...prepared }
  await context.database.deleteFrom("mail").where("id", "=", id).execute()
  return undefined
}

/** For the emails that come without anybody's doing. */
async function quietEndOf(context: Store, id: string): Promise<Date | undefined> {
  const mail = await context.database
    .selectFrom("mail")
    .select("user_id")
    .where("id", "=", id)
    .where("kind", "in", ["notice", "reconnect"])
    .executeTakeFirst()
  return mail?.user_id ? quietUntil(context, mail.user_id) : undefined
}

type Row = Pick<
  Selectable<MailTable>,
  "id" | "kind" | "user_id" | "address" | "provider" | "invitation_id" | "notice_id" | "attempts" | "created_at"
>

type Prepared = Pick<DueMail, "address" | "content">

function prepare(context: Store, row: Row): Promise<Prepared | undefined> {
  switch (row.kind) {
    case "password_reset":
      return prepareReset(context, row)
    case "reconnect":
      return prepareNotice(context, row)
    case "invitation":
      return prepareInvitation(context, row)
    case "passkey_added":
    case "passkey_removed":
      return preparePasskeyNotice(context, row.kind, row)
    case "notice":
      return prepareMessage(context, row)
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

async function preparePasskeyNotice(
  { database }: Store,
  kind: PasskeyMail,
  { user_id, created_at }: Row,
): Promise<Prepared | undefined> {
  const found = await database
    .selectFrom("user")
    .leftJoin("person", "person.user_id", "user.id")
    .select(["email", "time_zone", "units", "clock"])
    .where("user.id", "=", user_id)
    .executeTakeFirst()
  if (!found) return undefined
  const { email, ...reader } = found
  return { address: email, content: { kind, at: created_at, reader } }
}

async function prepareMessage({ database }: Store, { user_id, notice_id }: Row): Promise<Prepared | undefined> {
  const found = await database
    .selectFrom("notice")
    .innerJoin("user", "user.id", "notice.user_id")
    .select(["email", "message"])
    .where("notice.user_id", "=", user_id ?? "")
    .where("notice.id", "=", notice_id)
    .executeTakeFirst()
  return found && { address: found.email, content: { kind: "notice", message: found.message } }
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

const FIRST_PAUSE_MS = 30_000
const LONGEST_PAUSE_MS = HOUR_MS
const LONGEST_ERROR = 500

/** The mail server has taken the email. */
export async function markMailSent({ database, clock }: Store, id: string): Promise<void> {
  await database.updateTable("mail").set({ sent_at: clock.now(), error: null }).where("id", "=", id).execute()
}

/**
 * The mail server has not taken the email. It is tried again later, each time after twice as long.
 * @returns the next try. Undefined when the email is of no use by then
 */
export async function markMailFailed(
  { database, clock }: Store,
  { id, attempt }: Pick<DueMail, "id" | "attempt">,
  error: string,
): Promise<Date | undefined> {
  const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** (attempt - 1), LONGEST_PAUSE_MS)
  const nextTryAt = new Date(clock.now().getTime() + pauseMs)
  const mail = await database
    .updateTable("mail")
    .set({ error: cutText(error, LONGEST_ERROR) })
    .where("id", "=", id)
    .returning("expires_at")
    .executeTakeFirst()
  return mail && nextTryAt < mail.expires_at ? nextTryAt : undefined
}

const MOST_FAILURES = 20

/** What the owner has to know about emails: how many wait, which could not be sent, and when the last one was. */
export async function readMailStatus({ database, clock }: Pick<Context, "database" | "clock">) {
  const now = clock.now()
  const [counts, failures] = await Promise.all([
    database
      .selectFrom("mail")
      .select((row) => [
        row.fn.countAll<string>().filterWhere("sent_at", "is", null).filterWhere("expires_at", ">", now).as("waiting"),
        row.fn.max("sent_at").as("lastSentAt"),
      ])
      .executeTakeFirstOrThrow(),
    database
      .selectFrom("mail")
      .leftJoin("user", "user.id", "mail.user_id")
      .leftJoin("invitation", "invitation.id", "mail.invitation_id")
      .select((row) => [
        "mail.id",
        "mail.kind",
        "error",
        "attempts",
        "mail.created_at as createdAt",
        // Null once it is given up.
        sql<Date | null>`(
          select case when claim is null then greatest(due_at, ${now}) else ${now} end
          from restwell.job where job.kind = 'mail' and key = mail.id::text and mail.expires_at > ${now})`.as(
          "nextTryAt",
        ),
        row.fn.coalesce("mail.address", "user.email", "invitation.email").as("address"),
      ])
      .where("sent_at", "is", null)
      .where("error", "is not", null)
      .orderBy("mail.created_at", "desc")
      .limit(MOST_FAILURES)
      .execute(),
  ])
  return {
    waiting: Number(counts.waiting),
    lastSentAt: counts.lastSentAt,
    failures: failures.map(({ error, ...mail }) => ({ ...mail, error: error ?? "" })),
  }
}
