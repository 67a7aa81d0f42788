// Hands a notice to the person's channels, once: the row of what was sent and the work of the channels are one transaction.
import type { Channel, EventMode } from "@restwell/client"
import { DAY_MS } from "@restwell/client/time-units"
import { sql, type Transaction } from "kysely"
import type { Context } from "../context/context.ts"
import { queueMessage } from "../outbox/outbox.ts"
import { queueNoticeMail } from "../people/mail.ts"
import type { Database } from "../store/database.ts"
import type { NoticeMessage } from "../store/notification-tables.ts"

export interface Notice {
  readonly userId: string
  /** `briefing`, a rule by its id, the summary of a history, or a receiver that was disabled. There is one of each for a date. */
  readonly subject: string
  /** No journey may change it, or the notice is sent twice. */
  readonly date: string
  /** The date where the person is, which receivers get. @default date */
  readonly localDate?: string
  /** The rule that matched. Left out for the briefing and the summary. */
  readonly rule?: string | undefined
  readonly channels: readonly Channel[]
  readonly message: NoticeMessage
}

/** Days for which it is known what was sent. */
const KEPT_DAYS = 90

/** Does nothing where the date has a notice of the subject already. */
export async function sendNotice(
  transaction: Transaction<Database>,
  { clock }: Pick<Context, "clock">,
  { userId, subject, date, localDate = date, rule, channels, message }: Notice,
): Promise<void> {
  const now = clock.now()
  const stored = await transaction
    .insertInto("notice")
    .values({ user_id: userId, subject, date, channels: [...channels], message: JSON.stringify(message), sent_at: now })
    .onConflict((conflict) => conflict.columns(["user_id", "date", "subject"]).doNothing())
    .returning("id")
    .executeTakeFirst()
  if (!stored) return
  if (channels.includes("email")) await queueNoticeMail({ database: transaction, clock }, userId, stored.id)
  const type = rule === undefined ? ("briefing.ready" as const) : ("rule.matched" as const)
  const mode = await modeOf(transaction, userId, subject)
  const data = dataOf({ mode, date: localDate, rule, message })
  for (const channel of channels)
    if (channel !== "email") await queueMessage(transaction, { clock }, { userId, channel, type, data: data[channel] })
  await transaction
    .deleteFrom("notice")
    .where("user_id", "=", userId)
    .where("sent_at", "<", new Date(now.getTime() - KEPT_DAYS * DAY_MS))
    .execute()
}

/** The subject of the summary of a history has its sources. */
const HISTORY = "history:"

/** News, or what a history came by: `import` where archives alone brought it. */
async function modeOf(transaction: Transaction<Database>, userId: string, subject: string): Promise<EventMode> {
  if (!subject.startsWith(HISTORY)) return "live"
  const { rows } = await sql<{ isOfArchives: boolean }>`
    select coalesce(bool_and(history_told_at is null or (archived_at is not null and archived_at > history_told_at)), true) as "isOfArchives"
    from restwell.connection where user_id = ${userId} and provider = any (${subject.slice(HISTORY.length).split(",")}::text[])
  `.execute(transaction)
  return rows[0]?.isOfArchives === true ? "import" : "backfill"
}

/** What receivers get. A program gets the figures, a person's device also what it displays. */
function dataOf({ mode, date, rule, message }: Pick<Notice, "date" | "rule" | "message"> & { mode: EventMode }) {
  const { title, lines, figures, path } = message
  const data = { mode, date, text: lines.join("\n"), figures, ...(rule !== undefined && { rule }) }
  const displayed = { ...data, title, lines, path }
  return { webhook: data, ntfy: displayed, push: displayed }
}
