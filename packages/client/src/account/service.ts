import { z } from "zod"
import { instant } from "../rest/fields.ts"

const address = z.string().max(300).meta({ example: "https://restwell.example.com" })
const bytes = (description: string) => z.number().meta({ description, example: 52_428_800 })
const source = z.enum(["environment", "page"]).nullable().meta({
  description: "Where it is set: in the environment, which takes precedence, or on a page; null if it is not set",
  example: "page",
})

/** GET /api/setup, while no account exists. */
export const SetupResponseSchema = z
  .object({
    needs_code: z.boolean().meta({
      description:
        "True unless the visitor's browser is on the service's own machine: the owner's account then needs the code that the start prints",
      example: false,
    }),
  })
  .meta({ id: "SetupResponse" })

/** POST /api/setup/owner. */
export const CreateOwnerRequestSchema = z
  .object({
    name: z.string().meta({ example: "Ada Berg" }),
    email: z.string().meta({ example: "ada@example.com" }),
    password: z.string().meta({ example: "correct horse battery staple" }),
    code: z.string().max(40).optional().meta({ description: "The set-up code", example: "4F7A-91C2-0B4D" }),
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

/** PUT /api/service/vendors/{provider}. */
export const VendorAppRequestSchema = z
  .object({
    client_id: z.string().trim().min(1, "is empty").max(500).meta({ example: "5d1c2f34-8a36-4a52-b0a4-0c2b6f1f6a10" }),
    client_secret: z.string().trim().min(1, "is empty").max(500),
    portal: z
      .enum(["current", "legacy"])
      .optional()
      .meta({ description: "Where an Oura app was registered", example: "current" }),
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

const BackupSchema = z.object({
  started_at: instant("When it began", "2026-11-20T02:00:00.000Z"),
  file: z.string().meta({ example: "restwell-2026-11-20.backup" }),
  bytes: bytes("Size of the file").nullable(),
  error: z.string().nullable(),
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
      groups: z.array(
        z.object({
          group: z.enum(["records", "imports", "logs", "jobs", "other"]),
          bytes: bytes("Size on disk with indexes"),
        }),
      ),
    }),
    backup: z.object({ last: BackupSchema.nullable(), failure: BackupSchema.nullable(), is_running: z.boolean() }),
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
      waiting_syncs: z.int().meta({ description: "Connections that are due and wait for a worker", example: 0 }),
    }),
  })
  .meta({ id: "ServiceResponse" })

export type SetupResponse = z.infer<typeof SetupResponseSchema>
export type AddressCheck = z.infer<typeof AddressCheckSchema>
export type VendorAppCheck = z.infer<typeof VendorAppCheckSchema>
export type ServiceResponse = z.infer<typeof ServiceResponseSchema>
