// Browsers that show notifications, by Web Push.
import { z } from "zod"
import { instant } from "../rest/fields.ts"

/** Longer than any push service makes its addresses. */
const LONGEST_ENDPOINT = 1_000

/** Base64url of so many bytes, with or without padding. */
const bytes = (count: number) =>
  z.string().regex(new RegExp(`^[\\w-]{${Math.ceil((count * 4) / 3)}}={0,2}$`), {
    error: `must be ${count} bytes in base64url`,
  })

/** POST /api/account/push-subscriptions: what `PushSubscription.toJSON()` of a browser returns. https://www.w3.org/TR/push-api/ */
export const PushSubscriptionRequestSchema = z
  .object({
    endpoint: z
      .url({ protocol: /^https?$/, error: "must be the address of a push service" })
      .max(LONGEST_ENDPOINT)
      .meta({ description: "Address of the browser at its push service", example: "https://push.example/send/c2Vu" }),
    keys: z.object({
      p256dh: bytes(65).meta({
        description: "Public key of the browser (RFC 8291)",
        example: "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
      }),
      auth: bytes(16).meta({ description: "Authentication secret (RFC 8291)", example: "BTBZMqHH6r4Tts7J_aSIgg" }),
    }),
  })
  .meta({ id: "PushSubscriptionRequest" })

const id = z.string().meta({
  description: "The first 32 hex digits of the SHA-256 of `endpoint`, as a UUID, so that a browser finds its own",
  example: "5d41402a-bc4b-2a76-b971-9d911017c592",
})

/** The response to a stored subscription. */
export const PushSubscriptionResponseSchema = z.object({ id }).meta({ id: "PushSubscriptionResponse" })

/** GET /api/account/push-subscriptions. */
export const PushSubscriptionsResponseSchema = z
  .object({
    subscriptions: z.array(
      z.object({
        id,
        name: z.string().meta({ description: "The browser and its system", example: "Chrome on Android" }),
        created_at: instant("When notifications were turned on there", "2026-11-20T07:05:00.000Z"),
        last_sent_at: instant(
          "When its push service last took a message; null without one in the last 30 days",
          "2026-11-21T07:05:00.000Z",
        ).nullable(),
        is_this_session: z.boolean().meta({
          description: "True if the session that asks turned them on there: signing out ends them",
          example: true,
        }),
        fault: z.string().nullable().meta({
          description: "Why the last message did not arrive, in words; null if it did",
          example: "the push service does not answer",
        }),
      }),
    ),
  })
  .meta({ id: "PushSubscriptionsResponse" })

export type PushSubscriptionRequest = z.infer<typeof PushSubscriptionRequestSchema>
export type PushSubscriptionsResponse = z.infer<typeof PushSubscriptionsResponseSchema>
