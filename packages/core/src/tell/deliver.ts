/*
 * Sends the messages that wait for one receiver. The queue has one job a receiver, and an attempt is stored after it was made: a process that
 * dies in between repeats it, and every message arrives at least once. A receiver that is slow has a turn, and then waits behind the others.
 *
 * A failed message is tried again after the times of RETRIES. After a failure the other messages of the receiver wait a little too, so that
 * one that is away is not asked with each of them. One that has failed for three days, and as often as a message is tried, is disabled.
 * Messages of ntfy and push wait for the end of quiet hours, and end without an attempt when they are no news any more.
 */
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@restwell/client/time-units"
import { RECORD_KINDS } from "@restwell/providers"
import { type Selectable, sql, type Transaction } from "kysely"
import type { Pool } from "pg"
import { plainText } from "../base/plain-text.ts"
import type { Context } from "../context/context.ts"
import { type ClaimedJob, type DueTime, type JobPlace, personOf } from "../jobs/job-queue.ts"
import { quietUntil } from "../people/due-times.ts"
import { type Database, dataTransaction } from "../store/database.ts"
import type { DeliveryTable, ReceiverTable } from "../store/telling-tables.ts"
import { endBrowser } from "./push-subscriptions.ts"
import { readRecord } from "./read-record.ts"
import { disableReceiver, openReceiver, tellGivenUp } from "./receivers.ts"
import type { OutgoingMessage, Senders, SendResult } from "./sender.ts"

/** From a failed attempt to the next one: over three days, then no more. */
const RETRIES_MS = [
  5 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  14 * HOUR_MS,
  20 * HOUR_MS,
  24 * HOUR_MS,
]
/** After them a message is given up. */
export const MOST_ATTEMPTS = RETRIES_MS.length + 1
const LONGEST_FAILURE_MS = RETRIES_MS.reduce((sum, each) => sum + each, 0)
/** Of a briefing. Less than a day by any clock, or one that waits for the end of quiet hours would come with the next one. */
export const LONGEST_BRIEFING_AGE_MS = 20 * HOUR_MS
/** After the first failure in a row, and after each further one. */
const PAUSES_MS = [5 * SECOND_MS, 5 * MINUTE_MS] as const
/** How long a receiver is sent to while others wait. As long as one answer may take. */
const TURN_MS = 15 * SECOND_MS
/** No wait is longer. A clock that was wrong may have stored one. */
const LONGEST_WAIT_MS = 25 * HOUR_MS

/** Receivers that one process sends to at a time. Each may take as long as its answer may, and needs nothing meanwhile. */
const AT_A_TIME = 32

/** Half of the places have one receiver of each person, so that nobody's many slow ones take all. */
export const DELIVERY_PLACES: readonly JobPlace[] = Array.from({ length: AT_A_TIME }, (_, index) => ({
  kind: "delivery",
  minPriority: 0,
  isOneForEach: index >= AT_A_TIME / 2,
}))

export interface DeliveryContext extends Context {
  readonly pool: Pool
  readonly senders: Senders
}

type Receiver = Selectable<ReceiverTable>
type Delivery = Selectable<DeliveryTable>

