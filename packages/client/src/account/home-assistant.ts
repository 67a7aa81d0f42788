// The broker and the Home Assistant of the operator's house, as the owner sets them.
import { z } from "zod"
import { instant } from "../rest/fields.ts"

const source = z
  .enum(["environment", "page"])
  .nullable()
  .meta({ description: "Where it is set; null if it is not", example: "page" })

const mqttUrl = z.string().trim().min(1, "is empty").max(500).nullable().optional().meta({
  description: "The MQTT broker, with user and password if it needs them; `mqtts://` for TLS. Null removes it",
  example: "mqtt://restwell:password@192.168.1.20",
})
const url = z.string().trim().min(1, "is empty").max(500).nullable().optional().meta({
  description: "Home Assistant itself, for the history. Null removes it with its token",
  example: "http://192.168.1.20:8123",
})
const token = z.string().trim().min(1, "is empty").max(2_000).optional().meta({
  description: "A long-lived access token of an administrator. Left out, it stays as long as the address does",
  example: "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.e30.c2lnbmF0dXJl",
})

/** PUT /api/service/home-assistant, and its test. What it leaves out stays as it is. */
export const HomeAssistantRequestSchema = z
  .strictObject({ mqtt_url: mqttUrl, home_assistant_url: url, home_assistant_token: token })
  .meta({ id: "HomeAssistantRequest" })

/** How the service reaches Home Assistant. Without a password and a token. */
export const HomeAssistantStateSchema = z
  .object({
    broker: z.object({
      source,
      server: z
        .string()
        .nullable()
        .meta({ description: "Host and port; null if it is not set", example: "192.168.1.20" }),
    }),
    history: z.object({
      source,
      server: z
        .string()
        .nullable()
        .meta({ description: "Host and port; null if it is not set", example: "192.168.1.20:8123" }),
    }),
    people: z.int().meta({ description: "People who switched it on", example: 2 }),
    failures: z
      .array(
        z.object({
          link: z.enum(["broker", "history"]).meta({ example: "broker" }),
          since: instant("Since when it fails", "2026-11-20T07:05:00.000Z"),
          failure: z.string().meta({ example: "the broker cannot be reached: nothing answers on this port" }),
        }),
      )
      .meta({ description: "What does not work now" }),
  })
  .meta({ id: "HomeAssistantState" })

const outcome = z
  .object({
    problem: z.string().nullable().meta({ description: "Why it cannot be used; null if it can", example: null }),
  })
  .nullable()

/** POST /api/service/home-assistant/test. */
export const HomeAssistantTestSchema = z
  .object({
    broker: outcome.meta({ description: "Null where no broker is set" }),
    history: outcome.meta({ description: "Null where no address of Home Assistant is set" }),
  })
  .meta({ id: "HomeAssistantTest" })

export type HomeAssistantRequest = z.infer<typeof HomeAssistantRequestSchema>
export type HomeAssistantState = z.infer<typeof HomeAssistantStateSchema>
export type HomeAssistantTest = z.infer<typeof HomeAssistantTestSchema>
