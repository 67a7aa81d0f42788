import { z } from "zod"
import { instant } from "../rest/fields.ts"

const calendarDate = (description: string) =>
  z.string().nullable().meta({ description, format: "date", example: "2026-11-14" })

const next = z.string().nullable().meta({ description: "`before` of the next page; null on the last", example: null })

/** One reading, by the person's API key or by an assistant. */
export const AccessLogEntrySchema = z
  .object({
    id: z.string().meta({ example: "4711" }),
    at: instant("When", "2026-11-20T07:05:00.000Z"),
    reader: z
      .enum(["api_key", "assistant"])
      .meta({ description: "The person's API key, or an assistant", example: "assistant" }),
    assistant: z
      .string()
      .nullable()
      .meta({ description: "What the assistant calls itself; null for a key", example: "Claude" }),
    client_id: z
      .string()
      .nullable()
      .meta({ description: "The assistant's; null for a key", example: "https://claude.ai/oauth/client" }),
    operation: z
      .string()
      .meta({ description: "The tool, the address of the resource, or the path", example: "get_sleep" }),
    types: z.array(z.string()).meta({ description: "The types of data", example: ["sleep"] }),
    start_date: calendarDate("First local date that was asked for; null where there is none"),
    end_date: calendarDate("Last local date that was asked for; null where there is none"),
    record_count: z.int().nullable().meta({
      description: "How many records the answer was made of, 1 for a profile; null for a refusal",
      example: 7,
    }),
    reads: z.int().meta({ description: "How many equal reads of that moment the entry is of", example: 1 }),
    outcome: z.string().meta({ description: "`answered`, or the code of the refusal", example: "answered" }),
  })
  .meta({ id: "AccessLogEntry" })

/** GET /api/account/access-log. */
export const AccessLogResponseSchema = z
  .object({ entries: z.array(AccessLogEntrySchema).meta({ description: "Newest first" }), next })
  .meta({ id: "AccessLogResponse" })

/** All that is written down of what happens to an account. */
const SECURITY_EVENT_TYPES = [
  "account_created",
  "signed_in",
  "sign_in_failed",
  "signed_out",
  "password_changed",
  "password_set",
  "passkey_added",
  "passkey_removed",
  "api_key_created",
  "api_key_regenerated",
  "assistant_authorized",
  "assistant_revoked",
  "connection_changed",
  "data_exported",
] as const

/** Something that happened to the account. */
export const SecurityEventSchema = z
  .object({
    id: z.string().meta({ example: "815" }),
    at: instant("When", "2026-11-20T07:05:00.000Z"),
    type: z.enum(SECURITY_EVENT_TYPES).meta({ example: "signed_in" }),
    detail: z.string().nullable().meta({
      description: "The way in, a name, or a connection's change; null where there is nothing more to say",
      example: "passkey",
    }),
    network: z.string().nullable().meta({
      description: "The visitor's address, of IPv6 its /64; null where no visitor did it",
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
