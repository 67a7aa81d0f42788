// Receivers as they are stored: their secrets, how one is opened for sending, and how it is disabled.
import { utcDateOf } from "@restwell/client/calendar-dates"
import { DAY_MS } from "@restwell/client/time-units"
import { type Selectable, sql, type Transaction } from "kysely"
import { UnreadableSecret } from "../base/encryption.ts"
import { plainText } from "../base/plain-text.ts"
import { type Context, recordSecurityEvent } from "../context/context.ts"
import { Conflict } from "../context/errors.ts"
import { type Database, lockData } from "../store/database.ts"
import type { NoticeMessage } from "../store/notification-tables.ts"
import type { ReceiverKind, ReceiverTable } from "../store/telling-tables.ts"
import { sendNotice } from "./send-notice.ts"
import type { OpenReceiver } from "./sender.ts"

/** After a rotation the former secret is valid too, so that the receiver can be changed without a loss. */
export const FORMER_SECRET_MS = DAY_MS

/** What a secret is bound to. A rotation moves it to the other column, so both have the same. */
export const receiverBelongsTo = (userId: string, id: string): string => `receiver/${userId}/${id}`

type StoredReceiver = Selectable<ReceiverTable>

/** A secret that was replaced. */
export interface FormerSecret {
  readonly secret: string
  readonly until: Date
}

/** Former secrets are sealed as one text: each with its end, by a space, in lines. */
export const formerSecretsText = (secrets: readonly FormerSecret[]): string =>
  secrets.map(({ secret, until }) => `${secret} ${until.toISOString()}`).join("\n")

interface Secrets {
  readonly current: string | undefined
  /** Those that are valid, newest first. */
  readonly former: readonly FormerSecret[]
}

/** The secrets of a receiver. Undefined where no secret of the operator decrypts them. */
export function openSecrets(
  { cipher }: Pick<Context, "cipher">,
  { user_id: userId, id, key_id, secret, former_key_id, former_secret, former_until }: StoredReceiver,
  now: Date,
): Secrets | undefined {
  const open = (keyId: string | null, bytes: Buffer | null) =>
    keyId === null || bytes === null ? undefined : cipher.open({ keyId, bytes }, receiverBelongsTo(userId, id))
  try {
    const isFormerValid = former_until !== null && former_until > now
    const lines = (isFormerValid ? open(former_key_id, former_secret) : undefined)?.split("\n") ?? []
    const former = lines.flatMap((line): FormerSecret[] => {
      const [text = "", end = ""] = line.split(" ")
      const until = new Date(end)
      return until > now ? [{ secret: text, until }] : []
    })
    return { current: open(key_id, secret), former }
  } catch (error) {
    if (error instanceof UnreadableSecret) return undefined
    throw error
  }
}

/** Returns a receiver with its secrets, or undefined where no secret of the operator decrypts them. */
export function openReceiver(
  context: Pick<Context, "cipher">,
  receiver: StoredReceiver,
  now: Date,
): OpenReceiver | undefined {
  const { user_id: userId, id, url } = receiver
  const secrets = openSecrets(context, receiver, now)
  if (!secrets) return undefined
  const { current, former } = secrets
  return { userId, id, url, secrets: [...(current === undefined ? [] : [current]), ...former.map((one) => one.secret)] }
}

/** Of an answer in an email. */
const LONGEST_QUOTE = 200

/** More than anybody has programs, or browsers. */
const MOST = 20

/**
 * Locks the person, so that of requests at the same time none is one too many.
 * @param word what people call several of the kind @throws {Conflict} when the person has as many as one may
 */
export async function requireRoom(
  transaction: Transaction<Database>,
  userId: string,
  { kind, word }: { readonly kind: ReceiverKind; readonly word: string },
): Promise<void> {
  await lockData(transaction, userId)
  const { count } = await transaction
    .selectFrom("receiver")
    .select(sql<number>`count(*)::integer`.as("count"))
    .where("user_id", "=", userId)
    .where("kind", "=", kind)
    .executeTakeFirstOrThrow()
  if (count >= MOST) throw new Conflict(`there are ${MOST} ${word} already, end one of them first`)
}

/** The host, for messages and logs: the rest of the address may be a secret. */
export const hostOf = (url: string): string => URL.parse(url)?.host ?? "the receiver"

/** What a person is told of a receiver that is disabled. */
function composeDisabled({ kind, url, name }: Disabled, reason: string): NoticeMessage {
  const about = { figures: [], path: "/notifications" }
  if (kind === "push") {
    const browser = name ?? "a browser"
    return {
      title: `No more notifications in ${browser}`,
      lines: [
        `Notifications in ${browser} are off: ${reason}.`,
        "Send a test on the page Notifications: if it arrives, they are on again. If not, turn them off and on in that browser.",
      ],
      ...about,
    }
  }
  const host = hostOf(url)
  return {
    title: `Nothing is sent to ${host} any more`,
    lines: [
      `${kind === "webhook" ? "Your webhook" : "Your topic of ntfy"} at ${host} is off: ${reason}.`,
      "Repair the receiver and send a test on the page Notifications: if it arrives, it is on again.",
    ],
    ...about,
  }
}

type Disabled = Pick<StoredReceiver, "user_id" | "id" | "kind" | "url" | "name">

/** Ends all deliveries of a receiver, and says so in the security log and by email. Events are no longer written for it. */
export async function disableReceiver(
  transaction: Transaction<Database>,
  { clock }: Pick<Context, "clock">,
  receiver: Disabled,
  reason: string,
): Promise<void> {
  const { user_id: userId, id } = receiver
  const now = clock.now()
  const { numUpdatedRows } = await transaction
    .updateTable("receiver")
    .set({ disabled_at: now, disabled_reason: reason, retry_at: null })
    .where("user_id", "=", userId)
    .where("id", "=", id)
    .where("disabled_at", "is", null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return
  await transaction
    .updateTable("delivery")
    .set({ status: "failed" })
    .where("user_id", "=", userId)
    .where("receiver_id", "=", id)
    .where("status", "=", "waiting")
    .execute()
  const detail = `${receiver.kind} to ${hostOf(receiver.url)}: ${reason}`
  await recordSecurityEvent({ database: transaction, clock }, userId, { type: "webhook_disabled", detail })
  // It may be enabled and disabled again on one date.
  const about = { userId, subject: `receiver:${id}:${now.toISOString()}`, date: utcDateOf(now) }
  const message = composeDisabled(receiver, reason)
  await sendNotice(transaction, { clock }, { ...about, channels: ["email"], message })
}

/** Says by email that a message did not arrive although others do. Once a day for a receiver: its page lists them all. */
export async function tellGivenUp(
  transaction: Transaction<Database>,
  context: Pick<Context, "clock">,
  { user_id: userId, id, kind, url, name }: Disabled,
  { type, answer }: { readonly type: string; readonly answer: string },
): Promise<void> {
  const where = kind === "push" ? (name ?? "a browser") : hostOf(url)
  const next = kind === "webhook" ? ["The page Notifications lists what was sent, and sends it again."] : []
  const message: NoticeMessage = {
    title: `A message to ${where} did not arrive`,
    lines: [
      `A message (${type}) to ${where} was tried for three days and given up, while others arrived. The last answer: ${plainText(answer, LONGEST_QUOTE)}`,
      ...next,
    ],
    figures: [],
    path: "/notifications",
  }
  const about = { userId, subject: `given_up:${id}`, date: utcDateOf(context.clock.now()) }
  await sendNotice(transaction, context, { ...about, channels: ["email"], message })
}
