// Webhooks of a person: what is sent to them, how they are made, and what became of each delivery.
import { z } from "zod"
import { instant } from "../rest/fields.ts"

/** What a webhook may be sent. Bodies and rules are in docs/webhooks.md. */
export const WEBHOOK_EVENTS = [
  "sleep.scored",
  "recovery.scored",
  "workout.recorded",
  "record.changed",
  "record.deleted",
  "connection.failing",
  "connection.restored",
  "batch.completed",
  "briefing.ready",
  "rule.matched",
] as const
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number]

/** What a message is about: news, a history that was read, or an archive. */
export const EVENT_MODES = ["live", "backfill", "import"] as const
export type EventMode = (typeof EVENT_MODES)[number]

const LONGEST_URL = 2_000

const id = z.string().meta({ example: "0192f5c1-7a44-7c10-9f6e-3f0c2b1a9d55" })
const url = z
  .string({ error: "must be the address of the receiver" })
  .trim()
  .min(1, { error: "must be the address of the receiver" })
  .max(LONGEST_URL, { error: `must have at most ${LONGEST_URL} characters` })
  .meta({ description: "The address of the receiver", example: "https://example.com/hooks/restwell" })
const events = z
  .array(z.enum(WEBHOOK_EVENTS, { error: `must be of ${WEBHOOK_EVENTS.join(", ")}` }))
  .min(1, "must name at least one event")
  .max(WEBHOOK_EVENTS.length, "names an event twice")
  .meta({ description: "The events that it gets", example: ["sleep.scored", "recovery.scored"] })
const includeFigures = z.boolean().meta({
  description: "Whether events contain the record as REST answers it. Without it they name the record alone",
  example: false,
})

/** POST /api/account/webhooks. */
export const WebhookRequestSchema = z
  .strictObject({
    url,
    events: events.default([...WEBHOOK_EVENTS]),
    include_figures: includeFigures.default(false),
  })
  .meta({ id: "WebhookRequest" })

const secret = z.string().meta({
  description: "Signs each delivery, by Standard Webhooks. It cannot be retrieved again",
  example: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
})

/** The response with a new webhook. */
export const WebhookResponseSchema = z.object({ id, secret }).meta({ id: "WebhookResponse" })

/** POST /api/account/webhooks/{id}/secret. */
export const WebhookSecretResponseSchema = z.object({ secret }).meta({ id: "WebhookSecretResponse" })

/** GET /api/account/webhooks. */
export const WebhooksResponseSchema = z
  .object({
    webhooks: z
      .array(
        z.object({
          id,
          url,
          events,
          include_figures: includeFigures,
          given_up: z.int().meta({
            description: "Messages of the last 30 days that failed for three days, while others may have arrived",
            example: 0,
          }),
          created_at: instant("When it was made", "2026-11-01T08:15:02.000Z"),
          disabled: z
            .object({
              at: instant("When it was disabled", "2026-11-04T11:15:02.000Z"),
              reason: z.string().meta({ example: "it answered 410, which says that it is gone" }),
            })
            .nullable()
            .meta({
              description: "Why it gets nothing any more; null for one that works. A successful test enables it",
            }),
        }),
      )
      .meta({ description: "Oldest first" }),
  })
  .meta({ id: "WebhooksResponse" })

/** One message for one webhook, and what became of it. */
export const WebhookDeliverySchema = z
  .object({
    id: id.meta({ description: "`webhook-id` of every attempt and redelivery" }),
    type: z.string().meta({ description: "The event", example: "sleep.scored" }),
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: "What it is about, without the record", example: { mode: "live", source: "whoop" } }),
    created_at: instant("When it happened", "2026-11-20T07:05:00.000Z"),
    status: z.enum(["waiting", "delivered", "failed"]).meta({ example: "delivered" }),
    attempts: z.int().meta({ example: 1 }),
    next_attempt_at: instant("When it is tried again; null unless it waits", "2026-11-20T07:10:00.000Z").nullable(),
    last_attempt: z
      .object({
        at: instant("When it was sent", "2026-11-20T07:05:01.000Z"),
        duration_ms: z.int().meta({ description: "Until the answer, milliseconds", example: 84 }),
        status: z.int().nullable().meta({ description: "The answer's status; null without an answer", example: 204 }),
        answer: z
          .string()
          .meta({ description: "The beginning of the answer, or why there was none", example: "it did not answer" }),
      })
      .nullable()
      .meta({ description: "The newest attempt; null before the first one" }),
  })
  .meta({ id: "WebhookDelivery" })

/** GET /api/account/webhooks/{id}/deliveries. */
export const WebhookDeliveriesResponseSchema = z
  .object({ deliveries: z.array(WebhookDeliverySchema).meta({ description: "The newest 100, newest first" }) })
  .meta({ id: "WebhookDeliveriesResponse" })

/** POST /api/account/webhooks/{id}/test. */
export const WebhookTestResponseSchema = z
  .object({ delivery: WebhookDeliverySchema })
  .meta({ id: "WebhookTestResponse" })

export type WebhookRequest = z.infer<typeof WebhookRequestSchema>
export type WebhooksResponse = z.infer<typeof WebhooksResponseSchema>
export type WebhookDelivery = z.infer<typeof WebhookDeliverySchema>
export type WebhookDeliveriesResponse = z.infer<typeof WebhookDeliveriesResponseSchema>
