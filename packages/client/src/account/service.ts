import { z } from "zod"
import { instant } from "../rest/fields.ts"
import { HomeAssistantStateSchema } from "./home-assistant.ts"

const address = z.string().max(300).meta({ example: "https://restwell.example.com" })
const bytes = (description: string) => z.number().meta({ description, example: 52_428_800 })
const source = z.enum(["environment", "page"]).nullable().meta({
  description: "Where it is set: by environment variables, which take precedence, or on a page; null if it is not set",
  example: "page",
})

/** GET /api/setup. */
export const SetupResponseSchema = z
  .object({
    has_owner: z.boolean().meta({ description: "Whether somebody owns this installation", example: false }),
  })
  .meta({ id: "SetupResponse" })

/** POST /api/setup/owner. */
export const CreateOwnerRequestSchema = z
  .object({
    name: z.string().meta({ example: "Ada Berg" }),
    email: z.string().meta({ example: "ada@example.com" }),
    password: z.string().meta({ example: "correct horse battery staple" }),
    code: z
      .string()
      .max(40)
      .meta({ description: "The set-up code, which the start of Restwell prints", example: "4F7A-91C2-0B4D" }),
  })
  .meta({ id: "CreateOwnerRequest" })

/** PUT /api/service/address, and its check. */
export const AddressRequestSchema = z.object({ address }).meta({ id: "AddressRequest" })

export const AddressCheckSchema = z
  .object({
    is_reachable: z.boolean().meta({ description: "Whether the address leads to this service", example: true }),
    is_https: z.boolean(),
    reach: z
      .enum(["this_computer", "home", "internet"])
      .meta({ description: "Who the address is for: this computer, a home network or everyone", example: "internet" }),
    problem: z.string().nullable().meta({ description: "Why it is not reachable, in words", example: null }),
  })
  .meta({ id: "AddressCheck" })

/** One of an app's credentials: printable ASCII characters. RFC 6749, A.1 and A.2 */
export const AppCredentialSchema = z.string().regex(/^[\x20-\x7e]*$/, {
  error: "must be one line of plain characters: copy it again from the page of your app",
})

/** PUT /api/service/vendors/{provider}. */
export const VendorAppRequestSchema = z
  .object({
    client_id: AppCredentialSchema.trim()
      .min(1, "is empty")
      .max(500)
      .meta({ example: "5d1c2f34-8a36-4a52-b0a4-0c2b6f1f6a10" }),
    client_secret: AppCredentialSchema.trim().min(1, "is empty").max(500),
    portal: z
      .enum(["current", "legacy"])
      .optional()
      .meta({ description: "Where the app was registered, at a vendor with a former page", example: "current" }),
  })
  .meta({ id: "VendorAppRequest" })

export const VendorAppCheckSchema = z
  .object({
    check: z.enum(["accepted", "unknown"]).meta({
      description: "Whether the vendor accepted the credentials. Unknown while it does not answer",
      example: "accepted",
    }),
  })
  .meta({ id: "VendorAppCheck" })

const privateHosts = z
  .array(z.string().trim().min(1, "is empty").max(300))
  .max(100)
  .meta({
    description:
      "Hosts of the home network that people's messages may be sent to, each with a port, or for all ports but those of services such as mail and databases",
    example: ["homeassistant.local:8123", "192.168.1.20"],
  })

/** PUT /api/service/private-hosts. */
export const PrivateHostsRequestSchema = z
  .object({
    hosts: z.union([privateHosts, z.string().max(4_000).meta({ description: "The same, separated by commas" })]),
  })
  .meta({ id: "PrivateHostsRequest" })
export const PrivateHostsResponseSchema = z.object({ hosts: privateHosts }).meta({ id: "PrivateHostsResponse" })

const SIGN_UP = z.enum(["open", "closed"])

/** PUT /api/service/sign-up. */
export const SignUpRequestSchema = z
  .object({
    sign_up: SIGN_UP.meta({ description: "Whether people can sign up without an invitation", example: "closed" }),
  })
  .meta({ id: "SetSignUpRequest" })

/** PUT /api/service/mail. */
export const MailRequestSchema = z
  .object({
    host: z.string().trim().min(1, "is empty").max(253).meta({ example: "mail.example.com" }),
    port: z.int().min(1).max(65_535).meta({
      description: "465 speaks TLS from the first byte. Other ports upgrade with STARTTLS",
      example: 465,
    }),
    user: z.string().max(320).optional().meta({ example: "restwell@example.com" }),
    password: z.string().max(500).optional(),
    from: z.string().trim().min(1, "is empty").max(320).meta({
      description: "The sender, with or without a name",
      example: "Restwell <restwell@example.com>",
    }),
  })
  .meta({ id: "SetMailRequest" })

/** The outcome of a test message. */
export const MailTestSchema = z
  .object({
    sent_to: z.string().meta({ description: "The owner's address", example: "ada@example.com" }),
    problem: z
      .string()
      .nullable()
      .meta({ description: "Why the mail server did not take the message; null when it did", example: null }),
  })
  .meta({ id: "MailTest" })

