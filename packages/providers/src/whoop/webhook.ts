// WHOOP's webhooks, v2: verifies the signature and parses the event. https://developer.whoop.com/docs/developing/webhooks
import { createHmac, timingSafeEqual } from "node:crypto"
import { z } from "zod"
import type { ReadWebhook, WebhookDescription, WebhookRequest } from "../contract/adapter.ts"
import type { RecordKind } from "../contract/records.ts"
import { bodyJson, headerText } from "../http/exchange.ts"
import { reasonsOf } from "../normalize/read-records.ts"
import { numericId } from "./wire.ts"

/** The signature: base64 of HMAC-SHA256. */
const SIGNATURE_HEADER = "x-whoop-signature"
/** Milliseconds since 1970, signed with the body. */
const SIGNATURE_TIMESTAMP_HEADER = "x-whoop-signature-timestamp"

interface SignedWebhook {
  /** The client secret of the app. */
  readonly secret: string
  /** As in the header. */
  readonly timestamp: string
  /** The body's bytes as they arrived. */
  readonly rawBody: Uint8Array
  /** As in the header. */
  readonly signature: string
}

/**
 * Returns whether WHOOP signed this body: base64(HMAC-SHA256(secret, timestamp + body)), compared in constant time.
 * The caller checks its age.
 */
export function verifyWhoopSignature({ secret, timestamp, rawBody, signature }: SignedWebhook): boolean {
  // Digits only: timestamp and body are joined without a separator, and a body never begins with a digit.
  if (!/^\d{1,16}$/.test(timestamp)) return false
  const expected = Buffer.from(createHmac("sha256", secret).update(timestamp).update(rawBody).digest("base64"))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** One event. An event of an unknown `type` is acknowledged and ignored. */
export const WhoopEventSchema = z
  .object({
    user_id: numericId.meta({ description: "The member, as in their profile", example: 10129 }),
    id: z
      .union([z.int(), z.string().regex(/^[0-9A-Za-z-]{1,64}$/)])
      .transform(String)
      .meta({
        description: "Id of the sleep or workout. A recovery has the id of its sleep",
        example: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11",
      }),
    type: z
      .string()
      .meta({ description: "What has changed. An unknown type is acknowledged", example: "sleep.updated" }),
    trace_id: z.string().min(1).max(4096).nullish().meta({
      description: "The same when the vendor repeats the event",
      example: "d3c94fdc-6e1f-4a9f-9c1f-2f4f5f7f9a11",
    }),
  })
  .meta({ id: "WhoopEvent" })

export const WHOOP_WEBHOOK: WebhookDescription = {
  note: "WHOOP: enter this URL on the developer site.",
  headers: {
    "X-WHOOP-Signature": z.string().optional().meta({
      description: "WHOOP: base64 of HMAC-SHA256 over the timestamp and the body, keyed with the app's secret",
    }),
    "X-WHOOP-Signature-Timestamp": z
      .string()
      .optional()
      .meta({ description: "WHOOP: milliseconds since 1970, at most two hours ago", example: "1795071743001" }),
  },
  event: WhoopEventSchema,
  example: { user_id: 10129, id: "5f0c2c0e-4b7e-4a57-9a75-0d8b7f1f2a11", type: "sleep.updated" },
}

const KINDS = ["sleep", "recovery", "workout"] as const

/** Returns what a type of event is about, or undefined for an unknown type. A new record is `updated` too. */
export const kindOfEvent = (type: string): RecordKind | undefined =>
  KINDS.find((kind) => type === `${kind}.updated` || type === `${kind}.deleted`)

/** Verifies the signature, then parses the event. WHOOP names a recovery by its sleep's id. */
export function readWhoopWebhook(secret: string, { headers, rawBody }: WebhookRequest): ReadWebhook {
  const timestamp = headerText(headers[SIGNATURE_TIMESTAMP_HEADER])
  const signature = headerText(headers[SIGNATURE_HEADER])
  if (!verifyWhoopSignature({ secret, timestamp, rawBody, signature })) return { outcome: "forged" }
  const parsed = WhoopEventSchema.safeParse(bodyJson(rawBody))
  if (!parsed.success) return { outcome: "unreadable", reason: reasonsOf(parsed.error) }
  const signedAt = new Date(Number(timestamp))
  const { user_id: memberId, id, type, trace_id: trace } = parsed.data
  const kind = kindOfEvent(type)
  if (!kind) return { outcome: "unknown_type", signedAt }
  return {
    outcome: "events",
    signedAt,
    events: [
      {
        memberId,
        kind,
        namedBy: kind === "recovery" ? "sleep" : "record",
        providerId: id,
        // Several events can share a trace: a night's and its recovery's.
        ...(trace && { eventId: `${trace}/${type}/${id}` }),
      },
    ],
  }
}
