import { z } from "zod"
import { instant } from "../rest/fields.ts"

const SCOPES = ["sleep:read", "recovery:read", "workouts:read", "profile:read"] as const

/** An assistant that a person allowed to read. */
export const AssistantSchema = z
  .object({
    id: z.string().meta({ description: "To end it by", example: "k3T9xVb2QpLw8sZr5NfYh7" }),
    client_id: z
      .string()
      .meta({ description: "Its id at the authorization server", example: "https://claude.ai/oauth/client" }),
    name: z.string().meta({ description: "What it calls itself", example: "Claude" }),
    verified_host: z
      .string()
      .nullable()
      .meta({ description: "The site that vouches for it; null for one that registered itself", example: "claude.ai" }),
    redirect_host: z.string().meta({ description: "Where it takes its answers", example: "claude.ai" }),
    scopes: z.array(z.enum(SCOPES)).meta({ description: "What it may read", example: ["sleep:read"] }),
    days: z.int().nullable().meta({ description: "How many dates back it may read; null for all", example: 90 }),
    connected_at: instant("When it was last authorized", "2026-11-01T08:20:00.000Z"),
    last_read_at: instant("When it last asked; null before the first time", "2026-11-20T07:05:00.000Z").nullable(),
  })
  .meta({ id: "Assistant" })

const calendarDate = (description: string) =>
  z.string().nullable().meta({ description, format: "date", example: "2026-11-14" })

/** One reading by an assistant. */
export const AccessLogEntrySchema = z
  .object({
    id: z.string().meta({ example: "4711" }),
    at: instant("When", "2026-11-20T07:05:00.000Z"),
    assistant: z.string().meta({ description: "What the assistant calls itself", example: "Claude" }),
    client_id: z.string().meta({ example: "https://claude.ai/oauth/client" }),
    operation: z.string().meta({ description: "The tool, or the address of the resource", example: "get_sleep" }),
    types: z.array(z.string()).meta({ description: "The types of data", example: ["sleep"] }),
    start_date: calendarDate("First local date that was asked for; null where there is none"),
    end_date: calendarDate("Last local date that was asked for; null where there is none"),
    outcome: z.string().meta({ description: "`answered`, or the code of the refusal", example: "answered" }),
  })
  .meta({ id: "AccessLogEntry" })

/** GET /api/account/access-log. */
export const AccessLogResponseSchema = z
  .object({
    entries: z.array(AccessLogEntrySchema).meta({ description: "Newest first" }),
    next: z.string().nullable().meta({ description: "`before` of the next page; null on the last", example: null }),
  })
  .meta({ id: "AccessLogResponse" })

export type Assistant = z.infer<typeof AssistantSchema>
export type AccessLogEntry = z.infer<typeof AccessLogEntrySchema>
export type AccessLogResponse = z.infer<typeof AccessLogResponseSchema>
