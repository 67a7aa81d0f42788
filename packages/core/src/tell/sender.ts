// What sends a message to a receiver: one for each kind of receiver, which `deliver.ts` calls.
import type { ReceiverKind } from "../store/telling-tables.ts"

/** A receiver with its opened secrets. */
export interface OpenReceiver {
  readonly userId: string
  readonly id: string
  readonly url: string
  /** The current secret first, and the former one while it is valid. Empty for a receiver without. */
  readonly secrets: readonly string[]
}

export interface OutgoingMessage {
  /** The same for all attempts. */
  readonly id: string
  readonly type: string
  readonly createdAt: Date
  readonly data: Readonly<Record<string, unknown>>
  /** The record as REST answers it now, null for one that is gone. Undefined where the receiver gets none. */
  readonly record?: Readonly<Record<string, unknown>> | null
}

/** What became of an attempt. */
export interface SendResult {
  /** `gone`: the receiver says that it is none any more. `expired`: nothing was sent, because the message is no news any more. */
  readonly outcome: "delivered" | "failed" | "gone" | "expired"
  /** Null where no answer came. */
  readonly status: number | null
  /** The beginning of the answer, or why there was none, in words. */
  readonly answer: string
}

interface SendOptions {
  readonly now: Date
  readonly signal: AbortSignal
}

/** Sends one message once. It returns failures of the receiver, and throws for those of its own. */
export type Sender = (receiver: OpenReceiver, message: OutgoingMessage, options: SendOptions) => Promise<SendResult>

/** A kind without a sender has no receivers. */
export type Senders = Readonly<Partial<Record<ReceiverKind, Sender>>>