const BackupSettingsSchema = z.object({
  folder: z.string().trim().min(1, "is empty").max(1000).meta({
    description: "A folder of the machine that writes the backups",
    example: "/srv/restwell-backups",
  }),
  keep: z.int().min(1).max(10_000).meta({ description: "Backups that stay in the folder", example: 7 }),
  every_hours: z.int().min(1).max(8_760).meta({ example: 24 }),
  has_secret: z
    .boolean()
    .meta({ description: "Whether the files contain the secret, which decrypts them", example: true }),
})

/** PUT /api/service/backup. */
export const BackupRequestSchema = BackupSettingsSchema.meta({ id: "SetBackupRequest" })

const BackupSchema = z.object({
  started_at: instant("When it began", "2026-11-20T02:00:00.000Z"),
  file: z.string().meta({ example: "restwell-2026-11-20.backup" }),
  bytes: bytes("Size of the file").nullable(),
  error: z.string().nullable(),
  others_can: z.enum(["change", "read"]).nullable().meta({
    description: "What other users of the service's machine can do with the files of its folder",
    example: null,
  }),
})

/** GET /api/service. */
export const ServiceResponseSchema = z
  .object({
    address: z.object({ value: address, source }),
    vendors: z.array(
      z.object({
        provider: z.string().meta({ example: "whoop" }),
        display_name: z.string().meta({ example: "WHOOP" }),
        source,
        has_portals: z.boolean().meta({ description: "True for a vendor with a former developer portal" }),
      }),
    ),
    unreadable_settings: z.array(z.string()).meta({ description: "Stored settings that the secret does not open" }),
    versions: z.object({
      restwell: z.string().meta({ example: "0.1.0" }),
      schema: z.string().meta({ example: "0001-initial" }),
      postgresql: z.string().meta({ example: "18.1" }),
      node: z.string().meta({ example: "26.2.0" }),
    }),
    people: z.int().meta({ description: "Accounts", example: 3 }),
    storage: z.object({
      database_bytes: bytes("Size of the database"),
      free_bytes: bytes("Free space on the disk of DATA_DIR; null where the database is elsewhere").nullable(),
      disk: z.enum(["ok", "low", "full"]).nullable().meta({
        description: "`low`: uploads, imports and syncs wait for space. Null where the database is elsewhere",
      }),
      groups: z.array(
        z.object({
          group: z.enum(["records", "imports", "logs", "jobs", "other"]),
          bytes: bytes("Size on disk with indexes"),
        }),
      ),
    }),
    sign_up: z.object({ value: SIGN_UP, source }),
    private_hosts: z.object({ value: privateHosts, source }),
    home_assistant: HomeAssistantStateSchema,
    mail: z.object({
      source,
      server: z.string().nullable().meta({
        description: "Host and port; null if it is not set, or by environment variables",
        example: "mail.example.com:465",
      }),
      from: z.string().nullable().meta({ example: "restwell@example.com" }),
      failures: z
        .int()
        .meta({ description: "Emails that the mail server has not taken and that are tried again", example: 0 }),
    }),
    backup: z.object({
      schedule: BackupSettingsSchema.nullable().meta({ description: "Null while no folder is set" }),
      source,
      suggested_folder: z.string().meta({ example: "/srv/restwell/backups" }),
      last: BackupSchema.nullable(),
      failure: BackupSchema.nullable(),
      is_running: z.boolean().meta({ description: "True while one is being written, or is about to be" }),
    }),
    environment: z.array(z.string()).meta({
      description: "Names of the settings of sign-ups, email and backups that environment variables set",
      example: ["SIGN_UP"],
    }),
    failures: z.object({
      connections: z
        .array(
          z.object({
            provider: z.string().meta({ example: "whoop" }),
            status: z.string().meta({ example: "failing" }),
            reason: z.string().nullable(),
            count: z.int().meta({ description: "Connections", example: 1 }),
          }),
        )
        .meta({ description: "Connections that do not work" }),
      unreadable_connections: z
        .int()
        .meta({ description: "Connections whose stored tokens the secret does not open", example: 0 }),
      rejected_records: z.int().meta({ description: "Records that this version could not read", example: 0 }),
      left_out_fields: z
        .array(
          z.object({
            provider: z.string().meta({ example: "oura" }),
            kind: z.string().meta({ example: "sleep" }),
            field: z.string().meta({ example: "sleep.lowest_heart_rate" }),
            count: z.int().meta({ example: 3 }),
          }),
        )
        .meta({ description: "Fields of vendors that are wrong. Their records are used without them" }),
      waiting_syncs: z.int().meta({ description: "Connections that are due and wait for a worker", example: 0 }),
    }),
  })
  .meta({ id: "ServiceResponse" })

export type SetupResponse = z.infer<typeof SetupResponseSchema>
export type MailTest = z.infer<typeof MailTestSchema>
export type AddressCheck = z.infer<typeof AddressCheckSchema>
export type VendorAppCheck = z.infer<typeof VendorAppCheckSchema>
export type ServiceResponse = z.infer<typeof ServiceResponseSchema>
