import { z } from "zod"
import { instant } from "../rest/fields.ts"

const calendarDate = (description: string) =>
  z.string().nullable().meta({ description, format: "date", example: "2026-11-14" })

const next = z.string().nullable().meta({ description: "`before` of the next page; null on the last", example: null })

/** One read of the person's data, by a key, by an assistant or by who opened a share. */
export const AccessLogEntrySchema = z
  .object({
    id: z.string().meta({ example: "4711" }),
    at: instant("Time of the read, and of the last one of an entry of several", "2026-11-20T07:05:00.000Z"),
    reader: z
      .enum(["api_key", "assistant", "share"])
      .meta({ description: "A key, an assistant or a share", example: "assistant" }),
    key_name: z
      .string()
      .optional()
      .meta({ description: "Only for a share, and for a key with a name: that name", example: "Home Assistant" }),
    assistant: z.string().nullable().meta({ description: "Name of the assistant; null for others", example: "Claude" }),
    client_id: z.string().nullable().meta({
      description: "Client id of the assistant; null for others",
      example: "https://claude.ai/oauth/client",
    }),
    operation: z
      .string()
      .meta({ description: "Name of the tool, URI of the resource, or path of the request", example: "get_sleep" }),
    types: z.array(z.string()).meta({ description: "Types of data", example: ["sleep"] }),
    start_date: calendarDate("First requested local date; null without a range"),
    end_date: calendarDate("Last requested local date; null without a range"),
    record_count: z.int().nullable().meta({
      description: "Number of records in the response, 1 for a profile; null for a refused request",
      example: 7,
    }),
    reads: z
      .int()
      .meta({ description: "Number of equal reads: at one moment, and after a week of one UTC day", example: 1 }),
    outcome: z
      .string()
      .meta({ description: "`answered`, or the error code of a refused request", example: "answered" }),
  })
  .meta({ id: "AccessLogEntry" })

/** GET /api/account/access-log. */
export const AccessLogResponseSchema = z
  .object({ entries: z.array(AccessLogEntrySchema).meta({ description: "Newest first" }), next })
  .meta({ id: "AccessLogResponse" })

/** Every type of event in the security log. */
const SECURITY_EVENT_TYPES = [
  "account_created",
  "signed_in",
  "sign_in_failed",
  "signed_out",
  "password_changed",
  "password_set",
  "password_reset_requested",
  "password_reset",
  "invitation_accepted",
  "plan_changed",
  "owner_changed",
  "public_address_changed",
  "vendor_app_changed",
  "service_setting_changed",
  "two_factor_on",
  "two_factor_off",
  "recovery_code_used",
  "recovery_codes_replaced",
  "passkey_added",
  "passkey_removed",
  "api_key_created",
  "api_key_regenerated",
  "key_created",
  "key_ended",
  "share_created",
  "share_ended",
  "ingest_token_created",
  "ingest_token_ended",
  "push_subscription_created",
  "push_subscription_ended",
  "assistant_authorized",
  "assistant_revoked",
  "webhook_created",
  "webhook_ended",
  "webhook_secret_changed",
  "webhook_disabled",
  "connection_changed",
  "data_exported",
] as const

/** One event in the security log of an account. */
export const SecurityEventSchema = z
  .object({
    id: z.string().meta({ example: "815" }),
    at: instant("Time of the event", "2026-11-20T07:05:00.000Z"),
    type: z.enum(SECURITY_EVENT_TYPES).meta({ example: "signed_in" }),
    detail: z.string().nullable().meta({
      description: "The sign-in method, a name, or the change of a connection or plan; null without details",
      example: "passkey",
    }),
    network: z.string().nullable().meta({
      description: "IP address of the request, the /64 of an IPv6 address; null for an event without a request",
      example: "203.0.113.7",
    }),
  })
  .meta({ id: "SecurityEvent" })

/** GET /api/account/security-log. */
export const SecurityLogResponseSchema = z
  .object({ entries: z.array(SecurityEventSchema).meta({ description: "Newest first" }), next })
  .meta({ id: "SecurityLogResponse" })

export type AccessLogEntry = z.infer<typeof AccessLogEntrySchema>
export type AccessLogResponse = z.infer<typeof AccessLogResponseSchema>
export type SecurityEventEntry = z.infer<typeof SecurityEventSchema>
export type SecurityEventType = SecurityEventEntry["type"]
export type SecurityLogResponse = z.infer<typeof SecurityLogResponseSchema>
