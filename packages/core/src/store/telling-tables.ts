// The tables of telling: receivers of messages, and messages.
import type { WebhookEvent } from "@restwell/client"
import type { Generated } from "kysely"
import type { JsonColumn } from "./record-tables.ts"

/** How a message reaches a person, apart from email. */
export type ReceiverKind = "webhook" | "ntfy" | "push"

export interface ReceiverTable {
  user_id: string
  id: Generated<string>
  kind: ReceiverKind
  url: string
  /** The browser and its system, in words. Null for other kinds. */
  name: Generated<string | null>
  /** The session of the browser that turned it on last. Null for other kinds. */
  session_id: Generated<string | null>
  /** The events that a webhook wants. Null for other kinds. */
  events: readonly WebhookEvent[] | null
  include_figures: Generated<boolean>
  key_id: string | null
  secret: Buffer | null
  former_key_id: Generated<string | null>
  former_secret: Generated<Buffer | null>
  /** Until when the former secret signs too. */
  former_until: Generated<Date | null>
  created_at: Date
  /** Failed attempts in a row. */
  failures: Generated<number>
  failing_since: Generated<Date | null>
  /** No attempt before this time. */
  retry_at: Generated<Date | null>
  disabled_at: Generated<Date | null>
  disabled_reason: Generated<string | null>
}

/** A receiver of which no failure is known. */
export const WORKING = {
  failures: 0,
  failing_since: null,
  retry_at: null,
  disabled_at: null,
  disabled_reason: null,
} as const

type DeliveryStatus = "waiting" | "delivered" | "failed"

export interface DeliveryTable {
  user_id: string
  receiver_id: string
  id: Generated<string>
  number: Generated<string>
  type: string
  data: JsonColumn<Record<string, unknown>>
  /** The vendor's id of the record that it is about. */
  record_id: string | null
  created_at: Date
  status: Generated<DeliveryStatus>
  attempts: Generated<number>
  /** When the next attempt is due. Null for at once. */
  due_at: Generated<Date | null>
  first_attempt_at: Generated<Date | null>
  last_attempt_at: Generated<Date | null>
  duration_ms: Generated<number | null>
  answer_status: Generated<number | null>
  answer: Generated<string | null>
}
