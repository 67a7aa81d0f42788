// Tests of receivers: one message now and once, which is listed as a delivery.
import { randomUUID } from "node:crypto"
import { type Selectable, sql } from "kysely"
import { InvalidRequest, ReceiverFailed } from "../context/errors.ts"
import { dataTransaction } from "../store/database.ts"
import { type DeliveryTable, type ReceiverTable, WORKING } from "../store/telling-tables.ts"
import { attempt, attemptColumns, type DeliveryContext, endGone } from "./deliver.ts"
import { hostOf } from "./receivers.ts"
import type { OutgoingMessage, SendResult } from "./sender.ts"

interface Tested {
  readonly result: SendResult
  /** Undefined where the receiver was ended meanwhile. */
  readonly delivery: Selectable<DeliveryTable> | undefined
}

/** Sends a message now and once, and lists it among the deliveries. A receiver that takes it is enabled again, one that is gone is ended. */
export async function sendTest(
  context: DeliveryContext,
  receiver: Selectable<ReceiverTable>,
  { type, data }: Pick<OutgoingMessage, "type" | "data">,
): Promise<Tested> {
  const at = context.clock.now()
  const message = { id: randomUUID(), type, created_at: at, data, record_id: null }
  const startedAt = performance.now()
  const result = await attempt(context, receiver, message, new AbortController().signal)
  const { outcome, status, answer } = result
  const isDelivered = outcome === "delivered"
  const { user_id, id: receiver_id } = receiver
  const delivery = await dataTransaction(context.database, user_id, async (transaction) => {
    // Locked, because it may be ended meanwhile.
    const { rows } = await sql`
      select from restwell.receiver where user_id = ${user_id} and id = ${receiver_id} for update
    `.execute(transaction)
    if (rows.length === 0) return undefined
    const stored = await transaction
      .insertInto("delivery")
      .values({
        ...message,
        user_id,
        receiver_id,
        data: JSON.stringify(data),
        status: isDelivered ? "delivered" : "failed",
        attempts: 1,
        first_attempt_at: at,
        ...attemptColumns({ at, durationMs: performance.now() - startedAt, status, answer }),
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    if (isDelivered)
      await transaction
        .updateTable("receiver")
        .set(WORKING)
        .where("user_id", "=", user_id)
        .where("id", "=", receiver_id)
        .execute()
    if (outcome === "gone") await endGone(transaction, context, receiver)
    return stored
  })
  return { result, delivery }
}

const TESTS = {
  push: {
    words: "This is a test. Notifications arrive in this browser.",
    notSetUp: "channel push is not set up: turn notifications on in a browser first",
  },
  ntfy: {
    words: "This is a test. Notifications arrive at this topic.",
    notSetUp: "channel ntfy is not set up: enter the address of a topic first",
  },
  webhook: { notSetUp: "channel webhook is not set up: make a webhook first" },
} as const

/** What a program gets: it is about nothing. */
export const WEBHOOK_TEST = {
  type: "webhook.test",
  data: { mode: "live", source: null, kind: null, id: null, date: null },
} as const

/** Why a test did not arrive, in words. */
export function failureOf({ url }: Pick<Selectable<ReceiverTable>, "url">, { status, answer }: SendResult): string {
  const host = hostOf(url)
  return status === null ? `nothing was sent to ${host}: ${answer}` : `${host} answered ${status}: ${answer}`
}

/**
 * Sends a test to all browsers or webhooks of the person, or to the topic of ntfy.
 * @throws {InvalidRequest} when there is none @throws {ReceiverFailed} with the answer in words, when none took it
 */
export async function testChannel(
  context: DeliveryContext,
  userId: string,
  channel: keyof typeof TESTS,
): Promise<void> {
  const receivers = await context.database
    .selectFrom("receiver")
    .selectAll()
    .where("user_id", "=", userId)
    .where("kind", "=", channel)
    .execute()
  if (receivers.length === 0) throw new InvalidRequest(TESTS[channel].notSetUp, "channel")
  const message = channel === "webhook" ? WEBHOOK_TEST : displayedTest(TESTS[channel].words)
  const failures = await Promise.all(
    receivers.map(async (receiver) => {
      const { result } = await sendTest(context, receiver, message)
      if (result.outcome === "delivered") return undefined
      return channel === "webhook" ? failureOf(receiver, result) : result.answer
    }),
  )
  if (failures.includes(undefined)) return
  throw new ReceiverFailed([...new Set(failures)].join(", "))
}

const displayedTest = (words: string) => ({
  type: "notification.test",
  data: { title: "Restwell", text: words, lines: [words], path: "/notifications" },
})
