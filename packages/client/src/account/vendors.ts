import { z } from "zod"

/** What a vendor can deliver. */
export const DELIVERIES = [
  "sleep",
  "sleep_phases",
  "recovery",
  "spo2",
  "temperature",
  "workout",
  "cycle",
  "strain",
  "steps",
  "heart_rate",
  "weight",
  "profile",
] as const
export type Delivery = (typeof DELIVERIES)[number]

/** A vendor that this version of the service can read, and how the operator sets it up. */
export const VendorSchema = z
  .object({
    provider: z.string().meta({ example: "whoop" }),
    display_name: z.string().meta({ example: "WHOOP" }),
    is_set_up: z.boolean().meta({ description: "True when the operator has set it up", example: true }),
    delivers: z.array(z.enum(DELIVERIES)).meta({
      description: "What its connection delivers. sleep_phases: the course of a night",
      example: ["sleep", "recovery", "workout", "cycle", "profile"],
    }),
    key: z
      .object({
        page: z.string().meta({ description: "Where people make their key", example: "intervals.icu/settings" }),
        steps: z.array(z.string()).meta({
          description: "How they get it there, in sentences",
          example: ["Open Settings, and at the end of the page Developer Settings.", "Copy the API key."],
        }),
        attribution: z.string().nullable().meta({
          description: "What the vendor's terms ask to be shown, in a sentence",
          example: "Some data is from Garmin devices.",
        }),
      })
      .nullable()
      .meta({
        description: "For a vendor that people connect by a key of their own; null for the others",
        example: null,
      }),
    code_seconds: z.int().nullable().meta({
      description:
        "How long the code of the address lives on which the browser ends after the consent, where it is seconds; null for a key and where it is minutes",
      example: null,
    }),
    grant_note: z.string().nullable().meta({
      description:
        "What people should know before they connect, where the vendor may end the access by itself; null for the others",
      example: null,
    }),
    setup: z
      .object({
        apps_page: z
          .string()
          .meta({ description: "Where the operator registers an app", example: "developer-dashboard.whoop.com" }),
        former_apps_page: z.string().nullable().meta({
          description: "The vendor's former page, whose apps still work; null where there is none",
          example: null,
        }),
        steps: z.array(z.string()).meta({
          description: "How to register the app there, in sentences",
          example: ["Sign in with your WHOOP account.", "Create a team with any name, and in it an app."],
        }),
        scopes: z
          .array(z.string())
          .meta({ description: "The scopes to choose for the app", example: ["read:sleep", "offline"] }),
        settings: z.array(z.string()).meta({
          description: "Settings of the app's credentials",
          example: ["WHOOP_CLIENT_ID", "WHOOP_CLIENT_SECRET"],
        }),
        redirect_url: z.url().meta({
          description: "The redirect URL to register",
          example: "https://restwell.example.com/api/connections/whoop/callback",
        }),
        webhook_url: z.url().nullable().meta({
          description:
            "The webhook URL to register; null for a vendor whose webhooks the service subscribes to by itself",
          example: "https://restwell.example.com/api/webhooks/whoop",
        }),
        webhook_note: z
          .string()
          .nullable()
          .meta({ description: "What else the webhook's form asks for", example: "Choose version v2." }),
      })
      .nullable()
      .meta({ description: "For the operator; null for a vendor that needs no app" }),
  })
  .meta({ id: "Vendor" })

/** A source whose archive people can upload. */
export const ArchiveSourceSchema = z
  .object({
    provider: z.string().meta({ example: "garmin" }),
    display_name: z.string().meta({ example: "Garmin" }),
    delivers: z.array(z.enum(DELIVERIES)).meta({ description: "What it has", example: ["sleep", "workout", "steps"] }),
    steps: z.array(z.string()).meta({
      description: "How to get the file, in sentences",
      example: ["In Oura's Membership Hub, choose Export data, and download the file when it is ready."],
    }),
  })
  .meta({ id: "ArchiveSource" })

/** What people wear, with each way in which its data can come. */
export const WornDeviceSchema = z
  .object({
    id: z.string().meta({ example: "garmin" }),
    name: z.string().meta({ example: "Garmin" }),
    is_common: z.boolean().meta({ description: "True for what most people wear", example: true }),
    ways: z
      .array(
        z.object({
          kind: z.enum(["vendor", "archive", "push"]).meta({
            description:
              "vendor: a connection. archive: a file that people upload. push: a program on a phone sends it",
            example: "archive",
          }),
          provider: z.string().meta({ description: "The source of what it brings", example: "garmin" }),
          title: z.string().meta({ example: "Upload a newer archive" }),
          program: z
            .enum(["iphone", "android"])
            .nullable()
            .meta({ description: "The phone of the program that pushes; null for other ways", example: null }),
        }),
      )
      .meta({ description: "How its data can come, the best way first" }),
  })
  .meta({ id: "WornDevice" })

export type Vendor = z.infer<typeof VendorSchema>
