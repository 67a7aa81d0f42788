import { z } from "zod"
import { instant } from "../rest/fields.ts"

const SCOPES = ["sleep:read", "recovery:read", "workouts:read", "profile:read", "journal:read"] as const

/** An assistant that may read the person's data. */
export const AssistantSchema = z
  .object({
    id: z.string().meta({ description: "Id of this access, to revoke it", example: "k3T9xVb2QpLw8sZr5NfYh7" }),
    client_id: z
      .string()
      .meta({ description: "Its id at the authorization server", example: "https://claude.ai/oauth/client" }),
    name: z.string().meta({ description: "The name it registered with", example: "Claude" }),
    verified_host: z.string().nullable().meta({
      description: "Domain that verifies the assistant; null when it registered without one",
      example: "claude.ai",
    }),
    redirect_host: z.string().meta({ description: "Host of its redirect URI", example: "claude.ai" }),
    scopes: z.array(z.enum(SCOPES)).meta({ description: "Granted scopes", example: ["sleep:read"] }),
    days: z
      .int()
      .nullable()
      .meta({ description: "Number of most recent dates it may read; null for all", example: 90 }),
    connected_at: instant("When it was last authorized", "2026-11-01T08:20:00.000Z"),
    last_read_at: instant("Time of its last request; null before the first one", "2026-11-20T07:05:00.000Z").nullable(),
  })
  .meta({ id: "Assistant" })

export type Assistant = z.infer<typeof AssistantSchema>
