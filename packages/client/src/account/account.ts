import { z } from "zod"
import { instant } from "../rest/fields.ts"
import { AssistantSchema } from "./assistants.ts"

export const UserSchema = z
  .object({
    id: z.string().meta({ example: "pQ2rT6yV9wZ1" }),
    name: z.string().meta({ example: "Ada Berg" }),
    email: z.string().meta({ example: "ada@example.com" }),
  })
  .meta({ id: "User" })

/** One connection of a person to a vendor, and how far its first fetch has come. */
export const ConnectionSchema = z
  .object({
    provider: z.string().meta({ example: "whoop" }),
    status: z.enum(["ok", "syncing", "vendor_unavailable", "reauthorization_required", "disconnected"]).meta({
      description: "As `source.status` of the answers; disconnected: ended here, what was stored may still be",
      example: "ok",
    }),
    status_reason: z.string().nullable().meta({ description: "What is wrong, where something is", example: null }),
    connected_at: instant("When it was connected last", "2026-11-01T08:12:40.000Z"),
    last_synced_at: instant(
      "When it was last in step; null before the first time",
      "2026-11-20T07:02:11.000Z",
    ).nullable(),
    history: z
      .object({
        complete: z.boolean().meta({ description: "True once the whole history was fetched", example: true }),
        fetched_back_to: instant("All that started from here on is stored", "2025-11-01T00:00:00.000Z").nullable(),
        records: z.int().meta({ description: "How many records are stored", example: 1480 }),
      })
      .meta({ description: "How far the first fetch of the whole history has come" }),
  })
  .meta({ id: "Connection" })

const DailyRequestsSchema = z.object({
  date: z.string().meta({ description: "UTC calendar date", format: "date", example: "2026-11-20" }),
  requests: z.int().meta({ description: "Counted requests of that date", example: 12 }),
})

/** GET /api/account. */
export const AccountResponseSchema = z
  .object({
    user: UserSchema,
    sign_in: z
      .object({
        password: z.boolean().meta({ description: "True when there is a password", example: true }),
        passkeys: z.int().meta({ description: "How many passkeys there are", example: 1 }),
        providers: z
          .array(z.string())
          .meta({ description: "Accounts elsewhere that sign in here", example: ["google"] }),
      })
      .meta({ description: "The ways in" }),
    plan: z.enum(["free", "pro"]).meta({ example: "free" }),
    usage: z.object({
      limit: z.int().meta({ description: "Requests in a UTC calendar month", example: 1000 }),
      used: z.int().meta({ example: 42 }),
      remaining: z.int().meta({ example: 958 }),
      reset: instant("When the next month begins", "2026-12-01T00:00:00.000Z"),
      by_day: z
        .array(DailyRequestsSchema)
        .meta({ description: "The last 30 UTC dates, oldest first; today is the last" }),
    }),
    api_key: z
      .object({
        prefix: z.string().meta({ description: "The key's first characters, to know it by", example: "rw_k3T9x" }),
        created_at: instant("When it was made", "2026-11-01T08:15:02.000Z"),
        last_used_at: instant(
          "When it last read, to the minute; null before the first time",
          "2026-11-20T07:05:00.000Z",
        ).nullable(),
      })
      .nullable()
      .meta({ description: "Null before the first key was made" }),
    providers: z
      .array(z.string())
      .meta({ description: "The vendors that the operator has set up, connected or not", example: ["whoop"] }),
    connections: z.array(ConnectionSchema),
    assistants: z.array(AssistantSchema).meta({ description: "Assistants that may read, the newest first" }),
  })
  .meta({ id: "AccountResponse" })

/** POST /api/account/api-key. */
export const ApiKeyResponseSchema = z
  .object({
    api_key: z
      .string()
      .meta({ description: "Shown this once", example: "rw_k3T9xVb2QpLw8sZr5NfYh7Jd4Gm1Ac6Xe0Ut0000" }),
  })
  .meta({ id: "ApiKeyResponse" })

export const SyncResponseSchema = z.object({ status: z.literal("requested") }).meta({ id: "SyncResponse" })

export type AccountResponse = z.infer<typeof AccountResponseSchema>
export type Connection = z.infer<typeof ConnectionSchema>