/** Sends what is due for the receiver of a job. @returns when to go on, undefined when nothing waits */
export async function deliverMessages(
  context: DeliveryContext,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<DueTime | undefined> {
  const userId = personOf(job)
  const beganMs = context.clock.now().getTime()
  for (;;) {
    if (signal.aborted) return "at_once"
    const receiver = await findReceiver(context, userId, job.key)
    if (!receiver || receiver.disabled_at) return undefined
    const now = context.clock.now()
    const { retry_at: retryAt } = receiver
    if (retryAt && isAhead(retryAt, now)) return retryAt
    const delivery = await nextDelivery(context, receiver, now)
    if (!delivery) return undefined
    if (delivery.due_at && isAhead(delivery.due_at, now)) return delivery.due_at
    const quietEnd = receiver.kind === "webhook" ? undefined : await quietUntil(context, userId)
    if (quietEnd) return quietEnd
    const startedAt = performance.now()
    const result = await attempt(context, receiver, delivery, signal)
    // The process stops: the attempt was broken off, and another process makes it.
    if (signal.aborted && result.outcome === "failed") return "at_once"
    if (result.outcome === "expired") await endExpired(context, delivery, result)
    else await noteAttempt(context, { receiver, delivery, result, at: now, durationMs: performance.now() - startedAt })
    // A clock that is set back ends the turn too.
    if (Math.abs(context.clock.now().getTime() - beganMs) >= TURN_MS) return "at_once"
  }
}

const isAhead = (at: Date, now: Date): boolean => at > now && at.getTime() - now.getTime() <= LONGEST_WAIT_MS

const findReceiver = ({ database }: Pick<Context, "database">, userId: string, id: string) =>
  database
    .selectFrom("receiver")
    .selectAll()
    .where("user_id", "=", userId)
    .where(sql<string>`id::text`, "=", id)
    .executeTakeFirst()

/** The message that is due, the most tried one first so that its times hold, or else the one that is due next. */
async function nextDelivery(
  { database }: Pick<Context, "database">,
  { user_id: userId, id }: Receiver,
  now: Date,
): Promise<Delivery | undefined> {
  const waiting = database
    .selectFrom("delivery")
    .selectAll()
    .where("user_id", "=", userId)
    .where("receiver_id", "=", id)
    .where("status", "=", "waiting")
    .limit(1)
  const due = await waiting
    .where(({ or, eb }) => or([eb("due_at", "is", null), eb("due_at", "<=", now)]))
    .orderBy("attempts", "desc")
    .orderBy("number")
    .executeTakeFirst()
  return due ?? waiting.orderBy("due_at").executeTakeFirst()
}

/** Makes one attempt. */
export async function attempt(
  context: DeliveryContext,
  receiver: Receiver,
  delivery: Pick<Delivery, "id" | "type" | "created_at" | "data" | "record_id">,
  signal: AbortSignal,
): Promise<SendResult> {
  const send = context.senders[receiver.kind]
  if (!send) throw new Error(`nothing sends to a receiver of ${receiver.kind}`)
  const now = context.clock.now()
  const { type, created_at: createdAt } = delivery
  if (
    receiver.kind !== "webhook" &&
    type === "briefing.ready" &&
    now.getTime() - createdAt.getTime() > LONGEST_BRIEFING_AGE_MS
  )
    return { outcome: "expired", status: null, answer: "this briefing is no news any more" }
  const opened = openReceiver(context, receiver, now)
  if (!opened)
    return {
      outcome: "failed",
      status: null,
      answer: "its secret cannot be decrypted: restore the secret of this service, or make the webhook again",
    }
  return send(opened, await messageOf(context, receiver, delivery), { now, signal })
}

async function messageOf(
  context: DeliveryContext,
  { user_id: userId, include_figures: hasFigures }: Receiver,
  { id, type, created_at: createdAt, data, record_id: recordId }: Parameters<typeof attempt>[2],
): Promise<OutgoingMessage> {
  const message = { id, type, createdAt, data }
  const { source, id: presentedId } = data
  const kind = RECORD_KINDS.find((one) => one === data["kind"])
  if (!hasFigures || recordId === null || kind === undefined || typeof source !== "string") return message
  const name = { userId, source, kind, recordId, id: typeof presentedId === "string" ? presentedId : null }
  return { ...message, record: await readRecord(context, name) }
}

/** Ends a message that was not sent, which says nothing about its receiver. */
async function endExpired({ database }: Context, delivery: Delivery, { answer }: SendResult): Promise<void> {
  await database
    .updateTable("delivery")
    .set({ status: "failed", answer: delivery.answer ?? answer })
    .where("user_id", "=", delivery.user_id)
    .where("receiver_id", "=", delivery.receiver_id)
    .where("id", "=", delivery.id)
    .execute()
}

interface Attempted {
  readonly receiver: Receiver
  readonly delivery: Delivery
  readonly result: SendResult
  readonly at: Date
  readonly durationMs: number
}

/** Stores what became of an attempt, and what follows from it for the receiver. */
async function noteAttempt(context: DeliveryContext, attempted: Attempted): Promise<void> {
  const { receiver, delivery, result, at, durationMs } = attempted
  const { user_id: userId, id: receiverId } = receiver
  const { outcome, status, answer } = result
  const attempts = delivery.attempts + 1
  const now = context.clock.now()
  const retryMs = RETRIES_MS[attempts - 1]
  await dataTransaction(context.database, userId, async (transaction) => {
    await transaction
      .updateTable("delivery")
      .set({
        status: outcome === "delivered" ? "delivered" : retryMs === undefined ? "failed" : "waiting",
        attempts,
        first_attempt_at: delivery.first_attempt_at ?? at,
        ...attemptColumns({ at, durationMs, status, answer }),
        ...(retryMs !== undefined && { due_at: new Date(now.getTime() + retryMs) }),
      })
      .where("user_id", "=", userId)
      .where("receiver_id", "=", receiverId)
      .where("id", "=", delivery.id)
      .execute()
    if (outcome === "delivered" && receiver.failures === 0) return
    const failures = outcome === "delivered" ? 0 : receiver.failures + 1
    const pauseMs = failures === 1 ? PAUSES_MS[0] : PAUSES_MS[1]
    const failingSince = receiver.failing_since ?? at
    await transaction
      .updateTable("receiver")
      .set({
        failures,
        failing_since: failures === 0 ? null : failingSince,
        retry_at: failures === 0 ? null : new Date(now.getTime() + pauseMs),
      })
      .where("user_id", "=", userId)
      .where("id", "=", receiverId)
      .execute()
    const isAway = failures >= MOST_ATTEMPTS && at.getTime() - failingSince.getTime() >= LONGEST_FAILURE_MS
    if (outcome === "gone") await endGone(transaction, context, receiver)
    else if (isAway)
      await disableReceiver(
        transaction,
        context,
        receiver,
        `nothing arrived for three days, the last answer: ${answer}`,
      )
    else if (outcome === "failed" && retryMs === undefined)
      await tellGivenUp(transaction, context, receiver, { type: delivery.type, answer })
  })
  const { kind } = receiver
  context.logger.debug({ userId, receiver: receiverId, kind, outcome, status, attempts }, "message sent")
}

/** Ends a receiver that says that it is none any more. A browser cannot be enabled again, it has to be turned on there. */
export async function endGone(
  transaction: Transaction<Database>,
  context: Pick<Context, "clock">,
  receiver: Receiver,
): Promise<void> {
  if (receiver.kind === "push")
    await endBrowser(transaction, context.clock, { userId: receiver.user_id, id: receiver.id })
  else await disableReceiver(transaction, context, receiver, "it answered 410, which says that it is gone")
}

const LONGEST_ANSWER = 500

/** The columns that say how an attempt went. */
export const attemptColumns = ({
  at,
  durationMs,
  status,
  answer,
}: Pick<Attempted, "at" | "durationMs"> & Pick<SendResult, "status" | "answer">) => ({
  last_attempt_at: at,
  duration_ms: Math.round(durationMs),
  answer_status: status,
  answer: plainText(answer, LONGEST_ANSWER),
})
