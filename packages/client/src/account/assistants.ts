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

export type Assistant = z.infer<typeof AssistantSchema>
